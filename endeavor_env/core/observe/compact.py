"""The ``compact`` observation: the raw facts of STATE seen from one seat, one int8 each (layout ``COMPACT``)."""

from __future__ import annotations

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.observe.layout import COMPACT_AT
from endeavor_env.core.rules.scoring import map_and_cards, total_from

# The offsets as plain ints, because kernels compile them in.
_NUM_SEATS = COMPACT_AT["num_seats"]
_ROUND = COMPACT_AT["round"]
_PHASE = COMPACT_AT["phase"]
_DECISION = COMPACT_AT["decision"]
_TO_MOVE = COMPACT_AT["to_move"]
_FIRST_PLAYER = COMPACT_AT["first_player"]
_SWEEP = COMPACT_AT["sweep"]
_PAYMENTS_LEFT = COMPACT_AT["payments_left"]
_ABOLISHED = COMPACT_AT["abolished"]
_SOURCE = COMPACT_AT["source"]
_MODE = COMPACT_AT["mode"]
_PARTS = COMPACT_AT["parts"]
_PARTS_DONE = COMPACT_AT["parts_done"]
_LOCK_REGION = COMPACT_AT["lock_region"]
_LOCK_DECK = COMPACT_AT["lock_deck"]
_STATUS = COMPACT_AT["status"]
_PASSED = COMPACT_AT["passed"]
_SUPPLY = COMPACT_AT["supply"]
_HARBOR = COMPACT_AT["harbor"]
_TOKENS_HELD = COMPACT_AT["tokens_held"]
_BUILDINGS = COMPACT_AT["buildings"]
_OCCUPIED = COMPACT_AT["occupied"]
_CARDS_HELD = COMPACT_AT["cards_held"]
_GOVERNORS_HELD = COMPACT_AT["governors_held"]
_SLAVERY_HELD = COMPACT_AT["slavery_held"]
_FACE_DOWN = COMPACT_AT["face_down"]
_PRESENCE = COMPACT_AT["presence"]
_BESIDE = COMPACT_AT["beside"]
_GLORY = COMPACT_AT["glory"]
_BUILDING_SUPPLY = COMPACT_AT["building_supply"]
_PILE_TOP = COMPACT_AT["pile_top"]
_CARD_PLACE = COMPACT_AT["card_place"]
_REGION_OPEN = COMPACT_AT["region_open"]
_TRACK_NEXT = COMPACT_AT["track_next"]
_TRACK_OWNER = COMPACT_AT["track_owner"]
_CITY_OWNER = COMPACT_AT["city_owner"]
_TOKEN = COMPACT_AT["token"]


@kernel
def _relative(owner, observer, num_seats):
    """Returns the place of ``owner`` in playing order after ``observer``; NONE stays NONE."""
    if owner < 0:
        return c.NONE
    place = int(owner) - observer
    return place if place >= 0 else place + num_seats


@kernel
def _relative_card(place, observer, num_seats):
    """Returns a card's place with its seat, if it has one, counted from ``observer``."""
    if place >= c.CARD_FACE_DOWN:
        return c.CARD_FACE_DOWN + _relative(int(place) - c.CARD_FACE_DOWN, observer, num_seats)
    return _relative(place, observer, num_seats) if place >= 0 else int(place)


@kernel
def write_table(state, observer, num_seats, out):
    """Writes the round, the phase, who acts, and the action under way."""
    out[_NUM_SEATS] = num_seats
    out[_ROUND] = state.round_number
    out[_PHASE] = state.phase
    out[_DECISION] = state.decision
    out[_TO_MOVE] = _relative(state.seat, observer, num_seats)
    out[_FIRST_PLAYER] = _relative(state.first_player, observer, num_seats)
    out[_SWEEP] = state.sweep
    out[_PAYMENTS_LEFT] = state.payments_left
    out[_ABOLISHED] = state.abolished
    out[_SOURCE] = state.source
    out[_MODE] = state.mode
    for index in range(c.MAX_ACTION_PARTS):
        out[_PARTS + index] = state.parts[index]
    out[_PARTS_DONE] = state.parts_done
    out[_LOCK_REGION] = state.lock_region
    out[_LOCK_DECK] = state.lock_deck


@kernel
def _seat_at(place, observer, num_seats):
    """Returns the seat at relative seat ``place``."""
    seat = observer + place
    return seat if seat < num_seats else seat - num_seats


@kernel
def write_seats(board, state, observer, num_seats, out):
    """Writes everything that lies on the first ``num_seats`` mats, and the discs of as many sides.

    The loops are plain copies of a fixed length each, because those compile to the fastest code.
    """
    glory = map_and_cards(board, state)
    for place in range(num_seats):
        seat = _seat_at(place, observer, num_seats)
        for status in range(c.NUM_STATUSES):
            out[_STATUS + place * c.NUM_STATUSES + status] = max(0, min(127, int(state.status[seat, status])))
        out[_PASSED + place] = state.passed[seat]
        out[_SUPPLY + place] = state.supply[seat]
        out[_HARBOR + place] = state.harbor[seat]
        for kind in range(c.NUM_TOKEN_KINDS):
            out[_TOKENS_HELD + place * c.NUM_TOKEN_KINDS + kind] = state.tokens[seat, kind]
        for building in range(c.MAX_BUILDING_TYPES):
            out[_BUILDINGS + place * c.MAX_BUILDING_TYPES + building] = state.buildings[seat, building]
        for building in range(c.MAX_BUILDING_TYPES):
            out[_OCCUPIED + place * c.MAX_BUILDING_TYPES + building] = state.occupied[seat, building]
        out[_CARDS_HELD + place] = state.num_cards[seat]
        out[_GOVERNORS_HELD + place] = state.num_governors[seat]
        out[_SLAVERY_HELD + place] = state.num_slavery[seat]
        out[_FACE_DOWN + place] = state.num_face_down[seat]
        for region in range(c.NUM_REGIONS):
            out[_PRESENCE + place * c.NUM_REGIONS + region] = state.presence[seat, region]
        for region in range(c.NUM_REGIONS):
            out[_BESIDE + place * c.NUM_REGIONS + region] = state.beside[seat, region]
        out[_GLORY + place] = max(-128, min(127, int(total_from(board, state, seat, glory))))


@kernel
def write_board(state, observer, num_seats, out):
    """Writes the common supply, the cards and the map."""
    for building in range(c.MAX_BUILDING_TYPES):
        out[_BUILDING_SUPPLY + building] = state.building_supply[building]
    for deck in range(c.NUM_DECKS):
        out[_PILE_TOP + deck] = state.pile_top[deck]
    for card in range(c.NUM_CARDS):
        out[_CARD_PLACE + card] = _relative_card(state.card_place[card], observer, num_seats)
    for region in range(c.NUM_REGIONS):
        out[_REGION_OPEN + region] = state.open[region]
        out[_TRACK_NEXT + region] = state.track_next[region]
        for space in range(c.MAX_TRACK):
            owner = state.track_owner[region, space]
            out[_TRACK_OWNER + region * c.MAX_TRACK + space] = _relative(owner, observer, num_seats)
    for city in range(c.MAX_CITIES):
        out[_CITY_OWNER + city] = _relative(state.city_owner[city], observer, num_seats)
    for space in range(c.NUM_SPACES):
        out[_TOKEN + space] = state.token[space]


@kernel
def compact(board, state, seat, out):
    """Writes the raw facts of a standard game as ``seat`` sees them.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only.
        seat: The observer, in [0, num_seats); need not be the seat to move.
        out: (COMPACT_SIZE,) int8, overwritten in place; layout ``COMPACT``.
    """
    observer, num_seats = int(seat), int(state.num_seats)
    out[:] = 0
    write_table(state, observer, num_seats, out)
    write_seats(board, state, observer, num_seats, out)
    write_board(state, observer, num_seats, out)
