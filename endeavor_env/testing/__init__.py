"""Conformance checks for everybody who edits a board, changes a rule, or plays games of their own making."""

from __future__ import annotations

from endeavor_env.testing.conformance import (
    MAX_DECISIONS,
    ActionMismatchError,
    GoldenMismatchError,
    UnsoundStateError,
    check_actions,
    check_state,
    divide,
    divide_text,
    flag_names,
    golden_text,
    perft,
    random_game,
    replay_golden,
    violations,
)

__all__ = [
    "MAX_DECISIONS",
    "ActionMismatchError",
    "GoldenMismatchError",
    "UnsoundStateError",
    "check_actions",
    "check_state",
    "divide",
    "divide_text",
    "flag_names",
    "golden_text",
    "perft",
    "random_game",
    "replay_golden",
    "violations",
]
