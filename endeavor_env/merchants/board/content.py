"""What a board file says, read and typed but not yet numbered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from endeavor_env.merchants.board.geometry import Cell, Corner, Edge


@dataclass(frozen=True)
class Terrain:
    """One hex of land."""

    at: Cell
    kind: str
    number: int
    """The printed number, 0 without one."""
    token: str
    """``place``, ``dotted``, or "" for a terrain with a printed number."""


@dataclass(frozen=True)
class City:
    """One city."""

    id: str
    at: Corner
    colour: str
    gold: int


@dataclass(frozen=True)
class Start:
    """The start places of one colour (K3.6)."""

    posts: tuple[str, ...]
    route: Edge


@dataclass(frozen=True)
class Content:
    """A whole board file."""

    id: str
    side: str
    facts: bool
    provenance: str
    robber: Cell
    terrains: tuple[Terrain, ...]
    cities: tuple[City, ...]
    sea_paths: tuple[Edge, ...]
    arrows: tuple[Edge, ...]
    tokens: Mapping[str, tuple[int, ...]]
    development: Mapping[str, int]
    start: Mapping[str, Start]
    """By colour; empty on the expert side."""
