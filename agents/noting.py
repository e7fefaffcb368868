"""Agents that say what they think of a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from endeavor_env import Game
from endeavor_env.notes import Note

MOST_CHOICES = 5
"""Moves that a note lists."""


@runtime_checkable
class Noting(Protocol):
    """An agent that can say what it expects, besides choosing a move."""

    name: str
    """The name in tables and records."""

    def note(self, game: Game) -> Note:
        """Return what the agent thinks of the position of a game that is not over; the game stays as it is."""
        ...


def best_choices(weights: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Return the moves with the largest weights and their shares of all weights, the best first; none without any."""
    total = sum(weights.values())
    ranked = sorted(weights.items(), key=lambda item: -item[1])[:MOST_CHOICES]
    return tuple((move, round(weight / total, 3)) for move, weight in ranked if weight > 0)
