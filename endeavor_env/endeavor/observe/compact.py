"""The ``compact`` observation of the standard game and the variants."""

from __future__ import annotations

from endeavor_env.endeavor.flow.scoring import glory_on_table, total_glory
from endeavor_env.endeavor.observe.fields import field_writer
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
_write_table = field_writer("write_table", (part for part in COMPACT if part.offset < _AT.status))
_clear_mats = zeros(_AT.building_supply - _AT.status)
_clip_statuses = clipped(c.NUM_STATUSES)
_copy_one = copied(1)
_copy_tokens, _copy_buildings = copied(c.NUM_TOKEN_KINDS), copied(c.MAX_BUILDING_TYPES)
_copy_regions, _copy_piles, _copy_spaces = copied(c.NUM_REGIONS), copied(c.NUM_DECKS), copied(c.NUM_SPACES)
_relabel_cards, _relabel_cities = (
    relabelled(size, c.MAX_SEATS, c.CARD_FACE_DOWN) for size in (c.NUM_CARDS, c.MAX_CITIES)
)
_relabel_tracks = relabelled(c.NUM_REGIONS * c.MAX_TRACK, c.MAX_SEATS, c.CARD_FACE_DOWN)


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
_write_added = field_writer("write_variant_fields", VARIANT_COMPACT[len(COMPACT) :])


@kernel
def _write_discs(state, places, out):
    """Write the discs of the sides without a seat, in supply and by region."""
    for side in range(int(state.num_seats), int(num_sides(state))):
        place = place_of(places, side)
        out[_VARIANT_AT.supply + place] = state.supply[side]
        for region in range(c.NUM_REGIONS):
            out[_VARIANT_AT.presence + place * c.NUM_REGIONS + region] = state.presence[side, region]
            out[_VARIANT_AT.beside + place * c.NUM_REGIONS + region] = state.beside[side, region]


@inlined
def write_variant_compact(state, places, out):
    """Write the rows that the variants add, and those of the standard game that hold more here.

    Args:
        state: STATE record, read only.
        places: The relative sides as ``places_of_sides`` packs them.
        out: Int8, at least (VARIANT_COMPACT_SIZE,), after ``write_base_compact``. Layout ``VARIANT_COMPACT``.
    """
    _write_discs(state, places, out)
    _write_added(state, places, out)
