"""Positions as drawings."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._drawings import Drawing, drawing_of, framed

if TYPE_CHECKING:
    from ._session import Position, Session

#: The size of a letter of a text, and the room around it.
LETTER_WIDTH, LETTER_HEIGHT, PAD = 9, 18, 14


@dataclass(frozen=True)
class Board:
    """A position: a drawing in notebooks, text elsewhere."""

    text: str
    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.text


def board_of(session: Session, best: str | None = None) -> Board:
    """The board of a session, with an action marked. A game without a drawing is shown as text."""
    text, position = str(session), session.position
    drawing = drawing_of(position, best) or _written(text)
    label = f"{position.game}: {position.text}"
    return Board(text, framed(drawing, _caption(position, best), label))


def _caption(position: Position, best: str | None) -> str:
    """Who is to act, and the action that is marked."""
    if position.turn is None:
        return "the game is over"
    acting = f"{position.players[position.turn]} acts" if isinstance(position.turn, int) else "chance acts"
    return acting if best is None else f"{acting}, best: {best}"


def _written(text: str) -> Drawing:
    """A board as text in letters of the same width."""
    lines = text.rstrip("\n").split("\n")
    rows = "".join(
        f'<text x="{PAD}" y="{LETTER_HEIGHT * number + PAD + 14}" xml:space="preserve" text-anchor="start" '
        f'font-family="monospace" font-size="15">{html.escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    return Drawing(LETTER_WIDTH * max(map(len, lines)) + 2 * PAD, LETTER_HEIGHT * len(lines) + 2 * PAD, rows)
