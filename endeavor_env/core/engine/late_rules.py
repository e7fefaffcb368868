"""The rules as everything else calls them: by the symbol of one code entry, see ``machine.outside``.

Everything that plays needs the moves and the masks, which are most of the package's machine code. Called through an
address they are compiled once, and not again with every kernel that plays.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core.engine import apply as engine
from endeavor_env.core.engine import decisions
from endeavor_env.core.masks import NUM_WORDS, new_words, only_asks, write_bytes
from endeavor_env.core.outside_entry import OUTSIDE
from endeavor_env.machine.intrinsics import array_at, words_at
from endeavor_env.machine.kernels import inlined
from endeavor_env.machine.outside import called_outside

APPLY, LEGAL, ADVANCE, START = range(4)


@inlined
def _do(board, state, what, action, _second, words):
    """Do what ``what`` stands for."""
    if what == START:
        engine.start(board, state)
        return np.int64(0)
    if what != LEGAL:
        engine.apply(board, state, action)
    if what != APPLY:
        decisions.legal(board, state, words)
    return np.int64(0)


@OUTSIDE
def rules_entry(board, state, what, action, second, words, size):
    """Do as ``_do`` with pointers; see ``core.outside_entry``."""
    boards, states = array_at(board, 1), array_at(state, 1)
    return _do(boards[0], states[0], what, action, second, words_at(words, size >> 3))


_call = called_outside(rules_entry, _do)


@inlined
def apply(board, state, action):
    """Carry out a legal ``action`` of ``state.seat`` and run on to the next decision; the caller checks legality."""
    _call(board, state, APPLY, action, 0, only_asks())


@inlined
def legal(board, state, words):
    """Write the mask as ``words``, see ``core.masks``; all 0 when the game is over."""
    _call(board, state, LEGAL, 0, 0, words)


@inlined
def advance(board, state, action, words):
    """Do ``apply``, and write the mask of the next decision as ``words``."""
    _call(board, state, ADVANCE, action, 0, words)


@inlined
def start(board, state):
    """Run from the end of what nobody decides in set-up to the first decision (R3.1, S1.8, V2S.4)."""
    _call(board, state, START, 0, 0, only_asks())


@inlined
def legal_bytes(board, state, mask):
    """Write the mask as bytes: ``mask``, int8 with an entry for each action id of the game or more, 1 = legal."""
    words = new_words(NUM_WORDS[state.variant])
    legal(board, state, words)
    write_bytes(words, mask)
