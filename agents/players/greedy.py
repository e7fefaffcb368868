"""The greedy agent: plays the move after which its own turn ends in the best position, by a weighted estimate.

The estimate is Glory "as if the game ended now" plus weighted terms for what may still come. The kernels are in
``endeavor_env.core.policies.greedy``: ``turn_search`` (which moves are tried) and ``position_value`` (what a position
is worth).
"""

from __future__ import annotations

import math

from agents.players.compiled import CompiledAgent
from endeavor_env.core.policies.greedy.weights import (
    NAMES,
    SOLO_PREFIX,
    WEIGHTS,
    OppositionTerms,
    Terms,
    Weights,
)
from endeavor_env.errors import InvalidOptionError

__all__ = ["NAMES", "WEIGHTS", "GreedyAgent", "Weights", "read_weights", "weighted_greedy"]


class GreedyAgent(CompiledAgent):
    """Plays the best turn by a weighted estimate; chooses among equal moves at random."""

    def __init__(self, weights: Weights = WEIGHTS, name: str = "greedy") -> None:
        """Make an agent, seeded with 0 until its first ``reset``; the first on a machine compiles its kernels."""
        super().__init__("greedy", name, weights)


def weighted_greedy(settings: str) -> GreedyAgent:
    """Return a greedy agent with other weights.

    Args:
        settings: "weight=number,..."; "disc" is a weight of games at a table, "solo.disc" the same in the solitaire
            game, "solo.bonus_draw" one that only the solitaire game has. Weights that are left out keep their default.

    Raises:
        InvalidOptionError: An unknown weight, or a value that is no finite number.
    """
    name = f"greedy:{settings}"
    return GreedyAgent(WEIGHTS.changed(read_weights(settings, name)), name)


def read_weights(settings: str, name: str) -> dict[str, float]:
    """Return the weights that ``settings`` names; ``name`` is what errors call the agent, see ``weighted_greedy``."""
    given = {}
    for setting in settings.split(","):
        weight, _, text = setting.partition("=")
        if weight not in NAMES:
            raise InvalidOptionError(
                f"agent {name!r} has no weight {weight!r}: they are {', '.join(Terms._fields)}, the same with "
                f"{SOLO_PREFIX!r} before them for the solitaire game, and for it "
                f"{', '.join(SOLO_PREFIX + field for field in OppositionTerms._fields)}"
            )
        given[weight] = _number(name, weight, text)
    return given


def _number(name: str, weight: str, text: str) -> float:
    """Return the value of a weight; raise InvalidOptionError unless it is a finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InvalidOptionError(f"agent {name!r} sets {weight} to {text!r}: it must be a finite number")
    return value
