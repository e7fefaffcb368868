"""The greedy player as a compiled player: its memory holds its weights, then its scratch arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.players.calls import player_entry
from endeavor_env.endeavor.players.greedy.turn_search import DEPTH, greedy_action
from endeavor_env.endeavor.players.greedy.weights import WEIGHTS, Weights
from endeavor_env.endeavor.rules.outside_entry import board_at, state_at
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.kernels.intrinsics import generator_at, memory_at

_STATES_AT = WEIGHTS.as_array().nbytes
_MASKS_AT = _STATES_AT + DEPTH * STATE.itemsize


def greedy_memory(num_actions: int, weights: Weights = WEIGHTS) -> npt.NDArray[np.uint8]:
    """Return the memory of a greedy player with these weights, in games with ``num_actions`` action ids."""
    memory = np.zeros(_MASKS_AT + DEPTH * num_actions, np.uint8)
    memory[:_STATES_AT] = weights.as_array().view(np.uint8)
    return memory


@player_entry
def greedy_entry(board, state, mask, num_actions, memory, size, rng):
    """Return the greedy player's action; see ``calls.ENTRY``."""
    own = memory_at(memory, size)
    weights, scratch = own[:_STATES_AT].view(np.float64), own[_STATES_AT:_MASKS_AT].view(STATE)
    masks = own[_MASKS_AT : _MASKS_AT + DEPTH * num_actions].view(np.int8).reshape((DEPTH, num_actions))
    return np.int64(greedy_action(board_at(board), state_at(state), weights, scratch, masks, generator_at(rng, 1)))
