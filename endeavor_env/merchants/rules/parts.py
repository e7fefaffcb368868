"""The parts of the machine code that Merchants of Europe has."""

from __future__ import annotations

from endeavor_env.kernels.parts import Part, declare_parts

_GAME = "endeavor_env.merchants"

MERCHANTS = Part(
    "merchants",
    "the merchants",
    (f"{_GAME}.rules.rules_entries", f"{_GAME}.observe.write"),
)
PLAYERS = Part(
    "merchants_players",
    "the players of the merchants",
    tuple(f"{_GAME}.players.{name}" for name in ("greedy.player", "planner.player", "value.inputs", "value.player")),
)
declare_parts(MERCHANTS, PLAYERS)
