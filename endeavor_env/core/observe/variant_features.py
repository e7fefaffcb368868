"""The ``features`` of the variants: those of the standard game, and after them what the variants add.

A standard game can be written in this layout as well; what follows the base then says so, and little else.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.bits import has
from endeavor_env.core.observe.features import share, write_base, write_discs, write_mats
from endeavor_env.core.observe.relative_sides import place_of, places_of_sides
from endeavor_env.core.observe.variant_layout import LEAD_STEPS, VARIANT_FEATURES_AT
from endeavor_env.core.sides import num_mats, num_sides

# The offsets as plain ints, because kernels compile them in.
_PLAYERS = VARIANT_FEATURES_AT["players"]
_DECISION = VARIANT_FEATURES_AT["decision"]
_GLORY = VARIANT_FEATURES_AT["glory"]
_TRACK_LEFT = VARIANT_FEATURES_AT["track_left"]
_VARIANT = VARIANT_FEATURES_AT["variant"]
_VARIANT_DECISION = VARIANT_FEATURES_AT["variant_decision"]
_GLORY_LEAD = VARIANT_FEATURES_AT["glory_lead"]
_LEAD_AT_LEAST = VARIANT_FEATURES_AT["lead_at_least"]
_REMOVED_STAY = VARIANT_FEATURES_AT["removed_stay"]
_TRACK_CLOSED = VARIANT_FEATURES_AT["track_closed"]
_REMOVALS_LEFT = VARIANT_FEATURES_AT["removals_left"]
_NEUTRAL_RESERVE = VARIANT_FEATURES_AT["neutral_reserve"]
_NEUTRAL_HARBOR = VARIANT_FEATURES_AT["neutral_harbor"]
_NEUTRAL_REGIONS = VARIANT_FEATURES_AT["neutral_regions"]
_NEUTRAL_DUE = VARIANT_FEATURES_AT["neutral_due"]
_TIES_FIRST = VARIANT_FEATURES_AT["ties_first"]
_DIFFICULTY = VARIANT_FEATURES_AT["difficulty"]
_IGNORE_INDUSTRY = VARIANT_FEATURES_AT["ignore_industry"]
_SCALE = VARIANT_FEATURES_AT["scale"]
_IPF = VARIANT_FEATURES_AT["ipf"]
_BONUS_DUE = VARIANT_FEATURES_AT["bonus_due"]
_OPPOSITION_FIRST = VARIANT_FEATURES_AT["opposition_first"]
_GRID_COLUMN = VARIANT_FEATURES_AT["grid_column"]
_LAST_BUILT = VARIANT_FEATURES_AT["last_built"]
_CROWN_LEVEL = VARIANT_FEATURES_AT["crown_level"]
_CROWN_COLUMN = VARIANT_FEATURES_AT["crown_column"]
_EXTRA_ACTIONS = VARIANT_FEATURES_AT["extra_actions"]
_PENDING = VARIANT_FEATURES_AT["pending"]
_RETAINED = VARIANT_FEATURES_AT["retained"]
_TASK = VARIANT_FEATURES_AT["task"]
_ACTING = VARIANT_FEATURES_AT["acting"]
_SCALE_AT = VARIANT_FEATURES_AT["scale_at"]
_EUROPE_STEP = VARIANT_FEATURES_AT["europe_step"]
_EUROPE_ORDER = VARIANT_FEATURES_AT["europe_order"]
_WAITING = VARIANT_FEATURES_AT["waiting"]
_WAITING_ORDER = VARIANT_FEATURES_AT["waiting_order"]
_WAITING_REGIONS = VARIANT_FEATURES_AT["waiting_regions"]


@kernel
def _write_game(state, out):
    """Writes players, variant, options, and the kind of decision."""
    if state.num_seats >= c.MIN_PLAYERS:
        out[_PLAYERS + int(state.num_seats) - c.MIN_PLAYERS] = 1.0
    if state.decision < c.NUM_DECISIONS:
        out[_DECISION + int(state.decision)] = 1.0
    else:
        out[_VARIANT_DECISION + int(state.decision) - c.NUM_DECISIONS] = 1.0
    out[_VARIANT + int(state.variant)] = 1.0
    out[_REMOVED_STAY] = int(state.removed_stay)
    out[_TIES_FIRST] = int(state.ties_first)
    out[_DIFFICULTY + int(state.difficulty)] = 1.0
    out[_IGNORE_INDUSTRY] = int(state.ignore_industry)


@kernel
def _write_lead(state, out):
    """Writes by how much the observer leads, from the Glory of every mat that ``out`` already holds (S8.3)."""
    best = np.float64(-2.0)
    for place in range(1, num_mats(state)):
        best = max(best, np.float64(out[_GLORY + place]))
    lead = int(np.rint((np.float64(out[_GLORY]) - best) * 100.0))
    out[_GLORY_LEAD] = max(-2.0, min(2.0, lead * 0.05))
    for step in range(len(LEAD_STEPS)):
        out[_LEAD_AT_LEAST + step] = 1.0 if lead >= LEAD_STEPS[step] else 0.0


@kernel
def _write_tracks(board, state, out):
    """Writes which shipping spaces take no disc (V2S.5), and how many do that are free."""
    for region in range(c.NUM_REGIONS):
        left = 0
        for space in range(board.track_length[region]):
            if state.track_owner[region, space] == c.SPACE_CLOSED:
                out[_TRACK_CLOSED + region * c.MAX_TRACK + space] = 1.0
            elif space >= state.track_next[region]:
                left += 1
        out[_TRACK_LEFT + region] = left / c.MAX_TRACK


@kernel
def _write_neutral(state, places, out):
    """Writes the neutral discs of the seats, and where one may go (V2S.2, V2S.6, V2S.7, V2F.2)."""
    out[_REMOVALS_LEFT] = share(state.removals_left, 0.125)
    for seat in range(state.num_seats):
        place = place_of(places, seat)
        out[_NEUTRAL_RESERVE + place] = share(state.neutral_reserve[seat], 1.0 / 3.0)
        out[_NEUTRAL_HARBOR + place] = share(state.neutral_harbor[seat], 1.0 / 3.0)
    for region in range(c.NUM_REGIONS):
        out[_NEUTRAL_REGIONS + region] = 1.0 if has(np.int64(state.neutral_regions), region) else 0.0
    if state.neutral_due >= 0:
        out[_NEUTRAL_DUE + int(state.neutral_due)] = 1.0


@kernel
def _write_scale(state, out):
    """Writes the action scale with its marker, and who begins (S2, S3)."""
    for position in range(c.SCALE_SIZE):
        if state.scale[position] >= c.FIRST_COLOUR:
            out[_SCALE + position * c.NUM_COLOURS + int(state.scale[position]) - c.FIRST_COLOUR] = 1.0
    if state.ipf > 0:
        out[_IPF + int(state.ipf) - 1] = 1.0
    out[_BONUS_DUE] = int(state.bonus_due)
    if state.phase == c.PHASE_ACTION:  # before it the state still has the last round's
        out[_OPPOSITION_FIRST] = int(state.opposition_first)


@kernel
def _write_grid(state, out):
    """Writes the building grid, its crown, and what waits for it (S2.2, S6, S7.3)."""
    for level in range(c.GRID_LEVELS):
        for column in range(c.GRID_COLUMNS):
            building = int(state.grid[level, column])
            if building >= 0:
                out[_GRID_COLUMN + building * c.GRID_COLUMNS + column] = 1.0
                out[_EXTRA_ACTIONS + building] = abs(column - int(state.isb_column)) / (c.GRID_COLUMNS - 1)
        if state.pending[level] >= 0:
            out[_PENDING + int(state.pending[level])] = 1.0
    if state.last_built >= 0:
        out[_LAST_BUILT + int(state.last_built)] = 1.0
    if state.isb_level >= 0:
        out[_CROWN_LEVEL + int(state.isb_level)] = 1.0
        out[_CROWN_COLUMN + int(state.isb_column)] = 1.0


@kernel
def _write_opposition(state, out):
    """Writes what the Opposition is about, and the Governors it keeps for their Glory (S1.8, S4.1, S7.1)."""
    out[_TASK + int(state.task)] = 1.0
    if state.acting >= c.FIRST_COLOUR:
        out[_ACTING + int(state.acting) - c.FIRST_COLOUR] = 1.0
    step = int(state.task_step)
    if state.task == c.TASK_EUROPE:
        out[_EUROPE_STEP + step] = 1.0
        for later in range(step, c.NUM_STATUSES):
            out[_EUROPE_ORDER + later * c.NUM_COLOURS + int(state.europe_order[later]) - c.FIRST_COLOUR] = 1.0
    elif state.task == c.TASK_ACTION or state.task == c.TASK_TOKEN:
        out[_SCALE_AT + step] = 1.0
    for card in range(c.NUM_CARDS):
        if state.card_place[card] == c.CARD_RETAINED:
            out[_RETAINED + card // c.CARDS_PER_DECK] = 1.0


@kernel
def _write_waiting(state, out):
    """Writes the blue tokens that wait for the Opposition, the next one with the greatest weight (S5.5)."""
    weight = 1.0
    for index in range(int(state.num_waiting) - 1, -1, -1):
        weight *= 0.5
        kind, regions = int(state.waiting_kind[index]) - c.FIRST_BLUE, np.int64(state.waiting_regions[index])
        out[_WAITING + kind] = min(1.0, out[_WAITING + kind] + 0.25)
        out[_WAITING_ORDER + kind] += weight
        for region in range(c.NUM_REGIONS):
            if has(regions, region):
                out[_WAITING_REGIONS + region] += weight


@kernel
def variant_features(board, state, seat, out):
    """Writes the features of any game as ``seat`` sees it.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only.
        seat: The observer, in [0, num_seats); need not be the seat to move.
        out: (VARIANT_FEATURES_SIZE,) float32, overwritten in place; layout ``VARIANT_FEATURES``.
    """
    observer, num_seats = int(seat), int(state.num_seats)
    places = places_of_sides(state, observer)
    out[:] = 0.0
    write_base(board, state, observer, places, out)
    write_mats(board, state, places, num_seats, num_mats(state), out)
    write_discs(board, state, places, num_seats, num_sides(state), out)
    _write_game(state, out)
    _write_lead(state, out)
    _write_tracks(board, state, out)
    _write_neutral(state, places, out)
    _write_scale(state, out)
    _write_grid(state, out)
    _write_opposition(state, out)
    _write_waiting(state, out)
