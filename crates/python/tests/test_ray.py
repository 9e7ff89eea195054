"""Experiments on Ray: the bytes of one thread, whatever dies meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import aji

ray: Any = pytest.importorskip("ray")
Cluster: Any = pytest.importorskip("ray.cluster_utils").Cluster

import aji.ray
from aji.ray import _shards, _words

#: A match of about 10 s on one core, so that there is time to kill something.
SLOW = ["match", "connect-four", "--a", "uct simulations=2000", "--b", "uct simulations=2000 c=0.5", "--games", "160"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head of one core, to which tests add nodes."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def one_thread(words: list[str]) -> tuple[bytes, str]:
    """The journal and the report of a command on one thread."""
    path = Path("one.jsonl")
    aji.command(*words, "--threads=1", f"--journal={path}")
    # Times per move are not in the journal, so the report comes from a second look.
    return path.read_bytes(), aji.command(*words, f"--journal={path}")


def wait_until(is_so: Callable[[], Any], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def finished(journal: str) -> int:
    """How many shards a run has kept."""
    return len(list(Path(f"{journal}.shards").glob("*.jsonl")))


def kept(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the shards that are kept from now on."""
    names: list[str] = []
    keep = _shards.Shards.keep

    def spy(self: _shards.Shards, name: str, content: bytes) -> None:
        names.append(name)
        keep(self, name, content)

    monkeypatch.setattr(_shards.Shards, "keep", spy)
    return names


@pytest.mark.parametrize(
    "words",
    [
        ["match", "connect-four", "--a", "uct simulations=50", "--b", "random", "--games", "30"],
        ["tournament", "tic-tac-toe", "--agent", "uct simulations=20", "--agent", "random", "--agent", "flat simulations=20", "--games", "6"],
        ["tune", "tic-tac-toe", "--agent", "uct simulations=20", "--vary", "c=0.1..2", "--points", "3", "--games", "4"],
        ["bandit", "--rules", "ucb1, voi", "--arms", "4", "--budgets", "8,16", "--repeats", "45"],
        ["duel", "tic-tac-toe", "--attacker", "uct simulations=20", "--victim", "random", "--games", "9"],
        ["mistakes", "tic-tac-toe", "--agent", "uct simulations=20", "--plies", "1..6", "--positions", "9"],
    ],
    ids=lambda words: words[0],
)
def test_the_bytes_of_one_thread(cluster: Any, folder: Path, words: list[str]) -> None:
    journal, report = one_thread(words)
    assert aji.ray.run(words, "many.jsonl", shards=7, progress=False) == report
    assert Path("many.jsonl").read_bytes() == journal
    assert not Path("many.jsonl.shards").exists()


def test_typed_experiments(cluster: Any, folder: Path) -> None:
    options: Any = {"progress": False, "shards": 3}
    match = aji.ray.match("tic-tac-toe", "uct simulations=100", "random", games=20, save="games.txt", **options)
    whole = aji.match("tic-tac-toe", "uct simulations=100", "random", games=20, save="own.txt", journal="own.jsonl")
    assert match.games == 20 and match.score == whole.score and len(list(match.records())) == 10
    assert Path("games.txt").read_bytes() == Path("own.txt").read_bytes()
    rows = aji.ray.bandit("ucb1, voi", arms=4, budgets=[8], repeats=20, **options)
    assert [row["bandits"] for row in rows] == [20, 20]
    made = ["mistakes", "tic-tac-toe", "--plies", "1..6", "--positions", "6", "--make"]
    aji.ray.run([*made, "list.jsonl"], "made.jsonl", **options)
    aji.command(*made, "own-list.jsonl")
    assert Path("list.jsonl").read_bytes() == Path("own-list.jsonl").read_bytes()


def test_games_of_ones_own_and_files_go_to_the_workers(cluster: Any, folder: Path) -> None:
    class Stones:
        """Take one to three; who takes the last stone wins."""

        def __init__(self, left: str | int = 8, mover: int = 0) -> None:
            self.left, self.mover = int(left), mover

        def turn(self) -> int | None:
            return self.mover if self.left else None

        def actions(self) -> range:
            return range(1, min(3, self.left) + 1)

        def play(self, taken: int) -> Stones:
            return Stones(self.left - taken, 1 - self.mover)

        def payoff(self) -> int:
            return 1 if self.mover == 1 else -1

    options: Any = {"games": 8, "openings": 1}
    match = aji.ray.match(Stones, "uct simulations=50", "random", journal="many.jsonl", shards=2, progress=False, **options)
    whole = aji.match(Stones, "uct simulations=50", "random", journal="one.jsonl", threads=1, **options)
    assert match.score == whole.score
    assert Path("many.jsonl").read_bytes() == Path("one.jsonl").read_bytes()

    Path("one.jsonl").unlink()
    Path("lists").mkdir()
    Path("lists/agents.txt").write_text("uct simulations=20\nrandom\n")
    words = ["tournament", "tic-tac-toe", "--agents", "lists/agents.txt", "--games", "4"]
    journal, report = one_thread(words)
    assert aji.ray.run(words, "files.jsonl", progress=False) == report
    assert Path("files.jsonl").read_bytes() == journal


def test_a_journal_that_was_begun_goes_on(cluster: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["bandit", "--arms", "4", "--budgets", "8", "--repeats"]
    aji.command(*words, "10", "--journal=many.jsonl")
    assert len(Path("many.jsonl").read_text().splitlines()) == 11
    # More bandits than at first; shards of which some have records, and a torn line.
    with open("many.jsonl", "ab") as file:
        file.write(b'{"trial":3,"rec')
    journal, report = one_thread([*words, "40"])
    assert aji.ray.run([*words, "40"], "many.jsonl", shards=20, progress=False) == report
    assert Path("many.jsonl").read_bytes() == journal
    # Nothing is left to do.
    names = kept(monkeypatch)
    assert aji.ray.run([*words, "40"], "many.jsonl", progress=False) == report
    assert names == []


def raylets(cluster: Any) -> set[int]:
    nodes = cluster.list_all_nodes()
    return {entry.process.pid for node in nodes for entry in node.all_processes.get("raylet", [])}


def workers_of(cluster: Any, task: str = "run_shard") -> list[int]:
    """The processes of this cluster that run a task now."""
    found, parents = [], raylets(cluster)
    for entry in Path("/proc").iterdir():
        try:
            title = (entry / "cmdline").read_bytes()
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if entry.name.isdigit() and title.startswith(f"ray::{task}".encode()) and parent in parents:
            found.append(int(entry.name))
    return found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds workers in /proc")
def test_a_killed_worker_and_a_lost_node_lose_nothing(cluster: Any, folder: Path) -> None:
    nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
    cluster.wait_for_nodes()
    done: list[str] = []

    def destroy() -> None:
        wait_until(lambda: finished("many.jsonl") >= 2 and workers_of(cluster))
        os.kill(workers_of(cluster)[0], signal.SIGKILL)
        done.append("worker")
        before = finished("many.jsonl")
        wait_until(lambda: finished("many.jsonl") > before)
        cluster.remove_node(nodes[0], allow_graceful=False)
        done.append("node")

    killer = threading.Thread(target=destroy)
    killer.start()
    try:
        report = aji.ray.run(SLOW, "many.jsonl", shards=40, progress=False)
    finally:
        killer.join()
        cluster.remove_node(nodes[1])
    assert done == ["worker", "node"]
    journal, whole = one_thread(SLOW)
    assert report == whole
    assert Path("many.jsonl").read_bytes() == journal


def command(cluster: Any, *words: str) -> subprocess.Popen[str]:
    """The command line on this cluster."""
    line = [sys.executable, "-m", "aji.ray", *words, "--address", cluster.address]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_killed_driver_goes_on(cluster: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [*SLOW[:-1], "60"]
    process = command(cluster, *words, "--journal", "many.jsonl", "--shards", "30")
    wait_until(lambda: finished("many.jsonl") >= 3)
    with pytest.raises(aji.Error, match="another run on Ray writes it"):
        aji.ray.run(words, "many.jsonl", progress=False)
    process.kill()
    process.communicate()
    before = finished("many.jsonl")
    assert 3 <= before < 30
    names = kept(monkeypatch)
    report = aji.ray.run(words, "many.jsonl", shards=30, progress=False)
    assert len(names) == 30 - before
    journal, whole = one_thread(words)
    assert (Path("many.jsonl").read_bytes(), report) == (journal, whole)


def test_the_command_line(cluster: Any, folder: Path) -> None:
    words = ["bandit", "--arms", "4", "--budgets", "8", "--repeats", "40"]
    process = command(cluster, *words, "--journal=many.jsonl", "--shards=4", "--quiet")
    out, errors = process.communicate()
    journal, report = one_thread(words)
    assert (process.returncode, out, errors) == (0, report, "")
    assert Path("many.jsonl").read_bytes() == journal

    process = command(cluster, *SLOW, "--journal=slow.jsonl", "--shards=40")
    wait_until(lambda: finished("slow.jsonl") >= 1)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert errors.splitlines()[-1] == "aji: interrupted; the same command continues"
    assert finished("slow.jsonl") >= 1

    for line, expect in [
        (["serve"], 'aji: "serve" does not run on Ray; expected match, '),
        (["match", "connect-four", "--a", "uct", "--b", "nobody"], 'aji: unknown agent "nobody"'),
        (["bandit", "--shards", "many"], "aji: --shards many: expected a whole number"),
        (["train", "hex"], "aji: --out DIR: expected the folder of the run"),
        (["train", "hex", "--out", "x", "--gate", "none"], "aji: --gate: a training on Ray does not take it"),
        (["bandit", "--address=127.0.0.1:9"], "aji: --address 127.0.0.1:9: no Ray cluster answers there: "),
    ]:
        process = subprocess.Popen(
            [sys.executable, "-m", "aji.ray", *line], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        out, errors = process.communicate()
        assert (process.returncode, out) == (2, "") and errors.count("\n") == 1 and errors.startswith(expect), errors


def test_helps(capsys: pytest.CaptureFixture[str]) -> None:
    from aji.ray.__main__ import main

    assert main([]) == 0 and "python -m aji.ray COMMAND" in capsys.readouterr().out
    assert main(["match", "--help"]) == 0
    told = capsys.readouterr().out
    assert "--equal-samples" in told and "--retries N" in told


def test_errors_are_one_line(cluster: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(expect: str, words: list[str], **options: Any) -> None:
        with pytest.raises(aji.Error) as caught:
            aji.ray.run(words, progress=False, **options)
        assert str(caught.value).startswith(expect) and "\n" not in str(caught.value)

    match = ["match", "tic-tac-toe", "--a", "random", "--b", "uct simulations=9"]
    check("which experiment? expected match", [])
    check("--shard: Ray's tasks are the shards", [*match, "--shard=1/2"])
    check("--threads: every worker uses one thread", [*match, "--threads", "8"])
    check("shards 0: expected a number from 1", match, shards=0)
    check("--games 3: games come in pairs", [*match, "--games", "3"])
    assert not list(folder.iterdir())

    aji.command(*match, "--games=4", "--journal=known.jsonl")
    before = Path("known.jsonl").read_bytes()
    check("--journal known.jsonl: a run of --games 4 there", [*match, "--games=2"], journal="known.jsonl")
    check("--journal known.jsonl: --b was", [*match[:-1], "random", "--games=4"], journal="known.jsonl")
    check("--journal known.jsonl: the command was", ["bandit"], journal="known.jsonl")
    assert Path("known.jsonl").read_bytes() == before
    Path("known.jsonl.shards").mkdir()
    Path("known.jsonl.shards/shard-00001-of-00002.jsonl").write_bytes(before.replace(b'"seed":1', b'"seed":2'))
    check("known.jsonl.shards/shard-00001-of-00002.jsonl: a shard of another experiment", [*match, "--games=4"], journal="known.jsonl")

    monkeypatch.setitem(sys.modules, "ray", None)
    check("aji.ray needs Ray, which is not installed here: pip install ray", match)


def test_an_error_of_a_trial_ends_the_run(cluster: Any, folder: Path) -> None:
    """A program that ends at once. Its game is not tried again."""
    words = ["match", "go", "size=5", "--a", "gtp: false", "--b", "random", "--games", "8"]
    with pytest.raises(aji.Error) as alone:
        aji.command(*words, "--threads=1")
    begun = time.monotonic()
    with pytest.raises(aji.Error) as caught:
        aji.ray.run(words, "many.jsonl", shards=1, progress=False)
    assert str(caught.value) == str(alone.value) and "it failed twice" in str(alone.value)
    assert time.monotonic() - begun < 10


def test_a_worker_that_always_dies_ends_the_run(cluster: Any, folder: Path) -> None:
    driver = os.getpid()

    def fatal() -> aji.Workbench:
        if os.getpid() != driver:
            os.kill(os.getpid(), signal.SIGKILL)
        return aji.Workbench()

    with pytest.raises(aji.Error) as caught:
        aji.ray.run(["bandit", "--repeats", "4"], workbench=fatal, shards=1, retries=1, progress=False)
    told = str(caught.value)
    assert told.startswith("shard-00001-of-00001.jsonl: its worker or its node died 2 times: ") and "\n" not in told


#: A match that its test ends after 42 of 200 pairs.
TESTED = ["match", "connect-four", "--a", "uct simulations=2000", "--b", "uct simulations=1000", "--games", "400", "--sprt", "0,50"]


def test_a_sequential_test_ends_where_one_thread_ends(cluster: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = kept(monkeypatch)
    journal, report = one_thread(TESTED)
    assert "ended by the test" in report and 30 < journal.count(b"\n") < 60
    assert aji.ray.run(TESTED, "many.jsonl", shards=40, progress=False) == report
    assert Path("many.jsonl").read_bytes() == journal
    assert len(names) < 40 and not Path("many.jsonl.shards").exists()
    # The test has decided, so nothing runs, also with records beyond its end.
    names.clear()
    rest = [*TESTED, "--shard=60..70", "--threads=1", "--journal=rest.jsonl"]
    aji.command(*rest)
    aji.merge("more.jsonl", ["many.jsonl", "rest.jsonl"])
    for path in ("many.jsonl", "more.jsonl"):
        assert aji.ray.run(TESTED, path, progress=False) == report
        assert Path(path).read_bytes() == journal
    assert names == []
    # A test that does not decide.
    undecided = [*TESTED[:-3], "12", "--sprt=0,5"]
    Path("one.jsonl").unlink()
    journal, report = one_thread(undecided)
    assert aji.ray.run(undecided, "undecided.jsonl", shards=4, progress=False) == report
    assert Path("undecided.jsonl").read_bytes() == journal and journal.count(b"\n") == 7


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds workers in /proc")
def test_a_sequential_test_loses_nothing_with_a_killed_worker_and_driver(cluster: Any, folder: Path) -> None:
    process = command(cluster, *TESTED, "--journal", "many.jsonl", "--shards", "50")
    wait_until(lambda: Path("many.jsonl").exists() and len(list(_shards.records_of(Path("many.jsonl")))) >= 8)
    wait_until(lambda: workers_of(cluster))
    os.kill(workers_of(cluster)[0], signal.SIGKILL)
    before = len(list(_shards.records_of(Path("many.jsonl"))))
    wait_until(lambda: len(list(_shards.records_of(Path("many.jsonl")))) > before)
    process.kill()
    process.communicate()
    report = aji.ray.run(TESTED, "many.jsonl", shards=70, progress=False)
    journal, whole = one_thread(TESTED)
    assert (Path("many.jsonl").read_bytes(), report) == (journal, whole)


def same_journals() -> list[str]:
    """The names of the journals of the folder one, which are also those of the folder many."""
    paths = [path.relative_to("one") for path in Path("one/journals").rglob("*.jsonl")]
    assert all(Path("one", path).read_bytes() == Path("many", path).read_bytes() for path in paths)
    return sorted(path.name for path in paths)


@pytest.mark.parametrize("shards", [None, 1, 5])
def test_a_paper(cluster: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, shards: int | None) -> None:
    """One of the studies has no trials, and one has two experiments, of which the second depends on the first."""
    names = kept(monkeypatch)
    options: Any = {"study": ["index_table", "bandit_table", "regret", "traps"], "quick": True, "progress": False}
    told = aji.ray.reproduce("strass2026", out="many", shards=shards, **options)
    assert len(names) == (15 if shards == 5 else 0)
    whole = aji.reproduce("strass2026", out="one", threads=1, **options)
    assert told["claims"] == whole["claims"] and len(same_journals()) == 3
    # Everything is there.
    assert aji.ray.reproduce("strass2026", out="many", shards=shards, **options)["claims"] == whole["claims"]
    assert len(names) == (15 if shards == 5 else 0)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds workers in /proc")
def test_a_paper_in_shards_loses_nothing_with_a_killed_worker_and_driver(cluster: Any, folder: Path) -> None:
    words = ["reproduce", "strass2026", "--study=traps", "--quick", "--out=many"]
    process = command(cluster, *words, "--shards=12", "--json")
    parts = Path("many/journals/quick-seed-1/strass2026")
    wait_until(lambda: len(list(parts.glob("*.shards/*.jsonl"))) >= 2 and workers_of(cluster, "run_study"))
    os.kill(workers_of(cluster, "run_study")[0], signal.SIGKILL)
    before = len(list(parts.glob("*.shards/*.jsonl")))
    wait_until(lambda: len(list(parts.glob("*.shards/*.jsonl"))) != before or process.poll() is not None)
    process.kill()
    process.communicate()
    told = aji.ray.reproduce("strass2026", study="traps", quick=True, out="many", shards=7, progress=False)
    whole = aji.reproduce("strass2026", study="traps", quick=True, out="one", threads=1, progress=False)
    assert told["claims"] == whole["claims"] and len(same_journals()) == 2


def test_a_training_has_the_bytes_of_one_machine(cluster: Any, folder: Path) -> None:
    options: Any = {"net": "perceptron hidden=16,16", "agent": "gumbel simulations=8", "options": "games=24 batch=32 keep=1", "seed": 3}
    aji.train("tic-tac-toe", out="one", games=48, gate="none", threads=1, progress=False, **options)
    done = aji.ray.train("tic-tac-toe", out="many", games=24, workers=3, progress=False, **options)
    assert (done["iterations"], done["games"]) == (1, 24)
    # Another process goes on.
    process = command(cluster, "train", "--out=many", "--games", "48", "--workers=2", "--quiet")
    out, errors = process.communicate()
    assert (process.returncode, errors) == (0, "") and out.startswith("many/network.safetensors: 2 iterations, 48 games")
    assert_same_training()


def assert_same_training() -> None:
    """The folders one and many have the same files. Journals also have times."""
    names = [path.relative_to("one") for path in Path("one").rglob("*") if path.is_file() and path.name != "journal.jsonl"]
    assert len(names) > 5
    assert [name for name in names if Path("one", name).read_bytes() != Path("many", name).read_bytes()] == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds workers in /proc")
def test_a_training_loses_nothing_with_a_killed_worker(cluster: Any, folder: Path) -> None:
    options: Any = {"net": "perceptron hidden=16,16", "agent": "gumbel simulations=200", "options": "games=24 batch=32 keep=1", "seed": 3}
    killed: list[int] = []

    def alive() -> list[int]:
        return [worker for worker in workers_of(cluster, "play") if worker not in killed]

    def destroy() -> None:
        for _ in range(2):
            wait_until(alive)
            killed.append(alive()[0])
            os.kill(killed[-1], signal.SIGKILL)

    killer = threading.Thread(target=destroy)
    killer.start()
    try:
        done = aji.ray.train("connect-four", out="many", games=48, workers=2, progress=False, **options)
    finally:
        killer.join()
    assert len(killed) == 2 and done["games"] == 48
    aji.train("connect-four", out="one", games=48, gate="none", threads=1, progress=False, **options)
    assert_same_training()


def test_the_number_of_shards() -> None:
    assert _shards.shard_count(10, 100) == 10
    assert _shards.shard_count(1_000_000, 2) == 32
    assert _shards.shard_count(10_000_000, 2) == 200
    assert _shards.shard_count(10_000_000, 1_000) == 16_000
    assert _shards.shard_count(10**9, 10_000) == _shards.SHARDS_MAX


def test_splits_share_out_every_trial() -> None:
    for trials, count in [(10, 1), (10, 3), (10, 6), (10, 7), (10, 10)]:
        for in_order in (False, True):
            split = _shards.Split(trials, count, in_order)
            own = [list(range(trials))[split.slice_of(index)] for index in range(count)]
            assert sorted(sum(own, [])) == list(range(trials))
            assert all(split.shard_of(trial) == index for index in range(count) for trial in own[index])
            assert not in_order or sum(own, []) == list(range(trials))
    assert [_shards.Split(10, 7, True).option(index) for index in (0, 4, 6)] == ["0..2", "8..10", "10..10"]
    assert _shards.Split(10, 7).option(6) == "7/7"


def test_words(folder: Path) -> None:
    assert _words.take(["match", "--games=4", "--seed", "2"], "--seed") == ("2", ["match", "--games=4"])
    assert _words.take(["match", "--seed"], "--games") == (None, ["match", "--seed"])
    with pytest.raises(aji.Error, match="given twice"):
        _words.take(["--seed=1", "--seed", "2"], "--seed")
    assert _words.of_worker(["match", "--save", "x", "--svg=y", "--make", "z"], "m") == ["match", "--make=m"]
    Path("x.net").write_bytes(b"net")
    assert _words.files_of(["match", "hex", "--a", "alphazero net=x.net simulations=8"]) == {"x.net": b"net"}
