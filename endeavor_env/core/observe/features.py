"""The ``features`` observation: one-hots and scaled counts, ready for a plain neural network (layout ``FEATURES``).

Counts are read as int64 before any arithmetic, and scaled in float64, so that compiled and uncompiled runs round the
same and small integers never overflow.
"""

from __future__ import annotations

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.observe.layout import FEATURES_AT, HARBOR_STEPS
from endeavor_env.core.observe.relative_sides import place_of, places_of_seats
from endeavor_env.core.rules.scoring import map_and_cards, total_from
from endeavor_env.core.rules.statuses import build_level, card_limit, growth, marker, payments

# The offsets as plain ints, because kernels compile them in.
_PLAYERS = FEATURES_AT["players"]
_ROUND = FEATURES_AT["round"]
_LAST_ROUND = FEATURES_AT["last_round"]
_PHASE = FEATURES_AT["phase"]
_DECISION = FEATURES_AT["decision"]
_TO_MOVE = FEATURES_AT["to_move"]
_FIRST_PLAYER = FEATURES_AT["first_player"]
_SWEEP = FEATURES_AT["sweep"]
_PAYMENTS_LEFT = FEATURES_AT["payments_left"]
_ABOLISHED = FEATURES_AT["abolished"]
_SOURCE = FEATURES_AT["source"]
_MODE = FEATURES_AT["mode"]
_OPEN_PARTS = FEATURES_AT["open_parts"]
_PARTS_DONE = FEATURES_AT["parts_done"]
_LOCK_REGION = FEATURES_AT["lock_region"]
_LOCK_DECK = FEATURES_AT["lock_deck"]
_PRESENT = FEATURES_AT["present"]
_PASSED = FEATURES_AT["passed"]
_SUPPLY = FEATURES_AT["supply"]
_HARBOR = FEATURES_AT["harbor"]
_HARBOR_AT_LEAST = FEATURES_AT["harbor_at_least"]
_MARKER = FEATURES_AT["marker"]
_SURPLUS = FEATURES_AT["surplus"]
_LEVEL = FEATURES_AT["level"]
_GLORY = FEATURES_AT["glory"]
_TOKENS_HELD = FEATURES_AT["tokens_held"]
_BUILDINGS = FEATURES_AT["buildings"]
_OCCUPIED = FEATURES_AT["occupied"]
_CARDS_HELD = FEATURES_AT["cards_held"]
_GOVERNORS_HELD = FEATURES_AT["governors_held"]
_SLAVERY_HELD = FEATURES_AT["slavery_held"]
_FACE_DOWN = FEATURES_AT["face_down"]
_PRESENCE = FEATURES_AT["presence"]
_BESIDE = FEATURES_AT["beside"]
_TRACK_DISCS = FEATURES_AT["track_discs"]
_TRACK_ORDER = FEATURES_AT["track_order"]
_BUILDING_SUPPLY = FEATURES_AT["building_supply"]
_PILE_TOP = FEATURES_AT["pile_top"]
_PILE_VALUE = FEATURES_AT["pile_value"]
_PILE_ICONS = FEATURES_AT["pile_icons"]
_PILE_GLORY = FEATURES_AT["pile_glory"]
_PILE_MISSING = FEATURES_AT["pile_missing"]
_CARD_IN_PILE = FEATURES_AT["card_in_pile"]
_CARD_HOLDER = FEATURES_AT["card_holder"]
_REGION_OPEN = FEATURES_AT["region_open"]
_TRACK_LEFT = FEATURES_AT["track_left"]
_TRACK_NEXT = FEATURES_AT["track_next"]
_TRACK_TOKENS = FEATURES_AT["track_tokens"]
_CITY_TOKEN = FEATURES_AT["city_token"]
_CITY_OWNER = FEATURES_AT["city_owner"]
_CONNECTION_TOKEN = FEATURES_AT["connection_token"]
_CONNECTION_ENDS = FEATURES_AT["connection_ends"]

_MARKER_SCALE = 1.0 / (c.NUM_MARKERS - 1)
_PILE_EMPTY = c.CARDS_PER_DECK


@kernel
def scale(most):
    """Returns the factor that brings counts up to ``most`` into [0, 1]; a ``most`` of zero counts as one."""
    return 1.0 / max(1, int(most))


@kernel
def share(count, factor):
    """Returns ``count`` times ``factor``, kept within [0, 1]."""
    return min(1.0, max(0, int(count)) * factor)


@kernel
def _write_table(board, state, places, out):
    """Writes the round, the phase and who acts."""
    out[_ROUND] = share(state.round_number, scale(board.num_rounds))
    out[_LAST_ROUND] = 1.0 if state.round_number == board.num_rounds else 0.0
    out[_PHASE + int(state.phase)] = 1.0
    if state.seat >= 0:
        out[_TO_MOVE + place_of(places, state.seat)] = 1.0
    out[_FIRST_PLAYER + place_of(places, state.first_player)] = 1.0
    out[_SWEEP] = share(state.sweep, scale(state.num_seats))
    out[_PAYMENTS_LEFT] = share(state.payments_left, scale(board.payments[board.status_max]))
    out[_ABOLISHED] = int(state.abolished)


@kernel
def _write_action(state, out):
    """Writes the action under way (R8.8)."""
    if state.source >= 0:
        out[_SOURCE + int(state.source)] = 1.0
    out[_MODE + int(state.mode)] = 1.0
    for index in range(c.MAX_ACTION_PARTS):
        if state.parts[index] >= 0:
            out[_OPEN_PARTS + int(state.parts[index])] += 0.5
    out[_PARTS_DONE] = int(state.parts_done) * 0.5
    if state.lock_region >= 0:
        out[_LOCK_REGION + int(state.lock_region)] = 1.0
    if state.lock_deck >= 0:
        out[_LOCK_DECK + int(state.lock_deck)] = 1.0


@kernel
def _write_counts(board, state, mat, place, glory, out):
    """Writes harbor, Glory and card counts of a mat; ``glory`` is ``map_and_cards``."""
    harbor = int(state.harbor[mat])
    out[_PASSED + place] = int(state.passed[mat])
    out[_HARBOR + place] = min(3.0, harbor * 0.1)
    for step in range(HARBOR_STEPS):
        out[_HARBOR_AT_LEAST + place * HARBOR_STEPS + step] = 1.0 if harbor > step else 0.0
    out[_GLORY + place] = max(-1.0, min(3.0, int(total_from(board, state, mat, glory)) * 0.01))
    out[_CARDS_HELD + place] = share(state.num_cards[mat], 1.0 / 12.0)
    out[_GOVERNORS_HELD + place] = share(state.num_governors[mat], 1.0 / c.NUM_REGIONS)
    out[_SLAVERY_HELD + place] = share(state.num_slavery[mat], 1.0 / c.CARDS_PER_DECK)
    out[_FACE_DOWN + place] = share(state.num_face_down[mat], 1.0 / c.CARDS_PER_DECK)


@kernel
def _write_statuses(board, state, places, first, end, out):
    """Writes the markers, the icons above them and what they give (R1.8, R10.1)."""
    top = board.status_max
    build_scale, growth_scale = scale(board.build_level[top]), scale(board.growth[top])
    payments_scale, limit_scale = scale(board.payments[top]), scale(board.card_limit[top])
    for mat in range(first, end):
        at = place_of(places, mat) * c.NUM_STATUSES
        for status in range(c.NUM_STATUSES):
            shown = int(marker(board, state, mat, status))
            above = int(state.status[mat, status]) - shown
            out[_MARKER + at + status] = shown * _MARKER_SCALE
            out[_SURPLUS + at + status] = max(0.0, min(2.0, above * _MARKER_SCALE))
        out[_LEVEL + at + c.INDUSTRY] = share(build_level(board, state, mat), build_scale)
        out[_LEVEL + at + c.CULTURE] = share(growth(board, state, mat), growth_scale)
        out[_LEVEL + at + c.FINANCE] = share(payments(board, state, mat), payments_scale)
        out[_LEVEL + at + c.POLITICS] = share(card_limit(board, state, mat), limit_scale)


@kernel
def _write_goods(board, state, mat, place, out):
    """Writes tokens and buildings of a mat."""
    for kind in range(c.NUM_TOKEN_KINDS):
        factor = scale(board.token_count[kind])
        out[_TOKENS_HELD + place * c.NUM_TOKEN_KINDS + kind] = share(state.tokens[mat, kind], factor)
    for building in range(c.MAX_BUILDING_TYPES):
        at = place * c.MAX_BUILDING_TYPES + building
        factor = scale(int(board.building_copies[building]) + int(board.building_start[building]))
        out[_BUILDINGS + at] = share(state.buildings[mat, building], factor)
        out[_OCCUPIED + at] = share(state.occupied[mat, building], factor)


@kernel
def write_mats(board, state, places, first, end, out):
    """Writes what lies on the mats ``first`` to ``end`` - 1."""
    glory = map_and_cards(board, state)
    for mat in range(first, end):
        place = place_of(places, mat)
        _write_counts(board, state, mat, place, glory, out)
        _write_goods(board, state, mat, place, out)
    _write_statuses(board, state, places, first, end, out)


@kernel
def write_discs(board, state, places, first, end, out):
    """Writes the discs of the sides ``first`` to ``end`` - 1 in supply and by region."""
    disc_scale = scale(board.discs_per_player)
    for side in range(first, end):
        place = place_of(places, side)
        out[_SUPPLY + place] = share(state.supply[side], disc_scale)
        for region in range(c.NUM_REGIONS):
            at = place * c.NUM_REGIONS + region
            out[_PRESENCE + at] = min(6.0, int(state.presence[side, region]) * 0.2)
            out[_BESIDE + at] = min(6.0, int(state.beside[side, region]) * 0.2)


@kernel
def _write_supply(board, state, out):
    """Writes the buildings left (R4.2)."""
    for building in range(c.MAX_BUILDING_TYPES):
        factor = scale(board.building_copies[building])
        out[_BUILDING_SUPPLY + building] = share(state.building_supply[building], factor)


@kernel
def _write_piles(board, state, observer, out):
    """Writes the top card of every pile (R8.7.1)."""
    for deck in range(c.NUM_DECKS):
        top = int(state.pile_top[deck])
        out[_PILE_TOP + deck * (c.CARDS_PER_DECK + 1) + top] = 1.0
        if top == _PILE_EMPTY:
            continue
        card = deck * c.CARDS_PER_DECK + top
        value = int(board.card_value[card])
        out[_PILE_VALUE + deck] = min(1.0, value * 0.2)
        for status in range(c.NUM_STATUSES):
            out[_PILE_ICONS + deck * c.NUM_STATUSES + status] = min(1.0, int(board.card_icons[card, status]) * 0.25)
        out[_PILE_GLORY + deck] = min(1.0, int(board.card_glory[card]) * 0.25)
        missing = value - int(state.presence[observer, board.deck_region[deck]])
        out[_PILE_MISSING + deck] = max(0.0, min(1.0, missing * 0.2))


@kernel
def _write_cards(state, places, out):
    """Writes where every card is; cards out of the game or face down have no entry here."""
    for card in range(c.NUM_CARDS):
        place = int(state.card_place[card])
        if place == c.CARD_IN_PILE:
            out[_CARD_IN_PILE + card] = 1.0
        elif 0 <= place < c.MAX_SEATS:
            out[_CARD_HOLDER + card * c.MAX_SEATS + place_of(places, place)] = 1.0


@kernel
def _write_tracks(board, state, places, out):
    """Writes the shipping tracks: who lies where, and the tokens still to come (R8.1, R8.2)."""
    for region in range(c.NUM_REGIONS):
        out[_REGION_OPEN + region] = int(state.open[region])
        length, filled = int(board.track_length[region]), int(state.track_next[region])
        out[_TRACK_LEFT + region] = max(0, length - filled) / c.MAX_TRACK
        weight = 0.5**c.MAX_TRACK  # of the far end; each step nearer to the pile doubles it
        for space in range(length):
            owner = int(state.track_owner[region, space])
            if owner >= 0:
                at = place_of(places, owner) * c.NUM_REGIONS + region
                out[_TRACK_DISCS + at] += 1.0 / c.MAX_TRACK
                out[_TRACK_ORDER + at] += weight
            weight *= 2.0
        weight = 1.0
        for space in range(filled, length):
            weight *= 0.5
            kind = int(state.token[c.TRACK_SPACES + region * c.MAX_TRACK + space])
            if kind >= 0:
                at = region * c.NUM_TOKEN_KINDS + kind
                out[_TRACK_TOKENS + at] += weight
                if space == filled:
                    out[_TRACK_NEXT + at] = 1.0


@kernel
def _write_map(board, state, observer, places, out):
    """Writes cities and connections (R8.3, R8.4)."""
    for city in range(board.num_cities):
        kind, owner = int(state.token[c.CITY_SPACES + city]), int(state.city_owner[city])
        if kind >= 0:
            out[_CITY_TOKEN + city * c.NUM_TOKEN_KINDS + kind] = 1.0
        if owner >= 0:
            out[_CITY_OWNER + city * c.MAX_SEATS + place_of(places, owner)] = 1.0
    for connection in range(board.num_connections):
        kind = int(state.token[c.CONNECTION_SPACES + connection])
        if kind >= 0:
            out[_CONNECTION_TOKEN + connection * c.NUM_TOKEN_KINDS + kind] = 1.0
        ends = 0
        for end in range(2):
            if state.city_owner[board.connection_city[connection, end]] == observer:
                ends += 1
        out[_CONNECTION_ENDS + connection] = ends * 0.5


@kernel
def write_base(board, state, observer, places, out):
    """Writes what both layouts of features begin with, but for ``players`` and ``decision``, and for the seats only.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only.
        observer: The seat that looks.
        places: The relative sides as ``observe_sides`` packs them.
        out: Float32; must hold zeros.
    """
    num_seats = int(state.num_seats)
    for seat in range(num_seats):
        out[_PRESENT + seat] = 1.0
    _write_table(board, state, places, out)
    _write_action(state, out)
    write_mats(board, state, places, 0, num_seats, out)
    write_discs(board, state, places, 0, num_seats, out)
    _write_supply(board, state, out)
    _write_piles(board, state, observer, out)
    _write_cards(state, places, out)
    _write_tracks(board, state, places, out)
    _write_map(board, state, observer, places, out)


@kernel
def features(board, state, seat, out):
    """Writes the features of a standard game as ``seat`` sees it.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only.
        seat: The observer, in [0, num_seats); need not be the seat to move.
        out: (FEATURES_SIZE,) float32, overwritten in place; layout ``FEATURES``.
    """
    observer, num_seats = int(seat), int(state.num_seats)
    out[:] = 0.0
    out[_PLAYERS + num_seats - c.MIN_PLAYERS] = 1.0
    out[_DECISION + int(state.decision)] = 1.0
    write_base(board, state, observer, places_of_seats(num_seats, observer), out)
