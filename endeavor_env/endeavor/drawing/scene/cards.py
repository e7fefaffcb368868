"""Asset cards: their pile and value, and what they bring as small boxes in the colours of the status tracks."""

from __future__ import annotations

import functools

from endeavor_env.drawing.shapes import Label, Shape
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.scene.pieces import SMALLEST, chip
from endeavor_env.endeavor.drawing.scene.theme import STATUSES, Theme
from endeavor_env.endeavor.rules import constants as c

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
