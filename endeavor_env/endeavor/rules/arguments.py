"""The kinds of arguments that only entries of this game take; the others are in ``engine.kernels.arguments``."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules.board_array import BOARD
from endeavor_env.endeavor.rules.state import SETUP, STATE
from endeavor_env.kernels.kinds import array

BOARDS, STATES, SETUPS = array(BOARD), array(STATE), array(SETUP)
SHORTS, SHORT_ROWS = array(np.int16), array(np.int16, 2)
