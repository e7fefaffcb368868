"""The memory of a value player: its settings and networks, what it found out, its plan, and scratch arrays.

All of it is one array of bytes, so that it can be handed to a compiled player; ``desk_of`` returns the parts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.core import constants as c
from endeavor_env.core.actions import NUM_IDS
from endeavor_env.core.layout import layout_size
from endeavor_env.core.observe.write import LAYOUTS
from endeavor_env.core.policies.value.estimates import NUM_ESTIMATES
from endeavor_env.core.policies.value.network import MAX_FIRST, MAX_SECOND, NETWORK, STRIDE
from endeavor_env.core.state import STATE
from endeavor_env.machine.kernels import reading_kernel

DEPTH = 5
"""Most decisions of a turn that are looked ahead at: an action, two targets, and two neutral discs."""
EXPLORE_ALL = 1 << 20
"""The setting ``explore`` with which every move is random."""

SETTINGS = np.dtype(
    (
        np.record,
        [
            ("temperature", np.float64),  # above 0: values get Gumbel noise of this scale before the best is chosen
            ("explore", np.int64),  # a move is random in this many of EXPLORE_ALL cases
            ("values_all", np.int64),  # 0/1: a decision with one legal action is valued, too
            ("network_of", np.int64, (c.NUM_VARIANTS,)),  # index of the network by variant, NONE if there is none
            # --- what the player writes at each decision
            ("value", np.float64),  # of the best turn found; NaN if the decision was not valued
            ("explored", np.int64),  # 0/1: the move was random
            # --- the rest of the turn that was chosen: the actions to come, if the game gets to the planned position
            ("plan_length", np.int64),
            ("plan_at", np.int64),
            ("plan", np.int64, (DEPTH,)),
            ("path", np.int64, (DEPTH,)),  # scratch: the actions to the position that is valued
        ],
    )
)

ROUND = 64  # every part begins at a multiple of so many bytes
_FEATURES = max(layout_size(layout.slices) for layout in LAYOUTS if layout.observation == "features")
_INPUTS = -(-(_FEATURES + NUM_ESTIMATES) // STRIDE) * STRIDE
_LISTED = max(_INPUTS, MAX_FIRST, MAX_SECOND) + 1
_WORDS = STATE.itemsize // 8


def _places() -> tuple[int, ...]:
    """Return where each part begins, and at the end where the parameters do."""
    sizes = (
        SETTINGS.itemsize,
        c.NUM_VARIANTS * NETWORK.itemsize,
        (DEPTH + 2) * STATE.itemsize,
        DEPTH * NUM_IDS,
        DEPTH * 8,
        NUM_IDS * 8,
        3 * _INPUTS * 4,
        2 * MAX_FIRST * 4,
        MAX_SECOND * 4,
        NUM_IDS * 4,
        _LISTED * 8,
        _LISTED * 4,
        c.MAX_SEATS * 8,
    )
    places = [0]
    for size in sizes:
        places.append(-(-(places[-1] + size) // ROUND) * ROUND)
    return tuple(places)


(
    _SETTINGS,
    _NETWORKS,
    _STATES,
    _MASKS,
    _CURSORS,
    _VALUES,
    _SEEN,
    _SUMS,
    _SECOND,
    _OUT,
    _PLACES,
    _AMOUNTS,
    _SCORES,
    PARAMETERS_AT,
) = _places()
_SETTINGS_END = _SETTINGS + SETTINGS.itemsize
_NETWORKS_END = _NETWORKS + c.NUM_VARIANTS * NETWORK.itemsize
_STATES_END = _STATES + (DEPTH + 2) * STATE.itemsize
_MASKS_END = _MASKS + DEPTH * NUM_IDS
_CURSORS_END = _CURSORS + DEPTH * 8
_VALUES_END = _VALUES + NUM_IDS * 8
_SEEN_END = _SEEN + 3 * _INPUTS * 4
_SUMS_END = _SUMS + 2 * MAX_FIRST * 4
_SECOND_END = _SECOND + MAX_SECOND * 4
_OUT_END = _OUT + NUM_IDS * 4
_PLACES_END = _PLACES + _LISTED * 8
_AMOUNTS_END = _AMOUNTS + _LISTED * 4
_SCORES_END = _SCORES + c.MAX_SEATS * 8


class Desk(NamedTuple):
    """The parts of a value player's memory, as views."""

    settings: npt.NDArray[np.void]
    """(1,) SETTINGS."""
    networks: npt.NDArray[np.void]
    """(NUM_VARIANTS,) NETWORK."""
    states: npt.NDArray[np.void]
    """(DEPTH + 2,) STATE: the position, one for each decision looked ahead at, and the planned position."""
    words: npt.NDArray[np.int64]
    """(DEPTH + 2, words of a state): the same as integers, to compare them."""
    masks: npt.NDArray[np.int8]
    """(DEPTH, NUM_IDS)."""
    cursors: npt.NDArray[np.int64]
    """(DEPTH,): the next action to try of each decision."""
    values: npt.NDArray[np.float64]
    """(NUM_IDS,): the value of each legal action, that of the best turn it begins."""
    seen: npt.NDArray[np.float32]
    """(3, inputs): zeros, the observation of the position, and that of another one."""
    sums: npt.NDArray[np.float32]
    """(2, MAX_FIRST): sums of the first layer for both observations."""
    second: npt.NDArray[np.float32]
    """(MAX_SECOND,): the second hidden layer."""
    out: npt.NDArray[np.float32]
    """(NUM_IDS,): the outputs of a network."""
    places: npt.NDArray[np.int64]
    """Scratch of the network: inputs of a layer that count."""
    amounts: npt.NDArray[np.float32]
    """Scratch of the network: by how much each of them counts."""
    scores: npt.NDArray[np.int64]
    """(MAX_SEATS,): Glory."""
    parameters: npt.NDArray[np.float32]
    """Those of all networks."""


@reading_kernel
def desk_of(memory):
    """Return the parts of ``memory``, uint8."""
    return Desk(
        memory[_SETTINGS:_SETTINGS_END].view(SETTINGS),
        memory[_NETWORKS:_NETWORKS_END].view(NETWORK),
        memory[_STATES:_STATES_END].view(STATE),
        memory[_STATES:_STATES_END].view(np.int64).reshape((DEPTH + 2, _WORDS)),
        memory[_MASKS:_MASKS_END].view(np.int8).reshape((DEPTH, NUM_IDS)),
        memory[_CURSORS:_CURSORS_END].view(np.int64),
        memory[_VALUES:_VALUES_END].view(np.float64),
        memory[_SEEN:_SEEN_END].view(np.float32).reshape((3, _INPUTS)),
        memory[_SUMS:_SUMS_END].view(np.float32).reshape((2, MAX_FIRST)),
        memory[_SECOND:_SECOND_END].view(np.float32),
        memory[_OUT:_OUT_END].view(np.float32),
        memory[_PLACES:_PLACES_END].view(np.int64),
        memory[_AMOUNTS:_AMOUNTS_END].view(np.float32),
        memory[_SCORES:_SCORES_END].view(np.int64),
        memory[PARAMETERS_AT:].view(np.float32),
    )
