"""The protocols of agents: those that choose moves, and those that also evaluate positions or moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

from endeavor_env import Game
from endeavor_env.endeavor.notes import Note
from endeavor_env.engine.game import Game as AnyGame

# --- Agents that choose moves ----------------------------------------------------------------------------------------

G_contra = TypeVar("G_contra", bound=AnyGame, contravariant=True)


@runtime_checkable
class AgentOf(Protocol[G_contra]):
    """An agent for matches of any game. One object may play several games, one after the other, and in any seat.

    An agent that was never reset draws a seed of its own, so that two of them choose independently.
    """

    name: str
    """Name in tables and records."""

    def reset(self, seed: int) -> None:
        """Prepare for a new game: forget the last one, and seed all random choices with ``seed``, at least 0."""
        ...

    def act(self, game: G_contra) -> int:
        """Return a legal action id for ``game.seat``.

        Args:
            game: A game that is not over: a copy of what the seat knows, which may be changed and kept. Moves are tried
                on ``game.clone()``. See ``engine.game.game_for``.
        """
        ...


@runtime_checkable
class Agent(AgentOf[Game], Protocol):
    """An agent for matches of Endeavor. One object may play several games, one after the other, and in any seat."""


# --- Agents that evaluate a position: notes for a record, or values of moves for hints -------------------------------

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
