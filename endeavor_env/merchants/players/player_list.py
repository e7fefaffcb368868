"""The compiled players of Merchants of Europe, a row for each name, and the kind of their networks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.network_file import NetworkKind, network_files, text_digest, value_shapes
from endeavor_env.engine.players import Made, PlayerRow, needs_nothing, read_weights
from endeavor_env.merchants.players.greedy.player import greedy_entry, greedy_memory
from endeavor_env.merchants.players.greedy.weights import NAMES, WEIGHTS
from endeavor_env.merchants.players.planner.player import planner_entry
from endeavor_env.merchants.players.value.inputs import INPUTS_HASH
from endeavor_env.merchants.players.value.player import (
    leaves_entry,
    search_entry,
    search_memory,
    value_entry,
    value_memory,
)
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.actions import BLOCKS

# --- The value networks of Merchants of Europe: what they depend on, and where the one of the package is -------------

PUBLISHED = Path(__file__).parent / "networks" / "value.npz"
"""The network of the package."""


def _layouts(_variant: str) -> dict[str, str]:
    """Return the hashes of what a network depends on: the same on both sides."""
    return {"actions": text_digest(repr(BLOCKS)), "inputs": INPUTS_HASH}


VALUE_NETWORKS = NetworkKind(
    "merchants-value/1", "value network of Merchants of Europe", _layouts, value_shapes, c.SIDE_NAMES
)
"""The kind of network that values positions."""


# --- The compiled players of Merchants of Europe, a row for each name ------------------------------------------------


def _greedy(settings: str | None) -> Made:
    """Return a greedy player, with the weights that ``settings`` names."""
    given = {} if settings is None else read_weights(settings, f"greedy:{settings}", NAMES, ", ".join(NAMES))
    return Made(partial(greedy_memory, WEIGHTS.changed(given)))


def _with_network(memory: Callable[[NetworkArrays], npt.NDArray[np.uint8]]) -> Callable[[str | None], Made]:
    """Return what makes a player with the network of a file, or with that of the package."""

    def made(path: str | None) -> Made:
        network = VALUE_NETWORKS.read(PUBLISHED if path is None else path)
        return Made(lambda _: memory(network.arrays), network.variants)

    return made


_NETWORK = "<network>.npz"
ROWS = (
    PlayerRow("greedy", greedy_entry, _greedy, "<weight>=<number>,..."),
    PlayerRow("planner", planner_entry, needs_nothing),
    PlayerRow(
        *("value", value_entry, _with_network(value_memory), _NETWORK),
        files=network_files,
        names_files=bool,
        leaves=leaves_entry,
    ),
    PlayerRow(
        *("search", search_entry, _with_network(search_memory), _NETWORK),
        files=network_files,
        names_files=bool,
    ),
)
"""The rows, by which the list is made when a name is first looked up."""
