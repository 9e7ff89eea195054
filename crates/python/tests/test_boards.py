"""Drawings of positions: what is on them, read back from the SVG."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as xml
from collections import Counter
from typing import Any

import pytest

import aji
from aji._boards import Board, board_of
from aji._drawings import FAMILIES, FIRST, MARK, MARK_ON_GREEN, SECOND

SVG = "{http://www.w3.org/2000/svg}"

GAMES = [
    "tic-tac-toe",
    "mnk m=5 n=4 k=4",
    "connect-four",
    "othello",
    "othello size=4",
    "hex size=2",
    "hex size=11",
    "go size=2",
    "go size=9",
    "go size=19",
    "go size=25",
    "breakthrough",
    "nim",
    "nim heaps=1000,2,0,40",
    "nim players=3",
    "heap-go",
    "heap-go heaps=30 counters=40",
    "domineering rows=4 columns=5",
    "domineering first=right",
    "clobber rows=4 columns=5",
    "toads-and-frogs rows=2",
    "sum boards=.../...+../..",
    "sum game=clobber boards=xox/oxo+oxo/xox",
    "sum game=toads-and-frogs boards=T.F+TF.",
    "2048",
    "pig players=3",
    "sailing",
    "canadian-traveller",
]


def shapes(board: Board, tag: str) -> list[dict[str, str]]:
    """The attributes of all shapes of a kind."""
    return [dict(shape.attrib) for shape in xml.fromstring(board.svg).iter(SVG + tag)]


def filled(board: Board, tag: str, colour: str) -> int:
    """How many shapes of a kind have this colour."""
    return sum(shape.get("fill") == colour for shape in shapes(board, tag))


def texts(board: Board) -> list[str]:
    return ["".join(text.itertext()) for text in xml.fromstring(board.svg).iter(SVG + "text")]


def marks(board: Board) -> int:
    """How many shapes have the colour of marks."""
    colours = (MARK, MARK_ON_GREEN)
    return sum(shape.get(part) in colours for shape in xml.fromstring(board.svg).iter() for part in ("fill", "stroke"))


def test_every_family_is_tested() -> None:
    words = {entry["name"] for entry in aji.games()}
    assert set(FAMILIES) <= words
    assert words == {game.split()[0] for game in GAMES}


@pytest.mark.parametrize("game", GAMES)
def test_boards_of_random_games_are_whole(game: str) -> None:
    """Well-formed, of a size, on paper of its own, and with nothing outside."""
    rng, session = random.Random(game), aji.session(game)
    session.draw(3)
    for _ in range(40):
        best = rng.choice(session.actions) if session.actions else None
        for board in (session.board(), board_of(session, best)):
            root = xml.fromstring(board.svg)
            width, height = float(root.attrib["width"]), float(root.attrib["height"])
            assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"
            assert root.attrib["role"] == "img" and root.attrib["aria-label"].startswith(session.game)
            paper = shapes(board, "rect")[0]
            assert (float(paper["width"]), float(paper["height"])) == (width - 1, height - 1)
            for shape in shapes(board, "circle"):
                assert 0 < float(shape["cx"]) < width and 0 < float(shape["cy"]) < height
            assert str(board) == str(session)
        if best is None:
            break
        if session.turn != "chance":
            assert f"best: {best}" in texts(board)[-1]
            if game.split()[0] in FAMILIES and best != "pass":
                assert marks(board) > 0, best
        session.play(best)


@pytest.mark.parametrize("game", [game for game in GAMES if game.split()[0] in FAMILIES])
def test_no_text_of_a_family_is_left_undrawn(game: str) -> None:
    rng, session = random.Random(game), aji.session(game)
    while session.actions and session.moves_made < 60:
        assert 'font-family="monospace"' not in session.board().svg, session.text
        session.play(rng.choice(session.actions))


def test_stones_are_counted() -> None:
    board = aji.session("go size=9", moves="E5 C3 G7").board()
    assert (filled(board, "circle", "#17191c"), filled(board, "circle", "#fafaf7")) == (2, 1)
    assert [text for text in texts(board) if text.isdigit()] == [str(row) for row in range(9, 0, -1)]
    assert "".join(text for text in texts(board) if text.isalpha() and len(text) == 1) == "ABCDEFGHJ"
    assert filled(board, "circle", "#6b5426") == 5, "star points"


def test_pieces_stand_in_their_places() -> None:
    """x at b2 is in the middle, o at a1 at the lower left."""
    board = aji.session("tic-tac-toe", moves="b2 a1").board()
    ring = next(shape for shape in shapes(board, "circle") if shape.get("stroke") == SECOND)
    cross = next(shape for shape in shapes(board, "path") if shape.get("stroke") == FIRST)
    (x, y), at = (float(ring["cx"]), float(ring["cy"])), re.findall(r"[\d.]+", cross["transform"])
    assert (float(at[0]) - x, float(at[1]) - y) == (40.0, -40.0)


def test_othello_counts_its_rows_from_above() -> None:
    board = board_of(aji.session("othello"), "d3")
    ring = next(shape for shape in shapes(board, "circle") if shape.get("stroke") == MARK_ON_GREEN)
    assert (float(ring["cx"]), float(ring["cy"])) == (24 + 3.5 * 40, 24 + 2.5 * 40)


def test_the_mark_of_connect_four_is_where_the_disc_lands() -> None:
    board = board_of(aji.session("connect-four", moves="d d"), "d")
    ring = next(shape for shape in shapes(board, "circle") if shape.get("stroke") == MARK)
    assert (float(ring["cx"]), float(ring["cy"])) == (24 + 3.5 * 40, 24 + 3.5 * 40)


def test_hex_has_all_cells_and_four_edges() -> None:
    board = aji.session("hex size=5", moves="c3 a1").board()
    assert len(shapes(board, "polygon")) == 25
    assert Counter(shape["stroke"] for shape in shapes(board, "line")) == {FIRST: 2, SECOND: 2}


def test_moves_from_cell_to_cell_are_arrows() -> None:
    board = board_of(aji.session("breakthrough"), "a2b3")
    arrow = next(shape for shape in shapes(board, "path") if shape.get("stroke") == MARK)
    assert arrow["d"].startswith(f"M{24 + 20:.1f} {24 + 6.5 * 40:.1f}L")


@pytest.mark.parametrize(("first", "colour", "action"), [("left", FIRST, "a1-a2"), ("right", SECOND, "a1-b1")])
def test_dominoes_have_the_colour_of_their_player(first: str, colour: str, action: str) -> None:
    board = board_of(aji.session(f"domineering first={first}"), action)
    domino = next(shape for shape in shapes(board, "rect") if shape.get("stroke") == MARK)
    assert domino["fill"] == colour
    assert (float(domino["height"]) > float(domino["width"])) == (first == "left")


def test_counters_that_are_taken_are_marked() -> None:
    """Left takes down to a red counter, Right to a blue one."""
    left = aji.session("heap-go start=B2B3R6B1/B4")
    assert marks(board_of(left, "1")) == 3
    assert marks(board_of(left, "2")) == 1
    left.play("2")
    assert marks(board_of(left, "1")) == 1
    assert marks(board_of(aji.session("nim heaps=3,5"), "2:4")) == 4


def test_tiles_have_their_numbers() -> None:
    session = aji.session("2048", position="2,4,8,16/.,.,.,1024/.,.,.,./.,.,.,32768 5000")
    board = board_of(session, "down")
    assert texts(board)[:7] == ["2", "4", "8", "16", "1024", "32768", "score 5,000"]


def test_the_caption_says_who_acts() -> None:
    assert texts(aji.session("go size=5").board())[-1] == "black (x) acts"
    assert texts(aji.session("pig", moves="roll").board())[-1] == "chance acts"
    assert texts(aji.session("nim heaps=1", moves="1:1").board())[-1] == "the game is over"


def test_reports_mark_their_best_action() -> None:
    report = aji.search("tic-tac-toe", agent="exact", moves="a1 b2 b1 a2")
    assert report.best == "c1"
    board: Any = report.board()
    assert "x acts, best: c1" in texts(board)
    assert board._repr_svg_() == board.svg


class Hex:
    """A game of one's own with the name of a family."""

    def __init__(self, left: int = 3) -> None:
        self.left = left

    def turn(self) -> int | None:
        return self.left % 2 if self.left else None

    def actions(self) -> list[str]:
        return ["<a>", "&b"]

    def play(self, _: str) -> Hex:
        return Hex(self.left - 1)

    def payoff(self) -> int:
        return 1

    def board(self) -> str:
        return f"<{self.left}> & more\n  left"


def test_own_games_are_shown_as_their_text() -> None:
    board = board_of(aji.session(Hex), "<a>")
    assert texts(board) == ["<3> & more", "  left", "player 2 acts, best: <a>"]
    assert 'font-family="monospace"' in board.svg


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("go", "start"),
        ("tic-tac-toe", "x.o/..x"),
        ("tic-tac-toe", "..x/.../.. o"),
        ("hex", "..x/... x"),
        ("connect-four", ""),
        ("nim", "many few"),
        ("heap-go", "R3X4 +1 L"),
        ("2048", "1.2,2/3 4"),
        ("2048", "2,. many"),
        ("sum", "x + y Left"),
        ("sum game=chess", "... Left"),
    ],
)
def test_unknown_text_is_no_fault(word: str, text: str) -> None:
    position: Any = aji.Position(word, ["a", "b"], 0, ["x"], text, None, None, (-1.0, 1.0))
    drawn = FAMILIES[word.split()[0]](position, "x")
    assert drawn is None or text.startswith("x.o")
