"""Searches: reports, the same bytes as the command line's, watching, stopping, Ctrl-C."""

from __future__ import annotations

import gc
import math
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from typing import Any

import numpy as np
import pytest
from games import Stones

import aji

#: What a search that nobody stops would take.
LONG = "uct time=60s memory=64MB"

AGENTS = [
    ("tic-tac-toe", "uct simulations=500 seed=3"),
    ("tic-tac-toe", "exact"),
    ("hex size=5", "rave simulations=400"),
    ("connect-four", "alphazero simulations=200"),
    ("connect-four", "gumbel simulations=32 seed=9"),
    ("connect-four", "alphazero simulations=200 wave=8"),
    ("othello", "alphabeta depth=3"),
    ("pig goal=20", "uct simulations=300"),
    ("nim heaps=2,3 players=3", "uct simulations=200 solver=on"),
    ("go size=5", "uct simulations=200 transpositions=on"),
    ("heap-go", "sentestrat"),
    ("sailing", "uct c=300 unit=points simulations=200"),
    ("domineering rows=4 columns=4", "uct root=voi simulations=200 lines=3"),
    ("breakthrough", "random"),
]


@pytest.mark.parametrize(("game", "agent"), AGENTS)
def test_a_search_is_that_of_the_command_line(game: str, agent: str, told: Any) -> None:
    report, other = aji.search(game, agent), told("search", *game.split(), "--agent", agent)
    names = ("game", "agent", "seed", "position", "simulations", "nodes", "stopped", "best", "line")
    for name in (*names, "value", "points", "proven", "evaluation"):
        assert getattr(report, name) == other.get(name), name
    assert [line["actions"] for line in report.lines] == [line["actions"] for line in other.get("lines", [])]
    assert report.arms["action"].tolist() == [arm["action"] for arm in other["arms"]]
    for name in ("pulls", "mean", "error", "points", "proven", "prior"):
        theirs = np.array([_float32(arm.get(name)) for arm in other["arms"]], report.arms.dtype[name])
        np.testing.assert_array_equal(report.arms[name], theirs, err_msg=name)


def _float32(value: float | None) -> np.float32:
    return np.float32(math.nan if value is None else value)


def test_the_same_seed_gives_the_same_arms_and_another_seed_others() -> None:
    first, second, other = (aji.search("hex size=5", f"uct simulations=500 seed={seed}").arms for seed in (1, 1, 2))
    assert first.tobytes() == second.tobytes() != other.tobytes()


def test_arms_are_a_structured_array() -> None:
    arms = aji.search("tic-tac-toe", "uct simulations=900", moves="b2").arms
    assert arms.dtype.names == ("action", "pulls", "mean", "error", "points", "proven", "prior")
    assert arms["pulls"].sum() == 900
    assert arms["mean"].dtype == np.float32 and ((arms["mean"] >= 0) & (arms["mean"] <= 1)).all()
    assert np.isnan(arms["prior"]).all()
    assert arms[arms["pulls"].argmax()]["action"] in arms["action"]


def test_arms_as_a_data_frame() -> None:
    report = aji.search("connect-four", "alphazero simulations=100", moves="d d c")
    frame = report.to_pandas()
    assert list(frame.columns) == ["action", "pulls", "mean", "error", "prior"]
    assert frame["pulls"].is_monotonic_decreasing and frame["action"][0] == report.best
    assert frame["prior"].sum() == pytest.approx(1, abs=1e-5)


def test_a_report_as_text_and_in_a_notebook() -> None:
    report = aji.search("tic-tac-toe", "uct simulations=400")
    lines = str(report).splitlines()
    assert lines[0].startswith(f"tic-tac-toe, uct simulations=400: {report.best}, worth 0.")
    assert len(lines) == 2 + 9 + 1 and "400 simulations" in lines[-1]
    page = report._repr_html_()
    assert page.count("<tr") == 10 and page.count("font-weight:bold") == 1
    assert "proven" in str(aji.search("tic-tac-toe", "exact"))


def test_a_report_is_pickled_without_its_session() -> None:
    report = aji.search("tic-tac-toe", "uct simulations=100")
    copy = pickle.loads(pickle.dumps(report))
    assert copy.arms.tobytes() == report.arms.tobytes()
    assert (copy.best, copy.simulations, copy.line) == (report.best, report.simulations, report.line)
    assert report.tree().data["children"]
    with pytest.raises(aji.Error, match="report"):
        copy.tree()


def test_only_some_actions_or_all_but_some() -> None:
    only = aji.search("tic-tac-toe", "uct simulations=200", only=["a1", "c3"])
    assert only.best in {"a1", "c3"}
    assert {str(arm["action"]) for arm in only.arms if arm["pulls"]} == {"a1", "c3"}
    without = aji.search("tic-tac-toe", "uct simulations=200", without=["b2"])
    assert without.best != "b2"
    assert "b2" not in {str(arm["action"]) for arm in without.arms if arm["pulls"]}
    assert aji.search("tic-tac-toe", "uct simulations=50", only="a2").best == "a2"
    for wrong in ({"only": ["q1"]}, {"without": ["q1"]}, {"only": ["a1"], "without": ["b1"]}):
        with pytest.raises(aji.Error):
            aji.search("tic-tac-toe", "uct simulations=10", **wrong)  # type: ignore[arg-type]


def test_nothing_is_searched_where_chance_acts_or_the_game_is_over() -> None:
    with pytest.raises(aji.Error):
        aji.search("pig", "uct simulations=10", moves="roll")
    with pytest.raises(aji.Error, match="the game is over"):
        aji.search("tic-tac-toe", "uct simulations=10", moves="a1 b1 a2 b2 a3")


def test_exact_values() -> None:
    report = aji.search("tic-tac-toe", "exact", moves="b2 b1")
    assert report.proven == 1.0 and report.stopped == "solved"
    assert aji.search("tic-tac-toe", "exact").value == 0.5


# Watching


def test_snapshots_grow_and_the_last_is_the_report() -> None:
    watch = aji.watch("connect-four", "uct time=400ms", every=0.05)
    seen = list(watch)
    assert len(seen) >= 3
    counts = [snapshot.simulations for snapshot in seen]
    assert counts == sorted(counts)
    assert seen[-1] is watch.report() and not watch.is_running
    assert seen[-1].tree().data["children"]
    with pytest.raises(aji.Error, match="snapshot"):
        seen[0].tree()
    assert list(watch) == [watch.report()]


def test_a_short_search_has_a_report_without_snapshots() -> None:
    assert aji.watch("tic-tac-toe", "uct simulations=10").report().simulations == 10


def test_a_search_is_stopped_from_another_thread() -> None:
    watch = aji.watch("connect-four", LONG)
    timer = threading.Timer(0.2, watch.stop)
    began = time.monotonic()
    timer.start()
    report = watch.report()
    assert time.monotonic() - began < 2
    assert report.stopped == "interrupted" and report.simulations > 0
    watch.stop()
    assert watch.report() is report


def test_two_threads_wait_for_the_same_report() -> None:
    watch, found = aji.watch("connect-four", "uct time=200ms"), []
    threads = [threading.Thread(target=lambda: found.append(watch.report())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    assert len(found) == 2 and found[0] is found[1]


def test_leaving_the_block_stops_the_search() -> None:
    session = aji.session("connect-four")
    with session.watch(LONG, every=0.01) as watch:
        for snapshot in watch:
            if snapshot.simulations > 1_000:
                break
    assert not watch.is_running
    assert watch.report().stopped == "interrupted"
    assert session.search("uct simulations=100").simulations == 100


def test_a_watch_that_is_dropped_stops() -> None:
    session = aji.session("connect-four")
    for snapshot in session.watch(LONG, every=0.01):
        assert snapshot.simulations > 0
        break
    gc.collect()
    until = time.monotonic() + 2
    while time.monotonic() < until:
        try:
            assert len(session.actions) == 7
            break
        except aji.Error:
            time.sleep(0.01)
    assert session.search("uct simulations=50").stopped == "simulations"


def test_a_session_in_use_says_so() -> None:
    session = aji.session("connect-four")
    with session.watch(LONG, every=0.01) as watch:
        next(iter(watch))
        for ask in (lambda: session.actions, lambda: session.play("a"), lambda: session.search("uct simulations=1"), session.save):
            with pytest.raises(aji.Error, match="an agent thinks in this session"):
                ask()
        assert watch.is_running
        assert repr(session) == "<aji.Session: an agent thinks in this session; stop it, or open another session>"
    assert len(session.actions) == 7


def test_a_question_that_is_refused_does_not_undo_a_stop() -> None:
    class Slow(Stones):
        def play(self, taken: int) -> Stones:
            time.sleep(0.02)
            return super().play(taken)

    session = aji.session(Slow(10))
    watch = session.watch("uct simulations=20")
    time.sleep(0.05)
    watch.stop()
    with pytest.raises(aji.Error, match="an agent thinks"):
        session.perft(1)
    assert watch.report().stopped == "interrupted"


def test_seconds_that_are_no_number_are_refused() -> None:
    with pytest.raises(aji.Error, match="every: NaN found, expected seconds"):
        aji.watch("tic-tac-toe", "uct simulations=10", every=math.nan)
    for every in (-1, 0, math.inf):
        assert aji.watch("tic-tac-toe", "uct simulations=10", every=every).report().simulations == 10
    watch = aji.watch("connect-four", LONG)
    assert not watch._thinking.close(math.nan)
    assert watch._thinking.close(math.inf)


def test_an_error_comes_out_of_the_report() -> None:
    watch = aji.watch("tic-tac-toe", "alphabeta depth=3", only=["q9"])
    with pytest.raises(aji.Error, match="q9"):
        watch.report()
    with pytest.raises(aji.Error):
        aji.watch("tic-tac-toe", "nonsense")


# Python goes on meanwhile


def test_another_python_thread_goes_on_during_a_search() -> None:
    count, is_over = 0, threading.Event()

    def counts() -> None:
        nonlocal count
        while not is_over.is_set():
            count += 1
            time.sleep(0.001)

    thread = threading.Thread(target=counts)
    thread.start()
    aji.search("connect-four", "uct time=500ms")
    is_over.set()
    thread.join()
    assert count > 100


# Ctrl-C

#: The searches that Ctrl-C ends, each as code that would take a minute.
INTERRUPTED = {
    "a search": 'aji.search("connect-four", "uct time=60s memory=64MB")',
    "a search by two threads": 'aji.search("connect-four", "uct time=60s threads=2 memory=64MB")',
    "snapshots": 'list(aji.watch("connect-four", "uct time=60s memory=64MB", every=0.05))',
    "a match": 'aji.match("connect-four", "uct simulations=20000", "uct simulations=20000", games=1000)',
    "a tuning": 'aji.tune("connect-four", "uct simulations=20000", vary="c=0.1..2", games=1000)',
    "an own game": 'aji.search(Stones(500), "uct time=60s memory=64MB")',
    "a match of an own game": 'aji.match(Stones(60), "uct simulations=5000", "uct simulations=5000", games=1000)',
    "an evaluation": 'aji.search("connect-four", "alphazero simulations=10M", evaluate=lambda planes: np.zeros(len(planes)))',
    "many positions": (
        'aji.search_many("connect-four", [""] * 4, "gumbel simulations=10M memory=64MB", evaluate=lambda planes: np.zeros(len(planes)))'
    ),
    "a training": 'aji.train("tic-tac-toe", out=tempfile.mkdtemp(), hours=1, progress=False)',
    "exact play": 'aji.search("connect-four", "exact memory=64MB")',
    "sequences": 'aji.perft("othello", 14)',
    "explanations": 'aji.explain("connect-four", "uct", skip=10**9)',
    "commands of two threads": "of_two_threads()",
    "bandits": 'aji.bandit("ucb1", arms=100, budgets=[1_000_000], repeats=10_000)',
}


@pytest.mark.parametrize("code", INTERRUPTED.values(), ids=INTERRUPTED.keys())
def test_ctrl_c_ends_it_and_the_next_search_works(code: str) -> None:
    script = f"""
        import sys, tempfile, threading, time
        sys.path.insert(0, {os.path.dirname(__file__)!r})
        import numpy as np
        import aji
        from games import Stones

        def threads():
            return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("Threads"))

        def long_match():
            aji.match("connect-four", "uct simulations=20000", "uct simulations=20000", games=1000, threads=1)

        def of_two_threads():
            ends = []

            def other():
                try:
                    long_match()
                except KeyboardInterrupt:
                    ends.append("interrupted")

            thread = threading.Thread(target=other)
            thread.start()
            try:
                long_match()
            finally:
                thread.join()
                assert ends == ["interrupted"]

        aji.search("tic-tac-toe", "uct simulations=10")
        time.sleep(0.05)
        before = threads()
        print("ready", flush=True)
        try:
            {code}
            print("ended by itself", flush=True)
        except KeyboardInterrupt:
            print("KeyboardInterrupt", flush=True)
        until = time.monotonic() + 1
        while threads() > before and time.monotonic() < until:
            time.sleep(0.01)
        print("threads left:", threads() - before)
        print("then:", aji.search("tic-tac-toe", "uct simulations=50").simulations)
        print("then:", aji.match("tic-tac-toe", "random", "random", games=4).games)
        print("then:", aji.search(Stones(5), "uct simulations=50").simulations)
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        assert process.stdout.readline() == "KeyboardInterrupt\n"
        assert time.monotonic() - began < 3
        rest = process.stdout.read()
        assert rest.split("\n")[:4] == ["threads left: 0", "then: 50", "then: 4", "then: 50"]
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.wait()


def test_a_class_of_an_own_game_is_searched() -> None:
    assert aji.search(Stones, "uct simulations=500").best == "2"
