"""The memory of a value player: its settings and networks, what it found out, its plan, and scratch arrays.

All of it is one array of bytes, so that it can be handed to a compiled player; ``workspace_of`` returns the parts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.core import constants as c
from endeavor_env.core.actions import NUM_IDS
from endeavor_env.core.observe.layout import layout_size
from endeavor_env.core.observe.write import LAYOUTS
from endeavor_env.core.policies.memory import placed
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

_FEATURES = max(layout_size(layout.slices) for layout in LAYOUTS if layout.observation == "features")
_INPUTS = -(-(_FEATURES + NUM_ESTIMATES) // STRIDE) * STRIDE
_LISTED = max(_INPUTS, MAX_FIRST, MAX_SECOND) + 1
_WORDS = STATE.itemsize // 8
_BEGIN, _END, PARAMETERS_AT = placed(
    {
        "settings": SETTINGS.itemsize,
        "networks": c.NUM_VARIANTS * NETWORK.itemsize,
        "states": (DEPTH + 2) * STATE.itemsize,
        "masks": DEPTH * NUM_IDS,
        "cursors": DEPTH * 8,
        "values": NUM_IDS * 8,
        "seen": 3 * _INPUTS * 4,
        "sums": 2 * MAX_FIRST * 4,
        "second": MAX_SECOND * 4,
        "out": NUM_IDS * 4,
        "places": _LISTED * 8,
        "amounts": _LISTED * 4,
        "scores": c.MAX_SEATS * 8,
    }
)


class Workspace(NamedTuple):
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
def workspace_of(memory):
    """Return the parts of ``memory``, uint8."""
    return Workspace(
        memory[_BEGIN.settings : _END.settings].view(SETTINGS),
        memory[_BEGIN.networks : _END.networks].view(NETWORK),
        memory[_BEGIN.states : _END.states].view(STATE),
        memory[_BEGIN.states : _END.states].view(np.int64).reshape((DEPTH + 2, _WORDS)),
        memory[_BEGIN.masks : _END.masks].view(np.int8).reshape((DEPTH, NUM_IDS)),
        memory[_BEGIN.cursors : _END.cursors].view(np.int64),
        memory[_BEGIN.values : _END.values].view(np.float64),
        memory[_BEGIN.seen : _END.seen].view(np.float32).reshape((3, _INPUTS)),
        memory[_BEGIN.sums : _END.sums].view(np.float32).reshape((2, MAX_FIRST)),
        memory[_BEGIN.second : _END.second].view(np.float32),
        memory[_BEGIN.out : _END.out].view(np.float32),
        memory[_BEGIN.places : _END.places].view(np.int64),
        memory[_BEGIN.amounts : _END.amounts].view(np.float32),
        memory[_BEGIN.scores : _END.scores].view(np.int64),
        memory[PARAMETERS_AT:].view(np.float32),
    )
