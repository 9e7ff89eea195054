"""A game of one's own: take one to three stones; who takes the last one wins."""

from __future__ import annotations

import aji


class Stones:
    def __init__(self, left: int = 10, mover: int = 0) -> None:
        self.left, self.mover = int(left), mover

    def turn(self) -> int | None:
        return self.mover if self.left else None

    def actions(self) -> range:
        return range(1, min(3, self.left) + 1)

    def play(self, taken: int) -> Stones:
        return Stones(self.left - taken, 1 - self.mover)

    def payoff(self) -> int:
        return 1 if self.mover == 1 else -1


print(aji.laws(Stones()))
report = aji.search(Stones(10), "uct simulations=2000")
print(report)
assert report.best == "2"  # leave a multiple of four
