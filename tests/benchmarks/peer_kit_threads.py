"""A library whose only game fails, with the number of threads that it may use."""

from __future__ import annotations

from endeavor_env.benchmarks.peers import PeerGame, Work, threads

NAME = "Threads"
MODULES = ()
PACKAGES = ()


def fail() -> Work:
    raise ValueError(f"{threads()} threads")


GAMES = (PeerGame("one", "rules", fail),)
