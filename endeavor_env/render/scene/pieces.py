"""Small things that several parts of the picture show: discs, tokens, marks of Glory, bars."""

from __future__ import annotations

from endeavor_env.render.scene.shapes import Circle, Label, Polygon, Rect, Shape
from endeavor_env.render.scene.theme import SIDES, TOKENS, Piece, Theme

OUTLINE = "#22262b"
"""The edge of every piece, dark in both themes."""


def disc(x: float, y: float, radius: float, side: str) -> list[Shape]:
    """Return the disc of a side, with its letter."""
    piece = SIDES[side]
    size = radius * (1.25 if len(piece.letter) == 1 else 0.95)
    return [
        Circle(x, y, radius, piece.fill, OUTLINE, 1.0),
        Label(x, y, piece.letter, size, piece.ink, "middle", bold=True),
    ]


def token(x: float, y: float, side: float, kind: str) -> list[Shape]:
    """Return a trade token, a square with its letters, around (x, y)."""
    piece = TOKENS[kind]
    return chip(x - side / 2, y - side / 2, side, side, piece)


def chip(x: float, y: float, width: float, height: float, piece: Piece) -> list[Shape]:
    """Return a small box with letters."""
    size = min(height * 0.72, width / max(1, len(piece.letter)) * 1.15)
    return [
        Rect(x, y, width, height, piece.fill, OUTLINE, 0.8, 2.0),
        Label(x + width / 2, y + height / 2, piece.letter, size, piece.ink, "middle", bold=True),
    ]


def stars(x: float, y: float, count: int, theme: Theme) -> list[Shape]:
    """Return ``count`` small diamonds around (x, y), one for each Glory."""
    first = x - (count - 1) * 4.0
    return [diamond(first + 8.0 * index, y, 4.0, theme.gold) for index in range(count)]


def diamond(x: float, y: float, radius: float, fill: str) -> Polygon:
    """Return a diamond around (x, y)."""
    return Polygon(((x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)), fill, OUTLINE, 0.6)


def shortened(text: str, size: float, width: float) -> str:
    """Return as much of ``text`` as fits into ``width`` pixels at this letter size, with an ellipsis if it is cut."""
    fits = max(1, int(width / (0.56 * size)))
    return text if len(text) <= fits else text[: max(1, fits - 1)] + "…"
