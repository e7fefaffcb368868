"""Libraries as ``endeavor_env.benchmarks.peers`` describes them, with games that go wrong in every way."""

from __future__ import annotations

import os

from endeavor_env.benchmarks.peers import Library, PeerGame, Work, threads
from endeavor_env.benchmarks.peers.libraries import LIBRARIES as REAL
from endeavor_env.benchmarks.peers.libraries import OWN


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


def says_threads() -> Work:
    raise ValueError(f"{threads()} threads")


def distant() -> Work:
    return lambda: 1


def never() -> Work:
    raise AssertionError("a library that is missing is not asked for games")


def games(*makers) -> tuple[PeerGame, ...]:
    """The games of a library, by the name of what makes them."""
    return tuple(PeerGame(make.__name__, "rules", make) for make in makers)


LIBRARIES = {
    OWN: REAL[OWN],
    "Kit": Library(("json",), ("numpy", "no-such-package"), games(sound, never_made, fails_later, dies)),
    "Threads": Library((), (), games(says_threads)),
    "Distant": Library(  # only another environment has it
        ("only_elsewhere",),
        (),
        (PeerGame("one", "rules", distant), PeerGame("two", "rules", distant)),
        needs="a second environment",
    ),
    "Nowhere": Library(
        ("json", "no_such_module"), (), (PeerGame("one", "rules", never), PeerGame("two", "rules", never))
    ),
}
