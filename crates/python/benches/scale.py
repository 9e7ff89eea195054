"""What a run on Ray costs beside its trials, and what journals cost by their records.

``python scale.py overhead``
    times of tasks, of shards, and of a match beside the same match on threads
``python scale.py records 100k 1M``
    time and memory of `aji bandit` and `aji match` that run, that report from their journal, and of `aji merge` of 32 shards
``python scale.py games``
    games of self-play of Connect Four in one worker
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import aji

#: Shards of the journals that are merged.
PARTS = 32

#: A shard beyond all trials: what every shard costs before its first trial.
EMPTY = f"{2**64 - 1}/{2**64 - 1}"

#: The command line, after which it prints the memory that it took.
MEASURED = """
import resource, sys
from aji import _native
code = _native.main(["aji", *sys.argv[1:]])
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)
sys.exit(code)
"""


def timed(label: str, times: int, work: Callable[[], object]) -> None:
    """Prints the mean time of some work."""
    work()
    begun = time.perf_counter()
    for _ in range(times):
        work()
    print(f"{label:<44} {(time.perf_counter() - begun) / times * 1e3:9.2f} ms")


def overhead() -> None:
    from aji.ray import run
    from aji.ray._cluster import ray_module
    from aji.ray._worker import Work, run_shard

    ray = ray_module()

    match = ["match", "connect-four", "--a", "uct simulations=1000 c=0.5", "--b", "uct simulations=1000", "--games", "2000"]
    work = Work(tuple(match), aji.Workbench)
    timed("a shard without trials, in this process", 200, lambda: run_shard(work, "shard.jsonl", EMPTY, b""))
    begun = time.perf_counter()
    ray.init(address="local", include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    print(f"{'start of Ray on this machine':<44} {time.perf_counter() - begun:9.2f} s")
    empty, shard = ray.remote(_same), ray.remote(run_shard)
    shared = ray.put(work)
    begun = time.perf_counter()
    ray.get(shard.remote(shared, "shard.jsonl", EMPTY, b""))
    print(f"{'the first shard of a worker':<44} {(time.perf_counter() - begun) * 1e3:9.2f} ms")
    timed("round trip of an empty task", 1000, lambda: ray.get(empty.remote(1)))
    timed("1,000 empty tasks", 3, lambda: ray.get([empty.remote(1) for _ in range(1000)]))
    timed("round trip of a shard without trials", 300, lambda: ray.get(shard.remote(shared, "shard.jsonl", EMPTY, b"")))
    timed("1,000 shards without trials", 1, lambda: ray.get([shard.remote(shared, "shard.jsonl", EMPTY, b"") for _ in range(1000)]))
    large = ray.remote(_random)
    timed("a result of 10 MB", 10, lambda: ray.get(large.remote(10_000_000)))
    cores = int(ray.cluster_resources()["CPU"])
    for _ in range(2):
        for name in ("threads.jsonl", "ray.jsonl"):
            Path(name).unlink(missing_ok=True)
        begun = time.perf_counter()
        aji.command(*match, f"--threads={cores}", "--journal=threads.jsonl")
        middle = time.perf_counter()
        run(match, "ray.jsonl", progress=False)
        print(f"{'2,000 games on threads, and on Ray':<44} {middle - begun:9.2f} s {time.perf_counter() - middle:9.2f} s")


def _same(value: int) -> int:
    return value


def _random(size: int) -> bytes:
    return os.urandom(size)


def measured(label: str, *words: str) -> None:
    """Prints the CPU time and the peak of resident memory of a command."""
    done = subprocess.run([sys.executable, "-c", MEASURED, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    seconds, kilobytes = done.stderr.split()[-2:]
    print(f"{label:<44} {float(seconds):9.2f} s {int(kilobytes) / 1e6:9.3f} GB", flush=True)


def records(count: str) -> None:
    experiments = {
        "bandit": ["bandit", "--arms", "2", "--budgets", "4", "--repeats", count],
        "match": ["match", "connect-four", "--openings", "0", "--a", "random", "--b", "random", "--games", count],
    }
    for name, words in experiments.items():
        words = [*words, "--threads", "1", "--journal", "whole.jsonl"]
        measured(f"{name} {count}: run", *words)
        measured(f"{name} {count}: report from the journal", *words)
        size = Path("whole.jsonl").stat().st_size
        parts = split(Path("whole.jsonl"))
        measured(f"{name} {count}: merge", "merge", "--out", "merged.jsonl", *parts)
        with open("whole.jsonl", "rb") as lines:
            print(f"{name} {count}: {sum(1 for _ in lines) - 1:,} records, {size / 1e6:,.1f} MB")
        for path in ("whole.jsonl", "merged.jsonl", *parts):
            Path(path).unlink()


def split(journal: Path) -> list[str]:
    """The journals of shards, as `--shard I/32` would write them."""
    names = [f"part-{number:02}.jsonl" for number in range(PARTS)]
    files = [open(name, "wb") for name in names]
    with open(journal, "rb") as lines:
        header = next(lines)
        for file in files:
            file.write(header)
        for line in lines:
            files[int(line[len(b'{"trial":') : line.index(b",")]) % PARTS].write(line)
    for file in files:
        file.close()
    return names


def games() -> None:
    from aji import _native

    trainer = _native.Trainer("run", "connect-four")
    _, first, _, network, run = trainer.wanted()
    used = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    part = _native.play_games(run, network, first, 256)
    seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - used
    print(f"256 games of the first network: {seconds:.2f} s of CPU, {len(part):,} bytes; the network has {len(network):,}")


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        match sys.argv[1:]:
            case ["overhead"]:
                overhead()
            case ["games"]:
                games()
            case ["records", *counts] if counts:
                for count in counts:
                    records(count)
            case _:
                sys.exit(__doc__)
