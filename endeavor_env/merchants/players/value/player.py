"""The value player as a compiled player, and the memory it is given."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.game_players import LEAF_KINDS, PLAYER_KINDS
from endeavor_env.engine.kernels.constants import MAX_SEATS
from endeavor_env.engine.kernels.network import NETWORK, NetworkArrays
from endeavor_env.kernels.entries import code_entry
from endeavor_env.kernels.intrinsics import array_of, bytes_at, generator_at, memory_at
from endeavor_env.merchants.players.greedy.weights import WEIGHTS
from endeavor_env.merchants.players.value.choice import value_action
from endeavor_env.merchants.players.value.evaluate import PRIOR, look_at_position, value_there
from endeavor_env.merchants.players.value.lookahead import LOOKAHEAD_SIZE, lookahead_of, search_action
from endeavor_env.merchants.players.value.workspace import PARAMETERS_AT, workspace_of
from endeavor_env.merchants.rules.board_record import board_at
from endeavor_env.merchants.rules.state import state_at

TURNS = 4
"""Most moves after which a value player plays the turn to its end."""
SEARCHED_TURNS = 8
"""The same of a search player, at each of the decisions of the turn."""
_reals_at = array_of(np.float64)


def value_memory(
    network: NetworkArrays, temperature: float = 0.0, prior: float = PRIOR, turns: int = TURNS
) -> npt.NDArray[np.uint8]:
    """Return the memory of a value player.

    Args:
        network: What it values positions by.
        temperature: Scale of the Gumbel noise in what is compared, which makes the choice a draw from its softmax.
        prior: What a point of ``greedy``'s sum counts beside the value when positions are compared.
        turns: Most moves after which the turn is played to its end, 1 to MOST_MOVES: those that ``greedy`` finds best.
    """
    flat, (inputs, first), (second, outputs) = network.flat(), network.first.shape, network.last.shape
    memory = np.zeros(PARAMETERS_AT + flat.nbytes, np.uint8)
    workspace = workspace_of(memory)
    for name, value in (("temperature", temperature), ("prior", prior), ("turns", turns)):
        workspace.settings[name] = value
    workspace.networks[:1] = np.array([(inputs, 0, first, second, outputs, 0)], NETWORK)
    workspace.weights[:] = WEIGHTS.as_array()
    workspace.parameters[: flat.size] = flat
    return memory


def network_in(memory: npt.NDArray[np.uint8]) -> NetworkArrays:
    """Return a copy of the network in the memory of a value player."""
    workspace = workspace_of(memory)
    inputs, first, second, outputs = (
        int(workspace.networks[0][name]) for name in ("inputs", "first", "second", "outputs")
    )
    shapes = ((inputs, first), (first,), (first, second), (second,), (second, outputs), (outputs,))
    ends = np.cumsum([math.prod(shape) for shape in shapes])
    parts = np.split(workspace.parameters[: ends[-1]].copy(), ends[:-1])
    return NetworkArrays(*(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)))


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


def search_memory(network: NetworkArrays) -> npt.NDArray[np.uint8]:
    """Return the memory of a search player with a network."""
    return np.concatenate([np.zeros(LOOKAHEAD_SIZE, np.uint8), value_memory(network, turns=SEARCHED_TURNS)])


@code_entry(*PLAYER_KINDS, counts_references=True)
def search_entry(board, place, mask, num_actions, memory, size, rng):
    """Return the search player's action (``PLAYER_KINDS``)."""
    own = memory_at(memory, size)
    ahead, workspace = lookahead_of(own[:LOOKAHEAD_SIZE]), workspace_of(own[LOOKAHEAD_SIZE:])
    allowed, state = bytes_at(mask, num_actions), state_at(place)
    return np.int64(search_action(board_at(board), state, allowed, ahead, workspace, generator_at(rng, 1)))
