"""Agents that say what they think of a position: for the notes of a record, or move by move for a hint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol, runtime_checkable

from endeavor_env import Game
from endeavor_env.endeavor.notes import Note

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


class Expectation(NamedTuple):
    """What an agent thinks of a move."""

    action: int
    value: float | None
    """What it expects for the seat to move after this move: its share of the win, 0 to 1, and 0.02 for each Glory of
    lead, in the mean; None if it has no opinion in these units."""
    share: float | None
    """How much it likes the move, 0 to 1 for all moves together; None if it does not weigh them."""


@runtime_checkable
class Expecting(Protocol):
    """An agent that can say what it expects of several moves, besides choosing one."""

    name: str
    """The name in tables and records."""

    def expect(self, game: Game) -> list[Expectation]:
        """Return what the agent thinks of moves that are legal in a game that is not over, its choice first.

        Moves that it has no opinion of are left out; the game stays as it is.
        """
        ...


def best_choices(weights: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Return the moves with the largest weights and their shares of all weights, the best first; none without any."""
    total = sum(weights.values())
    ranked = sorted(weights.items(), key=lambda item: -item[1])[:MOST_CHOICES]
    return tuple((move, round(weight / total, 3)) for move, weight in ranked if weight > 0)
