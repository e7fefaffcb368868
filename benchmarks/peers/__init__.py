"""Games of other libraries, in the same loops in which this package is timed; ``benchmarks.run --peers`` measures them.

Each library has a module here with the same names: ``NAME``, ``MODULES`` that must be importable, ``PACKAGES`` whose
versions are reported, and ``GAMES``. A module imports its library only when a game is made, and only ``endeavor``
imports endeavor_env, so that the libraries can be installed in a separate environment.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

OWN = "endeavor"
ADAPTERS = ("open_spiel", "pettingzoo_classic", "pgx_batches", "catanatron_games", "rlcard_envs")
"""Modules of this package, one for each library."""

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
class LoopKind:
    """What is done at every decision; only games in the same kind of loop are compared."""

    title: str
    note: str
    one_core: bool = False
    """Whether each library is held to one core."""


BATCH_NOTE = (
    "1,024 games a call, random legal moves: choice, step, mask, observation; games that are over start again. "
    "Pgx: one `jit` of `vmap` a call on the CPU."
)
KINDS = {
    "rules": LoopKind(
        "One game from Python, rules only",
        "The list of legal actions, a choice from it, the move. Endeavor: `Game`; OpenSpiel: `State`; Catanatron: "
        "`Game.play` with `RandomPlayer` (four players), its own loop.",
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
}
