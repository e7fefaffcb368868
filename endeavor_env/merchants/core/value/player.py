"""The value player as a compiled player, and the memory it is given."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.machine.entries import code_entry
from endeavor_env.machine.intrinsics import array_of, bytes_at, generator_at, memory_at
from endeavor_env.merchants.core.board_record import board_at
from endeavor_env.merchants.core.greedy.weights import WEIGHTS
from endeavor_env.merchants.core.state import state_at
from endeavor_env.merchants.core.value.choice import value_action
from endeavor_env.merchants.core.value.evaluate import look_at_position, value_there
from endeavor_env.merchants.core.value.lookahead import LOOKAHEAD_SIZE, lookahead_of, search_action
from endeavor_env.merchants.core.value.workspace import PARAMETERS_AT, workspace_of
from endeavor_env.rails.game_players import LEAF_KINDS, PLAYER_KINDS
from endeavor_env.rails.kernels.constants import MAX_SEATS
from endeavor_env.rails.kernels.network import NETWORK, NetworkArrays


class SearchSettings(NamedTuple):
    """How a search player searches."""

    samples: int = 16
    """Games that are played on for each move; for the worse half of the moves half of it."""
    moves: int = 4
    """Most moves that are compared, 2 to MOST_MOVES."""
    width: float = 0.05
    """By how much the network may like them less than the best: a share of the win."""


_reals_at = array_of(np.float64)


def value_memory(network: NetworkArrays, temperature: float = 0.0) -> npt.NDArray[np.uint8]:
    """Return the memory of a value player.

    Args:
        network: What it values positions by.
        temperature: Scale of the Gumbel noise in the values, which makes the choice a draw from their softmax.
    """
    flat, (inputs, first), (second, outputs) = network.flat(), network.first.shape, network.last.shape
    memory = np.zeros(PARAMETERS_AT + flat.nbytes, np.uint8)
    workspace = workspace_of(memory)
    workspace.settings["temperature"] = temperature
    workspace.networks[:1] = np.array([(inputs, 0, first, second, outputs, 0)], NETWORK)
    workspace.weights[:] = WEIGHTS.as_array()
    workspace.parameters[: flat.size] = flat
    return memory


@code_entry(*PLAYER_KINDS, counts_references=True)
def value_entry(board, place, mask, num_actions, memory, size, rng):
    """Return the value player's action (``PLAYER_KINDS``)."""
    workspace = workspace_of(memory_at(memory, size))
    allowed = bytes_at(mask, num_actions)
    return np.int64(value_action(board_at(board), state_at(place), allowed, workspace, generator_at(rng, 1)))


@code_entry(*LEAF_KINDS, counts_references=True)
def leaves_entry(board, place, memory, size, out):
    """Write what a position is worth to each seat, by what this seat sees (``LEAF_KINDS``)."""
    workspace, geometry, state = workspace_of(memory_at(memory, size)), board_at(board), state_at(place)
    values = _reals_at(out, MAX_SEATS)
    for seat in range(state.num_seats):
        look_at_position(geometry, state, np.int64(seat), workspace)
        values[seat] = value_there(geometry, state, np.int64(seat), workspace)
    return np.int64(0)


def search_memory(network: NetworkArrays, search: SearchSettings) -> npt.NDArray[np.uint8]:
    """Return the memory of a search player with a network."""
    own = np.zeros(LOOKAHEAD_SIZE, np.uint8)
    settings = lookahead_of(own).settings
    settings["samples"], settings["moves"], settings["width"] = search
    return np.concatenate([own, value_memory(network)])


@code_entry(*PLAYER_KINDS, counts_references=True)
def search_entry(board, place, mask, num_actions, memory, size, rng):
    """Return the search player's action (``PLAYER_KINDS``)."""
    own = memory_at(memory, size)
    ahead, workspace = lookahead_of(own[:LOOKAHEAD_SIZE]), workspace_of(own[LOOKAHEAD_SIZE:])
    allowed, state = bytes_at(mask, num_actions), state_at(place)
    return np.int64(search_action(board_at(board), state, allowed, ahead, workspace, generator_at(rng, 1)))
