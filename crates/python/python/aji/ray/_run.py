"""Runs an experiment on a cluster: shards as tasks, one journal, one report."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .._error import Error
from .._workbench import File, Workbench
from ._cluster import RETRIES, Cluster, ray_module
from ._progress import Progress
from ._reproduce import reproduce
from ._shards import EMPTY, SHARDS_MAX, Present, Shards, Split, shard_count
from ._words import REPRODUCE, SPRT, Experiment, checked, files_of, of_worker, take
from ._worker import TOO_FEW, Done, Work, run_shard

#: A sequential test looks at the finished trials again once they have grown by this share.
LOOK_AGAIN = 1 / 16


def run(
    experiment: Experiment | Sequence[str],
    journal: File | None = None,
    *,
    shards: int | None = None,
    progress: bool = True,
    retries: int = RETRIES,
    address: str | None = None,
    workbench: Callable[[], Workbench] = Workbench,
) -> str:
    """Runs an experiment on Ray, and gives what its command prints.

    The experiment is a command in words, such as ``["match", "connect-four", "--a", "uct", "--b", "random", "--games", "400"]``.
    The journal has the bytes of a run on one thread, and the same call goes on with it; by default it is named after the command,
    as in ``match.jsonl``. Tasks of one core each run the shards in any order. If a worker or a node dies, its shards run again.
    """
    if not isinstance(experiment, Experiment):
        experiment = Experiment(tuple(map(str, experiment)), workbench)
    if shards is not None and not 1 <= shards <= SHARDS_MAX:
        raise Error(f"shards {shards}: expected a number from 1 to {SHARDS_MAX:,}")
    if retries < 0:
        raise Error(f"retries {retries}: expected a number from 0 on")
    words = checked(experiment.words)
    ray_module()
    if words[0] == REPRODUCE:
        if journal is not None:
            raise Error("reproduce: its journals are in the folder of --out; give no journal here")
        return reproduce(words, Cluster(address, retries), experiment.workbench, shards, progress)
    given, rest = take(words, "--journal")
    if given is not None and journal is not None:
        raise Error("--journal: given twice; give it once")
    path = Path(given or journal or f"{words[0]}.jsonl")
    return _Run(Experiment(tuple(rest), experiment.workbench), path, shards, progress).result(Cluster(address, retries))


class _Run:
    """One run of an experiment."""

    def __init__(self, experiment: Experiment, journal: Path, shards: int | None, is_shown: bool) -> None:
        self._words = experiment.words
        self._make = experiment.workbench
        self._journal, self._count, self._is_shown = journal, shards, is_shown
        self._has_test = any(word.partition("=")[0] == SPRT for word in self._words)

    def result(self, cluster: Cluster) -> str:
        """Runs what is missing, and reports on the whole journal."""
        self._begin()
        with Shards(self._journal) as shards:
            shards.join()
            present = Present(self._journal)
            if present.missing() and not self._is_decided(present.prefix()):
                self._run_missing(cluster, present, shards)
                shards.join()
        return self._make().command(*self._words, f"--journal={self._journal}", "--shard=1/1", "--threads=1")

    def _begin(self) -> None:
        """Checks the command, and that the journal is its own. Writes the header of a new journal."""
        try:
            self._look(EMPTY)
        except Error as error:
            if str(error) != TOO_FEW:
                raise

    def _look(self, shard: str) -> str:
        """Runs the command on a shard that has nothing left to run, and gives what it prints."""
        with TemporaryDirectory(prefix="aji-") as folder:
            words = of_worker(self._words, os.path.join(folder, "made.jsonl"))
            return self._make().command(*words, f"--journal={self._journal}", f"--shard={shard}", "--threads=1")

    def _is_decided(self, prefix: int) -> bool:
        """Whether the sequential test has decided on the first trials of the journal. If so, the journal ends there."""
        return self._has_test and prefix > 0 and bool(self._look(f"0..{prefix}"))

    def _run_missing(self, cluster: Cluster, present: Present, shards: Shards) -> None:
        work = Work(tuple(of_worker(self._words, "made.jsonl")), self._make, files_of(self._words))
        with cluster:
            missing = present.missing()
            count = min(self._count or shard_count(missing, cluster.cores()), present.trials)
            split = Split(present.trials, count, self._has_test)
            sizes = {split.name(index): size for index, size in present.missing_of(split).items()}
            bar = Progress(self._words[0], len(sizes), missing, "trials", is_shown=self._is_shown)
            test = _Test(split, list(sizes), present.prefix())
            try:
                for ended in cluster.run(run_shard, work, calls_of(present, split)):
                    if ended is not None:
                        name, done = ended
                        keep(name, done, shards)
                        bar.add(sizes[name])
                        if self._has_test and test.is_due(name):
                            shards.join()
                            if self._is_decided(test.prefix):
                                # What lies behind the end of the test was in other shards.
                                shards.drop()
                                return
                    bar.tell()
            finally:
                bar.end()


class _Test:
    """When a sequential test looks at the finished trials."""

    def __init__(self, split: Split, waiting: list[str], prefix: int) -> None:
        self._waiting, self._ends = waiting, {split.name(index): split.slice_of(index).stop for index in range(split.count)}
        self._done: set[str] = set()
        self._looked = self.prefix = prefix

    def is_due(self, name: str) -> bool:
        """Counts a finished shard. True if the trials without a gap have grown enough."""
        self._done.add(name)
        while self._waiting and self._waiting[0] in self._done:
            self.prefix = self._ends[self._waiting.pop(0)]
        if self.prefix == self._looked or (self._waiting and self.prefix < self._looked * (1 + LOOK_AGAIN)):
            return False
        self._looked = self.prefix
        return True


def keep(name: str, done: Done, shards: Shards) -> None:
    """Keeps the journal of a finished shard, or raises its error."""
    if done.error is not None:
        raise Error(done.error)
    shards.keep(name, done.journals[name])


def calls_of(present: Present, split: Split) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The tasks of the shards that are not complete."""
    begun = present.begun(split)
    for index in present.missing_of(split):
        name = split.name(index)
        yield name, (name, split.option(index), begun.pop(index, b""))
