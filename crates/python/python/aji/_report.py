"""What a search has found."""

from __future__ import annotations

import atexit
import html
import json
import os
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._error import Error
from ._native import Thinking

if TYPE_CHECKING:
    import pandas

    from ._session import Session


#: The most actions that a printed report shows.
SHOWN_MAX = 20


@dataclass(frozen=True, eq=False)
class Report:
    """The report of a search: the fields of ``aji search --json``."""

    game: str
    agent: str
    seed: int
    #: The position in one line.
    position: str
    simulations: int
    seconds: float
    nodes: int
    bytes: int
    #: How often a position was not expanded because the memory was full.
    left_out: int
    #: Why the search stopped, in a word.
    stopped: str
    #: The recommended action; None if the agent resigns.
    best: str | None
    #: Its value to the player to act, from 0 (lost) to 1 (won).
    value: float | None
    #: The value in the game's points, if the agent plays for points.
    points: float | None
    #: The proven value of the position, if there is one.
    proven: float | None
    #: The network's own value of the position, if the agent has one.
    evaluation: float | None
    #: The actions: a structured array of action, pulls, mean, error (of the mean), points, proven, prior. NaN: not known.
    arms: npt.NDArray[np.void]
    #: The best action, and the most simulated actions after it.
    line: list[str]
    #: The principal lines of the best actions, where the agent has ``lines=``.
    lines: list[dict[str, Any]]
    _session: Session | None = field(default=None, repr=False)
    _moves: int = field(default=0, repr=False)

    @staticmethod
    def _of(found: dict[str, Any], session: Session | None = None) -> Report:
        known: dict[str, Any] = {name: found.get(name) for name in Report.__dataclass_fields__ if not name.startswith("_")}
        known["arms"], known["lines"] = _arms(found["arms"]), found.get("lines", [])
        moves = session.moves_made if session is not None else 0
        return Report(**known, _session=session, _moves=moves)

    def __getstate__(self) -> dict[str, Any]:
        # A session stays in its process.
        return {**self.__dict__, "_session": None}

    def to_pandas(self) -> pandas.DataFrame:
        """The arms as a data frame, the most pulled first."""
        import pandas

        arms = pandas.DataFrame({name: self.arms[name] for name in self.arms.dtype.names or ()})
        return arms.sort_values(["pulls", "mean"], ascending=False, ignore_index=True).dropna(axis="columns", how="all")

    def tree(self, depth: int = 3, top: int = 5, path: str | list[str] = "") -> Tree:
        """The upper part of the search tree: so many levels, and so many actions of each position."""
        session = self._still()
        return session.tree(depth=depth, top=top, path=path, best=self.best)

    def board(self) -> Any:
        """The position as a drawing, with the best action marked."""
        from ._boards import board_of

        return board_of(self._still(), best=self.best)

    def _still(self) -> Session:
        if self._session is None:
            raise Error("report: trees and boards are those of a search's own report, not of a snapshot or of a copy")
        if self._session.moves_made != self._moves:
            raise Error("report: its session has gone on since; ask for trees and boards before the next move")
        return self._session

    def _rows(self, missing: str) -> list[tuple[str, str, str, str]]:
        """The most pulled actions with their pulls, means and errors, as text."""

        def number(value: float) -> str:
            return missing if np.isnan(value) else f"{value:.4f}"

        arms = sorted(self.arms, key=lambda arm: (-int(arm["pulls"]), -float(arm["mean"])))[:SHOWN_MAX]
        return [(str(arm["action"]), f"{arm['pulls']:,}", number(arm["mean"]), number(arm["error"])) for arm in arms]

    def __str__(self) -> str:
        worth = "" if self.value is None else f", worth {self.value:.3f}"
        worth += "" if self.proven is None else ", proven"
        rows = [("action", "pulls", "mean", "error"), *self._rows("-")]
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        lines = [row[0].ljust(widths[0]) + "".join(f"  {row[column].rjust(widths[column])}" for column in (1, 2, 3)) for row in rows]
        head = f"{self.game}, {self.agent}: {self.best}{worth}"
        end = f"{self.simulations:,} simulations in {self.seconds:.3f} s; stopped by {self.stopped}"
        return "\n".join([head, *lines, end])

    def _repr_html_(self) -> str:
        cells = []
        for action, *numbers in self._rows("–"):
            mark = ' style="font-weight:bold"' if action == self.best else ""
            row = "".join(f"<td>{number}</td>" for number in numbers)
            cells.append(f'<tr{mark}><th scope="row">{html.escape(action)}</th>{row}</tr>')
        worth = "" if self.value is None else f", worth {self.value:.3f}"
        title = html.escape(f"{self.game}, {self.agent}: {self.best}{worth}")
        return (
            f"<table><caption>{title}</caption><thead><tr><th>action</th><th>pulls</th><th>mean</th><th>error</th></tr></thead>"
            f"<tbody>{''.join(cells)}</tbody></table>"
        )


def _arms(found: list[dict[str, Any]]) -> npt.NDArray[np.void]:
    width = max((len(arm["action"]) for arm in found), default=1)
    numbers = ("mean", "error", "points", "proven", "prior")
    kinds = [("action", f"U{width}"), ("pulls", np.uint32), *((name, np.float32) for name in numbers)]
    arms = np.zeros(len(found), dtype=kinds)
    for row, arm in zip(arms, found, strict=True):
        row["action"], row["pulls"] = arm["action"], arm["pulls"]
        for name in numbers:
            value = arm.get(name)
            row[name] = np.nan if value is None else value
    return arms


@dataclass(frozen=True)
class Tree:
    """The upper part of a search tree."""

    #: The nodes as nested dictionaries: action, player, pulls, mean, prior, proven, children, left_out.
    data: dict[str, Any]
    svg: str = field(repr=False)

    def __iter__(self) -> Iterator[tuple[list[str], dict[str, Any]]]:
        """All nodes, each with the actions that lead to it."""
        waiting: list[tuple[list[str], dict[str, Any]]] = [([], self.data)]
        while waiting:
            path, node = waiting.pop()
            yield path, node
            waiting += [([*path, child["action"]], child) for child in reversed(node["children"])]

    def _repr_svg_(self) -> str:
        return self.svg


#: The searches under way, perhaps with some that have ended.
_running: set[Thinking] = set()

#: How long the end of the program waits for a search, in seconds.
LEFT_MAX = 10.0


@atexit.register
def _close() -> None:
    """Ends the searches under way: none may ask a game or an evaluation once Python is gone."""
    for thinking in list(_running):
        thinking.stop()
    for thinking in list(_running):
        thinking.close(LEFT_MAX)


if hasattr(os, "register_at_fork"):
    # No thread of this process goes on in a child.
    os.register_at_fork(after_in_child=_running.clear)


class Watch:
    """A search under way: iterate over its snapshots, stop it, wait for its report.

    >>> import aji
    >>> with aji.watch("connect-four", agent="uct simulations=200_000", every=0.01) as search:
    ...     for snapshot in search:
    ...         if snapshot.simulations > 1_000:
    ...             search.stop()
    >>> search.report().best is not None
    True
    """

    def __init__(self, thinking: Thinking, session: Session) -> None:
        for other in list(_running):
            if other.has_ended():
                _running.discard(other)
        _running.add(thinking)
        # A watch that nobody holds any more stops.
        weakref.finalize(self, thinking.stop)
        self._thinking, self._session = thinking, session
        self._report: Report | None = None
        self._lock = Lock()

    def __iter__(self) -> Iterator[Report]:
        """Snapshots until the search ends, the latest of those that were missed. The last is the report."""
        while (told := self._thinking.snapshot()) is not None:
            yield Report._of(json.loads(told))
        yield self.report()

    def report(self) -> Report:
        """Waits for the end, and gives the report."""
        with self._lock:
            if self._report is None:
                self._report = Report._of(json.loads(self._thinking.report()), self._session)
            return self._report

    def stop(self) -> None:
        """Stops the search, from any thread. Its report has what was found."""
        self._thinking.stop()

    @property
    def is_running(self) -> bool:
        """Whether the agent still thinks."""
        return not self._thinking.has_ended()

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        self._thinking.close(60.0)
