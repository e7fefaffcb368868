"""Colours: light and dark, a colour and a letter for each side, and for each kind of token.

The colours of the sides are those of Okabe and Ito, which people with any kind of colour blindness tell apart. Each
disc and token shows its letter too. Every text has a contrast of at least 4.5 to 1 with what it stands on.
"""

from __future__ import annotations

from typing import NamedTuple

from endeavor_env.engine.presenter import Piece


class Theme(NamedTuple):
    """The colours of everything that is no piece."""

    background: str
    panel: str
    sea: str
    land: str
    closed: str
    """Regions that are not open, buildings that are out of supply."""
    ink: str
    muted: str
    """Text of second rank, thin lines."""
    faint: str
    """Empty spaces."""
    gold: str
    """Texts about Glory."""
    ring: str
    """Filled signs of Glory."""
    highlight: str


LIGHT = Theme(
    background="#f4f1ea",
    panel="#fffdf8",
    sea="#d9e6ee",
    land="#f6eed9",
    closed="#e3dfd6",
    ink="#22262b",
    muted="#5b6067",
    faint="#c9c5bb",
    gold="#7d5a00",
    ring="#c8961a",
    highlight="#d10073",
)
DARK = Theme(
    background="#15181d",
    panel="#20252c",
    sea="#1c2b37",
    land="#3a382d",
    closed="#2a2c30",
    ink="#eef0f2",
    muted="#9aa2ab",
    faint="#4a5058",
    gold="#e0b341",
    ring="#e0b341",
    highlight="#ff5fb0",
)
THEMES = {"light": LIGHT, "dark": DARK}
VARIABLES = Theme(*(f"var(--{field})" for field in Theme._fields))
"""Colours that a page defines for both themes, so that one picture follows the page: only for SVG inside of it."""


DARK_LETTER, LIGHT_LETTER = "#101214", "#ffffff"

SIDES = {
    "0": Piece("#0072b2", LIGHT_LETTER, "0"),
    "1": Piece("#d55e00", DARK_LETTER, "1"),
    "2": Piece("#009e73", DARK_LETTER, "2"),
    "3": Piece("#f0e442", DARK_LETTER, "3"),
    "4": Piece("#cc79a7", DARK_LETTER, "4"),
    "white": Piece("#ffffff", DARK_LETTER, "W"),
    "red": Piece("#d55e00", DARK_LETTER, "R"),
    "green": Piece("#009e73", DARK_LETTER, "G"),
    "violet": Piece("#9b6fb5", DARK_LETTER, "V"),
    "black": Piece("#22262b", LIGHT_LETTER, "B"),
    "opposition": Piece("#22262b", LIGHT_LETTER, "O"),
    "neutral": Piece("#8a8f96", DARK_LETTER, "N"),
    "neutral-0": Piece("#9fc3da", DARK_LETTER, "n0"),
    "neutral-1": Piece("#eebf9b", DARK_LETTER, "n1"),
}
"""The discs by the name of their side."""

STATUSES = {
    "industry": Piece("#8f4a1e", LIGHT_LETTER, "I"),
    "culture": Piece("#2a7a58", LIGHT_LETTER, "C"),
    "finance": Piece("#e0b62a", DARK_LETTER, "F"),
    "politics": Piece("#6f4a9c", LIGHT_LETTER, "P"),
}
"""Everything that is about a status: its track, its icons on cards, its tokens."""

TOKENS = STATUSES | {
    "attack": Piece("#1f5fa8", LIGHT_LETTER, "At"),
    "occupy_draw": Piece("#1f5fa8", LIGHT_LETTER, "OD"),
    "sail_draw": Piece("#1f5fa8", LIGHT_LETTER, "SD"),
    "pay": Piece("#1f5fa8", LIGHT_LETTER, "Py"),
}
"""Trade tokens by their kind: those of a status have its colour, those that give an action are blue."""

IN_CITIES = {
    "fortified": Piece("#22262b", LIGHT_LETTER, "Fo"),
    "missionary": Piece("#ffffff", DARK_LETTER, "Mi"),
    "pirate": Piece("#a4161a", LIGHT_LETTER, "Pi"),
}
"""Pieces of Exploits in a city."""
