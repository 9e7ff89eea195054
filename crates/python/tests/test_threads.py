"""Many Python threads at once: searches, own games, stops, exceptions."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from games import HashedStones, Stones, StonesInPlace

import aji


def test_threads_find_what_one_thread_finds() -> None:
    asked: list[Callable[[], aji.Report]] = [
        lambda: aji.search("connect-four", "uct simulations=2000 seed=2"),
        lambda: aji.search("hex size=5", "rave simulations=1000"),
        lambda: aji.search("connect-four", "alphazero simulations=100"),
        lambda: aji.search(Stones(12), "uct simulations=800"),
        lambda: aji.search(HashedStones(12), "rave simulations=800"),
        lambda: aji.search(StonesInPlace(12), "uct simulations=400"),
        lambda: aji.search("connect-four", "gumbel simulations=100", evaluate=lambda planes: np.zeros(len(planes))),
    ] * 6
    alone = [ask().arms.tobytes() for ask in asked]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda ask: ask().arms.tobytes(), asked))
    assert together == alone


def test_threads_share_a_workbench_and_its_kept_positions() -> None:
    for make in (Stones, HashedStones):
        workbench = aji.Workbench().game("stones", make)
        ask = lambda seed: workbench.search("stones left=14", f"uct simulations=500 seed={seed}").arms.tobytes()  # noqa: B023, E731
        with ThreadPoolExecutor(6) as pool:
            together = list(pool.map(ask, range(24)))
        assert together == [ask(seed) for seed in range(24)]


def test_matches_and_searches_at_once() -> None:
    with ThreadPoolExecutor(4) as pool:
        matches = [pool.submit(aji.match, "tic-tac-toe", "uct simulations=50", "random", games=20, seed=seed) for seed in (1, 2)]
        searches = [pool.submit(aji.search, Stones(10), "uct simulations=500") for _ in range(6)]
        assert all(search.result().best == "2" for search in searches)
    for seed, match in enumerate(matches, 1):
        assert match.result() == aji.match("tic-tac-toe", "uct simulations=50", "random", games=20, seed=seed)


def test_a_session_is_asked_by_one_thread_at_a_time() -> None:
    session = aji.session("connect-four")
    answers: list[Any] = []

    def ask() -> None:
        try:
            answers.append(session.search("uct simulations=20000").simulations)
        except aji.Error as error:
            answers.append(str(error))

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 20_000 in answers
    assert set(answers) <= {20_000, "an agent thinks in this session; stop it, or open another session"}
    assert session.search("uct simulations=100").best is not None


def test_every_stop_ends_its_own_search() -> None:
    watches = [aji.watch("connect-four", "uct time=30s memory=8MB") for _ in range(4)]
    time.sleep(0.1)
    for number, watch in enumerate(watches):
        assert all(other.is_running for other in watches[number:])
        watch.stop()
        assert watch.report().stopped == "interrupted"


@pytest.mark.parametrize(
    "call",
    [
        'aji.watch("connect-four", "uct time=30s memory=64MB")',
        'aji.watch(Stones(200), "uct time=30s memory=64MB")',
        'aji.watch("connect-four", "alphazero time=30s memory=64MB", evaluate=lambda planes: [0.0] * len(planes))',
        'threading.Thread(target=aji.search, args=("connect-four", "uct time=30s memory=64MB"), daemon=True).start()',
        'next(iter(aji.watch("connect-four", "alphazero time=30s", every=0.01, evaluate=lambda planes: [0.0] * len(planes)))).best',
    ],
)
def test_a_program_may_end_during_a_search(call: str) -> None:
    code = f"import sys, threading, time\nsys.path.insert(0, {os.path.dirname(__file__)!r})\n"
    code += f"import aji\nfrom games import Stones\nheld = {call}\ntime.sleep(0.1)\nprint('bye')"
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20)
        assert (done.returncode, done.stdout, done.stderr) == (0, "bye\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_does_not_wait_for_the_searches_of_its_parent() -> None:
    code = """
import aji, os, sys, time
watch = aji.watch("connect-four", "uct time=30s memory=64MB")
time.sleep(0.1)
if os.fork() == 0:
    assert aji.search("tic-tac-toe", "uct simulations=100").simulations == 100
    sys.exit(7)
began = time.monotonic()
assert os.waitstatus_to_exitcode(os.wait()[1]) == 7
assert time.monotonic() - began < 5 and watch.is_running
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr


def test_a_search_by_threads_has_the_same_arms_every_time() -> None:
    agent = "alphazero threads=2 simulations=200"
    first, second = (aji.search("connect-four", agent, evaluate=lambda planes: np.zeros(len(planes))) for _ in range(2))
    assert first.arms.tobytes() == second.arms.tobytes()
    first, second = (aji.search(Stones(12), "uct threads=2 simulations=500") for _ in range(2))
    assert first.arms.tobytes() == second.arms.tobytes()


class Trouble(Exception):
    pass


class Broken(Stones):
    def play(self, taken: int) -> Stones:
        if self.left < 4:
            raise Trouble
        return super().play(taken)


def test_exceptions_in_many_threads_come_back_each() -> None:
    def ask(_: int) -> str:
        workbench = aji.Workbench()
        try:
            workbench.search(Broken(10), "uct simulations=100")
        except Trouble:
            return "Trouble"
        return "none"

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(ask, range(60))) == {"Trouble"}


def test_an_exception_reaches_only_the_thread_that_raised_it() -> None:
    wrong: list[BaseException] = []
    is_over = threading.Event()

    def others() -> None:
        session = aji.session("tic-tac-toe")
        while not is_over.is_set():
            try:
                aji.search("tic-tac-toe", "uct simulations=20")
                session.actions  # noqa: B018
            except BaseException as error:
                wrong.append(error)

    thread = threading.Thread(target=others)
    thread.start()
    for _ in range(3_000):
        try:
            aji.search(Broken(10), "uct simulations=100")
        except Trouble:
            pass
        except BaseException as error:
            wrong.append(error)
        if wrong:
            break
    is_over.set()
    thread.join()
    assert wrong == []
