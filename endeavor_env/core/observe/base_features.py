"""The ``features`` observation of the standard game: one-hots and scaled counts for a plain network (``FEATURES``).

Counts are read as int64 before any arithmetic, and scaled in float64, so that compiled and uncompiled runs round
alike and small integers never overflow.
"""

from __future__ import annotations

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.engine.scoring import glory_on_table, total_glory
from endeavor_env.core.observe.base_layout import FEATURES, HARBOR_STEPS
from endeavor_env.core.observe.layout import row_offsets
from endeavor_env.core.observe.relative_sides import place_of
from endeavor_env.core.rules.piles import top_card
from endeavor_env.core.rules.statuses import build_level, card_limit, growth, marker, payments
from endeavor_env.core.sides import num_mats, num_sides

_AT = row_offsets(FEATURES)
_MARKER_SCALE = 1.0 / (c.NUM_MARKERS - 1)
_PILE_EMPTY = c.CARDS_PER_DECK


@kernel
def scale(most):
    """Return the factor that scales counts of 0 to ``most`` to [0, 1]; a ``most`` below 1 counts as 1."""
    return 1.0 / max(1, int(most))


@kernel
def share(count, factor):
    """Return ``count`` times ``factor``, clipped to [0, 1]."""
    return min(1.0, max(0, int(count)) * factor)


@kernel
def _write_players(state, out):
    """Write the number of players, the seats taken and the kind of decision.

    With fewer players than the standard game has, or with a decision it does not have, the row keeps its zeros.
    """
    num_seats = int(state.num_seats)
    if num_seats >= c.MIN_PLAYERS:
        out[_AT.players + num_seats - c.MIN_PLAYERS] = 1.0
    if state.decision < c.NUM_DECISIONS:
        out[_AT.decision + int(state.decision)] = 1.0
    for seat in range(num_seats):
        out[_AT.present + seat] = 1.0


@kernel
def _write_table(board, state, places, out):
    """Write the round, the phase and who acts."""
    out[_AT.round] = share(state.round_number, scale(board.num_rounds))
    out[_AT.last_round] = 1.0 if state.round_number == board.num_rounds else 0.0
    out[_AT.phase + int(state.phase)] = 1.0
    if state.seat >= 0:
        out[_AT.to_move + place_of(places, state.seat)] = 1.0
    out[_AT.first_player + place_of(places, state.first_player)] = 1.0
    out[_AT.sweep] = share(state.sweep, scale(state.num_seats))
    out[_AT.payments_left] = share(state.payments_left, scale(board.payments[board.status_max]))
    out[_AT.abolished] = int(state.abolished)


@kernel
def _write_action(state, out):
    """Write the action under way (R8.8)."""
    if state.source >= 0:
        out[_AT.source + int(state.source)] = 1.0
    out[_AT.mode + int(state.mode)] = 1.0
    for index in range(c.MAX_ACTION_PARTS):
        if state.parts[index] >= 0:
            out[_AT.open_parts + int(state.parts[index])] += 0.5
    out[_AT.parts_done] = int(state.parts_done) * 0.5
    if state.lock_region >= 0:
        out[_AT.lock_region + int(state.lock_region)] = 1.0
    if state.lock_deck >= 0:
        out[_AT.lock_deck + int(state.lock_deck)] = 1.0


@kernel
def _write_counts(board, state, mat, place, glory, out):
    """Write harbor, Glory and card counts of a mat; ``glory`` is what ``glory_on_table`` returned."""
    harbor = int(state.harbor[mat])
    out[_AT.passed + place] = int(state.passed[mat])
    out[_AT.harbor + place] = min(3.0, harbor * 0.1)
    for step in range(HARBOR_STEPS):
        out[_AT.harbor_at_least + place * HARBOR_STEPS + step] = 1.0 if harbor > step else 0.0
    out[_AT.glory + place] = max(-1.0, min(3.0, int(total_glory(board, state, mat, glory)) * 0.01))
    out[_AT.cards_held + place] = share(state.num_cards[mat], 1.0 / 12.0)
    out[_AT.governors_held + place] = share(state.num_governors[mat], 1.0 / c.NUM_REGIONS)
    out[_AT.slavery_held + place] = share(state.num_slavery[mat], 1.0 / c.CARDS_PER_DECK)
    out[_AT.face_down + place] = share(state.num_face_down[mat], 1.0 / c.CARDS_PER_DECK)


@kernel
def _write_statuses(board, state, places, mats, out):
    """Write the markers of all mats, the icons above them and what they give (R1.8, R10.1)."""
    top = board.status_max
    build_scale, growth_scale = scale(board.build_level[top]), scale(board.growth[top])
    payments_scale, limit_scale = scale(board.payments[top]), scale(board.card_limit[top])
    for mat in range(mats):
        mat_entry = place_of(places, mat) * c.NUM_STATUSES
        for status in range(c.NUM_STATUSES):
            shown = int(marker(board, state, mat, status))
            above = int(state.status[mat, status]) - shown
            out[_AT.marker + mat_entry + status] = shown * _MARKER_SCALE
            out[_AT.surplus + mat_entry + status] = max(0.0, min(2.0, above * _MARKER_SCALE))
        out[_AT.level + mat_entry + c.INDUSTRY] = share(build_level(board, state, mat), build_scale)
        out[_AT.level + mat_entry + c.CULTURE] = share(growth(board, state, mat), growth_scale)
        out[_AT.level + mat_entry + c.FINANCE] = share(payments(board, state, mat), payments_scale)
        out[_AT.level + mat_entry + c.POLITICS] = share(card_limit(board, state, mat), limit_scale)


@kernel
def _write_goods(board, state, places, mats, out):
    """Write the tokens and buildings of all mats."""
    for kind in range(c.NUM_TOKEN_KINDS):
        factor = scale(board.token_count[kind])
        for mat in range(mats):
            entry = place_of(places, mat) * c.NUM_TOKEN_KINDS + kind
            out[_AT.tokens_held + entry] = share(state.tokens[mat, kind], factor)
    for building in range(c.MAX_BUILDING_TYPES):
        factor = scale(int(board.building_copies[building]) + int(board.building_start[building]))
        for mat in range(mats):
            entry = place_of(places, mat) * c.MAX_BUILDING_TYPES + building
            if state.buildings[mat, building] != 0 or state.occupied[mat, building] != 0:  # else zeros stay
                out[_AT.buildings + entry] = share(state.buildings[mat, building], factor)
                out[_AT.occupied + entry] = share(state.occupied[mat, building], factor)


@kernel
def _write_mats(board, state, places, out):
    """Write what lies on the mats."""
    glory, mats = glory_on_table(board, state), num_mats(state)
    for mat in range(mats):
        _write_counts(board, state, mat, place_of(places, mat), glory, out)
    _write_goods(board, state, places, mats, out)
    _write_statuses(board, state, places, mats, out)


@kernel
def _write_discs(board, state, places, out):
    """Write the discs of all sides in supply and by region."""
    disc_scale = scale(board.discs_per_player)
    for side in range(num_sides(state)):
        place = place_of(places, side)
        out[_AT.supply + place] = share(state.supply[side], disc_scale)
        for region in range(c.NUM_REGIONS):
            entry = place * c.NUM_REGIONS + region
            out[_AT.presence + entry] = min(6.0, int(state.presence[side, region]) * 0.2)
            out[_AT.beside + entry] = min(6.0, int(state.beside[side, region]) * 0.2)


@kernel
def _write_supply(board, state, out):
    """Write the buildings left (R4.2)."""
    for building in range(c.MAX_BUILDING_TYPES):
        factor = scale(board.building_copies[building])
        out[_AT.building_supply + building] = share(state.building_supply[building], factor)


@kernel
def _write_piles(board, state, observer, out):
    """Write the top card of every pile (R8.7.1)."""
    for deck in range(c.NUM_DECKS):
        top = int(state.pile_top[deck])
        out[_AT.pile_top + deck * (c.CARDS_PER_DECK + 1) + top] = 1.0
        if top == _PILE_EMPTY:
            continue
        card = top_card(state, deck)
        value = int(board.card_value[card])
        out[_AT.pile_value + deck] = min(1.0, value * 0.2)
        for status in range(c.NUM_STATUSES):
            out[_AT.pile_icons + deck * c.NUM_STATUSES + status] = min(1.0, int(board.card_icons[card, status]) * 0.25)
        out[_AT.pile_glory + deck] = min(1.0, int(board.card_glory[card]) * 0.25)
        missing = value - int(state.presence[observer, board.deck_region[deck]])
        out[_AT.pile_missing + deck] = max(0.0, min(1.0, missing * 0.2))


@kernel
def _write_cards(state, places, out):
    """Write where every card is; cards that are out of the game or face down have no entry."""
    for card in range(c.NUM_CARDS):
        place = int(state.card_place[card])
        if place == c.CARD_IN_PILE:
            out[_AT.card_in_pile + card] = 1.0
        elif 0 <= place < c.MAX_SEATS:
            out[_AT.card_holder + card * c.MAX_SEATS + place_of(places, place)] = 1.0


@kernel
def _write_tracks(board, state, places, out):
    """Write the shipping tracks: the discs on them and the tokens still to come (R8.1, R8.2)."""
    for region in range(c.NUM_REGIONS):
        out[_AT.region_open + region] = int(state.open[region])
        length, filled = int(board.track_length[region]), int(state.track_next[region])
        out[_AT.track_left + region] = max(0, length - filled) / c.MAX_TRACK
        weight = 0.5**c.MAX_TRACK  # weight of the far end; it doubles with every space nearer the pile
        for space in range(length):
            owner = int(state.track_owner[region, space])
            if owner >= 0:
                entry = place_of(places, owner) * c.NUM_REGIONS + region
                out[_AT.track_discs + entry] += 1.0 / c.MAX_TRACK
                out[_AT.track_order + entry] += weight
            weight *= 2.0
        weight = 1.0
        for space in range(filled, length):
            weight *= 0.5
            kind = int(state.token[c.TRACK_SPACES + region * c.MAX_TRACK + space])
            if kind >= 0:
                entry = region * c.NUM_TOKEN_KINDS + kind
                out[_AT.track_tokens + entry] += weight
                if space == filled:
                    out[_AT.track_next + entry] = 1.0


@kernel
def _write_map(board, state, observer, places, out):
    """Write cities and connections (R8.3, R8.4)."""
    for city in range(board.num_cities):
        kind, owner = int(state.token[c.CITY_SPACES + city]), int(state.city_owner[city])
        if kind >= 0:
            out[_AT.city_token + city * c.NUM_TOKEN_KINDS + kind] = 1.0
        if owner >= 0:
            out[_AT.city_owner + city * c.MAX_SEATS + place_of(places, owner)] = 1.0
    for connection in range(board.num_connections):
        kind = int(state.token[c.CONNECTION_SPACES + connection])
        if kind >= 0:
            out[_AT.connection_token + connection * c.NUM_TOKEN_KINDS + kind] = 1.0
        ends = 0
        for end in range(2):
            if state.city_owner[board.connection_city[connection, end]] == observer:
                ends += 1
        out[_AT.connection_ends + connection] = ends * 0.5


@kernel
def write_base_features(board, state, observer, places, out):
    """Write the rows of the standard game, with which the layouts of all variants begin.

    Rows of mats and discs cover all mats and sides of the variant. The other rows cover what the standard game has;
    ``write_variant_features`` corrects those that hold more in a variant.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only.
        observer: The observing seat.
        places: The relative sides as ``places_of_sides`` packs them.
        out: Float32, at least (FEATURES_SIZE,); must hold zeros. Layout ``FEATURES``.
    """
    _write_players(state, out)
    _write_table(board, state, places, out)
    _write_action(state, out)
    _write_mats(board, state, places, out)
    _write_discs(board, state, places, out)
    _write_supply(board, state, out)
    _write_piles(board, state, observer, out)
    _write_cards(state, places, out)
    _write_tracks(board, state, places, out)
    _write_map(board, state, observer, places, out)
