"""A search, a match, and a game of one's own: what every version of Python must do. It needs no other package."""

import sys

import aji


class Stones:
    """Take one to three; who takes the last stone wins."""

    def __init__(self, left=10, mover=0):
        self.left, self.mover = left, mover

    def turn(self):
        return self.mover if self.left else None

    def actions(self):
        return range(1, min(3, self.left) + 1)

    def play(self, taken):
        return Stones(self.left - taken, 1 - self.mover)

    def payoff(self):
        return 1 if self.mover == 1 else -1


assert aji.search("connect-four", "uct simulations=2000", moves="d d d d d").best
assert aji.search(Stones(), "uct simulations=2000").best == "2"
assert aji.search("connect-four", "alphazero simulations=8 wave=4", evaluate=lambda planes: [0.0] * len(planes)).best
assert aji.match(Stones, "uct simulations=50", "random", games=8).games == 8
try:
    aji.search("chess")
except aji.Error as error:
    assert "unknown game" in str(error)
print(f"aji {aji.__version__} in Python {sys.version.split()[0]}")
