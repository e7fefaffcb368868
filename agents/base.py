"""The protocol of an agent."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from endeavor_env import Game


@runtime_checkable
class Agent(Protocol):
    """Who plays matches. One object may play several games, one after the other, and in any seat."""

    name: str
    """The name in tables and records."""

    def reset(self, seed: int) -> None:
        """Prepare for a new game: forget the last one, and seed all random choices with ``seed``, at least 0."""
        ...

    def act(self, game: Game) -> int:
        """Return a legal action id for ``game.seat``.

        Args:
            game: A game that is not over. An agent must not change it; it may try moves on ``game.clone()``.
        """
        ...
