"""Reproduces a paper on a cluster: short studies as a task each, the trials of long ones in shards."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from .. import _native
from .._error import Error
from .._workbench import Workbench
from ._cluster import Cluster
from ._progress import Progress
from ._shards import EMPTY, Present, Shards, Split, header_of, shard_count
from ._words import take
from ._worker import Done, Work, run_study

#: The folder of reports, if none is named.
OUT = "reproduction"

#: A study that takes longer than this on one core, in seconds, is split into shards.
WHOLE_SECONDS_MAX = 60.0

#: A task: its name, and its arguments.
Call = tuple[str, tuple[Any, ...]]


def reproduce(
    words: Sequence[str], cluster: Cluster, workbench: Callable[[], Workbench], shards: int | None, is_shown: bool
) -> str:
    """Runs the studies of a paper as tasks. Gathers their journals, and lets the command write the page from them."""
    out, rest = take(words, "--out")
    seed, rest = take(rest, "--seed")
    named, rest = take(rest, "--study")
    papers = [word for word in rest[1:] if not word.startswith("-")]
    flags = [word for word in rest[1:] if word.startswith("-") and word != "--json"]
    if papers and "--list" not in flags:
        asked = [] if named is None else [f"--study={named}"]
        listed = json.loads(workbench().command("reproduce", *papers, *asked, *flags, "--list", "--json", "--threads=1"))
        scale = "quick" if "--quick" in flags else "full"
        journals = Path(out or OUT) / "journals" / f"{scale}-seed-{seed or 1}"
        work = Work((*flags, f"--seed={seed or 1}"), workbench)
        studies = [_Study(told, float(told[f"{scale}_seconds"]), journals, cluster, shards) for told in listed]
        _run_studies(work, [study for study in studies if not study.mark.exists()], cluster, is_shown)
    return workbench().command(*words, "--threads=1")


def _run_studies(work: Work, studies: Sequence[_Study], cluster: Cluster, is_shown: bool) -> None:
    for study in studies:
        study.prepare()
    if not studies:
        return
    with cluster:
        bar = Progress("reproduce", len(studies), len(studies), "", parts="studies", is_shown=is_shown)
        waiting = _Waiting()
        # The longest first, so that none of them runs alone at the end. Those that are split come before: they have the most steps.
        for study in sorted(studies, key=lambda study: (not study.is_split, -study.seconds)):
            waiting.add(study, study.next())
        try:
            for ended in cluster.run(run_study, work, waiting):
                if ended is not None:
                    name, done = ended
                    study = waiting.owner(name)
                    if done.error is not None:
                        raise Error(done.error)
                    waiting.add(study, study.take(name, done))
                    bar.add(study.is_done)
                    bar.doing = study.progress()
                bar.tell()
        finally:
            for study in studies:
                study.end()
            bar.end()


class _Waiting:
    """The tasks that wait. More come while it is read."""

    def __init__(self) -> None:
        self._calls: deque[Call] = deque()
        self._owners: dict[str, _Study] = {}

    def add(self, study: _Study, calls: Sequence[Call]) -> None:
        self._calls.extend(calls)
        self._owners |= {name: study for name, _ in calls}

    def owner(self, name: str) -> _Study:
        """The study of a task that has ended."""
        return self._owners.pop(name)

    def __iter__(self) -> Iterator[Call]:
        return self

    def __next__(self) -> Call:
        if not self._calls:
            raise StopIteration
        return self._calls.popleft()


class _Study:
    """A study: one task, or its experiments one after another, each split into shards.

    A task without trials finds out which experiment is next, as a study decides that by the records of those before. It runs what
    has no trials.
    """

    def __init__(self, told: dict[str, str], seconds: float, journals: Path, cluster: Cluster, shards: int | None) -> None:
        self._paper, self._name, self.seconds = told["paper"], told["study"], seconds
        self._cluster, self._asked = cluster, shards
        self._run, self._folder = journals.name, journals / self._paper
        #: The file that says that the journals of the study are complete.
        self.mark = self._folder / f"{self._name}.finished"
        # One shard would go on to the next experiment.
        self.is_split = seconds > WHOLE_SECONDS_MAX if shards is None else shards > 1
        self.is_done = False
        #: The journals of the experiments that are complete.
        self._before: dict[str, bytes] = {}
        self._journal: Path | None = None
        self._shards: Shards | None = None
        self._opened = ExitStack()
        self._left: dict[str, str] = {}
        self._count = 0

    def prepare(self) -> None:
        """Makes the folder. Refuses journals of another build before any study runs."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Error(f"{self._folder}: cannot write there: {(error.strerror or str(error)).lower()}") from None
        for path in sorted(self._folder.glob("*.jsonl")):
            header = json.loads(header_of(path) or b"{}")
            if (header.get("version"), header.get("commit")) != (_native.VERSION, _native.COMMIT):
                raise Error(f"{path}: a journal of another build of aji; delete the folder, or name another one with --out")

    def next(self) -> list[Call]:
        """The whole study, or the task that finds the next experiment."""
        shard, before = (EMPTY, self._cluster.shared(self._before)) if self.is_split else (None, {})
        name = f"{self._paper} {self._name} {len(self._before)}"
        return [(name, (self._paper, self._name, self._run, before, "", b"", shard))]

    def take(self, name: str, done: Done) -> list[Call]:
        """Takes what a task has done, and gives the tasks that follow."""
        if self._shards is not None and self._journal is not None:
            part = self._left.pop(name)
            self._shards.keep(part, done.journals[self._journal.name])
            return [] if self._left else self._joined()
        incomplete = None
        for found, content in done.journals.items():
            path = self._folder / found
            if not self.is_split or not path.exists():
                _write(path, content)
            elif header_of(path) != content[: content.index(b"\n") + 1]:
                raise Error(f"{path}: a journal of another experiment; delete it, or name another folder with --out")
            if self.is_split and Present(path).missing():
                incomplete = path
            else:
                self._before[found] = path.read_bytes()
        if incomplete is not None:
            return self._split(incomplete)
        if self.is_split and done.journals:
            return self.next()
        self.mark.touch()
        self.is_done = True
        return []

    def _split(self, journal: Path) -> list[Call]:
        """The shards of the next experiment, but for those that an earlier driver has kept."""
        self._journal, self._shards = journal, self._opened.enter_context(Shards(journal))
        self._shards.join()
        present = Present(journal)
        if not present.missing():
            return self._joined()
        count = self._asked or shard_count(present.missing(), self._cluster.cores())
        # A single shard would be the whole study.
        split = Split(present.trials, max(2, min(count, present.trials)))
        before, begun, calls = self._cluster.shared(self._before), present.begun(split), []
        for index in present.missing_of(split):
            name = f"{self._paper} {journal.stem} {split.option(index)}"
            self._left[name] = split.name(index)
            start = begun.pop(index, b"")
            calls.append((name, (self._paper, self._name, self._run, before, journal.name, start, split.option(index))))
        self._count = len(calls)
        return calls

    def _joined(self) -> list[Call]:
        """Joins the shards of an experiment. The next one follows."""
        assert self._journal is not None and self._shards is not None
        self._shards.join()
        self._before[self._journal.name] = self._journal.read_bytes()
        self.end()
        return self.next()

    def end(self) -> None:
        """Lets others write the journal."""
        self._opened.close()
        self._shards = self._journal = None
        self._left = {}

    def progress(self) -> str:
        """What the study is at."""
        if self._journal is None:
            return ""
        return f"{self._journal.stem} {self._count - len(self._left):,} of {self._count:,} shards"


def _write(path: Path, content: bytes) -> None:
    """Writes a file that appears complete or not at all."""
    partial = path.with_name(f"{path.name}.part")
    partial.write_bytes(content)
    os.replace(partial, path)
