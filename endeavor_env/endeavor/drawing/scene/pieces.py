"""Small things that several parts of the picture show: discs, tokens, markers, asset cards."""

from __future__ import annotations

import functools

from endeavor_env.drawing.shapes import Circle, Label, Polygon, Rect, Shape
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.scene.theme import SIDES, STATUSES, TOKENS, Theme
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.presenter import Piece

# --- Small things that several parts of the picture show: discs, tokens, marks of Glory, bars ------------------------

OUTLINE = "#22262b"
"""The edge of every piece, dark in both themes."""
BARRIER = "#a4161a"
"""The bars of a blockade."""
LETTER = 0.56
"""Width of a letter, as a part of its size."""
SMALLEST = 9.5
"""Letters are no smaller, in pixels of a picture that is 1280 wide: pages show it a little smaller."""
TOKEN = 15.0
"""Width and height of a trade token, which has room for two letters."""


def disc(x: float, y: float, radius: float, side: str) -> list[Shape]:
    """Return the disc of a side, with its letter."""
    piece = SIDES[side]
    size = max(SMALLEST, radius * (1.25 if len(piece.letter) == 1 else 0.95))
    return [
        Circle(x, y, radius, piece.fill, OUTLINE, 1.0),
        Label(x, y, piece.letter, size, piece.ink, "middle", bold=True),
    ]


def token(x: float, y: float, side: float, kind: str) -> list[Shape]:
    """Return a trade token, a square with its letters, around (x, y)."""
    return chip(x, y, side, side, TOKENS[kind])


def chip(x: float, y: float, width: float, height: float, piece: Piece) -> list[Shape]:
    """Return a small box with letters around (x, y)."""
    size = max(SMALLEST, min(height * 0.72, width / len(piece.letter) * 1.15))
    return [
        Rect(x - width / 2, y - height / 2, width, height, piece.fill, OUTLINE, 0.8, 2.0),
        Label(x, y, piece.letter, size, piece.ink, "middle", bold=True),
    ]


def barrier(x: float, y: float, apart: float = 12.0, high: float = 20.0) -> list[Shape]:
    """Return a blockade: a bar on each side of (x, y), so that a token there can still be read."""
    return [Rect(x + side - 2.5, y - high / 2, 5, high, BARRIER, "#ffffff", 1.0, 1.5) for side in (-apart, apart)]


def stars(x: float, y: float, count: int, theme: Theme) -> list[Shape]:
    """Return ``count`` small diamonds around (x, y), one for each Glory."""
    first = x - (count - 1) * 4.0
    return [diamond(first + 8.0 * index, y, 4.0, theme.ring) for index in range(count)]


def diamond(x: float, y: float, radius: float, fill: str) -> Polygon:
    """Return a diamond around (x, y)."""
    return Polygon(((x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)), fill, OUTLINE, 0.6)


@functools.lru_cache(4096)  # the same few hundred texts stand in every picture of a game
def width_of(text: str, size: float, letter: float) -> float:
    """Return the pixels that a text needs in wide fonts too, where a usual letter is ``letter`` times its size wide."""
    widest = sum(one in "MWmw" for one in text)
    wide = sum(one.isupper() for one in text) - sum(one in "MW" for one in text)
    return size * (letter * len(text) + 0.34 * widest + 0.13 * wide)


def cut_to(text: str, size: float, letter: float, room: float) -> str:
    """Return as much of ``text`` as has room in wide fonts too, with an ellipsis if it is cut."""
    most = len(text)
    while most > 1 and width_of(text[:most] + "…" * (most < len(text)), size, letter) > room:
        most -= 1
    return text if most == len(text) else text[:most] + "…"


def shortened(text: str, size: float, width: float) -> str:
    """Return as much of ``text`` as fits into ``width`` pixels at this letter size, with an ellipsis if it is cut."""
    fits = max(1, int(width / (LETTER * size)))
    return text if len(text) <= fits else text[: max(1, fits - 1)] + "…"


# --- Asset cards: their pile and value, and what they bring as small boxes in the colours of the status tracks -------

ADVANCE = 0.72
"""Width of a bold letter, as a part of its size."""
ICON = 1.16
"""Width of an icon, as a part of the size of letters."""


@functools.lru_cache(maxsize=1024)
def icons_of(board: Board, card: str) -> tuple[tuple[str, str | None], ...]:
    """Return what a card brings: a letter and a status for each icon, then its Glory, as "+2", and None."""
    index, rules = board.cards.index(card), board.array[0]
    icons: list[tuple[str, str | None]] = []
    for name, count in zip(c.STATUS_NAMES, rules["card_icons"][index], strict=True):
        icons += [(name[0].upper(), name)] * int(count)
    glory = int(rules["card_glory"][index])
    return (*icons, (f"+{glory}", None)) if glory else tuple(icons)


def icons_width(board: Board, card: str, size: float) -> float:
    """Return the width of the icons of a card in pixels."""
    return size * sum(_advance(letters, status) for letters, status in icons_of(board, card))


def _advance(letters: str, status: str | None) -> float:
    """Return the width of an icon or of "+2", as a part of the size of letters."""
    return ADVANCE * len(letters) if status is None else ICON


def icon_shapes(board: Board, card: str, right: float, y: float, size: float, theme: Theme) -> list[Shape]:
    """Return the icons of a card, which end at ``right``, for letters of this size."""
    shapes: list[Shape] = []
    x = right - icons_width(board, card, size)
    for letters, status in icons_of(board, card):
        width = size * _advance(letters, status)
        if status is None:
            shapes.append(Label(x + width / 2, y, letters, max(SMALLEST, size), theme.gold, "middle", bold=True))
        else:
            shapes += chip(x + width / 2, y, width - 0.5, 1.28 * size, STATUSES[status])
        x += width
    return shapes


def card_name(card: str) -> str:
    """Return the pile and the value of a card in words, such as "far east Governor"."""
    return card.replace("_", " ").replace(".governor", " Governor").replace(".", " ")


def short_card_name(card: str) -> str:
    """Return the pile in two letters and the value, such as "FE Gov" or "Eu 2", for where there is little room."""
    pile, _, value = card.partition(".")
    words = pile.split("_")
    letters = "".join(word[0] for word in words).upper() if len(words) > 1 else pile[:2].capitalize()
    return f"{letters} {'Gov' if value == 'governor' else value}"


def card_title(board: Board, card: str) -> str:
    """Return everything that stands on a card, for a tooltip."""
    index, rules = board.cards.index(card), board.array[0]
    counts = zip(c.STATUS_NAMES, rules["card_icons"][index], strict=True)
    brings = [f"{count} {name}" for name, count in counts if count]
    glory = int(rules["card_glory"][index])
    if glory:
        brings.append(f"{glory} Glory")
    return f"{card_name(card)}: {', '.join(brings) or 'nothing'}"
