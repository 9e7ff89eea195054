"""The drawing of each family of boards, in SVG: the looks of the workbench in the browser, on a background of their own.

A family reads the one-line text of a position. Text that it does not know is no fault: the board is then shown as text.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._session import Position

#: The side of a cell, the room for coordinates around the cells, and the height of the line below a board.
CELL, MARGIN, CAPTION = 40, 24, 24

#: Colours that colour-blind people can tell apart (Okabe and Ito), on paper.
PAPER, INK, FAINT, LINE = "#fbfbf9", "#1c1f23", "#5b6169", "#d9dbdf"
FIRST, SECOND, MARK, MARK_ON_GREEN = "#0072b2", "#d98300", "#009e73", "#f0e442"
ON_FIRST, ON_SECOND = "#ffffff", "#1c1f23"
LIGHT, DARK, WOOD, WOOD_LINE = "#f3f1ea", "#e2ddcd", "#e9c98c", "#6b5426"

Point = tuple[float, float]


@dataclass(frozen=True)
class Drawing:
    """What is drawn, and how large it is."""

    width: float
    height: float
    body: str


def framed(drawing: Drawing, caption: str, label: str) -> str:
    """A whole SVG: the drawing on paper, with a line below it."""
    width, height = max(drawing.width, 7.5 * len(caption) + 2 * MARGIN), drawing.height + CAPTION
    shift = (width - drawing.width) / 2
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="system-ui, sans-serif" font-size="12" fill="{INK}" '
        f'text-anchor="middle" role="img" aria-label="{html.escape(label)}"><title>{html.escape(label)}</title>'
        f'<rect x="0.5" y="0.5" width="{width - 1:g}" height="{height - 1:g}" rx="8" fill="{PAPER}" stroke="{LINE}"/>'
        f'<g transform="translate({shift:g} 0)">{drawing.body}</g>'
        f'<text x="{width / 2:g}" y="{height - 10:g}" fill="{FAINT}">{html.escape(caption)}</text></svg>'
    )


def drawing_of(position: Position, best: str | None = None) -> Drawing | None:
    """The drawing of a position with an action marked; None if its family has none."""
    family = FAMILIES.get(position.game.split()[0])
    return None if family is None else family(position, best)


# Parts


def _circle(at: Point, radius: float, style: str) -> str:
    return f'<circle cx="{at[0]:g}" cy="{at[1]:g}" r="{radius:g}" {style}/>'


def _line(start: Point, end: Point, style: str) -> str:
    return f'<line x1="{start[0]:g}" y1="{start[1]:g}" x2="{end[0]:g}" y2="{end[1]:g}" {style}/>'


def _rect(x: float, y: float, width: float, height: float, style: str, round_by: float = 0) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_by:g}" {style}/>'


def _text(at: Point, text: str, style: str = "") -> str:
    return f'<text x="{at[0]:g}" y="{at[1]:g}" {style}>{html.escape(text)}</text>'


def _faint(at: Point, text: str) -> str:
    return _text(at, text, f'fill="{FAINT}" font-size="11"')


def _path(at: Point, shape: str, style: str) -> str:
    return f'<path transform="translate({at[0]:g} {at[1]:g})" d="{shape}" {style}/>'


def _colour(is_first: bool) -> str:
    return FIRST if is_first else SECOND


def _rows(text: str, letters: str) -> list[str] | None:
    """The rows of a board from the top; None if the text has no rows of these letters, all of one length."""
    rows = text.split(" ")[0].split("/")
    is_board = rows[0] != "" and all(len(row) == len(rows[0]) and set(row) <= set(letters) for row in rows)
    return rows if is_board else None


def _cells_of(action: str | None) -> list[str]:
    """The cells that an action names: one, two, or none."""
    found = re.fullmatch(r"([A-Za-z]\d+)-?([A-Za-z]\d+)?", action or "")
    return [cell for cell in found.groups() if cell] if found else []


# Boards of cells


@dataclass(frozen=True)
class Look:
    """How a board of cells looks."""

    #: Pieces by row, from the top.
    rows: list[str]
    #: The name of a cell by its column and its row from the top.
    name: Callable[[int, int], str]
    #: A piece at a point; empty for an empty cell.
    piece: Callable[[str, Point], str]
    #: The cells themselves.
    ground: Callable[[list[str]], str]

    @property
    def mark(self) -> str:
        """A colour that shows on the ground."""
        return MARK_ON_GREEN if self.ground is GREEN else MARK

    @property
    def size(self) -> tuple[float, float]:
        """The size of the whole drawing."""
        return len(self.rows[0]) * CELL + 2 * MARGIN, len(self.rows) * CELL + 2 * MARGIN


def _centre(column: int, row: int) -> Point:
    return MARGIN + (column + 0.5) * CELL, MARGIN + (row + 0.5) * CELL


def _board(look: Look, best: str | None, *, is_domino: bool = False) -> Drawing:
    """A board of square cells, with its coordinates, its pieces and a mark."""
    places = {look.name(c, r): _centre(c, r) for r, row in enumerate(look.rows) for c in range(len(row))}
    pieces = "".join(look.piece(piece, _centre(c, r)) for r, row in enumerate(look.rows) for c, piece in enumerate(row))
    width, height = look.size
    columns = "".join(
        _faint((_centre(c, 0)[0], height - 8), re.sub(r"\d", "", look.name(c, 0))) for c in range(len(look.rows[0]))
    )
    numbers = "".join(
        _faint((MARGIN / 2, _centre(0, r)[1] + 4), re.sub(r"\D", "", look.name(0, r))) for r in range(len(look.rows))
    )
    marked = _domino(best, places) if is_domino else _marked(best, places, look.mark)
    return Drawing(width, height, look.ground(look.rows) + columns + numbers + pieces + marked)


def _marked(best: str | None, places: dict[str, Point], colour: str = MARK) -> str:
    """A ring on a cell, or an arrow from cell to cell."""
    cells = [places[cell] for cell in _cells_of(best) if cell in places]
    if len(cells) == 2:
        return _arrow(*cells)
    return "".join(_ring(cell, colour) for cell in cells)


def _ring(at: Point, colour: str = MARK) -> str:
    """A ring with a dot in it."""
    ring = _circle(at, 0.4 * CELL, f'fill="none" stroke="{colour}" stroke-width="3.5"')
    return ring + _circle(at, 0.1 * CELL, f'fill="{colour}"')


def _arrow(start: Point, end: Point) -> str:
    """An arrow on white."""
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    tip = (end[0] - 4 * math.cos(angle), end[1] - 4 * math.sin(angle))
    wings = [(tip[0] - 12 * math.cos(angle + turn), tip[1] - 12 * math.sin(angle + turn)) for turn in (-0.5, 0.5)]
    shape = f"M{start[0]:.1f} {start[1]:.1f}L{tip[0]:.1f} {tip[1]:.1f}"
    shape += "".join(f"M{tip[0]:.1f} {tip[1]:.1f}L{x:.1f} {y:.1f}" for x, y in wings)
    ends = 'fill="none" stroke-linecap="round"'
    return (
        f'<path d="{shape}" {ends} stroke="#ffffff" stroke-width="8" stroke-opacity="0.8"/>'
        f'<path d="{shape}" {ends} stroke="{MARK}" stroke-width="4.5"/>'
    )


def _domino(best: str | None, places: dict[str, Point]) -> str:
    """A domino on two cells: upright ones are the first player's."""
    cells = [places[cell] for cell in _cells_of(best) if cell in places]
    if len(cells) != 2:
        return ""
    is_upright = cells[0][0] == cells[1][0]
    x, y = (min(cell[axis] for cell in cells) - CELL / 2 + 3 for axis in (0, 1))
    width, height = (CELL - 6, 2 * CELL - 6) if is_upright else (2 * CELL - 6, CELL - 6)
    return _rect(x, y, width, height, f'fill="{_colour(is_upright)}" stroke="{MARK}" stroke-width="4"', 6)


def _from_below(rows: list[str]) -> Callable[[int, int], str]:
    return lambda column, row: f"{chr(ord('a') + column)}{len(rows) - row}"


def _from_above(_: list[str]) -> Callable[[int, int], str]:
    return lambda column, row: f"{chr(ord('a') + column)}{row + 1}"


def _squares(fill: Callable[[int, int], str], edge: str = LINE) -> Callable[[list[str]], str]:
    """Square cells with these colours."""

    def ground(rows: list[str]) -> str:
        return "".join(
            _rect(MARGIN + c * CELL, MARGIN + r * CELL, CELL, CELL, f'fill="{fill(c, r)}" stroke="{edge}"')
            for r, row in enumerate(rows)
            for c in range(len(row))
        )

    return ground


PLAIN = _squares(lambda _, __: LIGHT)
CHEQUERED = _squares(lambda c, r: DARK if (c + r) % 2 else LIGHT)
GREEN = _squares(lambda _, __: "#2f7d5b", "#1d5a40")


def _sign(piece: str, at: Point) -> str:
    """A cross or a ring."""
    style = f'fill="none" stroke="{_colour(piece == "x")}" stroke-width="5" stroke-linecap="round"'
    if piece == "x":
        return _path(at, "M-11-11L11 11M11-11L-11 11", style)
    return _circle(at, 12, style) if piece == "o" else ""


def _disc(piece: str, at: Point, radius: float = 15) -> str:
    """A disc; the second player's has a ring."""
    if piece not in ("x", "o"):
        return ""
    ring = _circle(at, 0.55 * radius, f'fill="none" stroke="{ON_SECOND}" stroke-width="2.5" stroke-opacity="0.55"')
    return _circle(at, radius, f'fill="{_colour(piece == "x")}"') + (ring if piece == "o" else "")


def _stone(piece: str, at: Point, radius: float = 18) -> str:
    """A black or a white stone."""
    if piece not in ("x", "o"):
        return ""
    return _circle(at, radius, f'fill="{"#17191c" if piece == "x" else "#fafaf7"}" stroke="#000000" stroke-opacity="0.4"')


def _walker(piece: str, at: Point, arrows: dict[str, str], first: str) -> str:
    """A disc with an arrow that says where it goes."""
    if piece not in arrows:
        return ""
    line = ON_FIRST if piece == first else ON_SECOND
    style = f'fill="none" stroke="{line}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"'
    return _circle(at, 15, f'fill="{_colour(piece == first)}"') + _path(at, arrows[piece], style)


def _pawn(piece: str, at: Point) -> str:
    return _walker(piece, at, {"x": "M-6 4L0-6L6 4", "o": "M-6-4L0 6L6-4"}, "x")


def _animal(piece: str, at: Point) -> str:
    return _walker(piece, at, {"T": "M-4-6L6 0L-4 6", "F": "M4-6L-6 0L4 6"}, "T")


def _block(piece: str, at: Point) -> str:
    """A cell that is taken."""
    if piece != "#":
        return ""
    return _rect(at[0] - CELL / 2 + 2, at[1] - CELL / 2 + 2, CELL - 4, CELL - 4, f'fill="{FAINT}" fill-opacity="0.6"', 3)


Family = Callable[["Position", "str | None"], "Drawing | None"]
Naming = Callable[[list[str]], Callable[[int, int], str]]


def _cells(
    letters: str, piece: Callable[[str, Point], str], naming: Naming, ground: Callable[[list[str]], str], *, is_domino: bool = False
) -> Family:
    """A family of boards of cells with these pieces."""

    def family(position: Position, best: str | None) -> Drawing | None:
        rows = _rows(position.text, letters)
        return None if rows is None else _board(Look(rows, naming(rows), piece, ground), best, is_domino=is_domino)

    return family


#: The looks of the games whose boards a sum adds: letters, piece, and whether a move is a domino.
SUMMANDS: dict[str, tuple[str, Callable[[str, Point], str], bool]] = {
    "domineering": (".#", _block, True),
    "clobber": (".xo", _disc, False),
    "toads-and-frogs": (".TF", _animal, False),
}


def _sum(position: Position, best: str | None) -> Drawing | None:
    """The boards of a sum, side by side."""
    option = re.search(r"\bgame=(\S+)", position.game)
    named = option[1] if option else "domineering"
    if named not in SUMMANDS:
        return None
    letters, piece, is_domino = SUMMANDS[named]
    marked, _, action = (best or "").partition(":")
    body, x, height = "", 0.0, 0.0
    for number, text in enumerate(position.text.rsplit(" ", 1)[0].split(" + "), 1):
        rows = _rows(text, letters)
        if rows is None:
            return None
        look = Look(rows, _from_below(rows), piece, CHEQUERED if piece is _disc else PLAIN)
        part = _board(look, action if marked == str(number) else None, is_domino=is_domino)
        body += f'<g transform="translate({x:g} 0)">{part.body}{_text((part.width / 2, 15), f"{number}:")}</g>'
        x, height = x + part.width, max(height, part.height)
    return Drawing(x, height, body)


# Go


#: There is no column I.
GO_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def _stars(size: int) -> list[tuple[int, int]]:
    """The marked crossings of the usual boards, as columns and rows."""
    if size < 7 or size % 2 == 0:
        return []
    low = 3 if size >= 13 else 2
    middle, high = (size - 1) // 2, size - 1 - low
    corners = [(low, low), (low, high), (high, low), (high, high), (middle, middle)]
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    return corners + (sides if size >= 15 else [])


def _crossings(rows: list[str]) -> str:
    """The lines of a Go board, on wood."""
    size = len(rows)
    (first, _), (last, _) = _centre(0, 0), _centre(size - 1, 0)
    places = [_centre(index, 0)[0] for index in range(size)]
    shape = "".join(f"M{first:g} {place:g}H{last:g}M{place:g} {first:g}V{last:g}" for place in places)
    stars = "".join(_circle(_centre(c, r), 3.5, f'fill="{WOOD_LINE}"') for c, r in _stars(size))
    wood = _rect(MARGIN, MARGIN, size * CELL, size * CELL, f'fill="{WOOD}"', 4)
    return f'{wood}<path d="{shape}" fill="none" stroke="{WOOD_LINE}" stroke-width="1.2" stroke-linecap="square"/>{stars}'


def _go_names(rows: list[str]) -> Callable[[int, int], str]:
    return lambda column, row: f"{GO_LETTERS[column]}{len(rows) - row}"


def _go(position: Position, best: str | None) -> Drawing | None:
    rows = _rows(position.text, ".xo")
    if rows is None or len(rows) != len(rows[0]) or len(rows) > len(GO_LETTERS):
        return None
    return _board(Look(rows, _go_names(rows), _stone, _crossings), best)


# Hex

#: From the middle of a hexagon to its corners, its width, and the room around the board.
RADIUS, PAD = 22.0, 58.0
WIDTH = RADIUS * math.sqrt(3)


def _hexagon_centre(column: float, row: float) -> Point:
    return PAD + WIDTH * (column + row / 2 + 0.5), PAD + RADIUS * (1.5 * row + 1)


def _hexagon(at: Point) -> str:
    angles = [math.pi / 3 * corner + math.pi / 6 for corner in range(6)]
    points = " ".join(f"{at[0] + RADIUS * math.cos(angle):.1f},{at[1] + RADIUS * math.sin(angle):.1f}" for angle in angles)
    return f'<polygon points="{points}" fill="{LIGHT}" stroke="#b9bcc2"/>'


def _edges(size: int) -> str:
    """The edges in the colour of who owns them: top and bottom are the first player's."""
    last = size - 1
    out, aside, lean = 1.25 * RADIUS, 1.5 * RADIUS, 0.4 * RADIUS
    # The sides lean by half a cell for each row.
    slant = lean * WIDTH / (3 * RADIUS)

    def edge(start: Point, end: Point, shifts: tuple[Point, Point], colour: str) -> str:
        (a, b), (c, d) = shifts
        moved = (start[0] + a, start[1] + b), (end[0] + c, end[1] + d)
        return _line(*moved, f'stroke="{colour}" stroke-width="7" stroke-linecap="round"')

    corners = {(c, r): _hexagon_centre(c, r) for c in (0, last) for r in (0, last)}
    return (
        edge(corners[0, 0], corners[last, 0], ((-lean, -out), (1.5 * lean, -out)), FIRST)
        + edge(corners[0, last], corners[last, last], ((-1.5 * lean, out), (lean, out)), FIRST)
        + edge(corners[0, 0], corners[0, last], ((-aside - slant, -lean), (-aside + slant, lean)), SECOND)
        + edge(corners[last, 0], corners[last, last], ((aside - slant, -lean), (aside + slant, lean)), SECOND)
    )


def _hex(position: Position, best: str | None) -> Drawing | None:
    """A rhombus of hexagons."""
    rows = _rows(position.text, ".xo")
    if rows is None or len(rows) != len(rows[0]):
        return None
    size, name = len(rows), _from_above(rows)
    cells = [(c, r, piece) for r, row in enumerate(rows) for c, piece in enumerate(row)]
    places = {name(c, r): _hexagon_centre(c, r) for c, r, _ in cells}
    ground = "".join(map(_hexagon, places.values()))
    pieces = "".join(_disc(piece, _hexagon_centre(c, r)) for c, r, piece in cells)
    letters = "".join(
        _faint((_hexagon_centre(c, 0)[0] - 0.6 * RADIUS, _hexagon_centre(c, 0)[1] - 1.75 * RADIUS), chr(ord("a") + c))
        for c in range(size)
    )
    numbers = "".join(
        _faint((_hexagon_centre(0, r)[0] - 2.2 * RADIUS, _hexagon_centre(0, r)[1] + 4), str(r + 1)) for r in range(size)
    )
    width, height = WIDTH * (1.5 * size - 0.5) + 2 * PAD, RADIUS * (1.5 * size + 0.5) + 2 * PAD - 24
    return Drawing(width, height, _edges(size) + ground + letters + numbers + pieces + _marked(best, places))


# Connect Four


def _connect_four(position: Position, best: str | None) -> Drawing | None:
    """Discs behind a frame with holes; the marked column has a triangle, and a ring where its next disc lands."""
    rows = _rows(position.text, ".xo")
    if rows is None:
        return None
    columns = len(rows[0])
    frame = _rect(MARGIN, MARGIN, columns * CELL, len(rows) * CELL, f'fill="{DARK}" stroke="{LINE}"', 8)
    cells = [(_centre(c, r), piece) for r, row in enumerate(rows) for c, piece in enumerate(row)]
    holes = "".join(_circle(at, 16, f'fill="{PAPER}" stroke="{LINE}"') + _disc(piece, at, 16) for at, piece in cells)
    height = len(rows) * CELL + 2 * MARGIN
    letters = "".join(_faint((_centre(c, 0)[0], height - 8), chr(ord("a") + c)) for c in range(columns))
    return Drawing(columns * CELL + 2 * MARGIN, height, frame + holes + letters + _landing(rows, best))


def _landing(rows: list[str], best: str | None) -> str:
    """Where the next disc of a column lands."""
    if best is None or not re.fullmatch("[a-z]", best) or ord(best) - ord("a") >= len(rows[0]):
        return ""
    column = ord(best) - ord("a")
    empty = sum(row[column] == "." for row in rows)
    above = (_centre(column, 0)[0], MARGIN - 16)
    return _path(above, "M-8 0H8L0 12Z", f'fill="{MARK}"') + (_ring(_centre(column, empty - 1)) if empty else "")


# Heaps

#: The width of a heap, the height of a counter, and the counters of a heap that is drawn at full height.
HEAP, COUNTER, TALL = 56, 26, 12

#: Heaps in a row.
HEAPS_A_ROW = 12


def _step(heaps: Sequence[int]) -> float:
    """The height of a counter, so that the tallest heap fits."""
    return COUNTER * min(1.0, TALL / max(1, *heaps))


def _heap_centre(index: int) -> float:
    return MARGIN + (index % HEAPS_A_ROW + 0.5) * HEAP


def _nim(position: Position, best: str | None) -> Drawing | None:
    """Heaps of counters; those that the marked action takes have a thick line."""
    if not re.fullmatch(r"\d+(,\d+)* .*", position.text):
        return None
    heaps = [int(heap) for heap in position.text.split(" ")[0].split(",")]
    step, found = _step([*heaps, 0]), re.fullmatch(r"(\d+):(\d+)", best or "")
    level = max(1, *heaps, 0) * step + 56
    body = ""
    for index, size in enumerate(heaps):
        x, floor = _heap_centre(index), (index // HEAPS_A_ROW + 1) * level - 36
        taken = int(found[2]) if found and int(found[1]) == index + 1 else 0
        for counter in range(size):
            line = f'stroke="{MARK}" stroke-width="3"' if counter >= size - taken else f'stroke="{PAPER}"'
            y, height = floor - (counter + 0.5) * step, max(0.44 * step, 0.5)
            body += f'<ellipse cx="{x:g}" cy="{y:g}" rx="20" ry="{height:g}" fill="{FIRST}" {line}/>'
        body += _line((x - 24, floor + 1), (x + 24, floor + 1), f'stroke="{FAINT}" stroke-width="2"')
        body += _faint((x, floor + 17), f"heap {index + 1}") + _faint((x, floor + 31), str(size))
    return Drawing(min(len(heaps), HEAPS_A_ROW) * HEAP + 2 * MARGIN, -(-len(heaps) // HEAPS_A_ROW) * level, body)


def _heap_go(position: Position, best: str | None) -> Drawing | None:
    """Heaps of coloured counters, the top one first; those that the marked action takes have a thick line."""
    found = re.fullmatch(r"(-|(?:[RB]\d+)+)(/(-|(?:[RB]\d+)+))* ([+-]?\d+) \w+", position.text)
    if found is None:
        return None
    heaps = [re.findall(r"[RB]\d+", heap) for heap in position.text.split(" ")[0].split("/")]
    sizes = [len(heap) for heap in heaps]
    step = _step([*sizes, 0])
    level = max(1, *sizes, 0) * step + 42
    body = ""
    for index, heap in enumerate(heaps):
        x, floor = _heap_centre(index), (index // HEAPS_A_ROW + 1) * level - 22
        taken = _taken(heap, position.turn) if best == str(index + 1) else 0
        for place, counter in enumerate(heap):
            body += _counter(counter, (x, floor - (len(heap) - place - 0.5) * step), step, place < taken)
        body += _line((x - 24, floor + 1), (x + 24, floor + 1), f'stroke="{FAINT}"') + _faint((x, floor + 16), str(index + 1))
    height = -(-len(heaps) // HEAPS_A_ROW) * level + 18
    width = max(3, min(len(heaps), HEAPS_A_ROW)) * HEAP + 2 * MARGIN
    return Drawing(width, height, body + _text((width / 2, height - 3), f"total {found[4]} to Left"))


def _taken(heap: list[str], turn: int | str | None) -> int:
    """How many counters a player takes: up to the first of their own end, red for Left."""
    end = "R" if turn == 0 else "B"
    return next((place + 1 for place, counter in enumerate(heap) if counter[0] == end), len(heap))


def _counter(counter: str, at: Point, step: float, is_taken: bool) -> str:
    """A counter with its colour and weight."""
    is_blue = counter[0] == "B"
    line = f'stroke="{MARK}" stroke-width="3.5"' if is_taken else f'stroke="{PAPER}"'
    height = max(step - 3, 1)
    box = _rect(at[0] - 22, at[1] - height / 2, 44, height, f'fill="{_colour(is_blue)}" {line}', min(6, height / 2))
    style = f'fill="{ON_FIRST if is_blue else ON_SECOND}" font-weight="600"'
    return box + (_text((at[0], at[1] + 4.5), counter, style) if step > 12 else "")


# 2048

TILE = 70

#: The colours of tiles by their power of two, and the size of numbers by their length.
TILES = "#dfe9f0 #c4dceb #9cc8e3 #6bb0d9 #f6d899 #f0c060 #e69f00 #e08a3c #d97536 #d55e00 #009e73".split()
SIZES = {1: 26, 2: 26, 3: 22, 4: 18}

#: Arrows beside the board, and the turn of each from an arrow to the right.
TURNS = {"right": 0, "down": 90, "left": 180, "up": 270}


def _tiles(position: Position, best: str | None) -> Drawing | None:
    """Tiles in a frame; an arrow outside points where the marked action slides them."""
    row = r"(?:\.|[1-9]\d*)(?:,(?:\.|[1-9]\d*))*"
    found = re.fullmatch(rf"({row}(?:/{row})*) (\d+)( tile)?", position.text)
    if found is None:
        return None
    rows = [tiles.split(",") for tiles in found[1].split("/")]
    side = len(rows) * TILE + 16
    middle = MARGIN + side / 2
    body = _rect(MARGIN, MARGIN, side, side, f'fill="{DARK}" stroke="{LINE}"', 10)
    start = MARGIN + 8
    for r, tiles in enumerate(rows):
        body += "".join(_tile(tile, (start + c * TILE, start + r * TILE)) for c, tile in enumerate(tiles))
    if best in TURNS:
        arrow = _path((middle + side / 2 + 4, middle), "M0-12L16 0L0 12Z", f'fill="{MARK}"')
        body += f'<g transform="rotate({TURNS[best]} {middle:g} {middle:g})">{arrow}</g>'
    score = _text((middle, side + 2 * MARGIN + 6), f"score {int(found[2]):,}")
    return Drawing(side + 2 * MARGIN, side + 2 * MARGIN + 14, body + score)


def _tile(tile: str, corner: Point) -> str:
    level = 0 if tile == "." else min(len(TILES), int(tile).bit_length() - 1)
    box = _rect(corner[0] + 4, corner[1] + 4, TILE - 8, TILE - 8, f'fill="{TILES[level - 1] if level else LIGHT}"', 6)
    size = SIZES.get(len(tile), 15)
    style = f'font-size="{size}" font-weight="700"'
    return box + (_text((corner[0] + TILE / 2, corner[1] + TILE / 2 + size / 3), tile, style) if level else "")


#: The families by the word of the game.
FAMILIES: dict[str, Family] = {
    "tic-tac-toe": _cells(".xo", _sign, _from_below, PLAIN),
    "mnk": _cells(".xo", _sign, _from_below, PLAIN),
    "othello": _cells(".xo", lambda piece, at: _stone(piece, at, 15), _from_above, GREEN),
    "breakthrough": _cells(".xo", _pawn, _from_below, CHEQUERED),
    "clobber": _cells(".xo", _disc, _from_below, CHEQUERED),
    "toads-and-frogs": _cells(".TF", _animal, _from_below, PLAIN),
    "domineering": _cells(".#", _block, _from_below, PLAIN, is_domino=True),
    "sum": _sum,
    "go": _go,
    "hex": _hex,
    "connect-four": _connect_four,
    "nim": _nim,
    "heap-go": _heap_go,
    "2048": _tiles,
}
