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
from ._shards import SHARDS_MAX, Present, Shards, shard_count
from ._words import REPRODUCE, Experiment, checked, files_of, of_worker, take
from ._worker import TOO_FEW, Done, Work, run_shard

#: A shard beyond all trials. It runs none, but it checks the command and writes the header of the journal.
EMPTY = f"{2**64 - 1}/{2**64 - 1}"


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
        if journal is not None or shards is not None:
            raise Error("reproduce: its journals are in the folder of --out, and its tasks are its studies; give neither here")
        return reproduce(words, Cluster(address, retries), experiment.workbench, progress)
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

    def result(self, cluster: Cluster) -> str:
        """Runs what is missing, and reports on the whole journal."""
        self._begin()
        with Shards(self._journal) as shards:
            shards.join()
            present = Present(self._journal)
            if present.missing():
                self._run_missing(cluster, present, shards)
                shards.join()
        return self._make().command(*self._words, f"--journal={self._journal}", "--shard=1/1", "--threads=1")

    def _begin(self) -> None:
        """Checks the command, and that the journal is its own. Writes the header of a new journal."""
        with TemporaryDirectory(prefix="aji-") as folder:
            words = of_worker(self._words, os.path.join(folder, "made.jsonl"))
            try:
                self._make().command(*words, f"--journal={self._journal}", f"--shard={EMPTY}", "--threads=1")
            except Error as error:
                if str(error) != TOO_FEW:
                    raise

    def _run_missing(self, cluster: Cluster, present: Present, shards: Shards) -> None:
        work = Work(tuple(of_worker(self._words, "made.jsonl")), self._make, files_of(self._words))
        with cluster:
            missing = present.missing()
            count = min(self._count or shard_count(missing, cluster.cores()), present.trials)
            sizes = {_name(index, count): present.missing_of(index, count) for index in range(count)}
            sizes = {name: size for name, size in sizes.items() if size}
            bar = Progress(self._words[0], len(sizes), missing, "trials", is_shown=self._is_shown)
            try:
                for ended in cluster.run(run_shard, work, _calls(present, count, sizes)):
                    if ended is not None:
                        name, done = ended
                        self._keep(name, done, shards)
                        bar.add(sizes[name])
                    bar.tell()
            finally:
                bar.end()

    def _keep(self, name: str, done: Done, shards: Shards) -> None:
        if done.error is not None:
            raise Error(done.error)
        shards.keep(name, done.journals[name])


def _name(index: int, count: int) -> str:
    """The name of a shard's journal."""
    return f"shard-{index + 1:05}-of-{count:05}.jsonl"


def _calls(present: Present, count: int, sizes: dict[str, int]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    begun = present.begun(count)
    for index in range(count):
        name = _name(index, count)
        if name in sizes:
            yield name, (name, f"{index + 1}/{count}", begun.pop(index, b""))
