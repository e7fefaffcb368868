"""The players of Merchants of Europe; their rows are imported when one is named."""

from __future__ import annotations

from endeavor_env.engine.players import players_at

PLAYERS = players_at("endeavor_env.merchants.players.player_list:ROWS")
"""The compiled players by name."""
