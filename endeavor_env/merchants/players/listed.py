"""The compiled players of Merchants of Europe by name."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.game_players import ListedPlayers, Memory, PlayerRow
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.network_file import network_files
from endeavor_env.engine.weights_text import read_weights
from endeavor_env.merchants.players.greedy.player import greedy_entry, greedy_memory
from endeavor_env.merchants.players.greedy.weights import NAMES, WEIGHTS
from endeavor_env.merchants.players.planner.player import planner_entry
from endeavor_env.merchants.players.value.networks import PUBLISHED, read_value_network
from endeavor_env.merchants.players.value.player import (
    leaves_entry,
    search_entry,
    search_memory,
    value_entry,
    value_memory,
)


def _greedy(settings: str | None) -> Memory:
    """Return what makes the memory of a greedy player, with the weights that ``settings`` names."""
    given = {} if settings is None else read_weights(settings, f"greedy:{settings}", NAMES, ", ".join(NAMES))
    return partial(greedy_memory, WEIGHTS.changed(given))


def _path(settings: str | None) -> str | Path:
    """Return the path of a network: that of the package without settings."""
    return PUBLISHED if settings is None else settings


def _files(settings: str | None) -> tuple[Path, ...]:
    """Return the files of a network."""
    return network_files(_path(settings))


def _value(settings: str | None) -> Memory:
    """Return what makes the memory of a value player with a network."""
    return partial(_value_memory, read_value_network(_path(settings)).arrays)


def _value_memory(network: NetworkArrays, _num_actions: int) -> npt.NDArray[np.uint8]:
    """Return the memory of a value player, the same for any number of action ids."""
    return value_memory(network)


def _search(settings: str | None) -> Memory:
    """Return what makes the memory of a search player with such a network."""
    return partial(_search_memory, read_value_network(_path(settings)).arrays)


def _search_memory(network: NetworkArrays, _num_actions: int) -> npt.NDArray[np.uint8]:
    """Return the memory of a search player, the same for any number of action ids."""
    return search_memory(network)


def _variants_of_value(settings: str | None) -> tuple[str, ...]:
    """Return the variants that a network plays."""
    return read_value_network(_path(settings)).variants


PLAYERS = ListedPlayers(
    (
        PlayerRow("greedy", greedy_entry, _greedy, "<weight>=<number>,..."),
        PlayerRow("planner", planner_entry),
        PlayerRow(
            "value",
            value_entry,
            _value,
            "<network>.npz",
            variants_of=_variants_of_value,
            files=_files,
            leaves=leaves_entry,
        ),
        PlayerRow("search", search_entry, _search, "<network>.npz", variants_of=_variants_of_value, files=_files),
    )
)
"""The players besides ``random``."""
