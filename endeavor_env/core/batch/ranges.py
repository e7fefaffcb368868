"""Kernels over ranges of positions: each walks STATE rows of one board, so that threads can share an array.

They check neither legality nor ranges: ``endeavor_env.search`` does.
"""

from __future__ import annotations

from endeavor_env.core import constants as c
from endeavor_env.core.arguments import BOARDS, FLOAT_ROWS, MASKS, NUMBERS, SHORT_ROWS, STATES
from endeavor_env.core.engine.late_rules import apply, legal_bytes
from endeavor_env.core.engine.scoring import write_totals
from endeavor_env.core.observe import write as observe
from endeavor_env.machine.entries import entry
from endeavor_env.machine.kinds import INTEGER


@entry(BOARDS, STATES, MASKS, INTEGER, INTEGER)
def write_masks(boards, states, masks, low, high):
    """Write the masks of ``states[low:high]``, (N, number of actions) int8; all 0 where a game is over."""
    for i in range(low, high):
        legal_bytes(boards[0], states[i], masks[i])


@entry(BOARDS, STATES, NUMBERS, INTEGER, INTEGER)
def apply_actions(boards, states, actions, low, high):
    """Carry out the legal ``actions[low:high]``, (N,) int64, in place; NONE leaves a position as it is."""
    for i in range(low, high):
        if actions[i] != c.NONE:
            apply(boards[0], states[i], actions[i])


@entry(BOARDS, STATES, SHORT_ROWS, INTEGER, INTEGER)
def score_states(boards, states, out, low, high):
    """Write the Glory "as if the game ended now" of ``states[low:high]``, (N, MAX_SEATS) int16."""
    for i in range(low, high):
        write_totals(boards[0], states[i], out[i])


@entry(BOARDS, STATES, NUMBERS, FLOAT_ROWS, INTEGER, INTEGER)
def write_features(boards, states, seats, out, low, high):
    """Write the features observations of ``states[low:high]`` as ``seats`` (N,) int64 see them, (N, size) float32."""
    for i in range(low, high):
        observe.write_features(boards[0], states[i], seats[i], out[i])


@entry(BOARDS, STATES, NUMBERS, MASKS, INTEGER, INTEGER)
def write_compact(boards, states, seats, out, low, high):
    """Write the compact observations of ``states[low:high]`` as ``seats`` (N,) int64 see them, (N, size) int8."""
    for i in range(low, high):
        observe.write_compact(boards[0], states[i], seats[i], out[i])
