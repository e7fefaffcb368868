"""The compiled players of Merchants of Europe by name, as runs seat them."""

from __future__ import annotations

from endeavor_env.engine.game_players import CompiledPlayer, PlayerRow, find_player
from endeavor_env.merchants.players.listed import PLAYERS


def player_named(name: str) -> CompiledPlayer:
    """Return the player of a name; raise InvalidOptionError if there is none.

    The value player is one whose network is in the memory that the run gives it.
    """
    row = next((row for row in PLAYERS.rows if row.name == name), None)
    if row is not None and row.variants_of is not None:
        return _without_network(row)
    return find_player(PLAYERS, "player", name)


def _without_network(row: PlayerRow) -> CompiledPlayer:
    """Return the player of a row before any network is read."""
    return CompiledPlayer(row.name, row.entry, lambda actions: row.memory(None)(actions))
