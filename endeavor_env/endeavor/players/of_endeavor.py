"""Endeavor's players as the engine ask a game for them; their list is imported when one is named."""

from __future__ import annotations

from endeavor_env.engine.game_players import CompiledPlayer
from endeavor_env.errors import InvalidOptionError


class EndeavorPlayers:
    """The players of the list of names, and those of users."""

    def find(self, name: object) -> CompiledPlayer | None:
        """Return the player that a name stands for now; see ``engine.game_players.PlayersOfGame``.

        Raises:
            InvalidOptionError: Settings that the player does not have.
            CheckpointError: The file of a network cannot be used.
        """
        from endeavor_env.endeavor.players.compiled import find_player

        return find_player(name)

    def unknown(self, role: str, given: object, *others: str) -> InvalidOptionError:
        """Return the error for somebody who cannot play; see ``engine.game_players.PlayersOfGame``."""
        from endeavor_env.endeavor.players.player_list import unknown_name

        return unknown_name(role, given, *others)


ENDEAVOR_PLAYERS = EndeavorPlayers()
