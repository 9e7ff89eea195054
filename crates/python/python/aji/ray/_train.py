"""Self-play on a cluster: workers play games with the newest network, and one learner trains.

A game depends only on network, run and number. So the run ends with the bytes of one machine, whatever workers do.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .. import _native
from .._error import Error
from .._workbench import File
from ._cluster import RETRIES, Cluster, ray_module
from ._progress import Progress
from ._worker import BUILD

#: The parts that a worker plays in an iteration: a worker that is slow or dies leaves little to the others.
PARTS_PER_WORKER = 2

#: The most games of a part. A worker plays them in lockstep, and more make its batches no fuller.
PART_MAX = 128


@dataclass(frozen=True)
class Newest:
    """What all workers share in an iteration. It is sent to each node once."""

    run: bytes
    network: bytes
    build: str = BUILD


def play(newest: Newest, first: int, games: int) -> bytes | str:
    """Plays games in a worker. An error of aji is a result: trying again would give it again."""
    if newest.build != BUILD:
        return f"a worker has aji {BUILD}, and the learner {newest.build}; install the same build on every node"
    try:
        return _native.play_games(newest.run, newest.network, first, games)
    except Error as error:
        return str(error)


def parts_of(first: int, games: int, workers: int) -> Iterator[tuple[int, int]]:
    """The first game and the number of games of each part of an iteration."""
    size = min(PART_MAX, max(1, -(-games // (PARTS_PER_WORKER * workers))))
    for begin in range(first, first + games, size):
        yield begin, min(size, first + games - begin)


def train(
    game: str | None = None,
    *,
    out: File,
    workers: int | None = None,
    games: int | None = None,
    hours: float | None = None,
    net: str | None = None,
    agent: str | None = None,
    options: str | None = None,
    seed: int | None = None,
    memory: str | None = None,
    start: File | None = None,
    threads: int = 1,
    progress: bool = True,
    retries: int = RETRIES,
    address: str | None = None,
) -> dict[str, Any]:
    """Trains a network by self-play whose games are played on Ray. The same call goes on with a run.

    The options are those of ``aji train``; ``options=`` is its ``--with``. ``threads`` is for the learner. The run has the bytes of
    ``aji train`` with the same options. It plays no gates: ``aji train`` on the finished folder plays them, and reports.
    """
    if workers is not None and workers < 1:
        raise Error(f"workers {workers}: expected a number from 1 on")
    ray_module()
    trainer = _native.Trainer(out, game, net=net, agent=agent, options=options, seed=seed, memory=memory, start=start)
    with Cluster(address, retries) as cluster:
        while not _is_done(trainer, games, hours):
            _iterate(trainer, cluster, workers or cluster.cores(), threads, progress)
    iterations, played, samples, steps = trainer.progress()
    return {"out": str(out), "iterations": iterations, "games": played, "samples": samples, "steps": steps}


def _is_done(trainer: _native.Trainer, games: int | None, hours: float | None) -> bool:
    """Whether the run is long enough. Without a limit it goes on until Ctrl-C."""
    lines = json.loads(trainer.journal())
    is_played = games is not None and trainer.progress()[1] >= games
    return is_played or (hours is not None and bool(lines) and lines[-1]["seconds"] >= 3600 * hours)


def _iterate(trainer: _native.Trainer, cluster: Cluster, workers: int, threads: int, is_shown: bool) -> None:
    """Plays the games of an iteration on the cluster, and learns from them."""
    iteration, first, games, network, run = trainer.wanted()
    parts = list(parts_of(first, games, workers))
    sizes = {f"games {begin} to {begin + count - 1}": (begin, count) for begin, count in parts}
    bar = Progress(f"iteration {iteration}", len(parts), games, "games", parts="parts", is_shown=is_shown)
    played: list[bytes] = []
    try:
        for ended in cluster.run(play, Newest(run, network), iter(sizes.items())):
            if ended is not None:
                name, part = ended
                if isinstance(part, str):
                    raise Error(f"{name}: {part}")
                played.append(part)
                bar.add(sizes[name][1])
            bar.tell()
    finally:
        bar.end()
    trainer.provide(played)
    trainer.iterate(threads)
