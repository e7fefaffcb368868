"""The greedy agent: plays the move after which its own turn ends in the best position, by a weighted estimate.

The estimate is Glory "as if the game ended now" plus weighted terms for what may still come. The kernels are in
``endeavor_env.core.policies.greedy``: ``turn_search`` (which moves are tried) and ``position_value`` (what a position
is worth).
"""

from __future__ import annotations

import math

from agents.players.compiled import CompiledAgent
from endeavor_env.core.policies.greedy.player import greedy_memory
from endeavor_env.core.policies.greedy.weights import WEIGHTS, Weights
from endeavor_env.errors import InvalidOptionError

__all__ = ["WEIGHTS", "GreedyAgent", "Weights", "weighted_greedy"]


class GreedyAgent(CompiledAgent):
    """Plays the best turn by a weighted estimate; chooses among equal moves at random."""

    def __init__(self, weights: Weights = WEIGHTS, name: str = "greedy") -> None:
        """Make an agent, seeded with 0 until its first ``reset``; the first on a machine compiles its kernels."""
        super().__init__("greedy", name, lambda num_actions: greedy_memory(num_actions, weights))
        self.weights = weights


def weighted_greedy(settings: str) -> GreedyAgent:
    """Return a greedy agent with other weights.

    Args:
        settings: "weight=number,..."; weights that are left out keep their default.

    Raises:
        InvalidOptionError: An unknown weight, or a value that is no finite number.
    """
    name, given = f"greedy:{settings}", {}
    for setting in settings.split(","):
        weight, _, text = setting.partition("=")
        if weight not in Weights._fields:
            raise InvalidOptionError(f"agent {name!r} has no weight {weight!r}: they are {', '.join(Weights._fields)}")
        given[weight] = _number(name, weight, text)
    return GreedyAgent(WEIGHTS._replace(**given), name)


def _number(name: str, weight: str, text: str) -> float:
    """Return the value of a weight; raise InvalidOptionError unless it is a finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InvalidOptionError(f"agent {name!r} sets {weight} to {text!r}: it must be a finite number")
    return value
