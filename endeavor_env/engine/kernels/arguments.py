"""The kinds of arguments that entries of the rails take (``kernels.kinds``).

Boards, positions and set-ups are rows of int64 words: only the game knows what they mean, but for the four fields of
``position.HEADER``.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.kinds import array

FLAGS, FLAG_ROWS = array(np.bool_), array(np.bool_, 2)
BYTES, NUMBERS, FLOATS, REALS = (array(kind) for kind in (np.int8, np.int64, np.float32, np.float64))
MASKS, WORDS, FLOAT_ROWS, REAL_ROWS = (array(kind, 2) for kind in (np.int8, np.int64, np.float32, np.float64))
GENERATORS = array(np.uint64, 2)
MEMORY = array(np.uint8)
BOARDS = POSITIONS = SETUPS = WORDS
RULES = NUMBERS
"""The addresses of a game's code entries, by the numbers of ``rules``."""
