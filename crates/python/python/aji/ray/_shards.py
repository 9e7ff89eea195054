"""The finished shards of a run, in a folder beside its journal."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO

from .._error import Error
from .._workbench import Workbench

#: Shards for each core. With more, the last ones end at about the same time, and less is lost with a node.
WAVES = 16

#: The most trials of a shard, unless there would be too many shards.
SHARD_TRIALS_MAX = 50_000

#: The most shards of a run.
SHARDS_MAX = 16_384

#: A shard without trials. It checks a command and writes the header of the journal.
EMPTY = "0..0"

#: How the line of a record begins.
RECORD = b'{"trial":'

#: The file by which a driver keeps others away.
LOCK = "lock"


def shard_count(missing: int, cores: int) -> int:
    """How many shards suit so many missing trials and cores."""
    wanted = max(WAVES * cores, -(-missing // SHARD_TRIALS_MAX))
    return max(1, min(wanted, missing, SHARDS_MAX))


def header_of(journal: Path) -> bytes:
    """The first line of a journal, with its newline."""
    with open(journal, "rb") as lines:
        return lines.readline()


def trials_of(header: bytes) -> int:
    """The number of trials of the whole experiment."""
    return int(json.loads(header)["trials"])


def records_of(journal: Path) -> Iterator[tuple[int, bytes]]:
    """The trials of a journal with their lines. A torn line at the end is left out."""
    with open(journal, "rb") as lines:
        for line in lines:
            if line.startswith(RECORD) and line.endswith(b"\n"):
                yield int(line[len(RECORD) : line.index(b",")]), line


@dataclass(frozen=True)
class Split:
    """How trials are shared out to tasks: every so many trials, or ranges, whose records come in the order of one thread."""

    trials: int
    count: int
    in_order: bool = False

    def slice_of(self, index: int) -> slice:
        """The trials of a shard, from 0."""
        if self.in_order:
            return slice(index * self._length(), min(self.trials, (index + 1) * self._length()))
        return slice(index, self.trials, self.count)

    def shard_of(self, trial: int) -> int:
        """The shard that has a trial."""
        return trial // self._length() if self.in_order else trial % self.count

    def option(self, index: int) -> str:
        """The shard as ``--shard`` takes it."""
        own = self.slice_of(index)
        return f"{min(own.start, own.stop)}..{own.stop}" if self.in_order else f"{index + 1}/{self.count}"

    def name(self, index: int) -> str:
        """The name of its journal."""
        return f"shard-{index + 1:05}-of-{self.count:05}.jsonl"

    def _length(self) -> int:
        return -(-self.trials // self.count)


class Present:
    """Which trials a journal holds: a byte for each."""

    def __init__(self, journal: Path) -> None:
        self._journal, self._header = journal, header_of(journal)
        self.trials = trials_of(self._header)
        self._is_there = bytearray(self.trials)
        for trial, _ in records_of(journal):
            self._is_there[trial] = 1

    def missing(self) -> int:
        """The number of trials that are not there."""
        return self._is_there.count(0)

    def prefix(self) -> int:
        """How many of the first trials are there without a gap."""
        first = self._is_there.find(0)
        return self.trials if first < 0 else first

    def missing_of(self, split: Split) -> dict[int, int]:
        """The shards that are not complete, each with the number of its trials that are not there."""
        counts = {index: self._is_there[split.slice_of(index)].count(0) for index in range(split.count)}
        return {index: count for index, count in counts.items() if count}

    def begun(self, split: Split) -> dict[int, bytes]:
        """The beginnings of the journals of unfinished shards: the records that are already there."""
        if self.missing() == self.trials:
            return {}
        lines: dict[int, list[bytes]] = {}
        unfinished = self.missing_of(split)
        for trial, line in records_of(self._journal):
            index = split.shard_of(trial)
            if index in unfinished:
                lines.setdefault(index, [self._header]).append(line)
        return {index: b"".join(found) for index, found in lines.items()}


class Shards:
    """The folder of a journal's finished shards. One driver at a time works in it."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._folder = journal.with_name(journal.name + ".shards")
        self._lock: IO[bytes] | None = None

    def __enter__(self) -> Shards:
        try:
            self._folder.mkdir(exist_ok=True)
            self._lock = open(self._folder / LOCK, "wb")
        except OSError as error:
            raise Error(f"{self._folder}: cannot write there: {(error.strerror or str(error)).lower()}") from None
        if not _is_locked(self._lock):
            self._lock.close()
            raise Error(f"{self._journal}: another run on Ray writes it; wait for it, or name another file")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._lock is not None:
            if not self._parts():
                shutil.rmtree(self._folder, ignore_errors=True)
            self._lock.close()

    def _parts(self) -> list[Path]:
        return sorted(self._folder.glob("*.jsonl"))

    def keep(self, name: str, content: bytes) -> None:
        """Keeps the journal of a finished shard. It appears complete or not at all."""
        partial = self._folder / f"{name}.part"
        partial.write_bytes(content)
        os.replace(partial, self._folder / name)

    def join(self) -> None:
        """Moves the records of all finished shards to the journal."""
        parts = [part for part in self._parts() if self._fits(part)]
        if parts:
            Workbench().merge(self._journal, [self._journal, *parts])
        self.drop()

    def drop(self) -> None:
        """Deletes the journals of all finished shards."""
        for part in self._parts():
            part.unlink()

    def _fits(self, part: Path) -> bool:
        """Whether a part has a header. One of a run with fewer trials gets the header of this run."""
        own, header = header_of(self._journal), header_of(part)
        if not header.endswith(b"\n"):
            return False
        if header != own:
            if _without_trials(header) != _without_trials(own):
                raise Error(f"{part}: a shard of another experiment than {self._journal}; delete the folder, or name another journal")
            self.keep(part.name, own + part.read_bytes()[len(header) :])
        return True


def _without_trials(header: bytes) -> object:
    try:
        return {key: value for key, value in json.loads(header).items() if key != "trials"}
    except (ValueError, AttributeError):
        return None


def _is_locked(file: IO[bytes]) -> bool:
    """Locks a file against other processes. A system without locks is trusted."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        pass
    return True
