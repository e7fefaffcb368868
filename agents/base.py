"""The protocol of an agent."""

from __future__ import annotations

from typing import Protocol, TypeVar, runtime_checkable

from endeavor_env import Game
from endeavor_env.engine.base_game import BaseGame

G_contra = TypeVar("G_contra", bound=BaseGame, contravariant=True)


@runtime_checkable
class AgentOf(Protocol[G_contra]):
    """Who plays matches of any game. One object may play several games, one after the other, and in any seat.

    An agent that was never reset draws a seed of its own, so that two of them choose independently.
    """

    name: str
    """The name in tables and records."""

    def reset(self, seed: int) -> None:
        """Prepare for a new game: forget the last one, and seed all random choices with ``seed``, at least 0."""
        ...

    def act(self, game: G_contra) -> int:
        """Return a legal action id for ``game.seat``.

        Args:
            game: A game that is not over: a copy of what the seat knows, which may be changed and kept. Moves are tried
                on ``game.clone()``. See ``engine.base_game.game_for``.
        """
        ...


@runtime_checkable
class Agent(AgentOf[Game], Protocol):
    """Who plays matches. One object may play several games, one after the other, and in any seat."""
