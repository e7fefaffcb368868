"""Observations: their layouts, and reading them by name and in words."""

from __future__ import annotations

from endeavor_env.observation.observation import (
    COMPACT,
    FEATURES,
    LAYOUT,
    VARIANT_COMPACT,
    VARIANT_FEATURES,
    Layout,
    Slice,
    box_bounds,
    describe,
    layout_for,
    observe,
    to_state,
)

__all__ = [
    "COMPACT",
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
