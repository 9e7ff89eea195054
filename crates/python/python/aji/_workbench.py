"""Games and agents by name, and everything that is done with them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from . import _native
from ._contests import Match, Tournament, Tuning
from ._error import Error
from ._explanation import Explanation
from ._own import Adapter, Evaluate, Game, GameLike, word_of
from ._report import Report, Watch
from ._session import Moves, Session, moves_of

#: A file's name.
File = str | PathLike[str]

#: The word of an evaluation that was given to a single call.
EVALUATION = "given"


class Workbench:
    """Games and agents by name: the built-in ones, and yours.

    >>> import aji
    >>> class Stones:
    ...     def __init__(self, left=10, mover=0):
    ...         self.left, self.mover = int(left), mover
    ...     def turn(self):
    ...         return self.mover if self.left else None
    ...     def actions(self):
    ...         return range(1, min(3, self.left) + 1)
    ...     def play(self, taken):
    ...         return Stones(self.left - taken, 1 - self.mover)
    ...     def payoff(self):
    ...         return 1 if self.mover == 1 else -1
    >>> workbench = aji.Workbench().game("stones", Stones)
    >>> workbench.search("stones left=9", agent="uct simulations=2000").best
    '1'
    """

    def __init__(self) -> None:
        self._native = _native.Bench()

    def copy(self) -> Workbench:
        """Another workbench with the same games, to which more can be added.

        >>> import aji
        >>> workbench = aji.Workbench()
        >>> more = workbench.copy().game("mine", object)
        >>> len(more.games()) - len(workbench.games())
        1
        """
        other = Workbench.__new__(Workbench)
        other._native = self._native.copy()
        return other

    # What is added

    def game(
        self,
        word: str,
        make: Callable[..., Game] | Game,
        *,
        summary: str = "",
        options: str = "",
        kept: int = 100_000,
    ) -> Workbench:
        """Adds a game: a class or function that makes its start, or the start itself.

        The options in the game's name, as in ``"stones left=9"``, are given to ``make`` as keyword arguments of type ``str``.
        ``summary`` and ``options``, such as ``"left=10"``, are what lists show. At most ``kept`` positions are kept, so that Python is
        not asked again about them.
        """
        opened = make if callable(make) and not isinstance(make, Game) or isinstance(make, type) else _always(make)
        self._native.add_game(word, opened, summary, options, kept)
        return self

    def evaluation(self, word: str, evaluate: Evaluate) -> Workbench:
        """Adds an evaluation of leaves. Agents use it as ``alphazero net=WORD`` or ``gumbel net=WORD``."""
        self._native.add_evaluation(word, Adapter(evaluate))
        return self

    def _with(self, game: GameLike) -> tuple[Workbench, str]:
        """This workbench with a game of one's own, if it is one, and the game's name."""
        if isinstance(game, str):
            return self, game
        word = word_of(game)
        return self.copy().game(word, game), word

    # Positions and searches

    def session(self, game: GameLike, *, moves: Moves = "", position: str | None = None) -> Session:
        """Opens a game, from a position if one is given, and plays moves.

        >>> import aji
        >>> session = aji.session("tic-tac-toe", moves="b2 a1")
        >>> session.play("c3").text
        '..x/.x./o.. o'
        """
        workbench, name = self._with(game)
        session = Session(workbench._native.session(name))
        if position is not None:
            session.set_position(position)
        for number, move in enumerate(moves_of(moves), 1):
            try:
                session.play(move)
            except Error as error:
                raise Error(f"{name}: move {number}: {error}") from None
        return session

    def _thinker(
        self, game: GameLike, agent: str | None, evaluate: Evaluate | None, moves: Moves, position: str | None
    ) -> tuple[Session, str | None]:
        workbench, name = self._with(game)
        if evaluate is not None:
            workbench, agent = workbench._given(agent or "alphazero", evaluate)
        return workbench.session(name, moves=moves, position=position), agent

    def _given(self, agent: str, evaluate: Evaluate) -> tuple[Workbench, str]:
        """This workbench with an evaluation for a single call, and the agent that uses it."""
        if " net=" in agent:
            raise Error(f"agent {agent}: give net= or evaluate=, not both")
        return self.copy().evaluation(EVALUATION, evaluate), f"{agent} net={EVALUATION}"

    def search(
        self,
        game: GameLike,
        agent: str | None = None,
        *,
        moves: Moves = "",
        position: str | None = None,
        only: Sequence[str] | None = None,
        without: Sequence[str] | None = None,
        evaluate: Evaluate | None = None,
    ) -> Report:
        """Lets an agent think about a position, and gives its report.

        ``game``
            a name such as ``"hex size=5"``, or a position or a class of a game of your own (:class:`aji.Game`);
        ``agent``
            a name such as ``"uct simulations=10000 seed=7"``; without one, the strongest agent known for the game;
        ``moves``, ``position``
            where to think: moves from the start, or from a position in the game's one-line notation;
        ``only``, ``without``
            the actions that may be chosen, or those that may not;
        ``evaluate``
            values the leaves (:class:`aji.Evaluate`) for agents such as ``alphazero`` and ``gumbel``; ``wave=32`` in the agent's name
            asks for 32 leaves at a time.

        >>> import aji
        >>> aji.search("tic-tac-toe", "exact", moves="b2 a1").value
        0.5
        """
        session, agent = self._thinker(game, agent, evaluate, moves, position)
        return session.search(agent, only=only, without=without)

    def watch(
        self,
        game: GameLike,
        agent: str | None = None,
        *,
        every: float = 0.1,
        moves: Moves = "",
        position: str | None = None,
        only: Sequence[str] | None = None,
        without: Sequence[str] | None = None,
        evaluate: Evaluate | None = None,
    ) -> Watch:
        """Begins a search, to be watched while it runs: a snapshot every ``every`` seconds. The rest is as in :meth:`search`.

        >>> import aji
        >>> watch = aji.watch("connect-four", "uct simulations=20000", every=0.01)
        >>> [snapshot.simulations for snapshot in watch][-1]
        20000
        >>> watch.report().stopped
        'simulations'
        """
        session, agent = self._thinker(game, agent, evaluate, moves, position)
        return session.watch(agent, every=every, only=only, without=without)

    def search_many(
        self,
        game: GameLike,
        positions: Iterable[Moves | Session],
        agent: str = "alphazero",
        *,
        evaluate: Evaluate,
    ) -> list[Report]:
        """Searches many positions of a game together: ``evaluate`` gets the leaves of all of them in a call.

        Each position is moves from the start, or a session. Each is searched as if it were alone.

        >>> import aji
        >>> import numpy as np
        >>> reports = aji.search_many(
        ...     "connect-four", ["", "d", "d d"], "gumbel simulations=16", evaluate=lambda planes: np.zeros(len(planes))
        ... )
        >>> [report.simulations for report in reports]
        [16, 16, 16]
        """
        workbench, name = self._with(game)
        workbench, agent = workbench._given(agent, evaluate)
        asked: list[tuple[str | None, list[str]]] = [
            (place.text, []) if isinstance(place, Session) else (None, moves_of(place)) for place in positions
        ]
        told = workbench._native.search_together(name, asked, agent)
        return [Report._of(found) for found in json.loads(told)]

    def explain(
        self,
        game: GameLike,
        agent: str | None = None,
        *,
        moves: Moves = "",
        position: str | None = None,
        skip: int = 0,
        steps: int = 1,
    ) -> Explanation:
        """Explains simulations, after skipping others: the four phases of each as objects.

        >>> import aji
        >>> explanation = aji.explain("tic-tac-toe", skip=3, steps=2)
        >>> [(simulation.number, simulation.expansion.kind) for simulation in explanation.simulations]
        [(4, 'first_visit'), (5, 'first_visit')]
        >>> simulation = explanation.simulations[1]
        >>> simulation.selection[0].action, len(simulation.playout.moves), simulation.backup.updates[0].pulls
        ('b2', 6, 1)
        >>> sum(arm.pulls for arm in explanation.arms)
        5
        """
        return self.session(game, moves=moves, position=position).explain(agent or "uct", skip=skip, steps=steps)

    def laws(self, game: GameLike, *, seed: int = 1) -> list[str]:
        """Checks a game's rules along random games. Gives what was checked; a broken law is an error that shows the moves.

        >>> import aji
        >>> aji.laws("nim")[:2]
        ['Game', 'PartialEq']
        """
        return self.session(game)._native.check_laws(seed)

    def perft(self, game: GameLike, length: int, *, moves: Moves = "") -> int:
        """The number of sequences of actions of this length.

        >>> import aji
        >>> [aji.perft("tic-tac-toe", length) for length in (1, 2, 3)]
        [9, 72, 504]
        """
        return self.session(game, moves=moves).perft(length)

    # Commands

    def command(self, *words: str, progress: bool = False) -> str:
        """Runs a command of the command line, a word each, and gives what it prints.

        >>> import aji
        >>> aji.command("cgt", "canon({3|-1} + *)").strip() != ""
        True
        """
        text, error, is_interrupted, _ = self._run(words, progress)
        if is_interrupted:
            # Ctrl-C was heard by another thread, and what was found so far is not the result.
            raise KeyboardInterrupt
        if error is not None:
            raise Error(error)
        return text

    def _run(self, words: Iterable[str], progress: bool) -> tuple[str, str | None, bool, bool]:
        with _shown(progress):
            return self._native.command([str(word) for word in words])

    def _json(self, *words: str, progress: bool = False) -> Any:
        """What a command finds; nothing if it ran only a shard."""
        text = self.command(*words, "--json", progress=progress)
        return json.loads(text) if text else {}

    def _lines(self, *words: str, progress: bool = False) -> list[Any]:
        return [json.loads(line) for line in self.command(*words, "--json", progress=progress).splitlines()]

    def match(
        self,
        game: GameLike,
        a: str,
        b: str,
        *,
        games: int | None = None,
        openings: int | None = None,
        sprt: tuple[float, float] | None = None,
        equal_samples: bool = False,
        seed: int = 1,
        threads: int | None = None,
        journal: File | None = None,
        shard: str | None = None,
        save: File | None = None,
        progress: bool = False,
    ) -> Match:
        """Plays two agents against each other, in pairs of games with the same opening and the sides swapped.

        With a journal a killed match goes on where it was, and the finished journal has the bytes of the command's. A ``shard``
        such as ``"2/8"`` plays a part of the match for the journal and has no result; :meth:`merge` joins the journals, and the
        match with the joined journal has it.

        >>> import aji
        >>> match = aji.match("tic-tac-toe", "uct simulations=100", "random", games=20)
        >>> match.games, match.score > 0.5
        (20, True)
        """
        workbench, name = self._with(game)
        words = [*name.split(), "--a", a, "--b", b]
        words += _options(games=games, openings=openings, seed=seed, threads=threads, journal=journal, shard=shard, save=save)
        words += [f"--sprt={sprt[0]},{sprt[1]}"] if sprt is not None else []
        words += ["--equal-samples"] if equal_samples else []
        return Match(workbench._json("match", *words, progress=progress), _path(journal))

    def tournament(
        self,
        game: GameLike,
        agents: Sequence[str],
        *,
        games: int | None = None,
        openings: int | None = None,
        seed: int = 1,
        threads: int | None = None,
        journal: File | None = None,
        shard: str | None = None,
        save: File | None = None,
        progress: bool = False,
    ) -> Tournament:
        """Plays every agent against every other, and rates them.

        >>> import aji
        >>> tournament = aji.tournament("tic-tac-toe", ["random", "uct simulations=100"], games=10)
        >>> [row["agent"] for row in tournament.ratings]
        ['uct simulations=100', 'random']
        """
        workbench, name = self._with(game)
        words = [*name.split(), *(f"--agent={agent}" for agent in agents)]
        words += _options(games=games, openings=openings, seed=seed, threads=threads, journal=journal, shard=shard, save=save)
        return Tournament(workbench._json("tournament", *words, progress=progress), _path(journal))

    def tune(
        self,
        game: GameLike,
        agent: str = "uct",
        *,
        vary: str,
        points: int | None = None,
        games: int | None = None,
        openings: int | None = None,
        seed: int = 1,
        threads: int | None = None,
        journal: File | None = None,
        shard: str | None = None,
        svg: File | None = None,
        progress: bool = False,
    ) -> Tuning:
        """Finds the best value of an option: ``vary="c=0.1..2"`` or ``vary="root=ucb1,voi"``.

        >>> import aji
        >>> tuning = aji.tune("tic-tac-toe", "uct simulations=50", vary="c=0.1..2", points=3, games=4)
        >>> len(tuning.values), 0.1 <= float(tuning.best) <= 2
        (3, True)
        """
        workbench, name = self._with(game)
        words = [*name.split(), "--agent", agent, "--vary", vary]
        words += _options(
            points=points, games=games, openings=openings, seed=seed, threads=threads, journal=journal, shard=shard, svg=svg
        )
        return Tuning(workbench._json("tune", *words, progress=progress), _path(journal))

    def duel(
        self,
        game: GameLike,
        attacker: str,
        victim: str,
        *,
        games: int | None = None,
        attacker_first: bool = False,
        positions: File | None = None,
        lines: int | None = None,
        line_tree: File | None = None,
        seed: int = 1,
        threads: int | None = None,
        journal: File | None = None,
        shard: str | None = None,
        progress: bool = False,
    ) -> dict[str, Any]:
        """Plays an attacker against a victim in fixed seats. ``line_tree`` is a file for a drawing of the lines that won.

        >>> import aji
        >>> duel = aji.duel("tic-tac-toe", "exact", "random", games=10)
        >>> duel["wins"] + duel["draws"], duel["losses"]
        (10, 0)
        """
        workbench, name = self._with(game)
        words = [*name.split(), "--attacker", attacker, "--victim", victim]
        words += _options(games=games, lines=lines, line_tree=line_tree, seed=seed, threads=threads, journal=journal, shard=shard)
        words += [] if positions is None else ["--from", fspath(positions)]
        words += ["--attacker-first"] if attacker_first else []
        return _dictionary(workbench._json("duel", *words, progress=progress))

    def mistakes(
        self,
        game: GameLike,
        agent: str | None = None,
        *,
        plies: str | None = None,
        positions: int | None = None,
        kind: str | None = None,
        source: File | None = None,
        judge: str | None = None,
        seed: int = 1,
        threads: int | None = None,
        journal: File | None = None,
        shard: str | None = None,
        progress: bool = False,
    ) -> dict[str, Any]:
        """Counts how often an agent's move loses value, by exact play. ``source`` is a file or a list that comes with aji.

        >>> import aji
        >>> mistakes = aji.mistakes("tic-tac-toe", "uct simulations=50", plies="1..4", positions=10)
        >>> mistakes["positions"], mistakes["mistakes"] <= mistakes["could_err"]
        (10, True)
        """
        workbench, name = self._with(game)
        words = [*name.split()]
        words += _options(
            agent=agent, plies=plies, positions=positions, kind=kind, judge=judge, seed=seed, threads=threads, journal=journal, shard=shard
        )
        words += [] if source is None else ["--from", fspath(source)]
        return _dictionary(workbench._json("mistakes", *words, progress=progress))

    def traps(
        self,
        game: GameLike,
        *,
        prey: str | None = None,
        witness: str | None = None,
        judge: str | None = None,
        plies: str | None = None,
        tries: int | None = None,
        most: int | None = None,
        seed: int = 1,
        progress: bool = False,
    ) -> list[dict[str, Any]]:
        """Finds positions that a search misplays.

        >>> import aji
        >>> trap = aji.traps("tic-tac-toe", prey="uct simulations=5", plies="2..5", most=1)[0]
        >>> trap["blunder_value"] < trap["answer_value"]
        True
        """
        workbench, name = self._with(game)
        words = [*name.split()]
        words += _options(prey=prey, witness=witness, judge=judge, plies=plies, tries=tries, most=most, seed=seed)
        return workbench._lines("traps", *words, progress=progress)

    def learn(
        self,
        game: GameLike,
        agent: str | None = None,
        *,
        games: int | None = None,
        position: str | None = None,
        progress: bool = False,
    ) -> dict[str, Any]:
        """Measures how well an agent learns which actions are hot, over random games of Heap-Go.

        >>> import aji
        >>> learned = aji.learn("heap-go", games=2)
        >>> learned["games"], 0 <= learned["match_strict"] <= 100
        (2, True)
        """
        workbench, name = self._with(game)
        words = [*name.split(), *_options(agent=agent, games=games, position=position)]
        return _dictionary(workbench._json("learn", *words, progress=progress))

    def bandit(
        self,
        rules: str | Sequence[str],
        *,
        arms: int | None = None,
        budgets: str | Sequence[int] | None = None,
        repeats: int | None = None,
        means: str | Sequence[float] | None = None,
        rewards: str | None = None,
        seed: int = 1,
        threads: int | None = None,
        journal: File | None = None,
        shard: str | None = None,
        svg: File | None = None,
        progress: bool = False,
    ) -> list[dict[str, Any]]:
        """Compares rules on random bandits: a dictionary for each rule and budget.

        >>> import aji
        >>> rows = aji.bandit("ucb1, voi", arms=8, budgets=[64], repeats=200)
        >>> [row["rule"] for row in rows]
        ['ucb1(c=1.4)', 'voi']
        """
        words = ["--rules", rules if isinstance(rules, str) else ", ".join(rules)]
        words += _options(
            arms=arms,
            budgets=_joined(budgets),
            repeats=repeats,
            means=_joined(means),
            rewards=rewards,
            seed=seed,
            threads=threads,
            journal=journal,
            shard=shard,
            svg=svg,
        )
        rows: list[dict[str, Any]] = self._json("bandit", *words, progress=progress)
        return rows

    def thermograph(self, position: str, *, game: str | None = None, svg: File | None = None) -> dict[str, Any]:
        """Means, temperatures and stops, exactly: of a heap such as ``B3R5B5``, or of a board of ``game``.

        >>> import aji
        >>> [state["temperature"] for state in aji.thermograph("B3R5B5")["states"]][0] != ""
        True
        """
        return _dictionary(self._json("thermo", position, *_options(game=game, svg=svg)))

    def cgt(self, expression: str) -> Any:
        """Evaluates an expression of combinatorial games.

        >>> import aji
        >>> aji.cgt("temp({3|-1})")
        '2'
        """
        return json.loads(self.command("cgt", "--json", "--", expression))["value"]

    def train(self, game: str | None = None, *, out: File, progress: bool = True, **options: Any) -> dict[str, Any]:
        """Trains a network by self-play, with the options of ``aji train``: ``games=``, ``hours=``, ``net=``, ``agent=``, ``seed=`` ...
        ``options=`` is its ``--with``. The same call goes on with a run."""
        words = [] if game is None else game.split()
        if "options" in options:
            words += ["--with", str(options.pop("options"))]
        words += ["--out", fspath(out), *_options(**options)]
        return _dictionary(self._json("train", *words, progress=progress))

    def reproduce(
        self,
        paper: str,
        *,
        study: str | Sequence[str] | None = None,
        quick: bool = False,
        out: File | None = None,
        seed: int = 1,
        threads: int | None = None,
        progress: bool = True,
    ) -> dict[str, Any]:
        """Runs a paper's experiments again, and judges its claims."""
        words = [paper, *_options(study=_joined(study), out=out, seed=seed, threads=threads)]
        return _dictionary(self._json("reproduce", *words, *(["--quick"] if quick else []), progress=progress))

    def merge(self, out: File, journals: Sequence[File]) -> str:
        """Joins journals of the same experiment, such as those of shards.

        >>> import aji, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> parts = [f"{folder}/{part}.jsonl" for part in (1, 2)]
        >>> for part in (1, 2):
        ...     _ = aji.match("nim", "uct simulations=20", "random", games=8, journal=parts[part - 1], shard=f"{part}/2")
        >>> aji.merge(f"{folder}/all.jsonl", parts).splitlines()[0]
        'joined 2 journals: 4 of 4 trials'
        >>> aji.match("nim", "uct simulations=20", "random", games=8, journal=f"{folder}/all.jsonl").games
        8
        """
        return self.command("merge", "--out", fspath(out), *(fspath(journal) for journal in journals))

    def export(self, journal: File) -> str:
        """A journal as CSV.

        >>> import aji, tempfile
        >>> journal = tempfile.mkdtemp() + "/match.jsonl"
        >>> _ = aji.match("nim", "uct simulations=20", "random", games=4, journal=journal)
        >>> table = aji.export(journal).splitlines()
        >>> table[0].split(",")[:4], len(table)
        (['trial', 'number', 'game', 'a'], 5)
        """
        return self.command("export", fspath(journal))

    # Lists

    def _listed(self, kind: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._json("list", kind)
        return found

    def games(self) -> list[dict[str, Any]]:
        """All games, with their options.

        >>> import aji
        >>> aji.games()[0]["name"]
        'tic-tac-toe'
        """
        return self._listed("games")

    def agents(self) -> list[dict[str, Any]]:
        """All agents.

        >>> import aji
        >>> aji.agents()[0]["summary"]
        'Monte Carlo tree search with UCB1'
        """
        return self._listed("agents")

    def rules(self) -> list[dict[str, Any]]:
        """All sampling rules.

        >>> import aji
        >>> "voi" in {rule["name"] for rule in aji.rules()}
        True
        """
        return self._listed("rules")

    def agent_for(self, game: GameLike) -> str:
        """The strongest agent known for a game.

        >>> import aji
        >>> aji.agent_for("connect-four"), aji.agent_for("tic-tac-toe")
        ('alphazero', 'exact')
        """
        return self.session(game)._native.agent()


def _always(start: Game) -> Callable[[], Game]:
    return lambda: start


def _options(**options: Any) -> list[str]:
    """Options as words, without those that are None."""
    given = ((name.replace("_", "-"), value) for name, value in options.items() if value is not None)
    return [f"--{name}={fspath(value) if isinstance(value, PathLike) else value}" for name, value in given]


def _joined(values: Any) -> Any:
    """A list as the command line writes it."""
    return values if values is None or isinstance(values, str) else ",".join(str(value) for value in values)


def _path(journal: File | None) -> Path | None:
    return None if journal is None else Path(journal)


def _dictionary(found: Any) -> dict[str, Any]:
    assert isinstance(found, dict)
    return found


@contextmanager
def _shown(progress: bool) -> Iterator[None]:
    """Shows progress on standard error meanwhile."""
    if progress:
        _native.set_quiet(False)
    try:
        yield
    finally:
        if progress:
            _native.set_quiet(True)
