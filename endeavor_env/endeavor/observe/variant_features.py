"""The ``features`` observation of the variants: the rows of the standard game, then those the variants add.

A standard game can be written in this layout too; most of the added rows then hold zeros.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.observe.variant_layout import LEAD_STEPS, VARIANT_FEATURES
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.bits import has
from endeavor_env.endeavor.rules.layout import row_offsets
from endeavor_env.endeavor.rules.relative_sides import place_of
from endeavor_env.endeavor.rules.rows import share
from endeavor_env.endeavor.rules.sides import num_mats
from endeavor_env.kernels.kernels import kernel

_AT = row_offsets(VARIANT_FEATURES)


@kernel
def _write_game(state, out):
    """Write the variant, its options and the kinds of decision that the standard game does not have."""
    if state.decision >= c.NUM_DECISIONS:
        out[_AT.variant_decision + int(state.decision) - c.NUM_DECISIONS] = 1.0
    out[_AT.variant + int(state.variant)] = 1.0
    out[_AT.removed_stay] = int(state.removed_stay)
    out[_AT.ties_first] = int(state.ties_first)
    out[_AT.difficulty + int(state.difficulty)] = 1.0
    out[_AT.ignore_industry] = int(state.ignore_industry)


@kernel
def _write_lead(state, out):
    """Write the lead of the observer, computed from the Glory of every mat in ``out`` (S8.3)."""
    best = np.float64(-2.0)
    for place in range(1, num_mats(state)):
        best = max(best, np.float64(out[_AT.glory + place]))
    lead = int(np.rint((np.float64(out[_AT.glory]) - best) * 100.0))
    out[_AT.glory_lead] = max(-2.0, min(2.0, lead * 0.05))
    for step in range(len(LEAD_STEPS)):
        out[_AT.lead_at_least + step] = 1.0 if lead >= LEAD_STEPS[step] else 0.0


@kernel
def _write_tracks(board, state, out):
    """Write which shipping spaces take no disc, and how many free ones take one (V2S.5)."""
    for region in range(c.NUM_REGIONS):
        left = 0
        for space in range(board.track_length[region]):
            if state.track_owner[region, space] == c.SPACE_CLOSED:
                out[_AT.track_closed + region * c.MAX_TRACK + space] = 1.0
            elif space >= state.track_next[region]:
                left += 1
        out[_AT.track_left + region] = left / c.MAX_TRACK


@kernel
def _write_neutral(state, places, out):
    """Write the neutral discs of the seats and the regions open to one (V2S.2, V2S.6, V2S.7, V2F.2)."""
    out[_AT.removals_left] = share(state.removals_left, 0.125)
    for seat in range(state.num_seats):
        place = place_of(places, seat)
        out[_AT.neutral_reserve + place] = share(state.neutral_reserve[seat], 1.0 / 3.0)
        out[_AT.neutral_harbor + place] = share(state.neutral_harbor[seat], 1.0 / 3.0)
    for region in range(c.NUM_REGIONS):
        out[_AT.neutral_regions + region] = 1.0 if has(np.int64(state.neutral_regions), region) else 0.0
    if state.neutral_due >= 0:
        out[_AT.neutral_due + int(state.neutral_due)] = 1.0


@kernel
def _write_scale(state, out):
    """Write the action scale, its marker (``ipf``, S2.1) and who acts first (S2, S3)."""
    for position in range(c.SCALE_SIZE):
        if state.scale[position] >= c.FIRST_COLOUR:
            out[_AT.scale + position * c.NUM_COLOURS + int(state.scale[position]) - c.FIRST_COLOUR] = 1.0
    if state.ipf > 0:
        out[_AT.ipf + int(state.ipf) - 1] = 1.0
    out[_AT.bonus_due] = int(state.bonus_due)
    if state.phase == c.PHASE_ACTION:  # in earlier phases the state holds the value of the last round
        out[_AT.opposition_first] = int(state.opposition_first)


@kernel
def _write_grid(state, out):
    """Write the building grid, its crown and the buildings that wait to refill it (S2.2, S6, S7.3)."""
    for level in range(c.GRID_LEVELS):
        for column in range(c.GRID_COLUMNS):
            building = int(state.grid[level, column])
            if building >= 0:
                out[_AT.grid_column + building * c.GRID_COLUMNS + column] = 1.0
                out[_AT.extra_actions + building] = abs(column - int(state.isb_column)) / (c.GRID_COLUMNS - 1)
        if state.pending[level] >= 0:
            out[_AT.pending + int(state.pending[level])] = 1.0
    if state.last_built >= 0:
        out[_AT.last_built + int(state.last_built)] = 1.0
    if state.isb_level >= 0:
        out[_AT.crown_level + int(state.isb_level)] = 1.0
        out[_AT.crown_column + int(state.isb_column)] = 1.0


@kernel
def _write_opposition(state, out):
    """Write the task of the Opposition, and the Governors it keeps for their Glory (S1.8, S4.1, S7.1)."""
    out[_AT.task + int(state.task)] = 1.0
    if state.acting >= c.FIRST_COLOUR:
        out[_AT.acting + int(state.acting) - c.FIRST_COLOUR] = 1.0
    step = int(state.task_step)
    if state.task == c.TASK_EUROPE:
        out[_AT.europe_step + step] = 1.0
        for later in range(step, c.NUM_STATUSES):
            out[_AT.europe_order + later * c.NUM_COLOURS + int(state.europe_order[later]) - c.FIRST_COLOUR] = 1.0
    elif state.task == c.TASK_ACTION or state.task == c.TASK_TOKEN:
        out[_AT.scale_at + step] = 1.0
    for card in range(c.NUM_CARDS):
        if state.card_place[card] == c.CARD_RETAINED:
            out[_AT.retained + card // c.CARDS_PER_DECK] = 1.0


@kernel
def _write_waiting(state, out):
    """Write the blue tokens the Opposition has still to carry out; the next one has the greatest weight (S5.5)."""
    weight = 1.0
    for index in range(int(state.num_waiting) - 1, -1, -1):
        weight *= 0.5
        kind, regions = int(state.waiting_kind[index]) - c.FIRST_BLUE, np.int64(state.waiting_regions[index])
        out[_AT.waiting + kind] = min(1.0, out[_AT.waiting + kind] + 0.25)
        out[_AT.waiting_order + kind] += weight
        for region in range(c.NUM_REGIONS):
            if has(regions, region):
                out[_AT.waiting_regions + region] += weight


@kernel
def write_variant_features(board, state, places, out):
    """Write the rows that the variants add, and those of the standard game that hold more here.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only.
        places: The relative sides as ``places_of_sides`` packs them.
        out: Float32, at least (VARIANT_FEATURES_SIZE,), after ``write_base_features``; zeros behind its rows. Layout
            ``VARIANT_FEATURES``.
    """
    _write_game(state, out)
    _write_lead(state, out)
    _write_tracks(board, state, out)
    _write_neutral(state, places, out)
    _write_scale(state, out)
    _write_grid(state, out)
    _write_opposition(state, out)
    _write_waiting(state, out)
