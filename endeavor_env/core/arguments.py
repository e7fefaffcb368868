"""The kinds of arguments that entries of the game take (``machine.kinds``)."""

from __future__ import annotations

import numpy as np

from endeavor_env.core.board_array import BOARD
from endeavor_env.core.state import SETUP, STATE
from endeavor_env.machine.kinds import array
from endeavor_env.rails.kernels.rng import GENERATOR as GENERATOR

BOARDS, STATES, SETUPS = array(BOARD), array(STATE), array(SETUP)
FLAGS, FLAG_ROWS = array(np.bool_), array(np.bool_, 2)
BYTES, SHORTS, NUMBERS, FLOATS, REALS = (array(kind) for kind in (np.int8, np.int16, np.int64, np.float32, np.float64))
MASKS, SHORT_ROWS, WORDS, FLOAT_ROWS, REAL_ROWS = (
    array(kind, 2) for kind in (np.int8, np.int16, np.int64, np.float32, np.float64)
)
GENERATORS = array(np.uint64, 2)
MEMORY = array(np.uint8)
