"""The rules as compiled players call them: moves carried out on copies, and the legal moves then.

They call the machine code of the rules, which is not compiled into theirs once more.
"""

from __future__ import annotations

from endeavor_env.engine.kernels import rules
from endeavor_env.engine.kernels.masks import new_words, write_bytes
from endeavor_env.kernels.calls import extern_call
from endeavor_env.kernels.intrinsics import no_words
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules.rules_entries import moves_entry

_moves = extern_call(moves_entry)


@inlined
def carry_out(board, state, action):
    """Carry out a move."""
    _moves(board, state, rules.APPLY, action, 0, no_words(), 0)


@inlined
def write_legal_words(board, state, words):
    """Write the legal actions of a position as bits, ``actions.MASK_WORDS`` words."""
    _moves(board, state, rules.LEGAL, 0, 0, words, actions.MASK_WORDS)


@kernel
def write_legal(board, state, mask):
    """Write the legal actions of a position as int8, 0 or 1 for each."""
    words = new_words(actions.MASK_WORDS)
    write_legal_words(board, state, words)
    write_bytes(words, mask)
