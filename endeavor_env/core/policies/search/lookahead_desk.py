"""The memory of the lookahead player: settings, line and scratch arrays; ``lookahead_desk_of`` returns the parts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.core.actions import NUM_IDS
from endeavor_env.core.policies.greedy import turn_search
from endeavor_env.core.policies.greedy.position_value import NUM_WEIGHTS
from endeavor_env.core.policies.search.turns import SLOTS, TURN
from endeavor_env.core.policies.value.desk import DEPTH
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

_ROUND = 64  # every part begins at a multiple of so many bytes
_WORDS, _GREEDY_DEPTH = STATE.itemsize // 8, turn_search.DEPTH
_LOOKAHEAD_SIZE, _LINES_SIZE, _STATES_SIZE = LOOKAHEAD.itemsize, 2 * LONGEST_LINE * 8, (DEPTH + 3) * STATE.itemsize
_GREEDY_STATES_SIZE, _MASKS_SIZE, _GREEDY_MASKS_SIZE = (
    _GREEDY_DEPTH * STATE.itemsize,
    DEPTH * NUM_IDS,
    _GREEDY_DEPTH * NUM_IDS,
)
_CURSORS_SIZE, _TURNS_SIZE, _SEEN_SIZE = DEPTH * 8, WIDEST * TURN.itemsize, 2 * SLOTS * 8


def _places() -> tuple[int, ...]:
    """Return where each part begins, and the size of all."""
    places = [0]
    for size in (
        _LOOKAHEAD_SIZE,
        _LINES_SIZE,
        _STATES_SIZE,
        _GREEDY_STATES_SIZE,
        _MASKS_SIZE,
        _GREEDY_MASKS_SIZE,
        _CURSORS_SIZE,
        _TURNS_SIZE,
        _SEEN_SIZE,
        8 * 8,
    ):
        places.append(-(-(places[-1] + size) // _ROUND) * _ROUND)
    return tuple(places)


_SETTINGS, _LINES, _STATES, _GREEDY_STATES, _MASKS, _GREEDY_MASKS, _CURSORS, _TURNS, _SEEN, _SCORES, SIZE = _places()


class LookaheadDesk(NamedTuple):
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
def lookahead_desk_of(memory):
    """Return the parts of ``memory``, uint8."""
    return LookaheadDesk(
        memory[_SETTINGS : _SETTINGS + _LOOKAHEAD_SIZE].view(LOOKAHEAD),
        memory[_LINES : _LINES + _LINES_SIZE].view(np.int64).reshape((2, LONGEST_LINE)),
        memory[_STATES : _STATES + _STATES_SIZE].view(STATE),
        memory[_STATES : _STATES + _STATES_SIZE].view(np.int64).reshape((DEPTH + 3, _WORDS)),
        memory[_GREEDY_STATES : _GREEDY_STATES + _GREEDY_STATES_SIZE].view(STATE),
        memory[_MASKS : _MASKS + _MASKS_SIZE].view(np.int8).reshape((DEPTH, NUM_IDS)),
        memory[_GREEDY_MASKS : _GREEDY_MASKS + _GREEDY_MASKS_SIZE].view(np.int8).reshape((_GREEDY_DEPTH, NUM_IDS)),
        memory[_CURSORS : _CURSORS + _CURSORS_SIZE].view(np.int64),
        memory[_TURNS : _TURNS + _TURNS_SIZE].view(TURN),
        memory[_SEEN : _SEEN + _SEEN_SIZE].view(np.uint64).reshape((2, SLOTS)),
        memory[_SCORES : _SCORES + 8 * 8].view(np.int64),
    )
