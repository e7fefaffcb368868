"""The greedy agent: plays the move after which its own turn ends in the best position, by a weighted estimate.

The estimate is Glory "as if the game ended now" plus weighted terms for what may still come. The kernels are in
``endeavor.players.greedy``: ``turn_search`` (which moves are tried) and ``position_value`` (what a position
is worth).
"""

from __future__ import annotations

import functools

from endeavor_env.agents.players.compiled import CompiledAgent
from endeavor_env.endeavor.players.greedy.player import greedy_memory
from endeavor_env.endeavor.players.greedy.settings import read_weights
from endeavor_env.endeavor.players.greedy.weights import WEIGHTS, Weights
from endeavor_env.engine.base_game import only_reads

__all__ = ["WEIGHTS", "GreedyAgent", "Weights", "greedy_agent"]


@only_reads
class GreedyAgent(CompiledAgent):
    """Plays the best turn by a weighted estimate; chooses among equal moves at random."""

    def __init__(self, weights: Weights = WEIGHTS, name: str = "greedy") -> None:
        """Make an agent with a seed of its own until its first ``reset``; the first one compiles its kernels."""
        super().__init__("greedy", name, functools.partial(greedy_memory, weights=weights))
        self.weights = weights


def greedy_agent(settings: str | None = None) -> GreedyAgent:
    """Return a greedy agent, with other weights if settings say so.

    Args:
        settings: "weight=number,..."; "disc" is a weight of games at a table, "solo.disc" the same in the solitaire
            game, "solo.bonus_draw" one that only the solitaire game has. Weights that are left out keep their default.

    Raises:
        InvalidOptionError: An unknown weight, or a value that is no finite number.
    """
    if settings is None:
        return GreedyAgent()
    name = f"greedy:{settings}"
    return GreedyAgent(WEIGHTS.changed(read_weights(settings, name)), name)
