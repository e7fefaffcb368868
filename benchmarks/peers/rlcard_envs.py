"""RLCard: card games in Python."""

from __future__ import annotations

import functools
import importlib
import random

from endeavor_env.benchmarks.peers import PeerGame, Work

NAME = "RLCard"
MODULES = ("rlcard",)
PACKAGES = ("rlcard",)


def play(name: str) -> Work:
    """Return work that plays whole games through ``reset`` and ``step``, whose states include the legal actions."""
    env = importlib.import_module("rlcard").make(name, config={"seed": 0})
    rng = random.Random(0)

    def work() -> int:
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return work


GAMES = tuple(PeerGame(name, "observed", functools.partial(play, name)) for name in ("limit-holdem", "uno", "mahjong"))
