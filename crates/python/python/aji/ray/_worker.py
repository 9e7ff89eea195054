"""What runs in a worker: one shard of an experiment, or one study of a paper or a part of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from .. import _native
from .._error import Error
from .._workbench import Workbench

#: The program of this process. Another build may give other records.
BUILD = f"{_native.VERSION} (commit {_native.COMMIT})"

#: How `aji bandit` ends on a shard of one bandit. The record is in the journal nevertheless.
TOO_FEW = "expected two bandits or more in this shard"


@dataclass(frozen=True)
class Work:
    """What all shards of an experiment share."""

    words: tuple[str, ...]
    workbench: Callable[[], Workbench]
    #: Files that the words name, by relative path.
    files: Mapping[str, bytes] = field(default_factory=dict)
    #: The build of the driver.
    build: str = BUILD


@dataclass(frozen=True)
class Done:
    """The end of a task: its journals by name, or an error of aji."""

    journals: dict[str, bytes] = field(default_factory=dict)
    error: str | None = None
    seconds: float = 0.0


def run_shard(work: Work, name: str, shard: str, begun: bytes) -> Done:
    """Runs the trials of a shard that are not in ``begun``, the beginning of its journal."""

    def run(folder: Path) -> Iterator[Path]:
        journal = folder / name
        if begun:
            journal.write_bytes(begun)
        try:
            work.workbench().command(*work.words, "--threads=1", f"--journal={journal}", f"--shard={shard}")
        except Error as error:
            if str(error) != TOO_FEW:
                raise
        yield journal

    return _done(work, run)


def run_study(
    work: Work, paper: str, study: str, run: str, before: Mapping[str, bytes], name: str, begun: bytes, shard: str | None
) -> Done:
    """Runs a study of a paper in a folder of its own: all of it, or a shard of the first experiment whose journal is not in
    ``before``. The journal of that shard, of this name, begins with ``begun``."""

    def part(folder: Path) -> Iterator[Path]:
        place = folder / "journals" / run / paper
        place.mkdir(parents=True)
        for file, content in {**before, **({name: begun} if begun else {})}.items():
            (place / file).write_bytes(content)
        words = [] if shard is None else [f"--shard={shard}"]
        work.workbench().command("reproduce", paper, f"--study={study}", *work.words, *words, "--threads=1", f"--out={folder}")
        # Deeper folders are those of trainings that a trial went on with.
        yield from (path for path in place.glob("*.jsonl") if path.name not in before)

    return _done(work, part)


def _done(work: Work, run: Callable[[Path], Iterator[Path]]) -> Done:
    """Does some work in an empty folder. An error of aji is a result: trying again would give it again."""
    if work.build != BUILD:
        return Done(error=f"a worker has aji {BUILD}, and the driver {work.build}; install the same build on every node")
    begun = time.monotonic()
    with TemporaryDirectory(prefix="aji-ray-") as folder, _among(work.files, Path(folder)):
        journals = Path(folder, "journals")
        journals.mkdir()
        try:
            found = {path.name: path.read_bytes() for path in run(journals)}
        except Error as error:
            return Done(error=str(error))
    return Done(found, seconds=time.monotonic() - begun)


@contextmanager
def _among(files: Mapping[str, bytes], folder: Path) -> Iterator[None]:
    """Works in a folder that has these files."""
    place = folder / "files"
    place.mkdir()
    for name, content in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    before = os.getcwd()
    os.chdir(place)
    try:
        yield
    finally:
        os.chdir(before)
