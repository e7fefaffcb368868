"""PettingZoo's own board games: rules in Python."""

from __future__ import annotations

import functools
import importlib

from endeavor_env.benchmarks.loops import aec_games, plain_sampler
from endeavor_env.benchmarks.peers import PeerGame, Work

NAME = "PettingZoo"
MODULES = ("pettingzoo", "pygame", "chess")
PACKAGES = ("pettingzoo", "chess")


def play(name: str, maker: str) -> Work:
    """Return work that plays whole games through ``last`` and ``step``."""
    module = importlib.import_module(f"pettingzoo.classic.{name}.{name}")
    work = aec_games(getattr(module, maker)(), plain_sampler(), 1)
    return lambda: work()[0]


GAMES = tuple(
    PeerGame(f"{name}, `{maker}()`", "aec", functools.partial(play, name, maker))
    for name, maker in (
        ("tictactoe", "env"),
        ("tictactoe", "raw_env"),
        ("connect_four", "env"),
        ("connect_four", "raw_env"),
        ("chess", "env"),
        ("chess", "raw_env"),
    )
)
