"""A library that only another environment has."""

from __future__ import annotations

from endeavor_env.benchmarks.peers import PeerGame, Work

NAME = "Distant"
MODULES = ("only_elsewhere",)
PACKAGES = ()
NEEDS = "a second environment"


def play() -> Work:
    return lambda: 1


GAMES = (PeerGame("one", "rules", play), PeerGame("two", "rules", play))
