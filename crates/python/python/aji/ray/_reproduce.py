"""Reproduces a paper on a cluster: a task for each study."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from .. import _native
from .._error import Error
from .._workbench import Workbench
from ._cluster import Cluster
from ._progress import Progress
from ._shards import header_of
from ._words import take
from ._worker import Done, Work, run_study

#: The folder of reports, if none is named.
OUT = "reproduction"


def reproduce(words: Sequence[str], cluster: Cluster, workbench: Callable[[], Workbench], is_shown: bool) -> str:
    """Runs the studies of a paper as tasks, each in a folder of its own. Gathers their journals, and lets the command write the
    page from them."""
    out, rest = take(words, "--out")
    seed, rest = take(rest, "--seed")
    named, rest = take(rest, "--study")
    papers = [word for word in rest[1:] if not word.startswith("-")]
    flags = [word for word in rest[1:] if word.startswith("-") and word != "--json"]
    if papers and "--list" not in flags:
        asked = [] if named is None else [f"--study={named}"]
        studies = json.loads(workbench().command("reproduce", *papers, *asked, *flags, "--list", "--json"))
        run = f"{'quick' if '--quick' in flags else 'full'}-seed-{seed or 1}"
        work = Work((*flags, f"--seed={seed or 1}"), workbench)
        _run_studies(work, studies, Path(out or OUT) / "journals" / run, cluster, is_shown)
    return workbench().command(*words, "--threads=1")


def _run_studies(work: Work, studies: Sequence[dict[str, str]], journals: Path, cluster: Cluster, is_shown: bool) -> None:
    _check_build(journals)
    left = {f"{study['paper']} {study['study']}": study for study in studies}
    left = {name: study for name, study in left.items() if not _mark(journals, study).exists()}
    if not left:
        return
    with cluster:
        bar = Progress("reproduce", len(left), len(left), "", parts="studies", is_shown=is_shown)
        # The longest first, so that none of them runs alone at the end.
        order = sorted(left.items(), key=lambda item: -float(item[1]["full_seconds"]))
        calls = ((name, (study["paper"], study["study"])) for name, study in order)
        try:
            for ended in cluster.run(run_study, work, calls):
                if ended is not None:
                    name, done = ended
                    _keep(done, journals, left[name])
                    bar.add(1)
                bar.tell()
        finally:
            bar.end()


def _check_build(journals: Path) -> None:
    """Refuses journals of another build before any study runs."""
    for path in sorted(journals.glob("*/*.jsonl")):
        header = json.loads(header_of(path) or b"{}")
        if (header.get("version"), header.get("commit")) != (_native.VERSION, _native.COMMIT):
            raise Error(f"{path}: a journal of another build of aji; delete the folder, or name another one with --out")


def _mark(journals: Path, study: dict[str, str]) -> Path:
    """The file that says that the journals of a study are complete."""
    return journals / study["paper"] / f"{study['study']}.finished"


def _keep(done: Done, journals: Path, study: dict[str, str]) -> None:
    if done.error is not None:
        raise Error(done.error)
    folder = journals / study["paper"]
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in done.journals.items():
        partial = folder / f"{name}.part"
        partial.write_bytes(content)
        os.replace(partial, folder / name)
    _mark(journals, study).touch()
