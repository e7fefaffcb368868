"""Catanatron: Catan in Python."""

from __future__ import annotations

import importlib

from endeavor_env.benchmarks.peers import PeerGame, Work

NAME = "Catanatron"
MODULES = ("catanatron",)
PACKAGES = ("catanatron",)


def play() -> Work:
    """Return work that plays whole games of four random players; they end at the latest at Catanatron's turn limit."""
    catan = importlib.import_module("catanatron")
    seeds = iter(range(1, 1 << 30))

    def work() -> int:
        game = catan.Game([catan.RandomPlayer(color) for color in catan.Color], seed=next(seeds))
        game.play()
        return len(game.state.actions)

    return work


GAMES = (PeerGame("Catan, 4 players", "rules", play),)
