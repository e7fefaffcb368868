"""The memory of the lookahead player: settings, line and scratch; ``lookahead_workspace_of`` returns the parts."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.players.greedy import turn_search
from endeavor_env.endeavor.players.greedy.position_value import NUM_WEIGHTS
from endeavor_env.endeavor.players.search.turns import SLOTS, TURN
from endeavor_env.endeavor.players.value.workspace import DEPTH
from endeavor_env.endeavor.rules.actions import NUM_IDS
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.kernels.memory import Part, taken_apart

LOOKAHEAD = np.dtype(
    (
        np.record,
        [
            ("width", np.int64),  # most turns that are played out, 1..WIDEST
            ("best_rival", np.float64),  # at the end of a round: share of the best rival's value that is subtracted
            ("all_rivals", np.float64),  # the same of the mean of the rivals' values
            ("weights", np.float64, (NUM_WEIGHTS,)),  # greedy's
            ("turn_search", np.uint64),  # number of the last search over a turn
            ("path", np.int64, (DEPTH,)),  # scratch: the actions to the position that is valued
            # --- the best line of play found: the actions of all seats, as far as they are worth keeping
            ("line_at", np.int64),  # index of its next action
            ("line_length", np.int64),
            ("line_value", np.float64),  # what its end is worth to the seat to move
        ],
    )
)
WIDEST = 64
LONGEST_LINE = 512
"""Actions of a line that are kept; no usual game of one seat has more."""
PLANNED, PLAYOUT = DEPTH + 1, DEPTH + 2  # indices of states


class LookaheadWorkspace(NamedTuple):
    """The parts of a lookahead player's memory, as views."""

    settings: Annotated[npt.NDArray[np.void], Part(LOOKAHEAD, (1,))]
    lines: Annotated[npt.NDArray[np.int64], Part(np.int64, (2, LONGEST_LINE))]
    """The actions of the best line, and of the line that is being played out."""
    states: Annotated[npt.NDArray[np.void], Part(STATE, (DEPTH + 3,))]
    """The position, one for each decision of a turn, that of the line, that of the playout."""
    words: Annotated[npt.NDArray[np.int64], Part(np.int64, (DEPTH + 3, STATE.itemsize // 8), shows="states")]
    """The same as integers, to compare them."""
    greedy_states: Annotated[npt.NDArray[np.void], Part(STATE, (turn_search.DEPTH,))]
    """Scratch of the greedy player."""
    masks: Annotated[npt.NDArray[np.int8], Part(np.int8, (DEPTH, NUM_IDS))]
    greedy_masks: Annotated[npt.NDArray[np.int8], Part(np.int8, (turn_search.DEPTH, NUM_IDS))]
    """Scratch of the greedy player."""
    cursors: Annotated[npt.NDArray[np.int64], Part(np.int64, (DEPTH,))]
    """The next action to try of each decision."""
    turns: Annotated[npt.NDArray[np.void], Part(TURN, (WIDEST,))]
    """The best by greedy's estimate first."""
    seen: Annotated[npt.NDArray[np.uint64], Part(np.uint64, (2, SLOTS))]
    """See ``turns.note_position``."""
    scores: Annotated[npt.NDArray[np.int64], Part(np.int64, (8,))]
    """Glory."""


lookahead_workspace_of, SIZE = taken_apart("lookahead_workspace_of", LookaheadWorkspace)
