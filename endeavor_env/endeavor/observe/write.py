"""The one place that chooses the layout: observations of any game, for other kernels and for Python.

An observation is written table by table: the rows of the standard game and then, if ``out`` is longer, the rows of the
variants or those of the Exploits. A further table that appends rows needs two more lines in ``write_features`` and
``write_compact``: if ``out`` has the size of its layout, call the kernel of the table.

The size of ``out`` decides, not the variant, because a standard game can also be written in the layout of the variants.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.observe.compact import write_base_compact, write_variant_compact
from endeavor_env.endeavor.observe.exploits import call_exploit_compact, call_exploit_features
from endeavor_env.endeavor.observe.features import write_base_features, write_variant_features
from endeavor_env.endeavor.observe.layouts import (
    COMPACT_SIZE,
    EXPLOIT_COMPACT_SIZE,
    EXPLOIT_FEATURES_SIZE,
    FEATURES_SIZE,
)
from endeavor_env.endeavor.rules.sides import places_of_sides
from endeavor_env.endeavor.rules.state import board_at, state_at
from endeavor_env.engine.kernels import rules
from endeavor_env.kernels.entries import code_entry
from endeavor_env.kernels.intrinsics import borrowed, bytes_at, floats_at
from endeavor_env.kernels.kernels import kernel


@kernel
def write_features(board, state, seat, out):
    """Write the ``features`` observation of a game from the view of ``seat``.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only.
        seat: The observer, in [0, num_seats); the caller checks it. Need not be the seat to move.
        out: Float32, overwritten in place: (FEATURES_SIZE,) for a standard game, (VARIANT_FEATURES_SIZE,)
            for any without Exploits, (EXPLOIT_FEATURES_SIZE,) with them.
    """
    rows, observer = borrowed(out), int(seat)
    places = places_of_sides(state, observer)
    write_base_features(board, state, observer, places, rows)
    if rows.size > FEATURES_SIZE:
        rows[FEATURES_SIZE:] = 0.0
        if rows.size == EXPLOIT_FEATURES_SIZE:
            call_exploit_features(board, state, places, rows)
        else:
            write_variant_features(board, state, places, rows)


@kernel
def write_compact(board, state, seat, out):
    """Write the ``compact`` observation of a game from the view of ``seat``.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only.
        seat: The observer, in [0, num_seats); the caller checks it. Need not be the seat to move.
        out: Int8, overwritten in place: (COMPACT_SIZE,) for a standard game, (VARIANT_COMPACT_SIZE,)
            for any without Exploits, (EXPLOIT_COMPACT_SIZE,) with them.
    """
    rows, places = borrowed(out), places_of_sides(state, int(seat))
    write_base_compact(board, state, places, rows)
    if rows.size > COMPACT_SIZE:
        rows[COMPACT_SIZE:] = 0
        if rows.size == EXPLOIT_COMPACT_SIZE:
            call_exploit_compact(board, state, places, rows)
        else:
            write_variant_compact(state, places, rows)


@kernel
def observe_features(boards, states, seat, out):
    """Call ``write_features`` from Python, for which (1,) arrays are the fastest way to pass records."""
    write_features(boards[0], states[0], seat, out)


@kernel
def observe_compact(boards, states, seat, out):
    """Call ``write_compact`` from Python, for which (1,) arrays are the fastest way to pass records."""
    write_compact(boards[0], states[0], seat, out)


@code_entry(*rules.SIGNATURES[rules.OBSERVE])
def observe_entry(board, state, what, seat, _second, out, size):
    """Write an observation; see ``rules.write_features`` and ``rules.write_compact``."""
    if what == rules.FEATURES:
        write_features(board_at(board), state_at(state), seat, floats_at(out, size))
    else:
        write_compact(board_at(board), state_at(state), seat, bytes_at(out, size))
    return np.int64(0)
