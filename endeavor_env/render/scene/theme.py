"""Colours: light and dark, and a colour and a letter for each side.

The colours of the sides are those of Okabe and Ito, which people with any kind of colour blindness tell apart. Each
disc shows its letter too.
"""

from __future__ import annotations

from typing import NamedTuple


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
    highlight: str


LIGHT = Theme(
    background="#f4f1ea",
    panel="#fffdf8",
    sea="#d9e6ee",
    land="#f6eed9",
    closed="#e3dfd6",
    ink="#22262b",
    muted="#6b6f75",
    faint="#c9c5bb",
    gold="#b8860b",
    highlight="#e6007e",
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
    highlight="#ff5fb0",
)
THEMES = {"light": LIGHT, "dark": DARK}
VARIABLES = Theme(*(f"var(--{field})" for field in Theme._fields))
"""Colours that a page defines for both themes, so that one picture follows the page: only for SVG inside of it."""


class Piece(NamedTuple):
    """How the discs of a side look."""

    fill: str
    ink: str
    letter: str


SIDES = {
    "0": Piece("#0072b2", "#ffffff", "0"),
    "1": Piece("#d55e00", "#ffffff", "1"),
    "2": Piece("#009e73", "#ffffff", "2"),
    "3": Piece("#f0e442", "#22262b", "3"),
    "4": Piece("#cc79a7", "#22262b", "4"),
    "white": Piece("#ffffff", "#22262b", "W"),
    "red": Piece("#d55e00", "#ffffff", "R"),
    "green": Piece("#009e73", "#ffffff", "G"),
    "violet": Piece("#9b6fb5", "#ffffff", "V"),
    "black": Piece("#22262b", "#ffffff", "B"),
    "neutral": Piece("#8a8f96", "#ffffff", "N"),
    "neutral-0": Piece("#9fc3da", "#22262b", "n0"),
    "neutral-1": Piece("#eebf9b", "#22262b", "n1"),
}
"""The discs by the name of their side."""

TOKENS = {
    "industry": Piece("#7a5230", "#ffffff", "I"),
    "culture": Piece("#7a5230", "#ffffff", "C"),
    "finance": Piece("#7a5230", "#ffffff", "F"),
    "politics": Piece("#7a5230", "#ffffff", "P"),
    "attack": Piece("#1f5fa8", "#ffffff", "At"),
    "occupy_draw": Piece("#1f5fa8", "#ffffff", "OD"),
    "sail_draw": Piece("#1f5fa8", "#ffffff", "SD"),
    "pay": Piece("#1f5fa8", "#ffffff", "Py"),
}
"""Trade tokens by their kind: brown ones advance a status, blue ones give an action."""

STATUSES = {"industry": "#a8672f", "culture": "#3f8f6b", "finance": "#b8960c", "politics": "#7b5aa6"}
"""The colours of the status tracks."""
