"""Colours of the map: what lies on land has its own in every theme, the rest follows the theme.

Every text has a contrast of at least 4.5 to 1 with what it stands on, and no colour says anything alone: terrains are
named, and the pieces of a seat bear its letter.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol


class MapColours(Protocol):
    """The colours that follow a theme: those of Endeavor's pictures fit."""

    @property
    def background(self) -> str:
        """What the picture stands on."""
        ...

    @property
    def panel(self) -> str:
        """What texts on the map stand on."""
        ...

    @property
    def sea(self) -> str:
        """The sea."""
        ...

    @property
    def ink(self) -> str:
        """Texts and double arrows."""
        ...

    @property
    def muted(self) -> str:
        """Thin lines."""
        ...


class MapTheme(NamedTuple):
    """A theme of the map alone."""

    background: str
    panel: str
    sea: str
    ink: str
    muted: str


LIGHT = MapTheme(background="#f4f1ea", panel="#fffdf8", sea="#d9e6ee", ink="#22262b", muted="#5b6067")
DARK = MapTheme(background="#15181d", panel="#20252c", sea="#1c2b37", ink="#eef0f2", muted="#9aa2ab")
THEMES = {"light": LIGHT, "dark": DARK}

DARK_LETTER, LIGHT_LETTER = "#101214", "#ffffff"
DISC = "#ffffff"
"""Numbers stand on it."""
EDGE = "#6b5f4a"
"""Paths on land."""
GOLD = "#e0b62a"
TERRAINS = {
    "forest": "#9cc58a",
    "meadow": "#d3e6a2",
    "field": "#f2dc86",
    "mountain": "#c4b8ab",
    "salt_works": "#e9e4ee",
}
"""All of them carry dark letters."""
CITIES = {"brown": "#8f5a2b", "violet": "#7a3fa0"}


class Piece(NamedTuple):
    """How the pieces of a seat look."""

    fill: str
    ink: str
    letter: str


PIECES = (
    Piece("#b3261e", LIGHT_LETTER, "R"),
    Piece("#0072b2", LIGHT_LETTER, "B"),
    Piece("#ffffff", DARK_LETTER, "W"),
    Piece("#e69f00", DARK_LETTER, "O"),
    Piece("#8a8f96", DARK_LETTER, "N"),
)
"""The pieces of red, blue, white and orange, by seat (K1.2), then the neutral ones."""
NEUTRAL = 4
