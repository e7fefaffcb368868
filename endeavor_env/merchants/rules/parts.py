"""The parts of the machine code that Merchants of Europe has."""

from __future__ import annotations

from endeavor_env.kernels.parts import Part, declare_parts

_GAME = "endeavor_env.merchants"

MERCHANTS = Part(
    "merchants",
    "the merchants",
    (f"{_GAME}.rules.rules_entries", f"{_GAME}.observe.write"),
    {"moves_entry": 6.7, "observe_entry": 2.0, "begin_entry": 0.5, "resample_entry": 0.5},
)
PLAYERS = Part(
    "merchants_players",
    "the players of the merchants",
    tuple(f"{_GAME}.players.{name}" for name in ("greedy.player", "planner.player", "value.inputs", "value.player")),
    {"greedy_entry": 2.6, "planner_entry": 2.3, "value_entry": 8.0, "search_entry": 1.2, "inputs_entry": 0.5},
    dict.fromkeys(("value_entry", "search_entry", "leaves_entry", "inputs_entry"), "networks"),
)
declare_parts(MERCHANTS, PLAYERS)
