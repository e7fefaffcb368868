"""The memory of the lookahead player: settings, line and scratch; ``lookahead_workspace_of`` returns the parts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.core.actions import NUM_IDS
from endeavor_env.core.policies.greedy import turn_search
from endeavor_env.core.policies.greedy.position_value import NUM_WEIGHTS
from endeavor_env.core.policies.memory import placed
from endeavor_env.core.policies.search.turns import SLOTS, TURN
from endeavor_env.core.policies.value.workspace import DEPTH
from endeavor_env.core.state import STATE
from endeavor_env.machine.kernels import reading_kernel

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

_WORDS, _GREEDY_DEPTH = STATE.itemsize // 8, turn_search.DEPTH
_BEGIN, _END, SIZE = placed(
    {
        "settings": LOOKAHEAD.itemsize,
        "lines": 2 * LONGEST_LINE * 8,
        "states": (DEPTH + 3) * STATE.itemsize,
        "greedy_states": _GREEDY_DEPTH * STATE.itemsize,
        "masks": DEPTH * NUM_IDS,
        "greedy_masks": _GREEDY_DEPTH * NUM_IDS,
        "cursors": DEPTH * 8,
        "turns": WIDEST * TURN.itemsize,
        "seen": 2 * SLOTS * 8,
        "scores": 8 * 8,
    }
)


class LookaheadWorkspace(NamedTuple):
    """The parts of a lookahead player's memory, as views."""

    settings: npt.NDArray[np.void]
    """(1,) LOOKAHEAD."""
    lines: npt.NDArray[np.int64]
    """(2, LONGEST_LINE): the actions of the best line, and of the line that is being played out."""
    states: npt.NDArray[np.void]
    """(DEPTH + 3,) STATE: the position, one for each decision of a turn, that of the line, that of the playout."""
    words: npt.NDArray[np.int64]
    """(DEPTH + 3, words of a state): the same as integers, to compare them."""
    greedy_states: npt.NDArray[np.void]
    """Scratch of the greedy player."""
    masks: npt.NDArray[np.int8]
    """(DEPTH, NUM_IDS)."""
    greedy_masks: npt.NDArray[np.int8]
    """Scratch of the greedy player."""
    cursors: npt.NDArray[np.int64]
    """(DEPTH,): the next action to try of each decision."""
    turns: npt.NDArray[np.void]
    """(WIDEST,) TURN, the best by greedy's estimate first."""
    seen: npt.NDArray[np.uint64]
    """(2, SLOTS), see ``turns.note_position``."""
    scores: npt.NDArray[np.int64]
    """(8,): Glory."""


@reading_kernel
def lookahead_workspace_of(memory):
    """Return the parts of ``memory``, uint8."""
    return LookaheadWorkspace(
        memory[_BEGIN.settings : _END.settings].view(LOOKAHEAD),
        memory[_BEGIN.lines : _END.lines].view(np.int64).reshape((2, LONGEST_LINE)),
        memory[_BEGIN.states : _END.states].view(STATE),
        memory[_BEGIN.states : _END.states].view(np.int64).reshape((DEPTH + 3, _WORDS)),
        memory[_BEGIN.greedy_states : _END.greedy_states].view(STATE),
        memory[_BEGIN.masks : _END.masks].view(np.int8).reshape((DEPTH, NUM_IDS)),
        memory[_BEGIN.greedy_masks : _END.greedy_masks].view(np.int8).reshape((_GREEDY_DEPTH, NUM_IDS)),
        memory[_BEGIN.cursors : _END.cursors].view(np.int64),
        memory[_BEGIN.turns : _END.turns].view(TURN),
        memory[_BEGIN.seen : _END.seen].view(np.uint64).reshape((2, SLOTS)),
        memory[_BEGIN.scores : _END.scores].view(np.int64),
    )
