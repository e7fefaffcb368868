"""What is played in random games: from seeds to boards, seats, options and choosers."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.merchants.crosscheck.boards import NAMES

LENGTHS = ((1, 3), (4, 12), (13, 40), (41, 120), (500, 900))
"""Ranges of the limit of rolls."""
OFTEN = (1, 8, 8, 2, 0.8)
STYLES = {"uniform": 2, "wild": 3, "eager": 3, "builder": 2, "hoarder": 1}
BOARDS_OFTEN = (3, 3, 1, 1, 1, 1)


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
    """Return the game of a seed; only eager and wild ones are long, and they are won."""
    rng = random.Random(f"plan {seed}")
    (board,) = rng.choices(NAMES, BOARDS_OFTEN)
    start = "free" if board.startswith("expert") or rng.random() < 0.4 else "fixed"
    ((least, most),) = rng.choices(LENGTHS, OFTEN)
    (chooser,) = rng.choices(list(STYLES), list(STYLES.values()))
    if least >= LENGTHS[-1][0]:
        chooser = rng.choice(("eager", "wild"))
    trade = rng.choices(("offers", "bank", "none"), (3, 1, 1))[0]
    return Plan(seed, board, rng.choice((3, 4)), start, trade, rng.randint(least, most), chooser)
