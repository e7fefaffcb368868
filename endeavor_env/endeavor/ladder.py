"""The ladder of results of a solitaire game, from defeat to total victory (S8.3, S8.4)."""

from __future__ import annotations

from typing import NamedTuple

RUNG_NAMES = ("defeat", "minor victory", "victory", "major victory", "complete victory", "total victory")
TOP_RUNG = len(RUNG_NAMES) - 1
LEAST_LEADS = (0, 3, 5, 7, 9)
"""Least lead in Glory for each rung above defeat (S8.3, SA6, SA7)."""


class Ladder(NamedTuple):
    """The result of a solitaire game."""

    name: str
    """One of RUNG_NAMES."""
    rung: int
    """0 for defeat up to 5 for total victory."""
    panache: bool
    """True for a victory with a level-5 building (S8.4)."""


def rung_of(lead: int) -> int:
    """Return the rung, 0..5, for a ``lead``: the player's Glory less the Opposition's (S8.3)."""
    return sum(lead >= least for least in LEAST_LEADS)


def ladder_of(lead: int, level_5: bool) -> Ladder:
    """Return the result for a ``lead``; ``level_5`` says whether the player has a building of level 5 (S8.4)."""
    rung = rung_of(lead)
    return Ladder(RUNG_NAMES[rung], rung, rung > 0 and level_5)
