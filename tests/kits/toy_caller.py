"""A part whose kernel calls an entry of another part by its symbol, as the rules call the Exploits."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules.board_array import BOARD
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.kernels.calls import extern_call
from endeavor_env.kernels.entries import code_entry, entry
from endeavor_env.kernels.kinds import INTEGER, array, pointer
from endeavor_env.kernels.parts import Part, declare_parts
from tests.kits.toy_part import toy_code

CALLER = Part("toy_caller", "the caller of the toy", ("tests.kits.toy_caller",))
declare_parts(CALLER)

_toy = extern_call(toy_code)


@code_entry(pointer(BOARD), pointer(STATE), INTEGER, INTEGER, INTEGER, pointer(), INTEGER)
def hand_on(board, state, what, first, second, out, size):
    """Call the toy, in code that machine code calls itself."""
    return _toy(board, state, what, first, second, out, size)


_hand_on = extern_call(hand_on)


@entry(array(BOARD), array(STATE), INTEGER, array(np.float32))
def ask_elsewhere(boards, states, what, out):
    """Call the toy, whose part this one does not have, through another entry."""
    return _hand_on(boards[0], states[0], what, 5, 3, out, out.size)
