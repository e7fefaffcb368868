"""The rules as others call them: by the code entries of the engine (``engine.kernels.rules``), and from players."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels import rules
from endeavor_env.engine.kernels.masks import new_words, write_bytes
from endeavor_env.engine.kernels.rules import MAX_OPTIONS, MAX_SEATS
from endeavor_env.kernels.calls import extern_call
from endeavor_env.kernels.entries import code_entry
from endeavor_env.kernels.intrinsics import generator_at, no_words, shorts_at, words_at
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import actions, decisions, setup
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.board_record import board_at
from endeavor_env.merchants.rules.resampling import resample
from endeavor_env.merchants.rules.state import STATE_WORDS, setup_at, state_at

# --- The code entries by which the engine plays the game (``engine.kernels.rules``) ----------------------------------


@code_entry(*rules.SIGNATURES[rules.MOVES])
def moves_entry(board, place, what, action, _second, words, size):
    """Carry out an action, write the mask, or both."""
    geometry, state = board_at(board), state_at(place)
    if what != rules.LEGAL:
        decisions.apply(geometry, state, action)
    if what != rules.APPLY:
        decisions.write_mask(geometry, state, words_at(words, size))
    return np.int64(0)


@code_entry(*rules.SIGNATURES[rules.DRAW_SETUP])
def draw_setup_entry(_board, given, _rng, _num_seats, _variant, first):
    """Write the first player, if the caller wants one: all that is drawn is drawn in the game."""
    setup_at(given).first = first
    return np.int64(0)


@code_entry(*rules.SIGNATURES[rules.BEGIN])
def begin_entry(board, place, given, options, num_seats, variant):
    """Write the position before the first draw."""
    words_at(place, STATE_WORDS)[:] = 0
    first = setup_at(given).first
    setup.begin(board_at(board), state_at(place), first, shorts_at(options, MAX_OPTIONS), num_seats, variant)
    return np.int64(0)


@code_entry(*rules.SIGNATURES[rules.SCORE])
def score_entry(_board, place, totals):
    """Write the goods that each seat has delivered (K10.2), and note how the game ended."""
    state, out = state_at(place), words_at(totals, MAX_SEATS)
    out[:] = 0
    for seat in range(state.num_seats):
        out[seat] = state.delivered[seat]
    return np.int64(state.num_seats) | np.int64(state.ending) << np.int64(rules.NOTE_SHIFT)


@code_entry(*rules.SIGNATURES[rules.CHANCE_MOVE])
def chance_entry(board, place, rng):
    """Draw what chance decides."""
    return decisions.draw_outcome(board_at(board), state_at(place), generator_at(rng, 1))


@code_entry(*rules.SIGNATURES[rules.RESAMPLE])
def resample_entry(_board, place, seat, rng):
    """Draw anew what a seat cannot know; nothing for NONE."""
    if seat != c.NONE:
        resample(state_at(place), seat, generator_at(rng, 1))
    return np.int64(0)


# --- The rules as compiled players call them: moves carried out on copies, and the legal moves then ------------------
# They call the machine code of the rules, which is not compiled into theirs once more.

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
