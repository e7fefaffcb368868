"""The code entry that writes observations."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels import rules
from endeavor_env.kernels.entries import code_entry
from endeavor_env.kernels.intrinsics import bytes_at, floats_at
from endeavor_env.merchants.observe.compact import write_compact
from endeavor_env.merchants.observe.features import write_features
from endeavor_env.merchants.rules.board_record import board_at
from endeavor_env.merchants.rules.state import state_at


@code_entry(*rules.KINDS[rules.OBSERVE])
def observe_entry(board, place, what, seat, _second, out, size):
    """Write what a seat may see (K14)."""
    if what == rules.FEATURES:
        write_features(board_at(board), state_at(place), seat, floats_at(out, size))
    else:
        write_compact(board_at(board), state_at(place), seat, bytes_at(out, size))
    return np.int64(0)
