"""The compiled players of Merchants of Europe by name."""

from __future__ import annotations

from functools import partial

from endeavor_env.merchants.core.greedy.player import greedy_entry, greedy_memory
from endeavor_env.merchants.core.greedy.weights import NAMES, WEIGHTS
from endeavor_env.merchants.core.planner.player import planner_entry
from endeavor_env.rails.game_players import ListedPlayers, Memory, PlayerRow
from endeavor_env.rails.weights_text import read_weights


def _greedy(settings: str | None) -> Memory:
    """Return what makes the memory of a greedy player, with the weights that ``settings`` names."""
    given = {} if settings is None else read_weights(settings, f"greedy:{settings}", NAMES, ", ".join(NAMES))
    return partial(greedy_memory, WEIGHTS.changed(given))


PLAYERS = ListedPlayers(
    (PlayerRow("greedy", greedy_entry, _greedy, "<weight>=<number>,..."), PlayerRow("planner", planner_entry))
)
"""The players besides ``random``."""
