#!/usr/bin/env python3
"""Writes the referee data: the rules of the games according to OpenSpiel, a program that shares no code with this one.

    python3 -m venv /tmp/referee && . /tmp/referee/bin/activate
    pip install open_spiel==2.0.2
    python3 generate.py             # writes <name>.txt beside this script; takes about five minutes
    python3 generate.py hex-5 ...   # only these

The same version of OpenSpiel gives the same files, byte for byte: all random choices are seeded.

A file has
  - comments, which start with `#`; `# game: ...` is the game as this engine calls it,
  - one line `perft 9 72 504 ...`: the number of action sequences of length 1, 2, 3, ... from the initial position (a
    sequence ends where the game does, so that shorter games count only at their own lengths),
  - 40 seeded random games, one per line: the moves | the number of legal actions before each of them | the payoffs of
    the first and of the second player (1, 0 or -1: only the sign, also where the engine pays a margin). The game is
    over after the last move and not before. If a rare kind of end would be missing, the last games are chosen from more
    games, and a comment names that kind.

Moves are translated to the notation of this engine by the function `translate` of each game. Where OpenSpiel differs:
  - tic-tac-toe, mnk: OpenSpiel numbers rows from the top, here a1 is at the lower left.
  - breakthrough: OpenSpiel's first player is black, starts on rows 7-8 and moves down; here the first player starts on
    rows 1-2 and moves up. The rows are mirrored (row r becomes 9 - r), the columns stay.
  - clobber: OpenSpiel's first player has o, here x; either has the stone at a1.
  - go: OpenSpiel writes `B a1` and `B PASS`, also without i; here it is A1 and pass. Its rules are area scoring with komi, two
    passes, no suicide, and only the simple ko; but a stone that repeats a position of stones ends the game as a draw, and
    too many moves (twice the points, unless told otherwise) end it by the score. Here neither ends a game: those that
    repeated a position are left out, and OpenSpiel gets a length limit above that of any game here.
  - connect-four, othello, hex, nim: the same up to spelling.

To be sure that the translation is right, the script holds its own slow rules of each game, written in the notation of
this engine. Over every stored game and many more, they must agree with OpenSpiel about the set of legal moves at every
ply, the end and the result; and about the perft counts, as deep as is cheap.
"""

import pathlib
import random
import sys
from importlib.metadata import version

import pyspiel

GAMES = 40  # stored in each file
OPEN_SPIEL = version("open_spiel")


def cell(column, row):
    """The name of a cell; both from 0. The game decides in which direction rows are numbered."""
    return f"{chr(ord('a') + column)}{row + 1}"


# --- Own rules, in our notation. `legal` gives a set of moves (not asked when the game is over), `play` makes one,
# --- `payoff` is that of the first player, or None while the game goes on. `mover` is 0 or 1.


class Lines:
    """m columns, n rows, k in a row; with `drop`, pieces fall down the columns. a1 is the lower left."""

    def __init__(self, m, n, k, drop=False):
        self.m, self.n, self.k, self.drop = m, n, k, drop
        self.board, self.mover, self.payoff = {}, 0, None

    def legal(self):
        if self.drop:
            return {chr(ord("a") + c) for c in range(self.m) if (c, self.n - 1) not in self.board}
        return {cell(c, r) for c in range(self.m) for r in range(self.n) if (c, r) not in self.board}

    def play(self, move):
        column = ord(move[0]) - ord("a")
        row = sum((column, r) in self.board for r in range(self.n)) if self.drop else int(move[1:]) - 1
        self.board[column, row] = self.mover
        for dc, dr in (1, 0), (0, 1), (1, 1), (1, -1):
            for c in range(self.m):
                for r in range(self.n):
                    if all(self.board.get((c + i * dc, r + i * dr)) == self.mover for i in range(self.k)):
                        self.payoff = 1 - 2 * self.mover
        if self.payoff is None and len(self.board) == self.m * self.n:
            self.payoff = 0
        self.mover = 1 - self.mover


class Othello:
    """a1 is the upper left; white on d4 and e5, black (first) on e4 and d5."""

    def __init__(self):
        self.board = {"d4": 1, "e5": 1, "e4": 0, "d5": 0}
        self.mover, self.payoff = 0, None

    def flips(self, to, mover):
        flipped = []
        if to in self.board:
            return flipped
        for dc in -1, 0, 1:
            for dr in -1, 0, 1:
                run, c, r = [], ord(to[0]) + dc, int(to[1]) + dr
                while self.board.get(f"{chr(c)}{r}") == 1 - mover:
                    run.append(f"{chr(c)}{r}")
                    c, r = c + dc, r + dr
                if self.board.get(f"{chr(c)}{r}") == mover:
                    flipped += run
        return flipped

    def placings(self, mover):
        return {a for a in (cell(c, r) for c in range(8) for r in range(8)) if self.flips(a, mover)}

    def legal(self):
        return self.placings(self.mover) or {"pass"}

    def play(self, move):
        if move != "pass":
            for a in self.flips(move, self.mover) + [move]:
                self.board[a] = self.mover
        self.mover = 1 - self.mover
        if not self.placings(0) and not self.placings(1):
            first = sum(1 - 2 * owner for owner in self.board.values())
            self.payoff = (first > 0) - (first < 0)


class Breakthrough:
    """Eight by eight. The first player starts on rows 1 and 2 and moves up."""

    def __init__(self):
        self.board = {f"{c}{r}": int(r > 4) for c in "abcdefgh" for r in (1, 2, 7, 8)}
        self.mover, self.payoff = 0, None
        self.taken = False  # by the last move

    def legal(self):
        moves = set()
        for a, owner in self.board.items():
            if owner == self.mover:
                for dc in -1, 0, 1:
                    column, row = chr(ord(a[0]) + dc), int(a[1]) + 1 - 2 * owner
                    to = f"{column}{row}"
                    takes = dc != 0 and self.board.get(to) == 1 - owner
                    if column in "abcdefgh" and row in range(1, 9) and (takes or to not in self.board):
                        moves.add(a + to)
        return moves

    def play(self, move):
        to = move[2:]
        self.taken = to in self.board
        del self.board[move[:2]]
        self.board[to] = self.mover
        if to[1] == "81"[self.mover] or 1 - self.mover not in self.board.values():
            self.payoff = 1 - 2 * self.mover
        self.mover = 1 - self.mover


class Hex:
    """a1 is the upper left; the first player connects top and bottom, the second left and right."""

    def __init__(self, size):
        self.size, self.board, self.mover, self.payoff = size, {}, 0, None

    def legal(self):
        return {cell(c, r) for c in range(self.size) for r in range(self.size) if (c, r) not in self.board}

    def play(self, move):
        self.board[ord(move[0]) - ord("a"), int(move[1:]) - 1] = self.mover
        along = 1 - self.mover  # the coordinate that the chain of the mover has to cross
        reached, todo = set(), [a for a, owner in self.board.items() if owner == self.mover and a[along] == 0]
        while todo:
            c, r = todo.pop()
            if (c, r) not in reached and self.board.get((c, r)) == self.mover:
                reached.add((c, r))
                # Every row stands half a cell to the right of the one above: b1 and a2 touch, a1 and b2 do not.
                todo += [(c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1), (c + 1, r - 1), (c - 1, r + 1)]
        if any(a[along] == self.size - 1 for a in reached):
            self.payoff = 1 - 2 * self.mover
        self.mover = 1 - self.mover


class Nim:
    """Take any number from one heap. Who takes the last one wins; with `misere`, loses."""

    def __init__(self, heaps, misere):
        self.heaps, self.misere, self.mover, self.payoff = list(heaps), misere, 0, None

    def legal(self):
        return {f"{i + 1}:{take}" for i, heap in enumerate(self.heaps) for take in range(1, heap + 1)}

    def play(self, move):
        heap, take = map(int, move.split(":"))
        self.heaps[heap - 1] -= take
        if not any(self.heaps):
            self.payoff = (1 - 2 * self.mover) * (-1 if self.misere else 1)
        self.mover = 1 - self.mover


class Clobber:
    """A board full of stones of alternating colours. The first player has a1."""

    def __init__(self, rows, columns):
        self.board = {cell(c, r): (c + r) % 2 for c in range(columns) for r in range(rows)}
        self.mover, self.payoff = 0, None

    def legal(self):
        moves = set()
        for a, owner in self.board.items():
            for dc, dr in (1, 0), (-1, 0), (0, 1), (0, -1):
                to = f"{chr(ord(a[0]) + dc)}{int(a[1]) + dr}"
                if owner == self.mover and self.board.get(to) == 1 - owner:
                    moves.add(f"{a}-{to}")
        return moves

    def play(self, move):
        a, to = move.split("-")
        self.board[to] = self.board.pop(a)
        self.mover = 1 - self.mover
        if not self.legal():
            self.payoff = 2 * self.mover - 1


class Go:
    """Area scoring, komi, simple ko, no suicide; two passes end. `repeated` is set once a position of stones repeats."""

    LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"

    def __init__(self, size, komi):
        self.size, self.komi = size, komi
        self.points = {f"{self.LETTERS[c]}{r + 1}": (c, r) for c in range(size) for r in range(size)}
        self.names = {point: name for name, point in self.points.items()}
        self.board, self.mover, self.payoff = {}, 0, None
        self.ko, self.passed = None, False
        self.seen, self.repeated = {frozenset()}, False
        self.kos = self.most_taken = 0  # what happened, to choose games by

    def near(self, point):
        c, r = point
        return [a for a in ((c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1)) if a in self.names]

    def chain(self, point, board):
        """The stones joined to this one, and whether any has a liberty."""
        chain, todo, free = {point}, [point], False
        while todo:
            for a in self.near(todo.pop()):
                if a not in board:
                    free = True
                elif board[a] == board[point] and a not in chain:
                    chain.add(a)
                    todo.append(a)
        return chain, free

    def after(self, point):
        """The board after a stone there and its captures, or None if it then has no liberty."""
        board, taken = {**self.board, point: self.mover}, set()
        for a in self.near(point):
            if board.get(a) == 1 - self.mover:
                chain, free = self.chain(a, board)
                if not free:
                    taken |= chain
        board = {a: owner for a, owner in board.items() if a not in taken}
        return (board, taken) if self.chain(point, board)[1] else None

    def legal(self):
        empty = [point for point in self.names if point not in self.board and point != self.ko]
        return {self.names[point] for point in empty if self.after(point)} | {"pass"}

    def play(self, move):
        if move == "pass":
            self.ko = None
            if self.passed:
                self.payoff = 1 if self.area() > self.komi else -1
        else:
            point = self.points[move]
            self.board, taken = self.after(point)
            chain, _ = self.chain(point, self.board)
            alone = len(chain) == len(taken) == 1 and all(a in self.board for a in self.near(point) if a not in taken)
            self.ko = next(iter(taken)) if alone else None
            self.kos += alone
            self.most_taken = max(self.most_taken, len(taken))
            stones = frozenset(self.board.items())
            self.repeated |= stones in self.seen
            self.seen.add(stones)
        self.passed = move == "pass"
        self.mover = 1 - self.mover

    def area(self):
        """Black's stones and the empty points that only black reaches, less white's."""
        area, seen = sum(1 - 2 * owner for owner in self.board.values()), set()
        for start in self.names:
            if start not in self.board and start not in seen:
                region, todo, owners = {start}, [start], set()
                while todo:
                    for a in self.near(todo.pop()):
                        if a in self.board:
                            owners.add(self.board[a])
                        elif a not in region:
                            region.add(a)
                            todo.append(a)
                seen |= region
                if len(owners) == 1:
                    area += (1 - 2 * owners.pop()) * len(region)
        return area

    def fills(self, move):
        """Whether all around a point are own stones."""
        return all(self.board.get(a) == self.mover for a in self.near(self.points[move]))


# --- From OpenSpiel's actions (as it writes them) to ours.


def translate_lines(rows):
    def translate(text):  # x(0,2): row from the top, column
        row, column = map(int, text[2:-1].split(","))
        return cell(column, rows - 1 - row)

    return translate


def translate_drop(text):  # x0: column
    return chr(ord("a") + int(text[1:]))


def translate_breakthrough(text):  # a7b6, and a7b6* for a capture; mirrored
    text = text.rstrip("*")
    return f"{text[0]}{9 - int(text[1])}{text[2]}{9 - int(text[3])}"


def translate_clobber(text):  # a7b7
    return f"{text[:2]}-{text[2:]}"


def translate_nim(text):  # pile:1, take:2;
    pile, take = text.rstrip(";").split(", ")
    return f"{pile.removeprefix('pile:')}:{take.removeprefix('take:')}"


def translate_go(text):  # B a1, W PASS
    name = text[2:]
    return "pass" if name == "PASS" else name.upper()


# --- Which of the legal actions a player of random game `number` takes.


def uniform(rng, moves, _rules, _number):
    return rng.choice(moves)


def massacre(rng, moves, rules, number):
    """Breakthrough: the first 100 games are uniform. In the others one side takes what it can, the other takes nothing,
    and neither steps on the last row while it has another move. So many games end when a side has lost all its pieces,
    which is rare in uniform play."""
    if number < 100:
        return rng.choice(moves)
    hunter = rules.mover == number % 2
    stay = [move for move in moves if move[3] not in "18"] or moves
    return rng.choice([move for move in stay if (move[2:] in rules.board) == hunter] or stay)


def greed(rng, moves, rules, number):
    """Othello: the first 200 games are uniform. In the others one side flips as many as it can and the other as few, so
    that some end when a side has lost all its discs, which is rare in uniform play."""
    if number < 200 or moves == ["pass"]:
        return rng.choice(moves)
    sign = 1 if rules.mover == number % 2 else -1
    gain = {move: sign * len(rules.flips(move, rules.mover)) for move in moves}
    return rng.choice([move for move in moves if gain[move] == max(gain.values())])


def sparing(rng, moves, rules, number):
    """Go: one game in four is uniform, passes included. In the others nobody passes or fills a single point among own stones
    while there is another move, so that the board is played out."""
    if number % 4 == 0:
        return rng.choice(moves)
    return rng.choice([move for move in moves if move != "pass" and not rules.fills(move)] or ["pass"])


# --- The games.


class Entry:
    def __init__(self, game, spiel, rules, translate, depth, own_depth, notes, pool=200, want=None, policy=uniform):
        self.game = game  # as this engine calls it
        self.spiel = spiel  # as OpenSpiel does
        self.rules = rules  # makes the initial position of our own rules
        self.translate = translate
        self.depth, self.own_depth = depth, own_depth  # of perft: by OpenSpiel, by our own rules
        self.notes = notes
        self.pool = pool  # the random games to compare, of which some are stored
        self.want = want or {}  # kind of game to store at least once -> test of (moves, payoff, last position)
        self.policy = policy


DRAW = {"a draw": lambda moves, payoff, rules: payoff == 0}
LINES = "Moves are cells: column letter, row number, a1 at the lower left."


def mnk(m, n, k, depth, want=DRAW):
    note = f"{m} columns, {n} rows, {k} in a row wins. {LINES}"
    return Entry(
        f"mnk m={m} n={n} k={k}", f"mnk(m={m},n={n},k={k})", lambda: Lines(m, n, k), translate_lines(n), depth, 3,
        [note], want=want,
    )  # fmt: skip


def hexes(size, depth, own_depth):
    return Entry(
        f"hex size={size}", f"hex(board_size={size})", lambda: Hex(size), str, depth, own_depth,
        ["Moves are cells: column letter, row number, a1 at the upper left. Every row stands half a cell to the right of",
         "the one above, so that b1 and a2 touch and a1 and b2 do not. The first player connects top and bottom, the",
         "second left and right. No swap."],
    )  # fmt: skip


def clobber(rows, columns, depth, own_depth):
    return Entry(
        f"clobber rows={rows} columns={columns}", f"clobber(rows={rows},columns={columns})",
        lambda: Clobber(rows, columns), translate_clobber, depth, own_depth,
        ["Moves are from-to: column letter, row number, a1 at the lower left. The first player has the stone at a1."],
    )  # fmt: skip


def go(size, depth, own_depth, komi=7.5, pool=200):
    return Entry(
        f"go size={size} komi={komi} ko=simple", f"go(board_size={size},komi={komi},max_game_length={GO_LENGTH})",
        lambda: Go(size, komi), translate_go, depth, own_depth,
        ["Moves are points, A1 at the lower left, columns without I; or pass. Two passes end the game; area scoring, no suicide.",
         "Games in which a position of stones came again are left out: OpenSpiel ends them there, as a draw."],
        pool=pool,
        want={
            "a ko": lambda moves, payoff, rules: rules.kos > 0,
            "five stones taken at once": lambda moves, payoff, rules: rules.most_taken >= 5,
            "black wins": lambda moves, payoff, rules: payoff > 0,
            "white wins": lambda moves, payoff, rules: payoff < 0,
        },
        policy=sparing,
    )  # fmt: skip


GO_LENGTH = 1000  # no game here comes to it


def nim(misere):
    return Entry(
        "nim heaps=3,4,5" + " misere=on" * misere, f"nim(pile_sizes=3;4;5,is_misere={str(misere).lower()})",
        lambda: Nim((3, 4, 5), misere), translate_nim, 12, 5,
        ["Moves are heap:take, heaps numbered from 1. Who takes the last one " + ("loses." if misere else "wins.")],
    )  # fmt: skip


ENTRIES = {
    "tic-tac-toe": Entry(
        "tic-tac-toe", "tic_tac_toe()", lambda: Lines(3, 3, 3), translate_lines(3), 9, 6, [LINES], want=DRAW,
    ),
    "connect-four": Entry(
        "connect-four", "connect_four()", lambda: Lines(7, 6, 4, drop=True), translate_drop, 9, 4,
        ["Moves are column letters."], pool=2000, want=DRAW,
    ),
    "othello": Entry(
        "othello", "othello()", Othello, str, 9, 4,
        ["Moves are cells: column letter, row number, a1 at the upper left; or pass, legal only when no placing flips.",
         "The game is over as soon as neither player has a placing. The result is the sign of the disc margin."],
        pool=400,
        want=DRAW | {
            "an end on a board that is not full": lambda moves, payoff, rules: len(rules.board) < 64,
            "the first player takes all discs": lambda moves, payoff, rules: set(rules.board.values()) == {0},
            "the second player takes all discs": lambda moves, payoff, rules: set(rules.board.values()) == {1},
            "two passes, one move apart": lambda moves, payoff, rules: any(
                moves[i] == moves[i + 2] == "pass" for i in range(len(moves) - 2)),
        },
        policy=greed,
    ),
    "breakthrough": Entry(
        "breakthrough", "breakthrough()", Breakthrough, translate_breakthrough, 6, 4,
        ["Moves are from and to, a1 at the lower left. The first player starts on rows 1-2 and moves up; OpenSpiel's first",
         "player moves down, so its rows are mirrored. Straight ahead only to an empty cell, diagonally also to take.",
         "Who reaches the other's first row or takes the last piece wins."],
        want={
            "the first player takes the last piece": lambda moves, payoff, rules: set(rules.board.values()) == {0},
            "the second player takes the last piece": lambda moves, payoff, rules: set(rules.board.values()) == {1},
            "a take on the last row": lambda moves, payoff, rules: rules.taken and moves[-1][3] in "18",
        },
        policy=massacre,
    ),
    "hex-3": hexes(3, 9, 6),
    "hex-5": hexes(5, 5, 3),
    "hex-11": hexes(11, 3, 2),
    "mnk-4-3-3": mnk(4, 3, 3, 8),
    "mnk-5-4-4": mnk(5, 4, 4, 5),
    "mnk-4-5-3": mnk(4, 5, 3, 6, want=None),
    "mnk-7-6-5": mnk(7, 6, 5, 4),
    "go-5": go(5, 4, 2),
    "go-7": go(7, 3, 2),
    "go-9": go(9, 3, 2),
    "go-11": go(11, 2, 2, pool=80),
    "go-5-komi": go(5, 2, 2, komi=0.5),
    "nim-3-4-5": nim(False),
    "nim-3-4-5-misere": nim(True),
    "clobber-3-4": clobber(3, 4, 5, 3),
    "clobber-8-5": clobber(8, 5, 3, 2),
    "clobber-8-8": clobber(8, 8, 3, 2),
}  # fmt: skip


def perft(state, depth):
    """The number of action sequences of each length up to `depth`, by OpenSpiel."""
    counts = [0] * depth

    def walk(state, ply):
        actions = state.legal_actions()
        assert bool(actions) != state.is_terminal()
        counts[ply] += len(actions)
        if ply + 1 < depth:
            for action in actions:
                walk(state.child(action), ply + 1)

    walk(state, 0)
    return counts


def own_perft(entry, depth):
    """The same by our own rules, which replay every sequence from the start."""
    counts, sequences = [], [[]]
    for _ in range(depth):
        longer = []
        for sequence in sequences:
            rules = entry.rules()
            for move in sequence:
                rules.play(move)
            if rules.payoff is None:
                longer += [sequence + [move] for move in rules.legal()]
        sequences = longer
        counts.append(len(sequences))
    return counts


def play(name, entry, game, number):
    """A random game by OpenSpiel, followed by our own rules: the moves, the numbers of legal actions, the payoff of the
    first player, and our last position. None if OpenSpiel ends the game and this engine does not."""
    rng = random.Random(f"{name} {number}")
    state, rules, moves, counts = game.new_initial_state(), entry.rules(), [], []
    while not state.is_terminal():
        where = f"{name}: {' '.join(moves)}\n{state}"
        player = state.current_player()
        legal = {entry.translate(state.action_to_string(player, action)): action for action in state.legal_actions()}
        assert rules.payoff is None, f"ended by own rules: {where}"
        assert player == rules.mover, f"mover: {where}"
        assert len(legal) == len(state.legal_actions()), f"two actions of one name: {where}"
        assert set(legal) == rules.legal(), f"{sorted(legal)} or {sorted(rules.legal())}: {where}"
        move = entry.policy(rng, list(legal), rules, number)
        state.apply_action(legal[move])
        rules.play(move)
        moves.append(move)
        counts.append(len(legal))
        if getattr(rules, "repeated", False):
            assert state.is_terminal() and state.returns() == [0, 0], f"not a draw: {name}: {' '.join(moves)}"
            return None
    first, second = state.returns()
    where = f"{name}: {' '.join(moves)}\n{state}"
    assert first == -second == rules.payoff, f"result {first} {second} or {rules.payoff}: {where}"
    return moves, counts, int(first), rules


def generate(name, entry):
    game = pyspiel.load_game(entry.spiel)
    counts = perft(game.new_initial_state(), entry.depth)
    assert counts[: entry.own_depth] == own_perft(entry, entry.own_depth), name
    pool = [play(name, entry, game, number) for number in range(entry.pool)]
    left_out = pool.count(None)
    assert name[:3] != "go-" or all(len(found[0]) < GO_LENGTH for found in pool if found), name
    pool = [found for found in pool if found]
    chosen = []
    for kind, test in entry.want.items():
        if not any(test(moves, payoff, rules) for moves, _, payoff, rules in pool[: GAMES - len(entry.want)]):
            found = next((x for x in pool if test(x[0], x[2], x[3])), None)
            assert found, f"{name}: no game with {kind}"
            chosen.append((kind, found))
    lines = [f"# Rules of {entry.game} as OpenSpiel {OPEN_SPIEL} has them: {entry.spiel}. Made by generate.py."]
    lines += [f"# game: {entry.game}", *(f"# {note}" for note in entry.notes)]
    lines += ["# perft: the number of action sequences of length 1, 2, ...", f"perft {' '.join(map(str, counts))}"]
    lines += ["# Games: moves | number of legal actions before each | payoffs of the first and the second player."]
    plain = GAMES - len(chosen)
    for at, (moves, counts, payoff, _) in enumerate(pool[:plain] + [found for _, found in chosen]):
        if at >= plain:
            lines.append(f"# Chosen among more games: {chosen[at - plain][0]}.")
        lines.append(f"{' '.join(moves)} | {' '.join(map(str, counts))} | {payoff} {-payoff}")
    text = "\n".join(lines) + "\n"
    assert len(text) < 60_000, name
    (pathlib.Path(__file__).parent / f"{name}.txt").write_text(text, encoding="ascii", newline="\n")
    print(f"{name}: {len(text)} bytes, {len(pool)} games compared, {left_out} left out, first wins/draws/second wins",
          *(sum(payoff == result for _, _, payoff, _ in pool) for result in (1, 0, -1)), flush=True)  # fmt: skip


if __name__ == "__main__":
    for wanted in sys.argv[1:] or ENTRIES:
        generate(wanted, ENTRIES[wanted])
