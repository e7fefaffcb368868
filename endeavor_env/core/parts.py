"""The parts of the game's machine code (``machine.parts``): what a program mostly needs together is made together."""

from __future__ import annotations

from endeavor_env.machine.parts import WHOLE as WHOLE
from endeavor_env.machine.parts import Part, declare_parts

_CORE = "endeavor_env.core"
RULES = Part(
    "rules",
    "the rules",
    (f"{_CORE}.engine.late_rules", f"{_CORE}.entry", f"{_CORE}.rng"),
    {"rules_entry": 10.0, "status": 2.4, "observe_features": 2.0, "scores": 1.1, "observe_compact": 1.0},
)
EXPLOITS = Part(
    "exploits",
    "the Exploits",
    (f"{_CORE}.exploits.late_calls", f"{_CORE}.observe.exploit_late"),
    {"exploits_entry": 7.5, "exploit_rows_entry": 1.2},
)
PLAYERS = Part(
    "players",
    "the players",
    (
        f"{_CORE}.policies.choose",
        *(f"{_CORE}.policies.{name}.player" for name in ("automa", "greedy", "policy", "value")),
    ),
    {"automa_entry": 2.4, "greedy_entry": 2.8, "value_entry": 3.5, "policy_entry": 0.6},
)
SEARCHES = Part(
    "searches",
    "the searches",
    (f"{_CORE}.policies.search.lookahead", f"{_CORE}.policies.search.player"),
    {"lookahead_entry": 2.7, "search_entry": 2.3},
)
BATCH = Part(
    "batch",
    "the batch engine",
    (
        "endeavor_env.machine.sharing",
        *(f"{_CORE}.batch.{name}" for name in ("endings", "playouts", "ranges", "reports", "rows", "turn")),
    ),
    {"turn": 2.8},
)
LEARNING = Part(
    "learning",
    "what learns",
    tuple(f"{_CORE}.batch.{name}" for name in ("demonstrations", "rollouts", "self_play")),
    {"collect_rollouts": 0.8},
)
CHECKS = Part("checks", "the checks", (f"{_CORE}.checks.audit", f"{_CORE}.checks.audited_play"), {"audit": 1.7})

declare_parts(RULES, EXPLOITS, PLAYERS, SEARCHES, BATCH, LEARNING, CHECKS)
