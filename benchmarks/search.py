"""The speed of the building blocks of a search: rollouts by policy and variant, and single calls from Python."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from endeavor_env.benchmarks.measured_games import NAMES, kinds_of, label_of
from endeavor_env.benchmarks.report import Section, speeds, times
from endeavor_env.benchmarks.timing import Effort, in_turns, repeated
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.search import Positions, rollout

REPEATS = 200
"""Rollouts of one call by a quick policy."""
FEW = 10
"""Rollouts of one call by a slow policy."""
FOUR_SEATS = GameConfig(players=4)
MANY = 1_000


def first_positions(kind: GameConfig, copies: int = 1) -> Positions:
    """Return the first position of a game, ``copies`` times, for one thread."""
    positions = Positions.of(kind.new_game(0), copies=copies)
    positions.threads = 1
    return positions


def rollouts(positions: Positions, policy: str, repeats: int) -> Callable[[], int]:
    """Return work that plays the first row to the end ``repeats`` times and returns the number of rollouts."""
    return repeated(lambda: rollout(positions, policy, 0, repeats=repeats), count=repeats)


def rollout_works() -> dict[str, Callable[[], int]]:
    """Return the works that are timed in rollouts per second."""
    works = {
        f"random, {label_of(kind)}": rollouts(first_positions(kind), "random", REPEATS)
        for kind in (FOUR_SEATS, *kinds_of(name for name in NAMES[1:] if ":" not in name))
    }
    start = first_positions(FOUR_SEATS)
    works["automa, 4 seats"] = rollouts(start, "automa", REPEATS)
    works["greedy, 4 seats"] = rollouts(start, "greedy", FEW)
    works["random, 4 seats, one a call"] = rollouts(start, "random", 1)
    return works


def call_works() -> dict[str, Callable[[], int]]:
    """Return the works that are timed in rows per second."""
    one, many = first_positions(FOUR_SEATS), first_positions(FOUR_SEATS, MANY)
    first, rows = np.flatnonzero(one.masks()[0])[:1], np.arange(MANY)
    return {
        "`masks()`, one row": repeated(one.masks, 100),
        "`copy()` and `step`, one row": repeated(lambda: one.copy().step(first), 100),
        "`expand()`, one row": repeated(one.expand, 100),
        "`masks()`, of 1,000 rows": repeated(many.masks, count=MANY),
        "`copy()`, of 1,000 rows": repeated(many.copy, count=MANY),
        "`positions[rows]`, of 1,000 rows": repeated(lambda: many[rows], count=MANY),
        "`keys()`, of 1,000 rows": repeated(many.keys, count=MANY),
        "`to_bytes()`, of 1,000 rows": repeated(many.to_bytes, count=MANY),
    }


def search(effort: Effort) -> list[Section]:
    """Measure rollouts and single calls."""
    played, called = in_turns(rollout_works(), effort), in_turns(call_works(), effort)
    return [
        Section("Search: rollouts from the first decision to the end, one thread", speeds(played, "rollouts/s")),
        Section("Search: time a row of single calls from Python, one thread", times(called, "µs")),
    ]
