"""Agents that evaluate a position: notes for a record, or values of single moves for hints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol, runtime_checkable

from endeavor_env import Game
from endeavor_env.endeavor.notes import Note

MOST_CHOICES = 5
"""Largest number of moves in a note."""


@runtime_checkable
class AnnotatingAgent(Protocol):
    """An agent that can annotate a position with its evaluation, besides choosing a move."""

    name: str
    """Name in tables and records."""

    def note(self, game: Game) -> Note:
        """Return the agent's note on the position of a game that is not over; the game is left unchanged."""
        ...


class ActionValue(NamedTuple):
    """An agent's evaluation of a move."""

    action: int
    value: float | None
    """Value of the position after the move for the seat to move: mean share of the win, 0 to 1, plus 0.02 for every
    Glory of lead; None if the agent does not evaluate in these units."""
    share: float | None
    """Weight of the move among all moves, 0 to 1, which add up to 1; None if the agent has no weights."""


@runtime_checkable
class ActionValueAgent(Protocol):
    """An agent that can evaluate several moves, besides choosing one."""

    name: str
    """Name in tables and records."""

    def expect(self, game: Game) -> list[ActionValue]:
        """Return the agent's evaluations of legal moves in a game that is not over, its choice first.

        Moves that it does not evaluate are left out; the game is left unchanged.
        """
        ...


def best_choices(weights: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Return the moves with the largest weights and their shares of all weights, the best first; none without any."""
    total = sum(weights.values())
    ranked = sorted(weights.items(), key=lambda item: -item[1])[:MOST_CHOICES]
    return tuple((move, round(weight / total, 3)) for move, weight in ranked if weight > 0)
