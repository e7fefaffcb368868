"""The ``compact`` observation of the standard game: the facts of STATE from one seat's view, as int8 (``COMPACT``).

The larger kernels are inlined: in the 0.25 microseconds that an observation takes, every call is measurable.
"""

from __future__ import annotations

from endeavor_env.core import constants as c
from endeavor_env.core._jit import inlined, kernel
from endeavor_env.core.engine.scoring import glory_on_table, total_glory
from endeavor_env.core.observe.base_layout import COMPACT
from endeavor_env.core.observe.layout import row_offsets
from endeavor_env.core.sides import num_mats

_AT = row_offsets(COMPACT)


@kernel
def _relative(owner, observer, num_seats):
    """Return the relative seat of ``owner`` as ``observer`` counts; NONE stays NONE."""
    if owner < 0:
        return c.NONE
    place = int(owner) - observer
    return place if place >= 0 else place + num_seats


@kernel
def _relative_card(place, observer, num_seats):
    """Return the place of a card; a seat in it becomes a relative seat."""
    if place >= c.CARD_FACE_DOWN:
        return c.CARD_FACE_DOWN + _relative(int(place) - c.CARD_FACE_DOWN, observer, num_seats)
    return _relative(place, observer, num_seats) if place >= 0 else int(place)


@inlined
def _write_table(state, observer, num_seats, out):
    """Write the round, the phase, who acts, and the action under way."""
    out[_AT.num_seats] = num_seats
    out[_AT.round] = state.round_number
    out[_AT.phase] = state.phase
    out[_AT.decision] = state.decision
    out[_AT.to_move] = _relative(state.seat, observer, num_seats)
    out[_AT.first_player] = _relative(state.first_player, observer, num_seats)
    out[_AT.sweep] = state.sweep
    out[_AT.payments_left] = state.payments_left
    out[_AT.abolished] = state.abolished
    out[_AT.source] = state.source
    out[_AT.mode] = state.mode
    for index in range(c.MAX_ACTION_PARTS):
        out[_AT.parts + index] = state.parts[index]
    out[_AT.parts_done] = state.parts_done
    out[_AT.lock_region] = state.lock_region
    out[_AT.lock_deck] = state.lock_deck


@kernel
def _seat_at(place, observer, num_seats):
    """Return the seat at relative seat ``place``."""
    seat = observer + place
    return seat if seat < num_seats else seat - num_seats


@kernel
def _write_mats(board, state, observer, mats, out):
    """Write what lies on each of the mats, and the discs of the side of the same number.

    Every inner loop copies one array of fixed length, because that compiles to the fastest code.
    """
    glory = glory_on_table(board, state)
    for place in range(mats):
        seat = _seat_at(place, observer, mats)
        for status in range(c.NUM_STATUSES):
            out[_AT.status + place * c.NUM_STATUSES + status] = max(0, min(127, int(state.status[seat, status])))
        out[_AT.passed + place] = state.passed[seat]
        out[_AT.supply + place] = state.supply[seat]
        out[_AT.harbor + place] = state.harbor[seat]
        for kind in range(c.NUM_TOKEN_KINDS):
            out[_AT.tokens_held + place * c.NUM_TOKEN_KINDS + kind] = state.tokens[seat, kind]
        for building in range(c.MAX_BUILDING_TYPES):
            out[_AT.buildings + place * c.MAX_BUILDING_TYPES + building] = state.buildings[seat, building]
        for building in range(c.MAX_BUILDING_TYPES):
            out[_AT.occupied + place * c.MAX_BUILDING_TYPES + building] = state.occupied[seat, building]
        out[_AT.cards_held + place] = state.num_cards[seat]
        out[_AT.governors_held + place] = state.num_governors[seat]
        out[_AT.slavery_held + place] = state.num_slavery[seat]
        out[_AT.face_down + place] = state.num_face_down[seat]
        for region in range(c.NUM_REGIONS):
            out[_AT.presence + place * c.NUM_REGIONS + region] = state.presence[seat, region]
        for region in range(c.NUM_REGIONS):
            out[_AT.beside + place * c.NUM_REGIONS + region] = state.beside[seat, region]
        out[_AT.glory + place] = max(-128, min(127, int(total_glory(board, state, seat, glory))))


@inlined
def _write_board(state, observer, num_seats, out):
    """Write the common supply, the cards and the map."""
    for building in range(c.MAX_BUILDING_TYPES):
        out[_AT.building_supply + building] = state.building_supply[building]
    for deck in range(c.NUM_DECKS):
        out[_AT.pile_top + deck] = state.pile_top[deck]
    for card in range(c.NUM_CARDS):
        out[_AT.card_place + card] = _relative_card(state.card_place[card], observer, num_seats)
    for region in range(c.NUM_REGIONS):
        out[_AT.region_open + region] = state.open[region]
        out[_AT.track_next + region] = state.track_next[region]
        for space in range(c.MAX_TRACK):
            owner = state.track_owner[region, space]
            out[_AT.track_owner + region * c.MAX_TRACK + space] = _relative(owner, observer, num_seats)
    for city in range(c.MAX_CITIES):
        out[_AT.city_owner + city] = _relative(state.city_owner[city], observer, num_seats)
    for space in range(c.NUM_SPACES):
        out[_AT.token + space] = state.token[space]


@inlined
def write_base_compact(board, state, observer, out):
    """Write the rows of the standard game, with which the layouts of all variants begin.

    Rows of mats cover all mats of the variant. The other rows cover what the standard game has;
    ``write_variant_compact`` corrects those that hold more in a variant.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only.
        observer: The observing seat.
        out: Int8, at least (COMPACT_SIZE,), overwritten in place. Layout ``COMPACT``.
    """
    num_seats = int(state.num_seats)
    _write_table(state, observer, num_seats, out)
    # In solo the observer is seat 0, so the mat of the Opposition can be written like that of the seat after it.
    _write_mats(board, state, observer, int(num_mats(state)), out)
    _write_board(state, observer, num_seats, out)
