"""The ``compact`` observation of the standard game and the variants."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.flow.scoring import glory_on_table, total_glory
from endeavor_env.endeavor.observe.layouts import COMPACT, VARIANT_COMPACT
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.sides import num_mats, num_sides, place_of
from endeavor_env.engine.layouts import row_offsets
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.kernels.vectors import clipped, copied, relabelled, zeros

# --- The ``compact`` observation of the standard game ----------------------------------------------------------------
# The facts of STATE from one seat's view, as int8 (``COMPACT``).
# The larger kernels are inlined: in the 0.1 microseconds that an observation takes, every call is measurable.

_AT = row_offsets(COMPACT)
_clear_mats = zeros(_AT.building_supply - _AT.status)
_clip_statuses = clipped(c.NUM_STATUSES)
_copy_one, _copy_parts = copied(1), copied(c.MAX_ACTION_PARTS)
_copy_tokens, _copy_buildings = copied(c.NUM_TOKEN_KINDS), copied(c.MAX_BUILDING_TYPES)
_copy_regions, _copy_piles, _copy_spaces = copied(c.NUM_REGIONS), copied(c.NUM_DECKS), copied(c.NUM_SPACES)
_relabel_cards, _relabel_cities = (
    relabelled(size, c.MAX_SEATS, c.CARD_FACE_DOWN) for size in (c.NUM_CARDS, c.MAX_CITIES)
)
_relabel_tracks = relabelled(c.NUM_REGIONS * c.MAX_TRACK, c.MAX_SEATS, c.CARD_FACE_DOWN)


@inlined
def _write_table(state, places, out):
    """Write the round, the phase, who acts, and the action under way."""
    out[_AT.num_seats] = state.num_seats
    out[_AT.round] = state.round_number
    out[_AT.phase] = state.phase
    out[_AT.decision] = state.decision
    out[_AT.to_move] = place_of(places, state.seat) if state.seat >= 0 else np.int64(c.NONE)
    out[_AT.first_player] = place_of(places, state.first_player)
    out[_AT.sweep] = state.sweep
    out[_AT.payments_left] = state.payments_left
    out[_AT.abolished] = state.abolished
    out[_AT.source] = state.source
    out[_AT.mode] = state.mode
    _copy_parts(state.parts, 0, out, _AT.parts)
    out[_AT.parts_done] = state.parts_done
    out[_AT.lock_region] = state.lock_region
    out[_AT.lock_deck] = state.lock_deck


@kernel
def _write_mats(board, state, places, out):
    """Write what lies on each of the mats, and the discs of the side of the same number."""
    _clear_mats(out, _AT.status)
    glory = glory_on_table(board, state)
    for mat in range(num_mats(state)):
        place = place_of(places, mat)
        _clip_statuses(state.status, mat, out, _AT.status + place * c.NUM_STATUSES)
        _copy_one(state.passed, mat, out, _AT.passed + place)
        _copy_one(state.supply, mat, out, _AT.supply + place)
        _copy_one(state.harbor, mat, out, _AT.harbor + place)
        _copy_tokens(state.tokens, mat, out, _AT.tokens_held + place * c.NUM_TOKEN_KINDS)
        _copy_buildings(state.buildings, mat, out, _AT.buildings + place * c.MAX_BUILDING_TYPES)
        _copy_buildings(state.occupied, mat, out, _AT.occupied + place * c.MAX_BUILDING_TYPES)
        _copy_one(state.num_cards, mat, out, _AT.cards_held + place)
        _copy_one(state.num_governors, mat, out, _AT.governors_held + place)
        _copy_one(state.num_slavery, mat, out, _AT.slavery_held + place)
        _copy_one(state.num_face_down, mat, out, _AT.face_down + place)
        _copy_regions(state.presence, mat, out, _AT.presence + place * c.NUM_REGIONS)
        _copy_regions(state.beside, mat, out, _AT.beside + place * c.NUM_REGIONS)
        out[_AT.glory + place] = max(-128, min(127, total_glory(board, state, mat, glory)))


@inlined
def _write_board(state, places, out):
    """Write the common supply, the cards and the map."""
    _copy_buildings(state.building_supply, 0, out, _AT.building_supply)
    _copy_piles(state.pile_top, 0, out, _AT.pile_top)
    _relabel_cards(state.card_place, places, out, _AT.card_place)
    _copy_regions(state.open, 0, out, _AT.region_open)
    _copy_regions(state.track_next, 0, out, _AT.track_next)
    _relabel_tracks(state.track_owner, places, out, _AT.track_owner)
    _relabel_cities(state.city_owner, places, out, _AT.city_owner)
    _copy_spaces(state.token, 0, out, _AT.token)


@inlined
def write_base_compact(board, state, places, out):
    """Write the rows of the standard game, with which the layouts of all variants begin.

    Rows of mats cover all mats of the variant. The other rows cover what the standard game has;
    ``write_variant_compact`` adds to those that hold more in a variant.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only.
        places: The relative sides as ``places_of_sides`` packs them.
        out: Int8, at least (COMPACT_SIZE,), of which that many are overwritten in place. Layout ``COMPACT``.
    """
    _write_table(state, places, out)
    _write_mats(board, state, places, out)
    _write_board(state, places, out)


# --- The ``compact`` observation of the variants: the rows of the standard game, then those the variants add ---------

_VARIANT_AT = row_offsets(VARIANT_COMPACT)


@kernel
def _write_discs(state, places, out):
    """Write the discs of the sides without a seat, in supply and by region."""
    for side in range(int(state.num_seats), int(num_sides(state))):
        place = place_of(places, side)
        out[_VARIANT_AT.supply + place] = state.supply[side]
        for region in range(c.NUM_REGIONS):
            out[_VARIANT_AT.presence + place * c.NUM_REGIONS + region] = state.presence[side, region]
            out[_VARIANT_AT.beside + place * c.NUM_REGIONS + region] = state.beside[side, region]


@kernel
def _write_neutral(state, places, out):
    """Write the variant, the option of closed spaces and the neutral discs."""
    out[_VARIANT_AT.variant] = state.variant
    out[_VARIANT_AT.removed_stay] = state.removed_stay
    out[_VARIANT_AT.removals_left] = state.removals_left
    for seat in range(state.num_seats):
        place = place_of(places, seat)
        out[_VARIANT_AT.neutral_reserve + place] = state.neutral_reserve[seat]
        out[_VARIANT_AT.neutral_harbor + place] = state.neutral_harbor[seat]
    out[_VARIANT_AT.neutral_regions] = state.neutral_regions
    out[_VARIANT_AT.neutral_due] = state.neutral_due


@kernel
def _write_scale_and_grid(state, out):
    """Write the solo options, the action scale and the building grid.

    Colours stay as they are, because the observer of a solo game is always side 0.
    """
    out[_VARIANT_AT.ties_first] = state.ties_first
    out[_VARIANT_AT.difficulty] = state.difficulty
    out[_VARIANT_AT.ignore_industry] = state.ignore_industry
    for position in range(c.SCALE_SIZE):
        out[_VARIANT_AT.scale + position] = state.scale[position]
    out[_VARIANT_AT.ipf] = state.ipf
    out[_VARIANT_AT.bonus_due] = state.bonus_due
    out[_VARIANT_AT.opposition_first] = state.opposition_first
    for level in range(c.GRID_LEVELS):
        for column in range(c.GRID_COLUMNS):
            out[_VARIANT_AT.grid + level * c.GRID_COLUMNS + column] = state.grid[level, column]
        out[_VARIANT_AT.pending + level] = state.pending[level]
    out[_VARIANT_AT.last_built] = state.last_built
    out[_VARIANT_AT.crown_level] = state.isb_level
    out[_VARIANT_AT.crown_column] = state.isb_column


@kernel
def _write_task(state, out):
    """Write the task of the Opposition and the blue tokens it has still to carry out."""
    out[_VARIANT_AT.task] = state.task
    out[_VARIANT_AT.acting] = state.acting
    out[_VARIANT_AT.task_step] = state.task_step
    for step in range(c.NUM_COLOURS):
        out[_VARIANT_AT.europe_order + step] = state.europe_order[step]
    out[_VARIANT_AT.num_waiting] = state.num_waiting
    for index in range(c.MAX_WAITING):
        out[_VARIANT_AT.waiting_kind + index] = state.waiting_kind[index]
        out[_VARIANT_AT.waiting_regions + index] = state.waiting_regions[index]


@inlined
def write_variant_compact(state, places, out):
    """Write the rows that the variants add, and those of the standard game that hold more here.

    Args:
        state: STATE record, read only.
        places: The relative sides as ``places_of_sides`` packs them.
        out: Int8, at least (VARIANT_COMPACT_SIZE,), after ``write_base_compact``. Layout ``VARIANT_COMPACT``.
    """
    _write_discs(state, places, out)
    _write_neutral(state, places, out)
    _write_scale_and_grid(state, out)
    _write_task(state, out)
