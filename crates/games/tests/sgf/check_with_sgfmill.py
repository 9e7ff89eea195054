#!/usr/bin/env python3
"""Reads and writes games of Go with sgfmill, a program that shares no code with this one.

    python3 check_with_sgfmill.py FOLDER GAMES SEED

For every FOLDER/NAME.sgf it writes FOLDER/NAME.told, a description of the game, and FOLDER/NAME.again.sgf, the game as
sgfmill writes it. It also makes GAMES random games of its own, FOLDER/own-NUMBER.sgf, each with a .told. The test
beside this folder describes the same files and compares.

A description has the size, komi in half points (- if not given), handicap, players, result, rules, the moves of the
main line, and the board after them with its area (black's minus white's), all by sgfmill's own board. Stones put on the
board stay as they are.
"""

import pathlib
import random
import sys

from sgfmill import boards, common, sgf


def text(root, identifier):
    return root.get(identifier) if root.has_property(identifier) else ""


def told(game):
    root, size = game.get_root(), game.get_size()
    board, moves = boards.Board(size), []
    for node in game.get_main_sequence():
        if node.has_setup_stones():
            black, white, empty = node.get_setup_stones()
            assert board.apply_setup(black, white, empty), "chains without liberties"
        colour, point = node.get_move()
        if colour:
            moves.append(f"{colour} {common.format_vertex(point)}")
            if point:
                board.play(*point, colour)
    pieces = {"b": "x", "w": "o", None: "."}
    rows = ["".join(pieces[board.get(row, column)] for column in range(size)) for row in reversed(range(size))]
    return "\n".join([
        f"size {size}",
        f"komi {round(2 * game.get_komi()) if root.has_property('KM') else '-'}",
        f"handicap {game.get_handicap() or 0}",
        f"black {text(root, 'PB')}",
        f"white {text(root, 'PW')}",
        f"result {text(root, 'RE')}",
        f"rules {text(root, 'RU')}",
        *moves,
        *rows,
        f"area {board.area_score()}",
    ]) + "\n"  # fmt: skip


def random_game(rng):
    """A game without suicide, kos taken back at once, or players out of turn; stones may be put at the start and later."""
    size = rng.choice([*range(2, 10)] * 3 + [13, 19, 20, 25])
    game = sgf.Sgf_game(size=size)
    root = game.get_root()
    root.set("KM", rng.randrange(-20, 40) / 2)
    root.set("PB", "".join(rng.choice("abc []\\:;()äß囲") for _ in range(rng.randrange(12))).strip())
    root.set("PW", rng.choice(["", "White]", "\\", "a\\]b"]))
    root.set("RE", rng.choice(["B+R", "W+0.5", "0", "Void"]))
    board, colour, ko = boards.Board(size), "b", None
    for ply in range(rng.randrange(2 * size * size)):
        points = [(row, column) for row in range(size) for column in range(size)]
        if rng.random() < 0.02:
            changed = board.copy()
            chosen = rng.sample(points, min(3, len(points)))
            put = [[point for point in chosen if rng.random() < 0.5] for _ in range(3)]
            put = [put[0], [p for p in put[1] if p not in put[0]], [p for p in put[2] if p not in put[0] + put[1]]]
            node = root if ply == 0 else game.extend_main_sequence()
            if changed.apply_setup(*put):
                node.set_setup_stones(*put)
                board, ko = changed, None
            continue
        node = game.extend_main_sequence()
        move = None
        for point in rng.sample(points, len(points)) if rng.random() > 0.03 else []:
            after = board.copy()
            if board.get(*point) is None and point != ko:
                next_ko = after.play(*point, colour)
                if after.get(*point):
                    move, board, ko = point, after, next_ko
                    break
        if move is None:
            ko = None
        node.set_move(colour, move)
        colour = "w" if colour == "b" else "b"
    return game


def main(folder, games, seed):
    for path in sorted(folder.glob("*.sgf")):
        game = sgf.Sgf_game.from_bytes(path.read_bytes())
        path.with_suffix(".told").write_text(told(game), encoding="utf-8", newline="\n")
        path.with_suffix(".again.sgf").write_bytes(game.serialise())
    rng = random.Random(seed)
    for number in range(games):
        game = random_game(rng)
        path = folder / f"own-{number}.sgf"
        path.write_bytes(game.serialise())
        path.with_suffix(".told").write_text(told(game), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
