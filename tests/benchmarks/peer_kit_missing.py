"""A library that is not installed."""

from __future__ import annotations

from endeavor_env.benchmarks.peers import PeerGame, Work

NAME = "Nowhere"
MODULES = ("json", "no_such_module")
PACKAGES = ()


def never() -> Work:
    raise AssertionError("a library that is missing is not asked for games")


GAMES = (PeerGame("one", "rules", never), PeerGame("two", "rules", never))
