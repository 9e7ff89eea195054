"""Results of contests between agents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._error import Error

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, repr=False)
class Contest:
    """The result of a match, a tournament or a tuning: the fields of ``--json``, as attributes and as a dictionary."""

    #: The fields; none if only a shard was played.
    data: dict[str, Any]
    #: The journal, if there is one.
    journal: Path | None = None

    def __getattr__(self, name: str) -> Any:
        try:
            return self.data[name]
        except KeyError:
            has = f"it has {', '.join(self.data)}" if self.data else "a shard has only a journal"
            raise AttributeError(f"{type(self).__name__} has no {name}; {has}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.data]

    def __str__(self) -> str:
        return self._told() if self.data else f"a shard, in {self.journal}"

    def _told(self) -> str:
        return json.dumps(self.data)

    def __repr__(self) -> str:
        return f"<aji.{type(self).__name__} {self}>"

    def __getstate__(self) -> dict[str, Any]:
        return {"data": self.data, "journal": self.journal}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)

    def records(self) -> Iterator[dict[str, Any]]:
        """The records of the journal: a round of games each, with openings, moves and payoffs."""
        if self.journal is None:
            raise Error("records: this contest has no journal; give journal=FILE")
        with open(self.journal, encoding="utf-8") as lines:
            for line in lines:
                told = json.loads(line)
                if "record" in told:
                    yield told["record"]


class Match(Contest):
    """A match of two agents, as the first sees it: ``score``, ``low``, ``high``, ``elo``, ``elo_low``, ``elo_high``, ``games`` ..."""

    def _told(self) -> str:
        data = self.data
        elo = "" if data["elo"] is None else f", Elo {data['elo']:+.0f}"
        return (
            f"{data['a']} against {data['b']}: {data['score']:.3f} ({data['low']:.3f} to {data['high']:.3f}){elo}, "
            f"{data['games']:,} games of {data['game']}"
        )


class Tournament(Contest):
    """A tournament: ``ratings``, the best agent first, and ``meetings``."""

    def to_pandas(self) -> pandas.DataFrame:
        """The ratings as a data frame."""
        import pandas

        return pandas.DataFrame(self.data["ratings"])

    def _told(self) -> str:
        return f"{self.data['game']}: " + "; ".join(f"{row['agent']} {row['elo']:+.0f}" for row in self.data["ratings"])


class Tuning(Contest):
    """A tuning: ``best``, ``best_low``, ``best_high``, and ``values`` with their scores."""

    def to_pandas(self) -> pandas.DataFrame:
        """The values as a data frame."""
        import pandas

        return pandas.DataFrame(self.data["values"])

    def _told(self) -> str:
        return f"{self.data['game']}: the best {self.data['option']} is {self.data['best']}"
