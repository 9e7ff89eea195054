"""Games and evaluations of your own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, Union, runtime_checkable

import numpy as np
import numpy.typing as npt

from ._error import Error

#: What ``turn()`` gives where chance acts.
CHANCE = "chance"


@runtime_checkable
class Game(Protocol):
    """A position of a game of your own.

    Four methods make a game::

        class Stones:                      # take one to three; who takes the last stone wins
            def __init__(self, left=10, mover=0):
                self.left, self.mover = left, mover
            def turn(self):                # a player from 0, "chance", or None at the end
                return self.mover if self.left else None
            def actions(self):             # any objects, always in the same order
                return range(1, min(3, self.left) + 1)
            def play(self, taken):         # the next position; or None, if it changes this one
                return Stones(self.left - taken, 1 - self.mover)
            def payoff(self):              # of player 0, or one number for each player
                return 1 if self.mover == 1 else -1

        aji.search(Stones(10), agent="uct simulations=1000").best

    A class may also have:

    ``players`` (2), ``payoff_range`` ((-1, 1)), ``pays_points``, ``zero_sum`` (True with two players), ``has_chance`` (False)
        facts, as attributes;
    ``copy()``
        a copy, where ``play`` changes the position in place; without it Python's deep copy is used, which is slow;
    ``weight(action)``
        the odds of an outcome of chance, on any scale;
    ``hash()``
        what tells positions apart, with the player to act: numbers, text, bytes, None, and tuples and frozen sets of them; other
        objects count by Python's hash. Needed by ``exact`` and by ``transpositions=on``, and it spares Python from being asked
        twice about a position;
    ``key(action)`` and ``key_count``
        a number of an action, the same in all positions: needed by ``rave``, ``learn=``, ``playout=mast`` and ``playout=lgr``;
    ``estimate()``
        a guess of the payoff, for ``alphabeta`` and ``eval=on``;
    ``action_name(action)``, ``player_name(player)``, ``board()``, ``text()``, ``read(text)``
        names and pictures; ``read`` gives the position that ``text`` wrote.
    """

    def turn(self) -> int | str | None: ...

    def actions(self) -> Sequence[Any]: ...

    def play(self, action: Any, /) -> Any: ...

    def payoff(self) -> Any: ...


class Evaluate(Protocol):
    """Values leaves of a search, many at a time: a network of your own, in any framework.

    ``states`` is an array of ``float32`` of shape (leaves, planes, rows, columns) with the features of the built-in games, or the
    list of positions of a game of your own. A built-in game without planes is refused. The answer is the values, or a pair of values
    and policies:

    * values: one number for each leaf, from -1 (lost) to 1 (won) *for the player to act*; or one for each leaf and player;
    * policies: an array of shape (leaves, actions) of weights from 0, on any scale. For a built-in game the columns are its
      :attr:`aji.Session.action_count` numbered actions (:meth:`aji.Session.encoding`); for a game of your own a row has a weight for each action of ``actions()``,
      and rows may be lists of different lengths. ``None`` is a uniform policy.
    """

    def __call__(self, states: Any, /) -> Any: ...


#: The name of a game with its options, a position of a game of your own, or its class.
GameLike = Union[str, Game, type]


def word_of(game: Game | type) -> str:
    """The word by which a game of one's own is known: its class in small letters."""
    name = getattr(game if isinstance(game, type) else type(game), "__name__", "game")
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()
    return re.sub(r"[^a-z0-9_-]", "", words) or "game"


class Adapter:
    """Asks a user's function with arrays, and checks what it returns."""

    def __init__(self, function: Evaluate) -> None:
        self.function = function

    def __call__(
        self,
        movers: bytes,
        states: list[Any] | None,
        features: bytes,
        sizes: tuple[int, int, int],
        legal: bytes,
        width: int,
        players: int,
    ) -> tuple[bytes, bytes]:
        count = len(movers)
        # A copy, because frameworks complain about arrays that cannot be written to.
        asked = states if states is not None else np.frombuffer(features, np.float32).reshape(count, *sizes).copy()
        answer = self.function(asked)
        values, policies = answer if _is_pair(answer) else (answer, None)
        rewards = self._rewards(values, np.frombuffer(movers, np.uint8), players)
        if policies is None:
            return rewards.tobytes(), b""
        mask = np.frombuffer(legal, np.uint8).reshape(count, width)
        return rewards.tobytes(), self._weights(policies, mask, states is not None).tobytes()

    @staticmethod
    def _rewards(values: Any, movers: npt.NDArray[np.uint8], players: int) -> npt.NDArray[np.float32]:
        """Rewards for every leaf and player."""
        count = len(movers)
        found = _array("values", values)
        if found.shape == (count, 1):
            found = found[:, 0]
        if found.shape == (count,):
            if players > 2:
                raise Error(f"evaluate: {count} values for {players} players, expected an array of shape ({count}, {players})")
            rewards = np.empty((count, players), np.float32)
            rewards[:] = -found[:, None]
            rewards[np.arange(count), movers] = found
        elif found.shape == (count, players):
            rewards = np.ascontiguousarray(found)
        else:
            raise Error(f"evaluate: values of shape {found.shape}, expected ({count},) or ({count}, {players})")
        _check(rewards, np.abs(rewards) <= 1.0 + 1e-4, "values", "numbers from -1 to 1")
        return np.clip(rewards, -1.0, 1.0)

    @staticmethod
    def _weights(policies: Any, mask: npt.NDArray[np.uint8], is_own: bool) -> npt.NDArray[np.float32]:
        """Weights of the legal actions, zero elsewhere."""
        count, width = mask.shape
        if is_own and not hasattr(policies, "__array__"):
            policies = _padded(policies, mask.sum(axis=1).tolist(), width)
        weights = _array("policies", policies)
        if weights.shape != (count, width):
            raise Error(f"evaluate: policies of shape {weights.shape}, expected ({count}, {width}): a column for each action")
        _check(weights, (weights >= 0.0) | (mask == 0), "policies", "weights from 0")
        return np.ascontiguousarray(np.where(mask == 1, weights, np.float32(0.0)), np.float32)


def _is_pair(answer: Any) -> bool:
    """Whether an answer is values and policies. Two plain numbers are the values of two leaves."""
    if not isinstance(answer, tuple) or len(answer) != 2:
        return False
    dimensions = getattr(answer[0], "ndim", None)
    return isinstance(answer[0], Iterable) if dimensions is None else dimensions > 0


def _padded(policies: Any, counts: list[int], width: int) -> Any:
    """Rows of the same length, from rows with a weight for each action."""
    rows = list(policies) if isinstance(policies, Iterable) else []
    if len(rows) != len(counts):
        raise Error(f"evaluate: {len(rows)} policies, expected {len(counts)}, one for each leaf")
    padded = []
    for number, (row, count) in enumerate(zip(rows, counts, strict=True)):
        weights = list(row) if isinstance(row, Iterable) else []
        if len(weights) not in (count, width):
            raise Error(f"evaluate: policy {number} has {len(weights)} weights, expected {count}, one for each action")
        padded.append(weights + [0.0] * (width - len(weights)))
    return padded


def _array(what: str, found: Any) -> npt.NDArray[np.float32]:
    try:
        return np.asarray(found, dtype=np.float32)
    except (TypeError, ValueError) as cause:
        raise Error(f"evaluate: {what}: {cause}") from cause


def _check(found: npt.NDArray[np.float32], good: npt.NDArray[np.bool_], what: str, expected: str) -> None:
    """An error if a number is not as it should be; NaN never is."""
    finite = np.isfinite(found)
    if not (good & finite).all():
        index = tuple(np.argwhere(~(good & finite))[0].tolist())
        place = f"leaf {index[0]}" + "".join(f", column {column}" for column in index[1:])
        raise Error(f"evaluate: {what} of {place}: {found[index]} found, expected {expected}")
