"""The ``compact`` observation of the variants: that of the standard game, and after it what the variants add."""

from __future__ import annotations

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.observe.compact import write_board, write_seats, write_table
from endeavor_env.core.observe.relative_sides import place_of, places_of_sides
from endeavor_env.core.observe.variant_layout import VARIANT_COMPACT_AT
from endeavor_env.core.sides import num_mats, num_sides

# The offsets as plain ints, because kernels compile them in.
_SUPPLY = VARIANT_COMPACT_AT["supply"]
_PRESENCE = VARIANT_COMPACT_AT["presence"]
_BESIDE = VARIANT_COMPACT_AT["beside"]
_TRACK_OWNER = VARIANT_COMPACT_AT["track_owner"]
_CITY_OWNER = VARIANT_COMPACT_AT["city_owner"]
_VARIANT = VARIANT_COMPACT_AT["variant"]
_REMOVED_STAY = VARIANT_COMPACT_AT["removed_stay"]
_REMOVALS_LEFT = VARIANT_COMPACT_AT["removals_left"]
_NEUTRAL_RESERVE = VARIANT_COMPACT_AT["neutral_reserve"]
_NEUTRAL_HARBOR = VARIANT_COMPACT_AT["neutral_harbor"]
_NEUTRAL_REGIONS = VARIANT_COMPACT_AT["neutral_regions"]
_NEUTRAL_DUE = VARIANT_COMPACT_AT["neutral_due"]
_TIES_FIRST = VARIANT_COMPACT_AT["ties_first"]
_DIFFICULTY = VARIANT_COMPACT_AT["difficulty"]
_IGNORE_INDUSTRY = VARIANT_COMPACT_AT["ignore_industry"]
_SCALE = VARIANT_COMPACT_AT["scale"]
_IPF = VARIANT_COMPACT_AT["ipf"]
_BONUS_DUE = VARIANT_COMPACT_AT["bonus_due"]
_OPPOSITION_FIRST = VARIANT_COMPACT_AT["opposition_first"]
_GRID = VARIANT_COMPACT_AT["grid"]
_LAST_BUILT = VARIANT_COMPACT_AT["last_built"]
_CROWN_LEVEL = VARIANT_COMPACT_AT["crown_level"]
_CROWN_COLUMN = VARIANT_COMPACT_AT["crown_column"]
_PENDING = VARIANT_COMPACT_AT["pending"]
_TASK = VARIANT_COMPACT_AT["task"]
_ACTING = VARIANT_COMPACT_AT["acting"]
_TASK_STEP = VARIANT_COMPACT_AT["task_step"]
_EUROPE_ORDER = VARIANT_COMPACT_AT["europe_order"]
_NUM_WAITING = VARIANT_COMPACT_AT["num_waiting"]
_WAITING_KIND = VARIANT_COMPACT_AT["waiting_kind"]
_WAITING_REGIONS = VARIANT_COMPACT_AT["waiting_regions"]


@kernel
def _write_discs(state, places, out):
    """Writes the discs of the sides that have no seat, in supply and by region."""
    for side in range(int(state.num_seats), int(num_sides(state))):
        place = place_of(places, side)
        out[_SUPPLY + place] = state.supply[side]
        for region in range(c.NUM_REGIONS):
            out[_PRESENCE + place * c.NUM_REGIONS + region] = state.presence[side, region]
            out[_BESIDE + place * c.NUM_REGIONS + region] = state.beside[side, region]


@kernel
def _write_owners(state, places, out):
    """Writes the sides whose discs lie on the map over what the base takes for seats; NONE and SPACE_CLOSED stay."""
    for region in range(c.NUM_REGIONS):
        for space in range(c.MAX_TRACK):
            owner = int(state.track_owner[region, space])
            out[_TRACK_OWNER + region * c.MAX_TRACK + space] = place_of(places, owner) if owner >= 0 else owner
    for city in range(c.MAX_CITIES):
        owner = int(state.city_owner[city])
        out[_CITY_OWNER + city] = place_of(places, owner) if owner >= 0 else owner


@kernel
def _write_neutral(state, places, out):
    """Writes variant, neutral discs and closed spaces' option."""
    out[_VARIANT] = state.variant
    out[_REMOVED_STAY] = state.removed_stay
    out[_REMOVALS_LEFT] = state.removals_left
    for seat in range(state.num_seats):
        place = place_of(places, seat)
        out[_NEUTRAL_RESERVE + place] = state.neutral_reserve[seat]
        out[_NEUTRAL_HARBOR + place] = state.neutral_harbor[seat]
    out[_NEUTRAL_REGIONS] = state.neutral_regions
    out[_NEUTRAL_DUE] = state.neutral_due


@kernel
def _write_scale_and_grid(state, out):
    """Writes the solo options, the action scale and the building grid; solo's sides need no turning."""
    out[_TIES_FIRST] = state.ties_first
    out[_DIFFICULTY] = state.difficulty
    out[_IGNORE_INDUSTRY] = state.ignore_industry
    for position in range(c.SCALE_SIZE):
        out[_SCALE + position] = state.scale[position]
    out[_IPF] = state.ipf
    out[_BONUS_DUE] = state.bonus_due
    out[_OPPOSITION_FIRST] = state.opposition_first
    for level in range(c.GRID_LEVELS):
        for column in range(c.GRID_COLUMNS):
            out[_GRID + level * c.GRID_COLUMNS + column] = state.grid[level, column]
        out[_PENDING + level] = state.pending[level]
    out[_LAST_BUILT] = state.last_built
    out[_CROWN_LEVEL] = state.isb_level
    out[_CROWN_COLUMN] = state.isb_column


@kernel
def _write_task(state, out):
    """Writes what the Opposition is about."""
    out[_TASK] = state.task
    out[_ACTING] = state.acting
    out[_TASK_STEP] = state.task_step
    for step in range(c.NUM_COLOURS):
        out[_EUROPE_ORDER + step] = state.europe_order[step]
    out[_NUM_WAITING] = state.num_waiting
    for index in range(c.MAX_WAITING):
        out[_WAITING_KIND + index] = state.waiting_kind[index]
        out[_WAITING_REGIONS + index] = state.waiting_regions[index]


@kernel
def variant_compact(board, state, seat, out):
    """Writes the raw facts of any game as ``seat`` sees them.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only.
        seat: The observer, in [0, num_seats); need not be the seat to move.
        out: (VARIANT_COMPACT_SIZE,) int8, overwritten in place; layout ``VARIANT_COMPACT``.
    """
    observer, num_seats = int(seat), int(state.num_seats)
    places = places_of_sides(state, observer)
    out[:] = 0
    write_table(state, observer, num_seats, out)
    write_seats(board, state, observer, int(num_mats(state)), out)  # solo's observer is 0, so its mats need no turning
    write_board(state, observer, num_seats, out)
    _write_discs(state, places, out)
    _write_owners(state, places, out)
    _write_neutral(state, places, out)
    _write_scale_and_grid(state, out)
    _write_task(state, out)
