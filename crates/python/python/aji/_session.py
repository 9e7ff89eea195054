"""A game in progress."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from ._error import Error
from ._explanation import Explanation
from ._report import Report, Tree, Watch

#: Moves as text with spaces, or one by one.
Moves = str | Iterable[str]


def moves_of(moves: Moves) -> list[str]:
    """Moves one by one."""
    return moves.split() if isinstance(moves, str) else [str(move) for move in moves]


@dataclass(frozen=True)
class Position:
    """Everything about a position."""

    game: str
    players: list[str]
    #: A player from 0, ``"chance"``, or None at the end.
    turn: int | str | None
    actions: list[str]
    text: str
    payoff: list[float] | None
    resigned: int | None
    range: tuple[float, float]


class Session:
    """A game in progress: play, take back, and let agents think. An agent that follows the game keeps its tree."""

    def __init__(self, native: _native.Session) -> None:
        self._native = native
        #: How often the position has changed.
        self.moves_made = 0

    @property
    def game(self) -> str:
        """The name of the game, with its options."""
        return self._native.name()

    @property
    def position(self) -> Position:
        """Everything about the position."""
        told = json.loads(self._native.position())
        told["range"] = tuple(told["range"])
        return Position(**told)

    @property
    def turn(self) -> int | str | None:
        """Who acts: a player from 0, ``"chance"``, or None at the end."""
        turn: int | str | None = json.loads(self._native.turn())
        return turn

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.turn is None

    @property
    def actions(self) -> list[str]:
        """The names of the legal actions."""
        return self._native.actions()

    @property
    def odds(self) -> list[float]:
        """The odds of the outcomes, where chance acts."""
        return self._native.odds()

    @property
    def text(self) -> str:
        """The position in one line."""
        return self.position.text

    @property
    def payoff(self) -> list[float] | None:
        """What each player got; None while the game goes on."""
        return self.position.payoff

    def play(self, *moves: str) -> Session:
        """Plays moves, each by its name or a part of it that no other move's name begins or ends with.

        >>> import aji
        >>> aji.session("tic-tac-toe").play("b2", "a1").actions
        ['b1', 'c1', 'a2', 'c2', 'a3', 'b3', 'c3']
        """
        for move in moves:
            for word in move.split():
                self._native.play(word)
                self.moves_made += 1
        return self

    def draw(self, seed: int | None = None) -> str | None:
        """Draws an outcome of chance by its odds, and plays it. None where a player is to act.

        >>> import aji
        >>> session = aji.session("pig", moves="roll")
        >>> session.turn, session.draw(seed=1) in {"1", "2", "3", "4", "5", "6"}, session.draw()
        ('chance', True, None)
        """
        if seed is not None:
            self._native.seed(seed)
        drawn = self._native.draw()
        self.moves_made += drawn is not None
        return drawn

    def undo(self) -> bool:
        """Takes back the last move. False at the start.

        >>> import aji
        >>> session = aji.session("tic-tac-toe", moves="b2")
        >>> session.undo(), session.undo(), len(session.actions)
        (True, False, 9)
        """
        self.moves_made += 1
        return self._native.undo()

    def resign(self) -> None:
        """The player to act gives up.

        >>> import aji
        >>> session = aji.session("tic-tac-toe")
        >>> session.resign()
        >>> session.payoff
        [-1.0, 1.0]
        """
        self.moves_made += 1
        self._native.resign()

    def set_position(self, text: str) -> Session:
        """Starts over at a position in the game's one-line notation.

        >>> import aji
        >>> aji.session("tic-tac-toe").set_position(".o./..x/... x").search("exact").best
        'b2'
        """
        self.moves_made += 1
        self._native.set_position(text)
        return self

    def encoding(self) -> tuple[npt.NDArray[np.float32], dict[str, int]] | None:
        """What a network sees: the planes as an array (planes, rows, columns), and the number of each legal action.

        None for a game without planes. The numbers are below :attr:`action_count`.

        >>> import aji
        >>> planes, numbers = aji.session("connect-four", moves="d").encoding()
        >>> planes.shape, float(planes.sum()), numbers["a"]
        ((2, 6, 7), 1.0, 0)
        """
        found = self._native.encoding()
        if found is None:
            return None
        (planes, rows, columns, _), features, numbers = found
        array = np.zeros(planes * rows * columns, np.float32)
        array[features] = 1.0
        return array.reshape(planes, rows, columns), dict(zip(self.actions, numbers, strict=False))

    @property
    def action_count(self) -> int | None:
        """How many numbered actions a network of this game has: the columns of its policies. None for a game without planes."""
        found = self._native.encoding()
        return None if found is None else found[0][3]

    def search(
        self,
        agent: str | None = None,
        *,
        only: Sequence[str] | None = None,
        without: Sequence[str] | None = None,
    ) -> Report:
        """Lets an agent think, and gives its report. Without a name it is the strongest agent known for the game.

        A later search by the same agent goes on from the part of the tree that the moves since have reached.

        >>> import aji
        >>> session = aji.session("tic-tac-toe", moves="b2 b1")
        >>> report = session.search("uct simulations=500 solver=on")
        >>> report.proven
        1.0
        >>> session.play(report.best).turn
        1
        """
        thinking = self._native.begin(agent, _list(only), _list(without))
        return Watch(thinking, self).report()

    def watch(
        self,
        agent: str | None = None,
        *,
        every: float = 0.1,
        only: Sequence[str] | None = None,
        without: Sequence[str] | None = None,
    ) -> Watch:
        """Begins a search, to be watched while it runs: a snapshot every ``every`` seconds.

        >>> import aji
        >>> with aji.session("connect-four").watch("uct time=10s", every=0.01) as search:
        ...     snapshot = next(iter(search))
        >>> search.report().stopped, search.report().simulations >= snapshot.simulations
        ('interrupted', True)
        """
        return Watch(self._native.begin(agent, _list(only), _list(without), every), self)

    def explain(self, agent: str | None = None, *, skip: int = 0, steps: int = 1) -> Explanation:
        """Explains simulations, after skipping others.

        >>> import aji
        >>> simulation = aji.session("tic-tac-toe").explain("uct", skip=20).simulations[0]
        >>> print(simulation)
        simulation 21
          selection  x takes c3, 1 pull, mean 0.000, bound 2.423
          expansion  opened, o tries a1
          playout    c2 b2 c1: 1, -1
          backup     1, 0: a1 0.000, c3 0.500
        >>> simulation.selection[0].arm.pulls, simulation.expansion.kind, simulation.backup.rewards
        (1, 'opened', [1.0, 0.0])
        """
        told = json.loads(self._native.explain(agent, skip, steps))
        return Explanation._of(told["explanation"], told["boards"])

    def tree(self, depth: int = 3, top: int = 5, path: Moves = "", best: str | None = None) -> Tree:
        """The upper part of the tree of the last search, below the node that these moves lead to.

        >>> import aji
        >>> session = aji.session("tic-tac-toe")
        >>> report = session.search("uct simulations=100")
        >>> {len(path) for path, node in session.tree(depth=2, top=3)}
        {0, 1, 2}
        >>> session.tree(depth=1).data["pulls"]
        100
        """
        told = json.loads(self._native.tree(moves_of(path), depth, top))
        svg = self._native.tree_svg(moves_of(path), depth, top, best)
        if told is None or svg is None:
            raise Error("tree: no search here has grown one, or the moves were never tried")
        return Tree(told, svg)

    def node(self, path: Moves = "") -> dict[str, Any] | None:
        """What the last search knows at a node: the rule, its constant, and all arms with their bounds.

        >>> import aji
        >>> session = aji.session("tic-tac-toe")
        >>> report = session.search("uct simulations=100")
        >>> session.node()["rule"], len(session.node("b2")["arms"])
        ('ucb1(c=1.4)', 8)
        """
        told: dict[str, Any] | None = json.loads(self._native.node(moves_of(path)))
        return told

    def save(self) -> bytes:
        """The last search, to be loaded later.

        >>> import aji
        >>> session = aji.session("tic-tac-toe")
        >>> report = session.search("uct simulations=300")
        >>> saved = session.save()
        >>> other = aji.session("tic-tac-toe")
        >>> other.load("uct", saved)
        300
        >>> int(other.search("uct simulations=100").arms["pulls"].sum())
        400
        """
        return self._native.save()

    def load(self, agent: str, saved: bytes) -> int:
        """Loads a search that the same agent saved at this position. Its next search goes on from there."""
        return self._native.load(agent, saved)

    def perft(self, length: int) -> int:
        """The number of sequences of actions of this length.

        >>> import aji
        >>> aji.session("tic-tac-toe", moves="b2").perft(2)
        56
        """
        count = self._native.perft(length)
        if count is None:
            raise KeyboardInterrupt
        return count

    def board(self) -> Any:
        """The position as a drawing, which notebooks show; ``str`` of it is text.

        >>> import aji
        >>> print(aji.session("tic-tac-toe", moves="b2 a1").board())
          3 . . .
          2 . x .
          1 o . .
            a b c
        <BLANKLINE>
        """
        from ._boards import board_of

        return board_of(self)

    def __str__(self) -> str:
        return self._native.board()

    def __repr__(self) -> str:
        try:
            return f"<aji.Session {self.game}: {self.text}>"
        except Error as error:
            return f"<aji.Session: {error}>"


def _list(names: Sequence[str] | None) -> list[str] | None:
    return None if names is None else [names] if isinstance(names, str) else list(names)
