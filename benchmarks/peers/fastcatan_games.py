"""fastcatan: Catan in C++ with Python bindings, one game or many on the threads of OpenMP."""

from __future__ import annotations

import functools
import importlib
import itertools
import os
import random
from typing import Any

import numpy as np

from endeavor_env.benchmarks.peers import UNOBSERVED, PeerGame, Work, threads

NAME = "fastcatan"
MODULES = ("fastcatan", "numba")
"""Numba compiles the choice from the masks, which fastcatan leaves to the caller."""
PACKAGES = ("fastcatan",)
NEEDS = "Python 3.12 or later"
LENGTH = 3600
"""About how many decisions a game takes."""
STAGES = 64
"""A batch is filled with games of so many different ages."""
SHARED = 1024
"""So many games for each thread make it worthwhile to share the choice, too, as ``Batch`` does."""


def play() -> Work:
    """Return work that plays a whole game."""
    env = importlib.import_module("fastcatan").Env()
    seeds, rng = itertools.count(), random.Random(0)

    def work() -> int:
        env.reset(next(seeds))
        decisions, over = 0, False
        while not over:
            legal = env.legal_actions()
            over = env.step(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return work


class Turns:
    """Random legal play in a batch of games; those that end start again."""

    def __init__(self, library: Any, games: int, seed: int, parts: int = 1) -> None:
        """Start the games; the choice is shared by as many threads as ``parts``."""
        self.choices: Any = importlib.import_module("endeavor_env.benchmarks.peers.packed_masks")
        self.env, self.parts = library.BatchedEnv(games, seed), parts
        self.env.reset()
        self.masks = np.zeros((games, library.MASK_WORDS), np.uint64)
        self.actions, self.ended = np.zeros(games, np.uint32), np.zeros(games, np.uint8)
        self.rngs = np.random.default_rng(seed).integers(1, 1 << 63, games, np.uint64)

    def turn(self) -> int:
        """Make a move in every game; return the number of decisions."""
        self.env.write_masks(self.masks)
        given = (self.masks, self.rngs, self.actions)
        if self.parts > 1:
            decisions = self.choices.choose_in_parts(*given, self.parts)
        else:
            decisions = self.choices.choose(*given, 0, self.actions.size)
        self.env.step_autoreset(self.actions, self.ended)
        return int(decisions)

    def spread(self, library: Any, length: int) -> None:
        """Replace the games by games of all ages up to ``length`` decisions, as they are in a long run.

        Early decisions take less time than later ones. To save time only a few games are played, and kept at many
        ages; with chance seeded anew, equal boards go on differently.
        """
        few = Turns(library, -(-self.actions.size // STAGES), seed=1)
        ages = []
        for _ in range(STAGES):
            ages.append(np.zeros((few.actions.size, library.SNAPSHOT_BYTES), np.uint8))
            few.env.save_snapshots(ages[-1])
            for _ in range(length // STAGES):
                few.turn()
        self.env.load_snapshots(np.concatenate(ages)[: self.actions.size])
        self.env.reseed(np.arange(self.actions.size, dtype=np.uint64))


def batch(games: int, passive: bool = False) -> Work:
    """Return work that makes a move in each of ``games`` games.

    Args:
        games: The size of the batch.
        passive: Whether OpenMP's threads sleep while they wait, instead of keeping their cores busy, as they do by
            default: that is quicker while no other program needs a core, and far slower otherwise. Only beside
            threads that sleep can others share the choice.
    """
    if passive:
        os.environ["OMP_WAIT_POLICY"] = "PASSIVE"  # read when the library is loaded
    library = importlib.import_module("fastcatan")
    turns = Turns(library, games, seed=0, parts=min(threads(), games // SHARED) if passive else 1)
    turns.spread(library, LENGTH)
    return turns.turn


GAMES = (
    PeerGame("Catan, 4 players", "rules", play),
    *(
        game
        for games, (all_cores, one_core) in UNOBSERVED.items()
        for game in (
            PeerGame("Catan, 4 players", all_cores, functools.partial(batch, games)),
            PeerGame("Catan, 4 players, passive threads", all_cores, functools.partial(batch, games, passive=True)),
            PeerGame("Catan, 4 players", one_core, functools.partial(batch, games)),
        )
    ),
)
