"""Checks for everybody who edits a board, changes a rule, or plays games of their own making.

    from endeavor_env.testing import check_state, divide, perft, random_game, replay_golden

    game = random_game(players=4, seed=7, check=True)    # every decision audited
    game = random_game(variant="solo", seed=7, check=True, options={"difficulty": "harder"})
    perft(Game.new(seed=7), 4)                           # sequences of 1, 2, 3 and 4 decisions
    replay_golden("tests/golden/four_seats_greedy.txt")  # line by line

Failed checks are AssertionErrors, so that they read well in a test.
"""

from __future__ import annotations

from endeavor_env.testing.golden import GoldenMismatchError, golden_text, replay_golden
from endeavor_env.testing.random_games import (
    MAX_DECISIONS,
    divide,
    divide_text,
    most_decisions,
    open_regions,
    perft,
    random_game,
)
from endeavor_env.testing.soundness import (
    ActionMismatchError,
    UnsoundStateError,
    check_actions,
    check_state,
    flag_names,
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
    "most_decisions",
    "open_regions",
    "perft",
    "random_game",
    "replay_golden",
    "violations",
]
