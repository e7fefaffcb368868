"""The code entry that writes observations."""

from __future__ import annotations

import numpy as np

from endeavor_env.machine.entries import code_entry
from endeavor_env.machine.intrinsics import bytes_at, floats_at
from endeavor_env.merchants.core.board_record import board_at
from endeavor_env.merchants.core.observe.compact import write_compact
from endeavor_env.merchants.core.observe.features import write_features
from endeavor_env.merchants.core.state import state_at
from endeavor_env.rails.kernels import rules


@code_entry(*rules.KINDS[rules.OBSERVE])
def observe_entry(board, place, what, seat, _second, out, size):
    """Write what a seat may see (K14)."""
    if what == rules.FEATURES:
        write_features(board_at(board), state_at(place), seat, floats_at(out, size))
    else:
        write_compact(board_at(board), state_at(place), seat, bytes_at(out, size))
    return np.int64(0)
