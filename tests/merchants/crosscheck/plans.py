"""What is played in random games: from seeds to boards, seats, options and choosers."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.merchants.crosscheck.boards import NEAR

LENGTHS = {(1, 3): 1, (4, 12): 8, (13, 40): 8, (41, 120): 2}
"""Ranges of the limit of rolls in most games, and how often."""
STYLES = {"uniform": 2, "wild": 3, "eager": 3, "builder": 2, "patient": 1, "hoarder": 1}
BOARDS = {
    "short": 3,
    "expert": 3,
    "short_bare": 1.5,
    "expert_bare": 1,
    "short_arrows": 1.5,
    "expert_arrows": 1,
    NEAR: 1,
}
GENERATED, GENERATED_SEEDS = 0.15, 50
"""The share of games on generated boards, and how many of them there are of each side."""
LONG = 0.085
"""The share of games that are long enough to be won, or to use up all routes and tokens."""
LONG_STYLES = {"eager": 2, "wild": 1, "patient": 2, "builder": 3}
LONG_LENGTHS = {"eager": (400, 900), "wild": (400, 900), "patient": (400, 900), "builder": (120, 300)}
LONG_BOARDS = {
    "eager": {"short": 1, "expert": 0.5, "short_bare": 4, "expert_bare": 1},
    "wild": {"short": 1, "expert": 0.5, "short_bare": 3},
    "patient": {"short": 2, "expert": 0.5, "short_bare": 2},
    "builder": {"short": 1, "expert": 1, "short_arrows": 4, "expert_arrows": 2},
}


@dataclass(frozen=True)
class Plan:
    """One random game: what is played, and how its moves are chosen."""

    seed: int
    board: str
    players: int
    start: str
    trade: str
    max_rolls: int
    chooser: str


def plan_of(seed: int) -> Plan:
    """Return the game of a seed."""
    rng = random.Random(f"plan {seed}")
    long = rng.random() < LONG
    chooser = drawn(rng, LONG_STYLES if long else STYLES)
    board = drawn(rng, LONG_BOARDS[chooser] if long else BOARDS)
    if rng.random() < GENERATED:
        board = f"{rng.choice(('short', 'expert'))}_{rng.randrange(GENERATED_SEEDS)}"
    max_rolls = rng.randint(*(LONG_LENGTHS[chooser] if long else drawn(rng, LENGTHS)))
    start = "free" if board.startswith("expert") or board == NEAR or rng.random() < 0.4 else "fixed"
    trade = drawn(rng, {"offers": 3, "bank": 1, "none": 1})
    return Plan(seed, board, rng.choice((3, 4)), start, trade, max_rolls, chooser)


def drawn(rng: random.Random, often: Mapping[Any, float]) -> Any:
    """Return one of some keys, drawn as often as it says."""
    return rng.choices(list(often), list(often.values()))[0]
