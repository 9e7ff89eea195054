"""The speed of aji from Python: against OpenSpiel, against a search written in Python, and against the command line.

    maturin build --release --out ../../target/release-wheel
    pip install --force-reinstall --no-deps ../../target/release-wheel/aji-*.whl
    cargo build --release
    python benches/openspiel.py --aji ../../target/release/aji --wheel ../../target/release-wheel/aji-*.whl
    python benches/openspiel.py --json --only own
    python benches/openspiel.py --quick

Each number is the median of five runs. Times are the processor's, and runs of the two sides alternate, so that other programs
on the machine hardly count. Against the command line they leave out the kernel's: the time to get large pages for a tree depends on what
else has memory, and differed by a factor of ten. From a time of the program that of its shortest search is taken, which is its start.
``--quick`` only shows that everything runs.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found]
from open_spiel.python.algorithms import mcts  # type: ignore[import-untyped]

import aji
import aji.openspiel
from aji._own import Adapter

#: The constant of UCT in all searches; rewards of aji go from 0 to 1, those of OpenSpiel from -1 to 1.
C, C_OF_OPENSPIEL = 1.4, 2.8

#: Simulations by OpenSpiel's game: of a search through Python, and of one in native code. Each takes about as long.
BUDGETS = {"tic_tac_toe": (10_000, 200_000), "connect_four": (2_000, 50_000), "breakthrough": (1_000, 10_000)}

#: Simulations of a game in Python.
OWN_BUDGET = 20_000

#: Simulations of built-in games from Python and from the command line.
LONG_BUDGETS = {"connect-four": 2_500_000, "hex": 1_500_000, "go": 100_000}

#: The leaves of an evaluation at a time, and the evaluations of a search.
LEAVES, EVALUATIONS = 256, 40

#: The least budget: the first batches of a search are small.
BUDGET_MIN = 10


@dataclass
class Effort:
    """How much is measured."""

    #: Runs of each measurement.
    runs: int = 5
    #: Budgets are divided by this.
    divisor: int = 1

    def of(self, budget: int) -> int:
        """The budget of a run."""
        return max(budget // self.divisor, BUDGET_MIN)


#: Set by the options.
EFFORT = Effort()


@dataclass
class Row:
    """A measurement and its goal."""

    what: str
    ours: float
    #: What it is compared with; None for a plain number.
    theirs: float | None
    unit: str
    goal: float
    #: Whether the goal is the least ratio, or the largest number.
    is_ratio: bool

    @property
    def measured(self) -> float:
        return self.ours / self.theirs if self.theirs else self.ours

    @property
    def is_met(self) -> bool:
        return self.measured >= self.goal if self.is_ratio else self.measured <= self.goal


def timed(work: Callable[[], Any]) -> float:
    """The seconds of the processor that some work takes."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def compare(
    what: str, goal: float, simulations: int, ours: Callable[[int], float | None], theirs: Callable[[int], float | None]
) -> Row:
    """Simulations per second of two searches, which get the number of the run as a seed. A search may tell its own seconds."""

    def rate(search: Callable[[int], float | None], seed: int) -> float:
        told: list[float | None] = []
        seconds = timed(lambda: told.append(search(seed)))
        return simulations / (told[0] or seconds)

    rates = [(rate(ours, seed), rate(theirs, seed)) for seed in range(1, EFFORT.runs + 1)]
    own, other = (statistics.median(column) for column in zip(*rates, strict=True))
    return Row(what, own, other, "simulations/s", goal, True)


# OpenSpiel


def searched(game: Any, simulations: int, seed: int) -> None:
    """A search of aji from the start of a game."""
    aji.search(game, agent=f"uct c={C} simulations={simulations} seed={seed}")


def wrapped_games() -> Iterator[Row]:
    """OpenSpiel's games searched by aji, and by OpenSpiel's search in Python."""
    for name, (budget, _) in BUDGETS.items():
        game, budget = pyspiel.load_game(name), EFFORT.of(budget)

        def theirs(seed: int, game: Any = game, budget: int = budget) -> None:
            rng = np.random.RandomState(seed)
            evaluator = mcts.RandomRolloutEvaluator(1, rng)
            bot = mcts.MCTSBot(game, C_OF_OPENSPIEL, budget, evaluator, solve=False, random_state=rng)
            bot.mcts_search(game.new_initial_state())

        def ours(seed: int, game: Any = game, budget: int = budget) -> None:
            searched(aji.openspiel.game(game), budget, seed)

        yield compare(f"OpenSpiel's {name}, its search in Python", 3.0, budget, ours, theirs)


def built_in_games() -> Iterator[Row]:
    """The same games by aji's own rules, and by OpenSpiel's search in C++."""
    for name, (_, budget) in BUDGETS.items():
        game, budget = pyspiel.load_game(name), EFFORT.of(budget)

        def theirs(seed: int, game: Any = game, budget: int = budget) -> None:
            evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
            bot = pyspiel.MCTSBot(game, evaluator, C_OF_OPENSPIEL, budget, 1_000, False, seed, False)
            bot.step(game.new_initial_state())

        def ours(seed: int, game: Any = game, budget: int = budget) -> None:
            session = aji.openspiel.to_aji(game.new_initial_state()).session
            session.search(f"uct c={C} simulations={budget} seed={seed}")

        yield compare(f"built-in {name}, OpenSpiel's search in C++", 10.0, budget, ours, theirs)


# A game in Python

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    """Three in a row, in plain Python; ``play`` changes the position."""

    def __init__(self) -> None:
        self.cells = [0] * 9
        self.mover = 0
        self.winner = 0

    def turn(self) -> int | None:
        return None if self.winner or 0 not in self.cells else self.mover

    def actions(self) -> list[int]:
        return [cell for cell in range(9) if not self.cells[cell]]

    def play(self, cell: int) -> None:
        mark = 1 - 2 * self.mover
        self.cells[cell] = mark
        self.mover = 1 - self.mover
        for a, b, c in LINES:
            if self.cells[a] == self.cells[b] == self.cells[c] == mark:
                self.winner = mark

    def payoff(self) -> int:
        return self.winner

    def copy(self) -> TicTacToe:
        other = type(self)()
        other.cells, other.mover, other.winner = self.cells[:], self.mover, self.winner
        return other


class HashedTicTacToe(TicTacToe):
    """The same with a hash."""

    def hash(self) -> tuple[int, ...]:
        return tuple(self.cells)


class Node:
    """A node of the plain search: the visits, and the sum of rewards of who chose it."""

    __slots__ = ("action", "children", "mover", "parent", "total", "untried", "visits")

    def __init__(self, game: TicTacToe, parent: Node | None, action: int | None) -> None:
        self.parent, self.action, self.mover = parent, action, game.mover
        self.untried = game.actions() if game.turn() is not None else []
        self.children: list[Node] = []
        self.visits, self.total = 0, 0.0

    def most_promising(self) -> Node:
        """The child with the highest bound."""
        log = math.log(self.visits)
        return max(self.children, key=lambda child: child.total / child.visits + C * math.sqrt(log / child.visits))


def plain_uct(root: TicTacToe, simulations: int, seed: int) -> int | None:
    """UCT as textbooks have it, in plain Python."""
    rng = random.Random(seed)
    top = Node(root, None, None)
    for _ in range(simulations):
        node, game = top, root.copy()
        while not node.untried and node.children:
            node = node.most_promising()
            assert node.action is not None
            game.play(node.action)
        if node.untried:
            action = node.untried.pop(rng.randrange(len(node.untried)))
            game.play(action)
            child = Node(game, node, action)
            node.children.append(child)
            node = child
        while game.turn() is not None:
            game.play(rng.choice(game.actions()))
        reward = (game.payoff() + 1) / 2
        back: Node | None = node
        while back is not None:
            back.visits += 1
            # The player who is not to act here chose this node.
            back.total += reward if back.mover == 1 else 1 - reward
            back = back.parent
    return max(top.children, key=lambda child: child.visits).action


def own_games() -> Iterator[Row]:
    """A game in Python searched by aji, and by a plain search in Python."""
    budget = EFFORT.of(OWN_BUDGET)
    for make in (TicTacToe, HashedTicTacToe):

        def ours(seed: int, make: type[TicTacToe] = make) -> None:
            searched(make, budget, seed)

        def theirs(seed: int, make: type[TicTacToe] = make) -> None:
            plain_uct(make(), budget, seed)

        yield compare(f"own game {make.__name__}, plain UCT in Python", 4.0, budget, ours, theirs)


# Evaluations


class Zeros:
    """An evaluation that knows nothing, and counts the time that it takes itself."""

    def __init__(self) -> None:
        self.calls, self.seconds = 0, 0.0

    def __call__(self, states: Any) -> Any:
        begin = time.process_time()
        answer = np.zeros(len(states), np.float32), np.ones((len(states), 7), np.float32)
        self.calls += len(states) >= LEAVES // 2
        self.seconds += time.process_time() - begin
        return answer


def evaluations() -> Iterator[Row]:
    """The time that a call of an evaluation takes beside the evaluation itself."""
    whole = []
    for seed in range(1, EFFORT.runs + 1):
        zeros = Zeros()
        agent = f"alphazero simulations={LEAVES * EFFORT.of(EVALUATIONS)} wave={LEAVES} seed={seed}"
        seconds = timed(lambda: aji.search("connect-four", agent=agent, evaluate=zeros))
        whole.append(1e6 * (seconds - zeros.seconds) / zeros.calls)
    yield Row(f"evaluate {LEAVES} leaves: call, arrays, tree", statistics.median(whole), None, "us", 300.0, False)
    yield Row(f"evaluate {LEAVES} leaves: checks in Python", statistics.median(adapted()), None, "us", 300.0, False)


def adapted() -> list[float]:
    """Microseconds of the checks of answers."""
    features = np.zeros((LEAVES, 2, 6, 7), np.float32).tobytes()
    legal, movers = np.ones((LEAVES, 7), np.uint8).tobytes(), bytes(LEAVES)
    found = []
    for _ in range(EFFORT.runs):
        zeros = Zeros()
        adapter = Adapter(zeros)
        seconds = timed(lambda: [adapter(movers, None, features, (2, 6, 7), legal, 7, 2) for _ in range(EVALUATIONS)])
        found.append(1e6 * (seconds - zeros.seconds) / EVALUATIONS)
    return found


# The command line, and the start


def user_seconds(whose: int) -> float:
    """The seconds of the processor that this program, or programs that it has run, took outside of the kernel."""
    return resource.getrusage(whose).ru_utime


def command_line(program: str | None) -> Iterator[Row]:
    """Built-in games from Python, and by the program."""
    if program is None:
        print("openspiel.py: no --aji and no aji on the PATH: the command line is not measured", file=sys.stderr)
        return
    for game, budget in LONG_BUDGETS.items():
        simulations = EFFORT.of(budget)

        def program_seconds(simulations: int, seed: int, game: str = game, program: str = program) -> float:
            words = [program, "search", game, "--agent", f"uct simulations={simulations} seed={seed}", "--json"]
            begin = user_seconds(resource.RUSAGE_CHILDREN)
            subprocess.run(words, capture_output=True, check=True)
            return user_seconds(resource.RUSAGE_CHILDREN) - begin

        def ours(seed: int, game: str = game, simulations: int = simulations) -> float:
            begin = user_seconds(resource.RUSAGE_SELF)
            aji.search(game, agent=f"uct simulations={simulations} seed={seed}")
            return max(user_seconds(resource.RUSAGE_SELF) - begin, 1e-6)

        start = min(program_seconds(BUDGET_MIN, seed) for seed in range(1, EFFORT.runs + 1))

        def theirs(seed: int, of: Callable[[int, int], float] = program_seconds, simulations: int = simulations, start: float = start) -> float:
            # Of --quick, little is left after the start.
            return max(of(simulations, seed) - start, 1e-6)

        yield compare(f"{game} from Python, the command line", 0.97, simulations, ours, theirs)


def starts() -> Iterator[Row]:
    """The time to import aji, in a process of its own."""
    program = "import time; begin = time.perf_counter(); import aji; print(time.perf_counter() - begin)"
    found = [float(subprocess.check_output([sys.executable, "-c", program])) for _ in range(EFFORT.runs)]
    yield Row("import aji", statistics.median(found), None, "s", 0.15, False)


def sizes(wheel: Path | None) -> Iterator[Row]:
    """The size of a release wheel."""
    if wheel is None:
        print("openspiel.py: no --wheel: the size of a release wheel is not measured", file=sys.stderr)
        return
    yield Row("release wheel", wheel.stat().st_size / 1e6, None, "MB", 12.0, False)


def table(rows: list[Row]) -> str:
    """Rows in columns."""

    def number(value: float) -> str:
        return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"

    cells = [("what", "aji", "other", "unit", "measured", "goal", "")]
    for row in rows:
        sign = ">=" if row.is_ratio else "<="
        unit = "x" if row.is_ratio else f" {row.unit}"
        other = "" if row.theirs is None else number(row.theirs)
        measured = f"{row.measured:.2f}x" if row.is_ratio else number(row.measured)
        verdict = "met" if row.is_met else "missed"
        cells.append((row.what, number(row.ours), other, row.unit, measured, f"{sign} {row.goal:g}{unit}", verdict))
    widths = [max(len(cell[column]) for cell in cells) for column in range(len(cells[0]))]
    return "\n".join("  ".join(map(aligned, cell, widths, range(len(widths)))).rstrip() for cell in cells)


def aligned(text: str, width: int, column: int) -> str:
    """A cell of the table: numbers to the right."""
    return text.rjust(width) if column in (1, 2, 4) else text.ljust(width)


def main() -> None:
    """Measures, and prints a table or JSON."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--aji", default=shutil.which("aji"), help="the program to compare with")
    options.add_argument("--json", action="store_true", help="print JSON")
    options.add_argument("--wheel", type=Path, help="a wheel of maturin build --release")
    options.add_argument("--quick", action="store_true", help="one run of a hundredth: show that everything runs")
    options.add_argument("--only", default="", help="wrapped, built-in, own, evaluate, command, import or wheel")
    given = options.parse_args()
    if given.quick:
        EFFORT.runs, EFFORT.divisor = 1, 100
    parts: dict[str, Callable[[], Iterator[Row]]] = {
        "wrapped": wrapped_games,
        "built-in": built_in_games,
        "own": own_games,
        "evaluate": evaluations,
        "command": lambda: command_line(given.aji),
        "import": starts,
        "wheel": lambda: sizes(given.wheel),
    }
    rows = [row for word, part in parts.items() if given.only in word for row in part()]
    if given.json:
        print(json.dumps([{**asdict(row), "measured": row.measured, "is_met": row.is_met} for row in rows], indent=2))
    else:
        print(table(rows))


if __name__ == "__main__":
    main()
