"""Games of the tests, and exact values of them by plain minimax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Stones:
    """Take one to three stones; who takes the last wins. Positions do not change."""

    def __init__(self, left: Any = 10, mover: int = 0, most: Any = 3) -> None:
        self.left, self.mover, self.most = int(left), mover, int(most)

    def turn(self) -> int | None:
        return self.mover if self.left else None

    def actions(self) -> Sequence[int]:
        return range(1, min(self.most, self.left) + 1)

    def play(self, taken: int) -> Stones:
        return type(self)(self.left - taken, 1 - self.mover, self.most)

    def payoff(self) -> int:
        return 1 if self.mover == 1 else -1


class HashedStones(Stones):
    """The same with a hash, keys, an estimate and text."""

    key_count = 4

    def hash(self) -> tuple[int, int]:
        return self.left, self.mover

    def key(self, taken: int) -> int:
        return taken

    def estimate(self) -> float:
        return 0.0

    def text(self) -> str:
        return f"{self.left} {self.mover}"

    def read(self, text: str) -> HashedStones:
        left, mover = text.split()
        return type(self)(left, int(mover))

    def board(self) -> str:
        return "o" * self.left

    def action_name(self, taken: int) -> str:
        return f"take {taken}"

    def player_name(self, player: int) -> str:
        return ("Ann", "Bob")[player]


class StonesInPlace:
    """The same game; playing changes the position."""

    copies = 0

    def __init__(self, left: Any = 10) -> None:
        self.left, self.mover = int(left), 0

    def copy(self) -> StonesInPlace:
        StonesInPlace.copies += 1
        other = type(self)(self.left)
        other.mover = self.mover
        return other

    def turn(self) -> int | None:
        return self.mover if self.left else None

    def actions(self) -> list[int]:
        return list(range(1, min(3, self.left) + 1))

    def play(self, taken: int) -> None:
        self.left -= taken
        self.mover = 1 - self.mover

    def payoff(self) -> list[float]:
        return [1, -1] if self.mover == 1 else [-1, 1]


class Dice:
    """One player: roll a loaded die up to three times, stop when it suits; the last roll is the payoff."""

    players = 1
    payoff_range = (0, 6)
    has_chance = True

    def __init__(self, rolls: Any = 3, face: int = 0, rolling: bool = False, stopped: bool = False) -> None:
        self.rolls, self.face, self.rolling, self.stopped = int(rolls), face, rolling, stopped

    def turn(self) -> int | str | None:
        if self.rolling:
            return "chance"
        return None if self.stopped or self.rolls == 0 else 0

    def actions(self) -> list[Any]:
        return [1, 2, 3, 4, 5, 6] if self.rolling else ["roll", "stop"]

    def weight(self, face: int) -> float:
        return 2.0 if face == 1 else 1.0

    def play(self, action: Any) -> Dice:
        if self.rolling:
            return type(self)(self.rolls - 1, action)
        return type(self)(self.rolls, self.face, action == "roll", action == "stop")

    def payoff(self) -> float:
        return self.face

    def hash(self) -> Any:
        return self.rolls, self.face, self.rolling, self.stopped


class Ring:
    """Stones for two, three or four players: who takes the last wins, the others lose."""

    def __init__(self, left: Any = 7, players: Any = 3, mover: int = 0) -> None:
        self.left, self.players, self.mover = int(left), int(players), mover

    def turn(self) -> int | None:
        return self.mover if self.left else None

    def actions(self) -> list[int]:
        return [taken for taken in (1, 2) if taken <= self.left]

    def play(self, taken: int) -> Ring:
        return Ring(self.left - taken, self.players, (self.mover + 1) % self.players)

    def payoff(self) -> list[float]:
        winner = (self.mover - 1) % self.players
        return [1.0 if player == winner else -1.0 for player in range(self.players)]

    def hash(self) -> Any:
        return self.left, self.mover


_solved: dict[Any, list[float]] = {}


def solved(position: Any) -> list[float]:
    """The payoffs of all players under best play."""
    key = (type(position), *vars(position).values())
    if key not in _solved:
        _solved[key] = _minimax(position)
    return _solved[key]


def _minimax(position: Any) -> list[float]:
    turn = position.turn()
    if turn is None:
        payoff = position.payoff()
        if isinstance(payoff, list):
            return payoff
        return [payoff] if getattr(position, "players", 2) == 1 else [payoff, -payoff]
    after = [(action, solved(_after(position, action))) for action in position.actions()]
    if turn == "chance":
        weights = [position.weight(action) for action, _ in after]
        players = range(len(after[0][1]))
        return [
            sum(weight * payoffs[player] for weight, (_, payoffs) in zip(weights, after, strict=True)) / sum(weights)
            for player in players
        ]
    return max((payoffs for _, payoffs in after), key=lambda payoffs: payoffs[turn])


def best(position: Any) -> set[str]:
    """The best actions, as text."""
    turn = position.turn()
    values = {str(action): solved(_after(position, action))[turn] for action in position.actions()}
    return {action for action, value in values.items() if value == max(values.values())}


def _after(position: Any, action: Any) -> Any:
    position = position.copy() if hasattr(position, "copy") else position
    following = position.play(action)
    return position if following is None else following
