"""The rules as everything else calls them, through code entries; and random play by them."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.flow import decisions, opening, scoring
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import NUM_WORDS
from endeavor_env.endeavor.rules.state import OUTSIDE, SETUP, STATE, board_at, state_at
from endeavor_env.engine.kernels import rules
from endeavor_env.engine.kernels.masks import choose_move, new_words, only_asks, write_bytes
from endeavor_env.engine.kernels.rules import ADVANCE, APPLY, LEGAL, MAX_SEATS
from endeavor_env.kernels.calls import extern_call
from endeavor_env.kernels.entries import code_entry
from endeavor_env.kernels.intrinsics import array_of, generator_at, shorts_at, words_at
from endeavor_env.kernels.kernels import inlined, kernel

# --- The rules as everything else calls them: by the symbol of one code entry, see ``kernels.calls`` -----------------
# Everything that plays needs the moves and the masks, which are most of the package's machine code. Called through an
# address they are compiled once, and not again with every kernel that plays.

START = 3
"""Opcode of the entry besides APPLY, LEGAL and ADVANCE of the engine: run to the first decision."""


@OUTSIDE
def rules_entry(board, state, what, action, _second, words, size):
    """Do what ``what`` stands for; see ``endeavor.rules.state``."""
    the_board, position = board_at(board), state_at(state)
    if what == START:
        decisions.start(the_board, position)
        return np.int64(0)
    if what != LEGAL:
        decisions.apply(the_board, position, action)
    if what != APPLY:
        decisions.legal(the_board, position, words_at(words, size))
    return np.int64(0)


_call_entry = extern_call(rules_entry)


@inlined
def _call(board, state, what, action, words):
    """Call the entry."""
    _call_entry(board, state, what, action, 0, words, words.size)


@inlined
def apply(board, state, action):
    """Carry out a legal ``action`` of ``state.seat`` and run on to the next decision; the caller checks legality."""
    _call(board, state, APPLY, action, only_asks())


@inlined
def legal(board, state, words):
    """Write the mask as ``words``, see ``engine.kernels.masks``; all 0 when the game is over."""
    _call(board, state, LEGAL, 0, words)


@inlined
def advance(board, state, action, words):
    """Do ``apply``, and write the mask of the next decision as ``words``."""
    _call(board, state, ADVANCE, action, words)


@inlined
def start(board, state):
    """Run from the end of what nobody decides in set-up to the first decision (R3.1, S1.8, V2S.4)."""
    _call(board, state, START, 0, only_asks())


@inlined
def legal_bytes(board, state, mask):
    """Write the mask as bytes: ``mask``, int8 with an entry for each action id of the game or more, 1 = legal."""
    words = new_words(NUM_WORDS[state.variant])
    legal(board, state, words)
    write_bytes(words, mask)


# --- Random play in compiled loops, for kernels that know the game ---------------------------------------------------


@kernel
def play_random(boards, states, rng, stop_seat, limit):
    """Play random legal moves until the game is over, ``stop_seat`` is to move, or ``limit`` decisions were made.

    The full mask is built at every decision. Return the number of decisions made.
    """
    board, state, made = boards[0], states[0], 0
    words = new_words(NUM_WORDS[state.variant])
    legal(board, state, words)
    while made < limit and state.decision != c.DECIDE_NOTHING and state.seat != stop_seat:
        advance(board, state, choose_move(words, rng), words)
        made += 1
    return made


# --- Endeavor on the engine: the code entries by which ``engine.kernels.rules`` plays it -----------------------------

HAS_LEVEL_5 = 1
"""The note about the end of a game: seat 0 owns a building of level 5 (S8.4)."""
_setups_at, _states_at = array_of(SETUP), array_of(STATE)


@code_entry(*rules.SIGNATURES[rules.DRAW_SETUP])
def draw_setup_entry(board, setup, rng, num_seats, variant, first):
    """Draw a set-up; see ``rules.draw_setup``."""
    setups = _setups_at(setup, 1)
    opening.random_setup(board_at(board), generator_at(rng, 1), num_seats, variant, setups, 0)
    if first != c.NONE:
        setups[0].first_player = first
    return np.int64(0)


@code_entry(*rules.SIGNATURES[rules.BEGIN])
def begin_entry(board, state, setup, options, num_seats, variant):
    """Write the position of the first decision; see ``rules.begin``."""
    the_board, states, given = board_at(board), _states_at(state, 1), shorts_at(options, c.NUM_OPTIONS)
    opening.set_up(the_board, states, 0, num_seats, variant, given, _setups_at(setup, 1)[0])
    start(the_board, states[0])
    return np.int64(0)


@code_entry(*rules.SIGNATURES[rules.SCORE])
def score_entry(board, state, totals):
    """Write the Glory of all mats; see ``rules.score``."""
    the_board, position = board_at(board), state_at(state)
    mats = scoring.write_totals(the_board, position, words_at(totals, MAX_SEATS))
    note = HAS_LEVEL_5 if _has_level_5(the_board, position) else 0
    return np.int64(mats | (note << rules.NOTE_SHIFT))


@kernel
def _has_level_5(board, state):
    """Return whether seat 0 owns a building of level 5."""
    for building in range(board.num_building_types):
        if board.building_level[building] == c.GRID_LEVELS and state.buildings[0, building] > 0:
            return True
    return False
