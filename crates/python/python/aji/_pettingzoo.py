"""Games of several players as environments of PettingZoo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pettingzoo  # type: ignore[import-untyped]
from gymnasium import spaces

from ._error import Error
from ._session import Session
from ._workbench import Workbench

#: By how many letters the text of a position may be longer than that of the start.
LETTERS_SPARE = 32

#: The largest code of a letter in a position's text.
LETTER_MAX = 127

#: Seeds of chance are below this.
SEEDS = 2**31


def _cells(rows: int, columns: int) -> list[tuple[int, int]]:
    return [(column, row) for row in range(rows) for column in range(columns)]


def _pairs(rows: int, columns: int, steps: list[tuple[int, int]]) -> list[str]:
    """The names of all moves from a cell by one of these steps."""
    names = []
    for column, row in _cells(rows, columns):
        for across, up in steps:
            if 0 <= column + across < columns and 0 <= row + up < rows:
                names.append(f"{_name(column, row)}-{_name(column + across, row + up)}")
    return names


def _name(column: int, row: int) -> str:
    return f"{chr(ord('a') + column)}{row + 1}"


#: The steps of moves on a board, as columns and rows.
STEPS = {
    "domineering": [(1, 0), (0, 1)],
    "clobber": [(1, 0), (-1, 0), (0, 1), (0, -1)],
    "toads-and-frogs": [(1, 0), (2, 0), (-1, 0), (-2, 0)],
}


def _moves_on(word: str, board: str) -> list[str]:
    """The names of all moves on a board whose rows are separated by ``/``."""
    rows = board.split("/")
    return _pairs(len(rows), max(map(len, rows)), STEPS[word])


def _board_moves(word: str, text: str, _: str) -> list[str]:
    return _moves_on(word, text.split()[0])


def _sum_moves(_: str, text: str, name: str) -> list[str]:
    inner = next((option.removeprefix("game=") for option in name.split() if option.startswith("game=")), "domineering")
    boards = text.rsplit(" ", 1)[0].split(" + ")
    return [f"{number}:{move}" for number, board in enumerate(boards, 1) for move in _moves_on(inner, board)]


def _nim_moves(_: str, text: str, __: str) -> list[str]:
    heaps = [int(heap) for heap in text.split()[0].split(",")]
    return [f"{number}:{taken}" for number, heap in enumerate(heaps, 1) for taken in range(1, heap + 1)]


#: All moves of the games without an encoding, by the word, the text of the start, and the game's name.
MOVES: dict[str, Callable[[str, str, str], list[str]]] = {
    **dict.fromkeys(STEPS, _board_moves),
    "sum": _sum_moves,
    "nim": _nim_moves,
    "pig": lambda _, __, ___: ["hold", "roll"],
}


class Players(pettingzoo.AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A built-in game of several players. :func:`aji.environments.aec` makes it."""

    def __init__(self, game: str, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise Error(f"environments: render_mode={render_mode!r}, expected 'ansi' or None")
        #: The game in progress, to look at.
        self.session = Workbench().session(game)
        players = len(self.session.position.players)
        if players < 2:
            raise Error(f"environments: aec has no {game}, a game of one player, use aji.environments.gym")
        self.game = game
        self.render_mode = render_mode
        self.metadata = {"name": f"aji_{game.split()[0]}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"player_{number}" for number in range(players)]
        self._random = np.random.default_rng()
        self._measure()

    def _measure(self) -> None:
        """Sets the spaces by the start of the game."""
        found = self.session._native.encoding()
        seen: spaces.Space[Any]
        if found is None:
            #: The names of all actions in the order of their numbers; None where the encoding numbers them.
            self.action_names: list[str] | None = self._all_names()
            self._numbers = {name: number for number, name in enumerate(self.action_names)}
            count = len(self.action_names)
            self._letters = len(self.session.text) + LETTERS_SPARE
            seen = spaces.Box(0, LETTER_MAX, (self._letters,), np.uint8)
        else:
            self.action_names = None
            planes, rows, columns, count = found[0]
            seen = spaces.Box(0.0, 1.0, (planes, rows, columns), np.float32)
        mask = spaces.Box(0, 1, (count,), np.int8)
        self._count = count
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}

    def _all_names(self) -> list[str]:
        word = self.game.split()[0]
        if word not in MOVES:
            raise Error(f"environments: the actions of {word} have no numbers, expected a game with an encoding")
        return sorted(MOVES[word](word, self.session.text, self.session.game))

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of a player's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of a player's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game. The seed decides all of its chance."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.session = Workbench().session(self.game)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {}
        self.agent_selection = self.agents[0]
        self._settle(int(self._random.integers(SEEDS)))

    def step(self, action: Any) -> None:
        """The selected player plays the action with this number, and chance acts."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.session.play(self._name_of(action))
        self._settle()
        self._accumulate_rewards()

    def legal(self) -> dict[str, int]:
        """The numbers of the legal actions, by their names."""
        if self.action_names is not None:
            return {name: self._numbers[name] for name in self.session.actions}
        encoded = self.session.encoding()
        assert encoded is not None
        return encoded[1]

    def _name_of(self, action: Any) -> str:
        """The name of a legal action."""
        names = {number: name for name, number in self.legal().items()}
        if action is None or int(action) not in names:
            known = ", ".join(f"{number} ({name})" for number, name in list(names.items())[:10])
            raise Error(f"environments: action {action} is not legal, expected one of action_mask, such as {known}")
        return names[int(action)]

    def _settle(self, seed: int | None = None) -> None:
        """Lets chance act, and says who is next."""
        drawn = self.session.draw(seed)
        while drawn is not None:
            drawn = self.session.draw()
        position = self.session.position
        self.infos = {agent: {"position": position.text} for agent in self.agents}
        if isinstance(position.turn, int):
            self.agent_selection = self.possible_agents[position.turn]
        elif position.payoff is not None:
            self.rewards = dict(zip(self.possible_agents, position.payoff, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)

    def observe(self, agent: str) -> dict[str, Any]:
        """What a player sees: the position, and a mask of the legal actions."""
        mask = np.zeros(self._count, np.int8)
        if agent == self.agent_selection and agent in self.agents and not self.terminations[agent]:
            mask[list(self.legal().values())] = 1
        return {"observation": self._seen(), "action_mask": mask}

    def _seen(self) -> npt.NDArray[Any]:
        """The planes; without an encoding the codes of the text's letters, and zeros after them."""
        encoded = self.session.encoding()
        if encoded is not None:
            return encoded[0]
        codes = np.zeros(self._letters, np.uint8)
        text = self.session.text.encode("ascii")
        codes[: len(text)] = np.frombuffer(text, np.uint8)
        return codes

    def render(self) -> str | None:
        """The position as text, if the render mode is ``"ansi"``."""
        return str(self.session) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""
