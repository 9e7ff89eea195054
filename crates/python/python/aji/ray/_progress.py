"""The progress of a run, on standard error: a line that changes on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import sys
import time

#: How many seconds pass between two lines where there is no terminal.
WRITTEN_EVERY = 5.0

#: How many seconds pass between two changes of the line of a terminal.
DRAWN_EVERY = 0.5


class Progress:
    """Tells how many shards are done, how fast, and for how long it will go on."""

    def __init__(self, label: str, shards: int, trials: int, unit: str, *, parts: str = "shards", is_shown: bool = True) -> None:
        self._label, self._parts, self._unit = label, parts, unit
        self._shards, self._trials = shards, trials
        self._shards_done = self._trials_done = 0
        self._is_shown, self._is_terminal = is_shown, sys.stderr.isatty()
        self._begun = self._told = time.monotonic()
        self._width = 0
        #: What is under way, at the end of the line.
        self.doing = ""

    def add(self, trials: int) -> None:
        """Counts a finished shard with this many trials."""
        self._shards_done += trials > 0
        self._trials_done += trials

    def line(self) -> str:
        """The progress in one line."""
        return f"{self._counted()}; {self.doing}" if self.doing else self._counted()

    def _counted(self) -> str:
        seconds = time.monotonic() - self._begun
        told = f"{self._label}: {self._shards_done:,} of {self._shards:,} {self._parts}"
        if not self._trials_done:
            return f"{told}, running for {duration(seconds)}"
        rate = self._trials_done / max(seconds, 1e-9)
        if self._unit:
            told += f", {rate:,.{0 if rate >= 100 else 1}f} {self._unit}/s"
        return f"{told}, {duration((self._trials - self._trials_done) / rate)} left"

    def tell(self) -> None:
        """Shows the line, if the last one is old."""
        every = DRAWN_EVERY if self._is_terminal else WRITTEN_EVERY
        if self._is_shown and time.monotonic() - self._told >= every:
            self._told = time.monotonic()
            line = self.line()
            self._write(f"\r{line:<{self._width}}" if self._is_terminal else f"{line}\n")
            self._width = len(line)

    def end(self) -> None:
        """Clears the line of a terminal."""
        if self._is_shown and self._is_terminal and self._width:
            self._write(f"\r{'':<{self._width}}\r")
            self._width = 0

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def duration(seconds: float) -> str:
    """A time in the largest unit that suits it: "40 s", "12 min", "3.5 h"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
