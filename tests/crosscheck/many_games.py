"""Play many random games of every kind and print a digest of each kind, to compare ways to run the kernels.

    python -m tests.crosscheck.many_games --games 100000
    python -m tests.crosscheck.many_games --games 100000 --level x86-64-v2
    ENDEAVOR_ENV_JIT=1 python -m tests.crosscheck.many_games --games 100000
    NUMBA_DISABLE_JIT=1 python -m tests.crosscheck.many_games --games 80

Equal digests mean equal bytes of the last position of every game, and equal points of all seats.
"""

from __future__ import annotations

import argparse
import hashlib
import sys

import numpy as np

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.kernels.loading import library
from tests.crosscheck.parity_digests import KINDS

MOST_DECISIONS = 10_000


def digest_of(kind: str, games: int) -> tuple[str, int]:
    """Return a digest of random games of a kind, whose seeds are 0, 1, ..., and the number of decisions in them."""
    digest, totals, decisions = hashlib.sha256(), np.empty(c.MAX_SEATS, np.int16), 0
    for seed in range(games):
        game = Game.new(seed=seed, **KINDS[kind])
        decisions += entry.play_random(game.board.array, game.state, seeded(seed), -1, MOST_DECISIONS)
        entry.total(game.board.array, game.state, totals)
        digest.update(game.state.tobytes() + totals.tobytes())
    return digest.hexdigest()[:16], decisions


def main(arguments: list[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.crosscheck.many_games")
    parser.add_argument("--games", type=int, default=1000, help="games of each kind")
    parser.add_argument("--level", help="instructions of the library, such as x86-64-v2; the best by default")
    asked = parser.parse_args(arguments)
    if asked.level:
        library.levels = lambda: (asked.level,)
    for kind in KINDS:
        digest, decisions = digest_of(kind, asked.games)
        print(f"{digest}  {asked.games} games, {decisions} decisions: {kind}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
