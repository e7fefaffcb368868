"""One plain description of a position, read from the state once, from which every renderer draws."""

from __future__ import annotations

from endeavor_env.endeavor.drawing.view.description import (
    Building,
    City,
    Connection,
    Deck,
    Mat,
    Move,
    Region,
    SolitaireTable,
    Space,
    Tile,
    View,
)
from endeavor_env.endeavor.drawing.view.read_position import view_game, view_position

__all__ = [
    "Building",
    "City",
    "Connection",
    "Deck",
    "Mat",
    "Move",
    "Region",
    "SolitaireTable",
    "Space",
    "Tile",
    "View",
    "view_game",
    "view_position",
]
