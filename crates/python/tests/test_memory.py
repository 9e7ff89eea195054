"""Memory: what is closed is given back."""

from __future__ import annotations

import gc
import resource
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from games import HashedStones, Stones, StonesInPlace

import aji

#: The most that resident memory may grow, once everything has been done a few times.
GROWTH_BYTES_MAX = 4 << 20


def resident() -> int:
    """The bytes of this process that are in memory."""
    gc.collect()
    with open("/proc/self/statm") as pages:
        return int(pages.read().split()[1]) * resource.getpagesize()


def open_and_close() -> None:
    session = aji.session("tic-tac-toe")
    session.play("b2")
    session.undo()


def search_an_own_game() -> None:
    aji.search(Stones(12), "uct simulations=100")


def search_a_game_with_hashes() -> None:
    aji.search(HashedStones(12), "rave simulations=50")
    aji.search(StonesInPlace(12), "uct simulations=20")


def search_with_an_evaluation() -> None:
    aji.search("connect-four", "alphazero simulations=30 memory=1MB", evaluate=lambda planes: np.zeros(len(planes)))


def fail() -> None:
    class Broken(Stones):
        def play(self, taken: int) -> Stones:
            if self.left < 4:
                raise KeyError(taken)
            return super().play(taken)

    with pytest.raises(KeyError):
        aji.search(Broken(10), "uct simulations=50")


def watch_and_drop() -> None:
    watch = aji.watch("tic-tac-toe", "uct time=1s memory=1MB", every=0.001)
    watch.stop()
    watch.report()


@pytest.mark.parametrize(
    ("work", "times"),
    [
        (open_and_close, 10_000),
        (search_an_own_game, 1_000),
        (search_a_game_with_hashes, 200),
        (search_with_an_evaluation, 1_000),
        (fail, 1_000),
        (watch_and_drop, 300),
    ],
)
def test_memory_is_flat(work: Callable[[], Any], times: int) -> None:
    for _ in range(times // 5):
        work()
    before = resident()
    for _ in range(times):
        work()
    assert resident() - before < GROWTH_BYTES_MAX


def test_a_session_of_one_class_keeps_no_more_positions_than_asked() -> None:
    class Counted(Stones):
        pass

    def count() -> int:
        return sum(isinstance(found, Counted) for found in gc.get_objects())

    session = aji.Workbench().game("stones", Counted, kept=200).session("stones left=60")
    session.search("uct simulations=2000")
    assert 100 < count() < 500
    del session
    aji.search("tic-tac-toe", "uct simulations=10")
    gc.collect()
    assert count() == 0
