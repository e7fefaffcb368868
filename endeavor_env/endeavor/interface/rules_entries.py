"""Endeavor on the engine: the code entries by which ``engine.kernels.rules`` plays it."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.flow import dispatch, opening, scoring
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.arguments import board_at, state_at
from endeavor_env.endeavor.rules.state import SETUP, STATE
from endeavor_env.engine.kernels import rules
from endeavor_env.engine.kernels.rules import MAX_SEATS
from endeavor_env.kernels.entries import code_entry
from endeavor_env.kernels.intrinsics import array_of, generator_at, shorts_at, words_at
from endeavor_env.kernels.kernels import kernel

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
    dispatch.start(the_board, states[0])
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
