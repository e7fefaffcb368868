"""Games of other libraries, timed in the same loops as this package, by ``endeavor bench speed --peers``.

``libraries`` has a row for each library. Its games import the library only when they are made, and only those of this
package import more of it, so that the libraries can be installed in separate environments.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

THREADS = "OMP_NUM_THREADS"
"""The environment variable that tells a process its number of threads: libraries that use OpenMP read it themselves."""

Work = Callable[[], int]
"""Plays random legal moves for a while and returns the number of decisions."""


@dataclass(frozen=True)
class PeerGame:
    """A game of a library, and the kind of loop it is played in."""

    name: str
    kind: str
    """A name of KINDS."""
    make: Callable[[], Work]


@dataclass(frozen=True)
class Library:
    """A library, and what it needs."""

    modules: tuple[str, ...]
    """Modules that must be importable."""
    packages: tuple[str, ...]
    """Packages whose versions are reported."""
    games: tuple[PeerGame, ...]
    needs: str = ""
    """What else the library asks for, if anything."""


@dataclass(frozen=True)
class LoopKind:
    """Work done at every decision; only games in the same kind of loop are compared."""

    title: str
    note: str
    one_core: bool = False
    """True to hold each library to one core and one thread."""


def threads() -> int:
    """Return how many threads the games of this process may use."""
    return int(os.environ.get(THREADS, "1"))


BATCH_NOTE = (
    "1,024 games a call, random legal moves: choice, step, mask, observation; games that are over start again. "
    "Pgx: one `jit` of `vmap` a call on the CPU."
)
UNOBSERVED_NOTE = (
    "{games:,} games a call, random legal moves: masks, a uniform choice from each in a compiled loop, step; games "
    "that are over start again, and nothing is observed. Both sides check every action, have a generator of choices "
    "for each game, and count decisions only in games that are not over.\n\n"
    "Endeavor's `Batch` has masks of 4 words of 64 bits, a stream of seeds for each game, keeps the "
    "scores and the last observation of each finished game, and can mix boards and numbers of seats. fastcatan's "
    "`BatchedEnv` has a mask of 5 words of 64 bits in the state of a game, which `write_masks` copies for Numba to "
    "choose from; of a finished game it keeps the winner, new games have no seeds of their own, and there are no "
    "observations as arrays. Of the decisions in random games of its Catan, 71 % put together, answer or cancel offers "
    "of trade, and 18 % are rolls of the dice or ends of turns. Its wheel uses no AVX; Numba compiles for the "
    "processor it runs on. On several cores its OpenMP threads wait busily by default, which is quicker on an idle "
    "machine and far slower on a shared one; as passive threads (`OMP_WAIT_POLICY=PASSIVE`) they sleep, and from 2,048 "
    "games on the choice is shared among threads, as in `Batch`. Compare with the quicker of the two."
)
UNOBSERVED = {games: (f"unobserved_{games}", f"unobserved_{games}_one_core") for games in (1024, 8192)}
"""The kinds of loop without observations, by the number of games in a batch: on all cores, and on one."""
KINDS = {
    "rules": LoopKind(
        "One game from Python, rules only",
        "The list of legal actions, a choice from it, the move. Endeavor: `Game`; OpenSpiel: `State`; Catanatron: "
        "`Game.play` with `RandomPlayer` (four players), its own loop; fastcatan: `Env`. Endeavor's `Game` checks each "
        "move and keeps it in a record; fastcatan's `Env` checks it and keeps no record.",
    ),
    "observed": LoopKind(
        "One game from Python, observation and legal actions at every decision",
        "Each library's own interface without wrappers. Endeavor: `raw_env` of PettingZoo; OpenSpiel: `State` and the "
        "observation of the player to move as a NumPy array; RLCard: `Env.step`.",
    ),
    "aec": LoopKind(
        "PettingZoo: `reset`, `last`, `step`",
        "The same loop with `env()`, as the documentation advises, and with `raw_env()`, without wrappers. Endeavor's "
        "`env()` has no wrappers: it checks by itself.",
    ),
    "batch": LoopKind("Batches, all cores", BATCH_NOTE),
    "batch_one_core": LoopKind("Batches, one core", BATCH_NOTE, one_core=True),
    **{
        kind: LoopKind(
            f"Batches of {games:,} games without observations, {cores}",
            UNOBSERVED_NOTE.format(games=games),
            one_core=cores == "one core",
        )
        for games, kinds in UNOBSERVED.items()
        for kind, cores in zip(kinds, ("all cores", "one core"), strict=True)
    },
}
