"""Asset cards: their pile and value, and what they bring as letters in the colours of the status tracks."""

from __future__ import annotations

import functools

from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.render.scene.shapes import Label, Shape
from endeavor_env.render.scene.theme import STATUSES, Theme

ADVANCE = 0.72
"""Width of a bold letter, as a part of its size."""


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
    """Return the width of the letters of a card in pixels."""
    return ADVANCE * size * sum(len(letters) for letters, _ in icons_of(board, card))


def icon_labels(board: Board, card: str, right: float, y: float, size: float, theme: Theme) -> list[Shape]:
    """Return the letters of a card, which end at ``right``."""
    shapes: list[Shape] = []
    x = right - icons_width(board, card, size)
    for letters, status in icons_of(board, card):
        width = ADVANCE * size * len(letters)
        fill = theme.gold if status is None else STATUSES[status]
        shapes.append(Label(x + width / 2, y, letters, size, fill, "middle", bold=True))
        x += width
    return shapes


def card_name(card: str) -> str:
    """Return the pile and the value of a card in words, such as "far east Governor"."""
    return card.replace("_", " ").replace(".governor", " Governor").replace(".", " ")


def card_title(board: Board, card: str) -> str:
    """Return everything that stands on a card, for a tooltip."""
    index, rules = board.cards.index(card), board.array[0]
    counts = zip(c.STATUS_NAMES, rules["card_icons"][index], strict=True)
    brings = [f"{count} {name}" for name, count in counts if count]
    glory = int(rules["card_glory"][index])
    if glory:
        brings.append(f"{glory} Glory")
    return f"{card_name(card)}: {', '.join(brings) or 'nothing'}"
