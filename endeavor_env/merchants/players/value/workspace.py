"""The memory of a value player: its settings and network, what it found, and scratch arrays, as one array of bytes."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.kernels.memory import Part, taken_apart
from endeavor_env.engine.kernels.network import MAX_FIRST, MAX_SECOND, NETWORK, STRIDE
from endeavor_env.engine.kernels.players import VALUED
from endeavor_env.merchants.players.greedy.player import DEPTH
from endeavor_env.merchants.players.greedy.weights import NUM_WEIGHTS
from endeavor_env.merchants.players.value.layout import INPUTS
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.state import STATE

MOST_MOVES = 16
"""Most moves that are listed."""
SETTINGS = np.dtype(
    (
        np.record,
        [
            *((name, VALUED[name]) for name in VALUED.names or ()),
            ("temperature", np.float64),  # above 0: likings get Gumbel noise of this scale before the best is chosen
            ("prior", np.float64),  # what a point of greedy's sum counts beside the value when positions are compared
            ("sum_here", np.float64),  # greedy's sum of the position at hand
            ("turns", np.int64),  # most moves after which the turn is played to its end
        ],
    )
)
_ROOM = -(-INPUTS // STRIDE) * STRIDE
_LISTED = max(_ROOM, MAX_FIRST, MAX_SECOND) + 1


class Workspace(NamedTuple):
    """The parts of a value player's memory, as views."""

    settings: Annotated[npt.NDArray[np.void], Part(SETTINGS, (1,))]
    networks: Annotated[npt.NDArray[np.void], Part(NETWORK, (1,))]
    weights: Annotated[npt.NDArray[np.float64], Part(np.float64, (NUM_WEIGHTS,))]
    """Of ``greedy``, who lists moves, plays turns to their ends and makes offers."""
    drawn: Annotated[npt.NDArray[np.void], Part(STATE, (1,))]
    """A position after a draw of chance."""
    chance: Annotated[npt.NDArray[np.uint64], Part(np.uint64, (1,))]
    """The generator of such draws, the same for all moves that are compared."""
    values: Annotated[npt.NDArray[np.float64], Part(np.float64, (actions.NUM_ACTIONS,))]
    """How the end of the turn after each listed move is liked (``evaluate.liking_there``); -inf for others."""
    moves: Annotated[npt.NDArray[np.int64], Part(np.int64, (MOST_MOVES,))]
    """The listed moves, the one that ``greedy`` likes best first."""
    turn: Annotated[npt.NDArray[np.void], Part(STATE, (1,))]
    """The position at the end of a turn."""
    copies: Annotated[npt.NDArray[np.void], Part(STATE, (DEPTH,))]
    """Scratch of ``greedy``."""
    mask: Annotated[npt.NDArray[np.int8], Part(np.int8, (64 * actions.MASK_WORDS,))]
    """The legal actions in a turn that is played to its end."""
    here: Annotated[npt.NDArray[np.void], Part(STATE, (1,))]
    """The position at hand."""
    inputs: Annotated[npt.NDArray[np.int8], Part(np.int8, (2, INPUTS))]
    """What the network sees of the position at hand, and of another one, before it is divided."""
    seen: Annotated[npt.NDArray[np.float32], Part(np.float32, (3, _ROOM))]
    """What the network sees of the position at hand, and of another one; zeros."""
    sums: Annotated[npt.NDArray[np.float32], Part(np.float32, (2, MAX_FIRST))]
    """Sums of the first layer for both."""
    second: Annotated[npt.NDArray[np.float32], Part(np.float32, (MAX_SECOND,))]
    """The second hidden layer."""
    out: Annotated[npt.NDArray[np.float32], Part(np.float32, (1,))]
    """The output of the network."""
    places: Annotated[npt.NDArray[np.int64], Part(np.int64, (_LISTED,))]
    """Scratch of the network: inputs of a layer that count."""
    amounts: Annotated[npt.NDArray[np.float32], Part(np.float32, (_LISTED,))]
    """Scratch of the network: by how much each of them counts."""
    scores: Annotated[npt.NDArray[np.int64], Part(np.int64, (c.MAX_SEATS,))]
    """Goods delivered."""
    parameters: Annotated[npt.NDArray[np.float32], Part(np.float32, ())]
    """Those of the network."""


workspace_of, PARAMETERS_AT = taken_apart("workspace_of", Workspace)
