"""What an agent is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from endeavor_env import Game


@runtime_checkable
class Agent(Protocol):
    """A player. One object may sit in several games, one after the other, and in any seat."""

    name: str
    """What tables and records call it."""

    def reset(self, seed: int) -> None:
        """Prepares for a new game: forgets the last one and draws all chance from ``seed``, at least 0, from now on."""
        ...

    def act(self, game: Game) -> int:
        """Returns a legal action id for ``game.seat``.

        Args:
            game: The game, not over. An agent must not change it; ``game.clone()`` is there to try things on.
        """
        ...
