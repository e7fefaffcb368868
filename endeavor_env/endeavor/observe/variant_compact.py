"""The ``compact`` observation of the variants: the rows of the standard game, then those the variants add."""

from __future__ import annotations

from endeavor_env.endeavor.observe.variant_layout import VARIANT_COMPACT
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.layout import row_offsets
from endeavor_env.endeavor.rules.relative_sides import place_of
from endeavor_env.endeavor.rules.sides import num_sides
from endeavor_env.kernels.kernels import inlined, kernel

_AT = row_offsets(VARIANT_COMPACT)


@kernel
def _write_discs(state, places, out):
    """Write the discs of the sides without a seat, in supply and by region."""
    for side in range(int(state.num_seats), int(num_sides(state))):
        place = place_of(places, side)
        out[_AT.supply + place] = state.supply[side]
        for region in range(c.NUM_REGIONS):
            out[_AT.presence + place * c.NUM_REGIONS + region] = state.presence[side, region]
            out[_AT.beside + place * c.NUM_REGIONS + region] = state.beside[side, region]


@kernel
def _write_neutral(state, places, out):
    """Write the variant, the option of closed spaces and the neutral discs."""
    out[_AT.variant] = state.variant
    out[_AT.removed_stay] = state.removed_stay
    out[_AT.removals_left] = state.removals_left
    for seat in range(state.num_seats):
        place = place_of(places, seat)
        out[_AT.neutral_reserve + place] = state.neutral_reserve[seat]
        out[_AT.neutral_harbor + place] = state.neutral_harbor[seat]
    out[_AT.neutral_regions] = state.neutral_regions
    out[_AT.neutral_due] = state.neutral_due


@kernel
def _write_scale_and_grid(state, out):
    """Write the solo options, the action scale and the building grid.

    Colours stay as they are, because the observer of a solo game is always side 0.
    """
    out[_AT.ties_first] = state.ties_first
    out[_AT.difficulty] = state.difficulty
    out[_AT.ignore_industry] = state.ignore_industry
    for position in range(c.SCALE_SIZE):
        out[_AT.scale + position] = state.scale[position]
    out[_AT.ipf] = state.ipf
    out[_AT.bonus_due] = state.bonus_due
    out[_AT.opposition_first] = state.opposition_first
    for level in range(c.GRID_LEVELS):
        for column in range(c.GRID_COLUMNS):
            out[_AT.grid + level * c.GRID_COLUMNS + column] = state.grid[level, column]
        out[_AT.pending + level] = state.pending[level]
    out[_AT.last_built] = state.last_built
    out[_AT.crown_level] = state.isb_level
    out[_AT.crown_column] = state.isb_column


@kernel
def _write_task(state, out):
    """Write the task of the Opposition and the blue tokens it has still to carry out."""
    out[_AT.task] = state.task
    out[_AT.acting] = state.acting
    out[_AT.task_step] = state.task_step
    for step in range(c.NUM_COLOURS):
        out[_AT.europe_order + step] = state.europe_order[step]
    out[_AT.num_waiting] = state.num_waiting
    for index in range(c.MAX_WAITING):
        out[_AT.waiting_kind + index] = state.waiting_kind[index]
        out[_AT.waiting_regions + index] = state.waiting_regions[index]


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
