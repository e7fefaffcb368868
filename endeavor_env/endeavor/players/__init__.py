"""The compiled players by name, and how to add one; the names of this package are the rows of ``player_list``.

A registered name can be used wherever ``"greedy"`` can: as an opponent in environments and batches, in rollouts, and as
an agent in matches. ``docs/agents.md`` has an example.
"""

from __future__ import annotations

from endeavor_env.endeavor.rules.board_array import BOARD
from endeavor_env.endeavor.rules.constants import VARIANT_NAMES
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.players import RANDOM, CompiledPlayer, players_at

PLAYERS = players_at("endeavor_env.endeavor.players.player_list:ROWS", VARIANT_NAMES, (BOARD, STATE))
"""The players of Endeavor; their rows are imported when one is named."""
names, is_player, player_of, check_plays = PLAYERS.names, PLAYERS.is_player, PLAYERS.player, PLAYERS.check_plays
register, register_kind = PLAYERS.register, PLAYERS.register_kind
entry_named, agent_named, check_player = PLAYERS.entry_named, PLAYERS.agent, PLAYERS.check

__all__ = [
    "PLAYERS",
    "RANDOM",
    "CompiledPlayer",
    "agent_named",
    "check_player",
    "check_plays",
    "entry_named",
    "is_player",
    "names",
    "player_of",
    "register",
    "register_kind",
]
