"""The games of this package, measured like those of the others."""

from __future__ import annotations

import functools
import itertools
import random

from endeavor_env.benchmarks.peers import UNOBSERVED, PeerGame, Work, threads

NAME = "Endeavor"
MODULES = ("endeavor_env",)
PACKAGES = ("endeavor-env",)
GAMES_A_BATCH = 1024


def rules() -> Work:
    """Return work that plays games of four seats through ``Game``, which checks and records every move."""
    from endeavor_env.endeavor.game import Game

    seeds, rng = itertools.count(), random.Random(0)

    def work() -> int:
        game = Game.new(4, seed=next(seeds))
        while not game.over:
            legal = game.legal_actions()
            game.apply(legal[int(rng.random() * len(legal))])
        return len(game.history)

    return work


def aec(observation: str) -> Work:
    """Return work that plays games of four seats through PettingZoo's interface."""
    from endeavor_env import endeavor_v0
    from endeavor_env.benchmarks.loops import aec_games, plain_sampler

    play = aec_games(endeavor_v0.raw_env(players=4, observation=observation), plain_sampler(), 1)
    return lambda: play()[0]


def batch(observation: str, games: int = GAMES_A_BATCH) -> Work:
    """Return work that plays games of four seats in a batch, with every decision made by the caller."""
    from endeavor_env.benchmarks.batch_play import SELF_PLAY, BatchSetting, BatchTurns

    return BatchTurns(BatchSetting("Batch", SELF_PLAY, observation, games, threads())).turn


GAMES = (
    PeerGame("4 seats", "rules", rules),
    *(PeerGame(f"4 seats, {shown}", "observed", functools.partial(aec, shown)) for shown in ("compact", "features")),
    PeerGame("4 seats, features", "aec", functools.partial(aec, "features")),
    *(
        PeerGame(f"4 seats, {shown}", kind, functools.partial(batch, shown))
        for kind in ("batch", "batch_one_core")
        for shown in ("compact", "features")
    ),
    *(
        PeerGame("4 seats", kind, functools.partial(batch, "none", games))
        for games, kinds in UNOBSERVED.items()
        for kind in kinds
    ),
)
