"""The kinds of arguments of this game's entries, from Python and through symbols."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules.board_array import BOARD
from endeavor_env.endeavor.rules.state import SETUP, STATE
from endeavor_env.kernels.entries import code_entry
from endeavor_env.kernels.intrinsics import record_at
from endeavor_env.kernels.kinds import INTEGER, array, pointer

# --- The kinds of arguments that only entries of this game take ------------------------------------------------------
# The others are in ``engine.kernels.rules``.

BOARDS, STATES, SETUPS = array(BOARD), array(STATE), array(SETUP)
SHORTS, SHORT_ROWS = array(np.int16), array(np.int16, 2)


# --- The arguments by which kernels call parts of the game through symbols (``kernels.calls``) -----------------------

OUTSIDE = code_entry(
    pointer(BOARD),  # the board
    pointer(STATE),  # the position
    INTEGER,  # what to do, a number that the entry gives a meaning
    INTEGER,  # two numbers that it is about
    INTEGER,
    pointer(),  # an array to write to
    INTEGER,  # the number of its entries
)
"""The decorator of the entry of such a part, which returns int64."""
board_at, state_at = record_at(BOARD), record_at(STATE)
"""In a code entry: ``board_at(board)`` and ``state_at(state)`` are the records of what it is given."""
