"""The declared boards, as the reference reads them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.merchants.reference.map import Map, read_map

FOLDER = Path(__file__).resolve().parents[3] / "endeavor_env" / "merchants" / "data"


@cache
def declared(side: str) -> Map:
    """Return the map of the declared board of a side."""
    return read_map(FOLDER / f"merchants_{side}.toml")
