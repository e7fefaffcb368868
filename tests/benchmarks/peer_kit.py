"""A library as ``endeavor_env.benchmarks.peers`` describes them, with games that go wrong in every way."""

from __future__ import annotations

import os

from endeavor_env.benchmarks.peers import PeerGame, Work

NAME = "Kit"
MODULES = ("json",)
PACKAGES = ("numpy", "no-such-package")


def sound() -> Work:
    print("libraries greet the user")

    def work() -> int:
        print("and talk")
        return sum(1 for _ in range(100))

    return work


def never_made() -> Work:
    raise ValueError("this game cannot be made")


def fails_later() -> Work:
    calls = iter((5,))
    return lambda: next(calls)


def dies() -> Work:
    os.write(2, b"a word before the end\n\n")
    os._exit(3)


GAMES = tuple(PeerGame(make.__name__, "rules", make) for make in (sound, never_made, fails_later, dies))
