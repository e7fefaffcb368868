"""Snapshot of a session, whatever game is played."""

from __future__ import annotations

import hmac
from typing import Any, NamedTuple

import numpy as np

from endeavor_env.engine.game import Game
from endeavor_env.engine.kernels.rules import NONE
from endeavor_env.engine.players_info import seat_titles


class SessionSnapshot(NamedTuple):
    """A session at one moment; later moves do not change it."""

    game: Any
    """The game so far, a ``Game``, which nobody changes."""
    seats: tuple[str, ...]
    """Player of each seat: "human", "human:<name>" or the name of an agent."""
    people: frozenset[int]
    """The seats that people play."""
    trouble: str | None
    """Reason that the agent to move cannot move; None if it can."""
    key: str
    """The secret of the session, which no page gets."""

    @property
    def asked(self) -> bool:
        """True if a person is to decide."""
        return self.game.seat in self.people

    @property
    def thinking(self) -> int | None:
        """The seat of the agent that is to move; None when a person is, the game is over, or the agent cannot move."""
        return None if self.game.over or self.asked or self.trouble else self.game.seat

    @property
    def titles(self) -> tuple[str, ...]:
        """Titles of all players: the seats, and an opponent without a seat if there is one."""
        game: Game = self.game
        return seat_titles(game.played, game.num_players, len(game.scores()) > game.num_players)

    @property
    def title(self) -> str:
        """Title of the seat to move; the game is not over."""
        return self.titles[self.game.seat]

    @property
    def position(self) -> str:
        """A short text that no other position of the game has: moves are made about a position.

        It follows from what everybody was told. Draws are not taken back, so that no other position follows from that.
        """
        made: Any = np.array(self.game.history_seen_by(NONE), np.int64)
        keyed = hmac.digest(self.key.encode(errors="replace"), made.tobytes(), "sha256")
        return f"{len(self.game.history)}-{keyed[:6].hex()}"

    @property
    def tag(self) -> str:
        """A short text that changes whenever there is something new to show."""
        return f"{self.position}-{'trouble' if self.trouble else 'fine'}"
