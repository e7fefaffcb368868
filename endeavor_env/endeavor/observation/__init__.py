"""Observations: their layouts, and reading them by name and in words.

from endeavor_env.endeavor.observation import LAYOUT, describe, layout_for, observe

vector = observe(game)                             # as the seat to move sees it
layout = layout_for(game.variant, "features")      # of a standard game LAYOUT.features
layout.view(vector, "city_owner")                  # one slice as (MAX_CITIES, MAX_SEATS)
print(describe(vector, game.board))                # what it says
"""

from __future__ import annotations

from endeavor_env.endeavor.observation.layouts import (
    COMPACT,
    EXPLOIT_COMPACT,
    EXPLOIT_FEATURES,
    FEATURES,
    LAYOUT,
    VARIANT_COMPACT,
    VARIANT_FEATURES,
    box_bounds,
    layout_for,
)
from endeavor_env.endeavor.observation.reading import describe, observe, to_state
from endeavor_env.engine.layouts import Layout, Slice

__all__ = [
    "COMPACT",
    "EXPLOIT_COMPACT",
    "EXPLOIT_FEATURES",
    "FEATURES",
    "LAYOUT",
    "VARIANT_COMPACT",
    "VARIANT_FEATURES",
    "Layout",
    "Slice",
    "box_bounds",
    "describe",
    "layout_for",
    "observe",
    "to_state",
]
