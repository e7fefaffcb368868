"""A part of machine code that is made in seconds: entries with arguments and results of every kind."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules.board_array import BOARD
from endeavor_env.endeavor.rules.state import STATE, state_at
from endeavor_env.kernels.calls import extern_call
from endeavor_env.kernels.entries import code_entry, entry
from endeavor_env.kernels.intrinsics import floats_at
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.kinds import INTEGER, REAL, Fields, Listed, array, new, pointer
from endeavor_env.kernels.parts import Part, declare_parts
from tests.kits.toy_pair import Pair

TOY = Part("toy", "the toy", ("tests.kits.toy_part",))
declare_parts(TOY)


@entry(INTEGER, INTEGER)
def add(left, right):
    """Return the sum."""
    return left + right


@entry(array(np.float64, 2), REAL, keeps_lock=True)
def scale(rows, factor):
    """Multiply rows in place; return the sum of all entries."""
    total = 0.0
    for row in range(rows.shape[0]):
        for place in range(rows.shape[1]):
            rows[row, place] *= factor
            total += rows[row, place]
    return total


@entry(Fields(Pair, (array(np.int64), array(np.int8))))
def compare(pair):
    """Return whether two arrays have the same length, by a named tuple."""
    return pair.numbers.size == pair.flags.size


@entry(INTEGER)
def halves(number):
    """Return a number divided by 2, and the rest."""
    return number // 2, number % 2


@entry(INTEGER, Listed(10))
def multiples(factor, out):
    """Return the first three multiples as a list."""
    for place in range(3):
        out[place] = factor * (place + 1)
    return 3


@entry(INTEGER, new(np.float32))
def filled(value, out):
    """Return a new array of a value."""
    out[:] = value


@entry(array(np.int64), INTEGER)
def number_at(numbers, place):
    """Return one of some numbers; a place behind them is out of range."""
    return numbers[place]


@code_entry(pointer(BOARD), pointer(STATE), INTEGER, INTEGER, INTEGER, pointer(), INTEGER)
def toy_code(board, state, what, first, second, out, size):
    """Write the numbers given to a float32 array, and the seats of the position."""
    numbers = floats_at(out, size)
    numbers[0], numbers[1], numbers[2] = what, first, second
    state_at(state).num_seats = numbers.size
    return np.int64(what + first * second)


_call = extern_call(toy_code)


@entry(array(BOARD), array(STATE), INTEGER, array(np.float32))
def ask_outside(boards, states, what, out):
    """Call the code entry, which the other piece of the library has."""
    return _call(boards[0], states[0], what, 5, 3, out, out.size)


@kernel
def call_toy(boards, states, what, first, second, out):
    """Call the code entry from a kernel that is no entry."""
    return _call(boards[0], states[0], what, first, second, out, out.size)
