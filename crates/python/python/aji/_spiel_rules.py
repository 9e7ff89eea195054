"""Games of OpenSpiel with the rules of built-in games: their names, and the names of their actions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ._error import Error
from ._session import Session

#: From OpenSpiel's name of an action to the built-in game's.
Spelling = Callable[[str], str]


@dataclass(frozen=True)
class Rules:
    """The built-in game with the rules of a game of OpenSpiel."""

    #: The built-in game's name.
    game: str
    spelling: Spelling

    def names(self, state: Any) -> dict[int, str]:
        """The built-in names of the legal actions of a state."""
        player = state.current_player()
        return {action: self.spelling(state.action_to_string(player, action)) for action in state.legal_actions()}


@dataclass(frozen=True)
class Mapped:
    """A session of a built-in game at a state of OpenSpiel, and the legal actions of both."""

    session: Session
    #: The session's name of each legal action of OpenSpiel.
    names: dict[int, str]

    def name(self, action: int) -> str:
        """The session's name of an action of OpenSpiel."""
        if action not in self.names:
            raise Error(f"openspiel: no legal action {action}, expected one of {sorted(self.names)}")
        return self.names[action]

    def action(self, name: str) -> int:
        """OpenSpiel's number of an action of the session."""
        for action, known in self.names.items():
            if known == name:
                return action
        raise Error(f"openspiel: no legal action {name}, expected one of {' '.join(self.names.values())}")


def rules_of(game: Any) -> Rules:
    """The built-in rules of a game of OpenSpiel, or an error that says why there are none."""
    word = game.get_type().short_name
    if word not in RULES:
        raise Error(f"openspiel: no built-in game has the rules of {word}, expected one of {', '.join(RULES)}")
    options = {**game.get_type().parameter_specification, **game.get_parameters()}
    return RULES[word](options)


def _expect(word: str, options: dict[str, Any], **expected: Any) -> None:
    """Refuses options that the built-in game does not have."""
    for name, value in expected.items():
        if options.get(name, value) != value:
            raise Error(f"openspiel: {word} with {name}={options[name]} is not built in, expected {name}={value}")


def _cell(column: int, row: int) -> str:
    """The name of a cell; both count from 0."""
    return f"{chr(ord('a') + column)}{row + 1}"


def _marks(rows: int) -> Spelling:
    """``x(0,2)`` is row 0 from the top and column 2; a1 is at the lower left."""

    def spelling(text: str) -> str:
        row, column = text[2:-1].split(",")
        return _cell(int(column), rows - 1 - int(row))

    return spelling


def _tic_tac_toe(_: dict[str, Any]) -> Rules:
    return Rules("tic-tac-toe", _marks(3))


def _mnk(options: dict[str, Any]) -> Rules:
    m, n, k = options["m"], options["n"], options["k"]
    return Rules(f"mnk m={m} n={n} k={k}", _marks(n))


def _connect_four(options: dict[str, Any]) -> Rules:
    _expect("connect_four", options, rows=6, columns=7, x_in_row=4)
    return Rules("connect-four", lambda text: chr(ord("a") + int(text[1:])))


def _breakthrough(options: dict[str, Any]) -> Rules:
    """OpenSpiel's first player moves down, so rows are mirrored; a capture ends with a star."""
    _expect("breakthrough", options, rows=8, columns=8)
    return Rules("breakthrough", lambda text: f"{text[0]}{9 - int(text[1])}{text[2]}{9 - int(text[3])}")


def _hex(options: dict[str, Any]) -> Rules:
    size = options["num_rows"]
    _expect("hex", options, num_cols=size, swap=False)
    return Rules(f"hex size={size}", str)


def _othello(_: dict[str, Any]) -> Rules:
    return Rules("othello", str)


def _go(options: dict[str, Any]) -> Rules:
    """``B a1`` and ``W PASS``; both leave out the column i."""
    _expect("go", options, handicap=0)
    name = f"go size={options['board_size']} komi={options['komi']:g} ko=simple"
    return Rules(name, lambda text: "pass" if text[2:] == "PASS" else text[2:].upper())


def _clobber(options: dict[str, Any]) -> Rules:
    return Rules(f"clobber rows={options['rows']} columns={options['columns']}", lambda text: f"{text[:2]}-{text[2:]}")


def _nim(options: dict[str, Any]) -> Rules:
    """``pile:1, take:2;`` takes two from the first heap."""
    misere = " misere=on" if options["is_misere"] else ""
    heaps = options["pile_sizes"].replace(";", ",")
    return Rules(f"nim heaps={heaps}{misere}", lambda text: text.rstrip(";").replace("pile:", "").replace(", take", ""))


def _pig(options: dict[str, Any]) -> Rules:
    """The outcomes of the die are ``Roll 1`` to ``Roll 6``."""
    _expect("pig", options, diceoutcomes=6, piglet=False)
    name = f"pig players={options['players']} goal={options['winscore']}"
    return Rules(name, lambda text: "hold" if text == "stop" else text.removeprefix("Roll "))


#: The built-in rules, by OpenSpiel's names and options.
RULES: dict[str, Callable[[dict[str, Any]], Rules]] = {
    "tic_tac_toe": _tic_tac_toe,
    "connect_four": _connect_four,
    "breakthrough": _breakthrough,
    "hex": _hex,
    "othello": _othello,
    "go": _go,
    "mnk": _mnk,
    "clobber": _clobber,
    "nim": _nim,
    "pig": _pig,
}
