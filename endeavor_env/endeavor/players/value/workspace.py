"""The memory of a value player: its settings and networks, what it found out, its plan, and scratch arrays.

All of it is one array of bytes, so that it can be handed to a compiled player; ``workspace_of`` returns the parts.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.observe.write import LAYOUTS
from endeavor_env.endeavor.players.value.estimates import NUM_ESTIMATES
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import NUM_IDS
from endeavor_env.endeavor.rules.layout import layout_size
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.kernels.memory import Part, taken_apart
from endeavor_env.engine.kernels.network import MAX_FIRST, MAX_SECOND, NETWORK, STRIDE

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
            ("policy_of", np.int64, (c.NUM_VARIANTS,)),  # the same of the policy that advises
            ("policy_weight", np.float64),  # what the logarithm of its probability counts beside a value
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


class Workspace(NamedTuple):
    """The parts of a value player's memory, as views."""

    settings: Annotated[npt.NDArray[np.void], Part(SETTINGS, (1,))]
    networks: Annotated[npt.NDArray[np.void], Part(NETWORK, (2 * c.NUM_VARIANTS,))]
    """Those that value positions, and behind them policies, that advise or make priors of a search."""
    states: Annotated[npt.NDArray[np.void], Part(STATE, (DEPTH + 2,))]
    """The position, one for each decision looked ahead at, and the planned position."""
    words: Annotated[npt.NDArray[np.int64], Part(np.int64, (DEPTH + 2, STATE.itemsize // 8), shows="states")]
    """The same as integers, to compare them."""
    masks: Annotated[npt.NDArray[np.int8], Part(np.int8, (DEPTH, NUM_IDS))]
    cursors: Annotated[npt.NDArray[np.int64], Part(np.int64, (DEPTH,))]
    """The next action to try of each decision."""
    values: Annotated[npt.NDArray[np.float64], Part(np.float64, (NUM_IDS,))]
    """The value of each legal action, that of the best turn it begins."""
    merits: Annotated[npt.NDArray[np.float64], Part(np.float64, (NUM_IDS,))]
    """That value with what the policy adds, of an advised player."""
    seen: Annotated[npt.NDArray[np.float32], Part(np.float32, (3, _INPUTS))]
    """Zeros, the observation of the position, and that of another one."""
    sums: Annotated[npt.NDArray[np.float32], Part(np.float32, (2, MAX_FIRST))]
    """Sums of the first layer for both observations."""
    second: Annotated[npt.NDArray[np.float32], Part(np.float32, (MAX_SECOND,))]
    """The second hidden layer."""
    out: Annotated[npt.NDArray[np.float32], Part(np.float32, (NUM_IDS,))]
    """The outputs of a network."""
    places: Annotated[npt.NDArray[np.int64], Part(np.int64, (_LISTED,))]
    """Scratch of the network: inputs of a layer that count."""
    amounts: Annotated[npt.NDArray[np.float32], Part(np.float32, (_LISTED,))]
    """Scratch of the network: by how much each of them counts."""
    scores: Annotated[npt.NDArray[np.int64], Part(np.int64, (c.MAX_SEATS,))]
    """Glory."""
    parameters: Annotated[npt.NDArray[np.float32], Part(np.float32, ())]
    """Those of all networks."""


workspace_of, PARAMETERS_AT = taken_apart("workspace_of", Workspace)
