"""The experiments of ``aji`` with their own arguments, on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypedDict

from .._contests import Match, Tournament, Tuning
from .._own import GameLike, word_of
from .._workbench import File, Workbench
from ._run import run
from ._words import Experiment

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Options(TypedDict, total=False):
    """The options of every function here."""

    #: Shows progress on standard error. True by default.
    progress: bool
    #: The number of tasks.
    shards: int | None
    #: How often a task runs again after its worker or its node has died.
    retries: int
    #: The cluster.
    address: str | None
    #: Makes the games and evaluations of each worker.
    workbench: Callable[[], Workbench]


class _OnRay(Workbench):
    """A workbench whose commands run on a cluster."""

    def __init__(self, options: Options) -> None:
        super().__init__()
        self._make = options.get("workbench", Workbench)
        self._options: dict[str, Any] = {key: value for key, value in options.items() if key != "workbench"}

    def _with(self, game: GameLike) -> tuple[Workbench, str]:
        if isinstance(game, str):
            return self, game
        word, other = word_of(game), _OnRay({})
        other._make, other._options = partial(_having, self._make, word, game), self._options
        return other, word

    def _run(self, words: Iterable[str], progress: bool) -> tuple[str, str | None, bool, bool]:
        return run(Experiment(tuple(map(str, words)), self._make), **self._options), None, False, False


def _having(make: Callable[[], Workbench], word: str, game: Any) -> Workbench:
    """A workbench that also has this game."""
    return make().game(word, game)


def match(
    game: GameLike,
    a: str,
    b: str,
    *,
    games: int | None = None,
    openings: int | None = None,
    sprt: tuple[float, float] | None = None,
    equal_samples: bool = False,
    seed: int = 1,
    journal: File = "match.jsonl",
    save: File | None = None,
    **options: Unpack[Options],
) -> Match:
    """Plays a match as ``aji.match`` does. A sequential test (``sprt``) drops what was played beyond its end."""
    return _OnRay(options).match(
        game, a, b, games=games, openings=openings, sprt=sprt, equal_samples=equal_samples, seed=seed, journal=journal, save=save
    )


def tournament(
    game: GameLike,
    agents: Sequence[str],
    *,
    games: int | None = None,
    openings: int | None = None,
    seed: int = 1,
    journal: File = "tournament.jsonl",
    save: File | None = None,
    **options: Unpack[Options],
) -> Tournament:
    """Plays every agent against every other, as ``aji.tournament`` does."""
    return _OnRay(options).tournament(game, agents, games=games, openings=openings, seed=seed, journal=journal, save=save)


def tune(
    game: GameLike,
    agent: str = "uct",
    *,
    vary: str,
    points: int | None = None,
    games: int | None = None,
    openings: int | None = None,
    seed: int = 1,
    journal: File = "tune.jsonl",
    svg: File | None = None,
    **options: Unpack[Options],
) -> Tuning:
    """Finds the best value of an option, as ``aji.tune`` does."""
    return _OnRay(options).tune(
        game, agent, vary=vary, points=points, games=games, openings=openings, seed=seed, journal=journal, svg=svg
    )


def duel(
    game: GameLike,
    attacker: str,
    victim: str,
    *,
    games: int | None = None,
    attacker_first: bool = False,
    positions: File | None = None,
    lines: int | None = None,
    seed: int = 1,
    journal: File = "duel.jsonl",
    **options: Unpack[Options],
) -> dict[str, Any]:
    """Plays an attacker against a victim in fixed seats, as ``aji.duel`` does."""
    return _OnRay(options).duel(
        game,
        attacker,
        victim,
        games=games,
        attacker_first=attacker_first,
        positions=positions,
        lines=lines,
        seed=seed,
        journal=journal,
    )


def mistakes(
    game: GameLike,
    agent: str | None = None,
    *,
    plies: str | None = None,
    positions: int | None = None,
    kind: str | None = None,
    source: File | None = None,
    judge: str | None = None,
    seed: int = 1,
    journal: File = "mistakes.jsonl",
    **options: Unpack[Options],
) -> dict[str, Any]:
    """Counts an agent's mistakes by exact play, as ``aji.mistakes`` does."""
    return _OnRay(options).mistakes(
        game, agent, plies=plies, positions=positions, kind=kind, source=source, judge=judge, seed=seed, journal=journal
    )


def bandit(
    rules: str | Sequence[str],
    *,
    arms: int | None = None,
    budgets: str | Sequence[int] | None = None,
    repeats: int | None = None,
    means: str | Sequence[float] | None = None,
    rewards: str | None = None,
    seed: int = 1,
    journal: File = "bandit.jsonl",
    svg: File | None = None,
    **options: Unpack[Options],
) -> list[dict[str, Any]]:
    """Compares rules on random bandits, as ``aji.bandit`` does."""
    return _OnRay(options).bandit(
        rules, arms=arms, budgets=budgets, repeats=repeats, means=means, rewards=rewards, seed=seed, journal=journal, svg=svg
    )


def reproduce(
    paper: str,
    *,
    study: str | Sequence[str] | None = None,
    quick: bool = False,
    out: File | None = None,
    seed: int = 1,
    **options: Unpack[Options],
) -> dict[str, Any]:
    """Runs a paper's experiments again, as ``aji.reproduce`` does: a task for a short study, shards for a long one."""
    return _OnRay(options).reproduce(paper, study=study, quick=quick, out=out, seed=seed)
