"""Experiments as the words of a command, and the files that the words name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .._error import Error
from .._workbench import Workbench

#: The commands whose trials are split into shards.
SHARDED = ("match", "tournament", "tune", "bandit", "duel", "mistakes")

#: The option of a sequential test, which may end a run early.
SPRT = "--sprt"

#: The command whose studies run as tasks.
REPRODUCE = "reproduce"

#: Options of files that only the final report writes.
OUTPUTS = ("--save", "--svg")

#: The option of a file that the report writes, and that also changes the experiment. Workers write to another file.
MAKE = "--make"

#: The most bytes of files that workers get copies of.
FILES_BYTES_MAX = 1 << 30


@dataclass(frozen=True)
class Experiment:
    """An experiment of the lab: the words of its command, without the program's name."""

    words: tuple[str, ...]
    #: Makes the games and evaluations of each worker.
    workbench: Callable[[], Workbench] = Workbench


def take(words: Sequence[str], option: str) -> tuple[str | None, list[str]]:
    """The value of an option, and the other words."""
    value: str | None = None
    rest: list[str] = []
    left = iter(words)
    for word in left:
        if word != option and not word.startswith(f"{option}="):
            rest.append(word)
            continue
        if value is not None:
            raise Error(f"{option}: given twice; give it once")
        value = word.partition("=")[2] if "=" in word else next(left, None)
        if value is None:
            raise Error(f"{option}: expected a value after it")
    return value, rest


def checked(words: Sequence[str]) -> tuple[str, ...]:
    """The words, if they are an experiment that tasks can share."""
    known = ", ".join((*SHARDED, REPRODUCE))
    if not words:
        raise Error(f"which experiment? expected {known}")
    if words[0] not in (*SHARDED, REPRODUCE):
        raise Error(f'"{words[0]}" does not run on Ray; expected {known}')
    refused = {
        "--shard": "Ray's tasks are the shards; leave it out, and give the number of shards as shards=N or --shards N",
        "--threads": "every worker uses one thread; leave it out",
        "--fresh": "delete the journals, or name another folder",
    }
    for word in words:
        option = word.partition("=")[0]
        if option in refused:
            raise Error(f"{option}: {refused[option]}")
    return tuple(words)


def of_worker(words: Sequence[str], made: str) -> list[str]:
    """The words for a shard: the same trials without the files of the report. ``made`` stands in for the file of --make."""
    left = list(words)
    for option in OUTPUTS:
        _, left = take(left, option)
    value, rest = take(left, MAKE)
    return left if value is None else [*rest, f"{MAKE}={made}"]


def files_of(words: Sequence[str]) -> dict[str, bytes]:
    """The files that the words name below the current folder, with their contents."""
    listed, _ = take(words, "--agents")
    texts = list(words)
    if listed is not None and Path(listed).is_file():
        texts += Path(listed).read_text(encoding="utf-8", errors="replace").splitlines()
    named = {name for text in texts for name in _names_in(text)}
    paths = [(name, Path(name)) for name in sorted(named) if _is_file_here(name)]
    size = sum(path.stat().st_size for _, path in paths)
    if size > FILES_BYTES_MAX:
        raise Error(f"the files of the experiment have {size:,} bytes, and workers get copies of {FILES_BYTES_MAX:,} at most")
    return {name: path.read_bytes() for name, path in paths}


def _names_in(text: str) -> Iterator[str]:
    """Parts of a word that may be names of files, such as x.net in "alphazero net=x.net"."""
    yield text
    yield text.partition("=")[2]
    yield from re.split(r"[\s=,()]+", text)


def _is_file_here(name: str) -> bool:
    try:
        is_file = bool(name) and not Path(name).is_absolute() and Path(name).is_file()
    except (OSError, ValueError):
        return False
    if is_file and ".." in Path(name).parts:
        raise Error(f"{name}: workers get copies of files below the current folder; give an absolute path that every node has")
    return is_file
