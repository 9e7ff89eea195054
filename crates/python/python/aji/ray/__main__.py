"""The command line: ``python -m aji.ray match GAME --a NAME --b NAME --journal FILE``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .._error import Error
from .._workbench import Workbench
from ._cluster import RETRIES
from ._run import run
from ._train import train
from ._words import REPRODUCE, SHARDED, take

#: The command that lets workers play the games of a training.
TRAIN = "train"

HELP = f"""Run an experiment or a training of aji on a Ray cluster: the files have the bytes of a run on one thread

Usage: python -m aji.ray COMMAND [OPTIONS OF THE COMMAND] [OPTIONS]

Commands: {", ".join((*SHARDED, REPRODUCE, TRAIN))}. `python -m aji.ray match --help` shows the options of match.

Options:
  --journal FILE   Record every trial in this file, and continue from it if it exists [default: COMMAND.jsonl]
  --shards N       The number of tasks [default: several for each core]; of reproduce, for each experiment [default: short studies
                   are one task]
  --address A      The cluster: auto if this machine is a node of it, ray://HOST:10001 for another (needs ray[client])
                   [default: RAY_ADDRESS of the environment; without it a Ray of this command on all cores]
  --retries N      How often a task runs again after its worker or its node has died [default: {RETRIES}]
  --workers N      Of train: how many workers play [default: one for each core]
  --quiet          Show no progress

The options of train are those of `aji train` but for gates and opponents; --threads is for the learner.

Finished shards are kept at once in FILE.shards. After an interruption the same command goes on. Errors exit with 2, Ctrl-C with
130.

Examples:
  python -m aji.ray match connect-four --a "uct c=0.5" --b uct --games 10000 --journal match.jsonl
  python -m aji.ray tournament hex --agents agents.txt --games 1000 --address auto
  python -m aji.ray bandit --rules "ucb1, voi" --repeats 1M --shards 1000
  python -m aji.ray reproduce kao2013 --quick --out results
  python -m aji.ray train connect-four --out runs/c4 --games 100k --threads 2 --address auto
"""

#: The exit codes of the program.
FAILED, INTERRUPTED = 2, 130


def main(arguments: Sequence[str]) -> int:
    """Runs a command line. Returns the exit code."""
    words = list(arguments)
    if not words or words[0] in ("-h", "--help", "help"):
        print(HELP, end="")
        return 0
    try:
        if words[0] in (*SHARDED, REPRODUCE, TRAIN) and ("--help" in words or "-h" in words):
            print(Workbench().command(words[0], "--help") + "\nOn Ray:\n" + HELP[HELP.index("Options:\n") :], end="")
            return 0
        print(_train(words[1:]) if words[0] == TRAIN else _run(words), end="")
    except Error as error:
        print(f"aji: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("aji: interrupted; the same command continues", file=sys.stderr)
        return INTERRUPTED
    return 0


def _run(words: list[str]) -> str:
    """Runs a command on the cluster of its options."""
    shards, words = take(words, "--shards")
    address, words = take(words, "--address")
    retries, words = take(words, "--retries")
    progress = "--quiet" not in words
    words = [word for word in words if word != "--quiet"]
    return run(
        words,
        shards=None if shards is None else _number("--shards", shards),
        progress=progress,
        retries=RETRIES if retries is None else _number("--retries", retries),
        address=address,
    )


def _train(words: list[str]) -> str:
    """Runs a training whose games are played on the cluster of its options."""
    numbers: dict[str, Any] = {}
    for name in ("workers", "games", "seed", "threads", "retries"):
        text, words = take(words, f"--{name}")
        numbers |= {} if text is None else {name: _number(f"--{name}", text)}
    texts: dict[str, Any] = {}
    for name in ("net", "agent", "with", "memory", "start", "address"):
        text, words = take(words, f"--{name}")
        texts |= {} if text is None else {"options" if name == "with" else name: text}
    hours, words = take(words, "--hours")
    out, words = take(words, "--out")
    if out is None:
        raise Error("--out DIR: expected the folder of the run")
    progress, is_json = "--quiet" not in words, "--json" in words
    words = [word for word in words if word not in ("--quiet", "--json")]
    unknown = [word for word in words if word.startswith("-")]
    if unknown:
        raise Error(f"{unknown[0]}: a training on Ray does not take it; python -m aji.ray --help lists what it takes")
    limit = None if hours is None else _hours(hours)
    done = train(" ".join(words) or None, out=out, hours=limit, progress=progress, **numbers, **texts)
    told = f"{done['iterations']:,} iterations, {done['games']:,} games, {done['samples']:,} samples, {done['steps']:,} steps"
    return json.dumps(done) + "\n" if is_json else f"{Path(out) / 'network.safetensors'}: {told}\n"


#: What a letter behind a number multiplies it by.
SUFFIXES = {"k": 10**3, "M": 10**6}


def _number(option: str, text: str) -> int:
    digits = text.replace(",", "").replace("_", "")
    factor = SUFFIXES.get(digits[-1:], 1)
    try:
        return int(digits[:-1] if factor > 1 else digits) * factor
    except ValueError:
        raise Error(f"{option} {text}: expected a whole number, such as 20k") from None


def _hours(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Error(f"--hours {text}: expected hours such as 0.5 or 12") from None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
