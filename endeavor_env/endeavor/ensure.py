"""Having the machine code that a program needs, before its first game: found in a library, or made with a message."""

from __future__ import annotations

from endeavor_env.endeavor.rules.parts import BATCH, EXPLOITS, LEARNING, PLAYERS, RULES
from endeavor_env.engine.kernels.parts import SINGLE
from endeavor_env.kernels.loading import once
from endeavor_env.kernels.parts import Part


def ensure_parts(*wanted: Part) -> None:
    """Make the rules and other parts of the machine code unless they were made before.

    What is made in one go takes less time than one part after the other: each has the rules in its loops.
    """
    once.ensure_parts(RULES, SINGLE, *wanted)


def ensure_compiled() -> None:
    """Make the machine code of the rules if needed."""
    ensure_parts()


def ensure_players_compiled() -> None:
    """Make what lets compiled players choose, if needed."""
    ensure_parts(PLAYERS)


def ensure_batch_compiled() -> None:
    """Make the batch engine if needed."""
    ensure_parts(BATCH)


def ensure_exploits_compiled() -> None:
    """Make what only games with Exploits call if needed."""
    ensure_parts(EXPLOITS)


def ensure_learning_compiled() -> None:
    """Make the loops of recorded games, and of networks that learn, if needed."""
    ensure_parts(LEARNING)


__all__ = [
    "ensure_batch_compiled",
    "ensure_compiled",
    "ensure_exploits_compiled",
    "ensure_learning_compiled",
    "ensure_parts",
    "ensure_players_compiled",
]
