"""What every part of the text board is made of: names of sides, pieces put into words, and lines of limited width."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from endeavor_env.board import Board
from endeavor_env.core import constants as c

WIDTH = 110
CLOSED = "closed"
States = npt.NDArray[np.void]
"""A (1,) STATE array."""


def variant_of(states: States) -> str:
    """Returns the name of the variant."""
    return c.VARIANT_NAMES[states["variant"][0]]


def is_solo(states: States) -> bool:
    """Tells whether it is the solitaire game."""
    return bool(states["variant"][0] == c.VARIANT_SOLO)


def side_names(states: States) -> tuple[str, ...]:
    """Returns what the sides are called that own discs on the map: seats by number, the others by colour or word."""
    seats = tuple(str(seat) for seat in range(states["num_seats"][0]))
    variant = states["variant"][0]
    if variant == c.VARIANT_SOLO:
        return c.COLOUR_NAMES
    if variant in (c.VARIANT_SOLOPLAY_2, c.VARIANT_SOLOPLAY_3):
        return (*seats, "neutral")
    return (*seats, *(f"neutral-{seat}" for seat in seats)) if variant == c.VARIANT_NEUTRAL_2 else seats


def mat_names(states: States) -> tuple[str, ...]:
    """Returns what the mats with statuses, tokens and cards are called."""
    return ("player", "Opposition") if is_solo(states) else tuple(str(n) for n in range(states["num_seats"][0]))


def on_space(owner: int, token: int, sides: Sequence[str]) -> str:
    """Returns what is on a space: a disc, a token, nothing; or that it takes no disc."""
    if owner == c.SPACE_CLOSED:
        return CLOSED
    if owner != c.NONE:
        return f"<{sides[owner]}>"
    return c.TOKEN_NAMES[token] if token != c.NONE else "-"


def cards_held(board: Board, states: States, mat: int) -> list[str]:
    """Returns the cards of a mat, those that lie face down as a number."""
    places = states[0].card_place
    cards = [name for card, name in enumerate(board.cards) if places[card] == mat]
    face_down = int((places == c.CARD_FACE_DOWN + mat).sum())
    return [*cards, counted("face down", face_down)] if face_down else cards


def tokens_held(states: States, mat: int) -> list[str]:
    """Returns the tokens of a mat."""
    return [counted(name, int(n)) for name, n in zip(c.TOKEN_NAMES, states[0].tokens[mat], strict=True) if n]


def supply_of_buildings(board: Board, states: States) -> list[str]:
    """Returns the buildings left in the common supply; in ``solo`` those that are not on the grid."""
    left = states[0].building_supply
    return [counted(name, int(left[building])) for building, name in enumerate(board.buildings) if left[building]]


def counted(name: str, count: int) -> str:
    """Returns ``name`` with its count, if there is more than one."""
    return name if count == 1 else f"{name} x{count}"


def wrapped(items: Iterable[str], label: str = "", indent: int = 2) -> list[str]:
    """Returns ``label`` and the items, with commas between, as lines of up to ``WIDTH`` characters."""
    return flowing(", ".join(items) or "none", " " * indent + label)


def flowing(text: str, first: str, later: str | None = None) -> list[str]:
    """Returns ``text`` as lines of up to ``WIDTH`` characters that start with ``first``, then ``later`` or as deep."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * len(first) if later is None else later,
        break_long_words=False,
        break_on_hyphens=False,
    )
