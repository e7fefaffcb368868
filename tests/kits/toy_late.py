"""A late kernel that compiles in a moment."""

from __future__ import annotations

import numpy as np

from endeavor_env.board import Board
from endeavor_env.core._jit import JIT_DISABLED, kernel
from endeavor_env.core.intrinsics import array_at, floats_at
from endeavor_env.core.late import called_late, late_kernel
from endeavor_env.core.state import STATE


@kernel
def toy_entry(board, state, what, first, second, out, size):
    """Write the numbers given to a float32 array, and the seats of the position; see ``late.ENTRY``."""
    states, numbers = array_at(state, 1), floats_at(out, size >> 2)
    numbers[0], numbers[1], numbers[2] = what, first, second
    states[0].num_seats = numbers.size
    return np.int64(what + first * second)


def _directly(board, state, what, first, second, out):
    """Do the same where nothing is compiled."""
    out[0], out[1], out[2] = what, first, second
    state.num_seats = out.size
    return np.int64(what + first * second)


_call = called_late(toy_entry, _directly)
TOY = None if JIT_DISABLED else late_kernel("toy_entry")
"""The late kernel; None if nothing is compiled."""


@kernel
def call_toy(boards, states, what, first, second, out):
    """Call the late kernel from a kernel."""
    return _call(boards[0], states[0], what, first, second, out)


def call() -> tuple[int, list[float], int]:
    """Return what a call gives back, what it writes, and what it does to the position."""
    states, out = np.zeros(1, STATE), np.zeros(3, np.float32)
    given = call_toy(Board.default().array, states, 7, 5, 3, out)
    return int(given), out.tolist(), int(states["num_seats"][0])


def fail_to_compile() -> None:
    """Call a late kernel that cannot be compiled, which ends the process."""
    if TOY is not None:
        TOY.compile = _no_room
    print(call())


def _no_room() -> None:
    raise MemoryError("no room")
