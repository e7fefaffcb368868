"""The keys of a score's breakdown, as notation.md (section 4) lists them."""

from __future__ import annotations

BREAKDOWN_KEYS = (
    *("cities", "connections", "industry", "culture", "finance", "politics"),
    *("cards", "governor_slot", "university", "harbor", "slavery"),
)
NEUTRAL_KEY = "neutral"
"""The key that only ``soloplay_2`` and ``soloplay_3`` have besides."""
