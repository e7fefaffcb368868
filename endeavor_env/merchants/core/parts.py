"""The parts of the machine code that Merchants of Europe has."""

from __future__ import annotations

from endeavor_env.machine.parts import Part, declare_parts

_CORE = "endeavor_env.merchants.core"

MERCHANTS = Part(
    "merchants",
    "the merchants",
    (f"{_CORE}.rules_entries", f"{_CORE}.observe.write"),
    {"moves_entry": 6.7, "observe_entry": 1.8, "begin_entry": 0.7, "resample_entry": 0.7, "chance_entry": 0.6},
)
PLAYERS = Part(
    "merchants_players",
    "the players of the merchants",
    (f"{_CORE}.greedy.player", f"{_CORE}.planner.player", f"{_CORE}.value.inputs", f"{_CORE}.value.player"),
    {"greedy_entry": 4.0, "value_entry": 5.0},
)
declare_parts(MERCHANTS, PLAYERS)
