"""The ``features`` observation of the standard game and the variants."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.exploits.any_game import build_level, top_card
from endeavor_env.endeavor.flow.scoring import glory_on_table, total_glory
from endeavor_env.endeavor.observe.layouts import FEATURES, LEAST_LEADS, VARIANT_FEATURES
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.base.phases import marker
from endeavor_env.endeavor.rules.bits import has, where_equal
from endeavor_env.endeavor.rules.layout import HARBOR_STEPS
from endeavor_env.endeavor.rules.sides import num_mats, num_sides, place_of, share
from endeavor_env.engine.layouts import row_offsets
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.kernels.vectors import (
    byte_counts,
    byte_shares,
    copied,
    flags_below,
    one_hot,
    one_hots,
    places_of_values,
    repeated_byte,
    scaled,
    scaled_beyond,
    zeros,
)

# --- The ``features`` observation of the standard game ---------------------------------------------------------------
# One-hots and scaled counts for a plain network (``FEATURES``).
# Counts are read as int64 before any arithmetic, and scaled in float64, so that compiled and uncompiled runs round
# alike and small integers never overflow.

_AT = row_offsets(FEATURES)
_MARKER_SCALE = 1.0 / (c.NUM_MARKERS - 1)
_KINDS = 0x0706050403020100  # byte i of the columns of a one-hot: what column i stands for
_NO_SIDE = -0x7F7F7F7F7F7F7F80  # the byte -128 in every column: no side has it

# what writes a whole row at once, by the number of its entries
_one_of_players, _one_of_phases = one_hot(c.MAX_PLAYERS - c.MIN_PLAYERS + 1), one_hot(len(c.PHASE_NAMES))
_one_of_decisions, _one_of_modes = one_hot(c.NUM_DECISIONS), one_hot(len(c.MODE_NAMES))
_one_of_seats, _one_of_buildings = one_hot(c.MAX_SEATS), one_hot(c.MAX_BUILDING_TYPES)
_one_of_regions, _one_of_decks = one_hot(c.NUM_REGIONS), one_hot(c.NUM_DECKS)
_seats_below, _discs_below = flags_below(c.MAX_SEATS), flags_below(HARBOR_STEPS)
_share_statuses, _share_surplus = scaled(c.NUM_STATUSES), scaled_beyond(c.NUM_STATUSES)
_share_kinds, _share_buildings = scaled(c.NUM_TOKEN_KINDS), scaled(c.MAX_BUILDING_TYPES)
_share_regions = scaled(c.NUM_REGIONS)
_bytes_of_kinds, _bytes_of_regions = byte_shares(c.NUM_TOKEN_KINDS), byte_shares(c.NUM_REGIONS)
_kinds_in_cities, _owners_of_cities = one_hots(c.MAX_CITIES, c.NUM_TOKEN_KINDS), one_hots(c.MAX_CITIES, c.MAX_SEATS)
_kinds_on_connections = one_hots(c.MAX_CONNECTIONS, c.NUM_TOKEN_KINDS)
_cards_in_piles, _holders_of_cards = one_hots(c.NUM_CARDS, 1), one_hots(c.NUM_CARDS, c.MAX_SEATS)
_tops_of_piles, _copy_icons = one_hots(c.NUM_DECKS, c.CARDS_PER_DECK + 1), copied(c.NUM_STATUSES)
_clear_sides = zeros(_AT.building_supply - _AT.passed)

_cities_of, _tracks_of = where_equal(c.MAX_CITIES), where_equal(c.NUM_REGIONS * c.MAX_TRACK)


@kernel
def scale(most):
    """Return the factor that scales counts of 0 to ``most`` to [0, 1]; a ``most`` below 1 counts as 1."""
    return 1.0 / max(1, int(most))


@kernel
def _write_table(board, state, places, out):
    """Write the players, the round, the phase, who acts and what kind of move is asked for.

    With fewer players than the standard game has, or with a decision it does not have, the row holds zeros.
    """
    _one_of_players(state.num_seats - c.MIN_PLAYERS, out, _AT.players)
    out[_AT.round] = share(state.round_number, scale(board.num_rounds))
    out[_AT.last_round] = 1.0 if state.round_number == board.num_rounds else 0.0
    _one_of_phases(state.phase, out, _AT.phase)
    _one_of_decisions(state.decision, out, _AT.decision)
    _one_of_seats(place_of(places, state.seat) if state.seat >= 0 else np.int64(c.NONE), out, _AT.to_move)
    _one_of_seats(place_of(places, state.first_player), out, _AT.first_player)
    out[_AT.sweep] = share(state.sweep, scale(state.num_seats))
    out[_AT.payments_left] = share(state.payments_left, scale(board.payments[board.status_max]))
    out[_AT.abolished] = int(state.abolished)
    _seats_below(state.num_seats, out, _AT.present)


@kernel
def _write_action(state, out):
    """Write the action under way (R8.8)."""
    _one_of_buildings(state.source, out, _AT.source)
    _one_of_modes(state.mode, out, _AT.mode)
    for action in range(len(c.ACTION_NAMES)):
        out[_AT.open_parts + action] = 0.5 * (int(state.parts[0] == action) + int(state.parts[1] == action))
    out[_AT.parts_done] = int(state.parts_done) * 0.5
    _one_of_regions(state.lock_region, out, _AT.lock_region)
    _one_of_decks(state.lock_deck, out, _AT.lock_deck)


@inlined
def _write_counts(state, mat, place, out):
    """Write harbor and card counts of a mat."""
    harbor = int(state.harbor[mat])
    out[_AT.passed + place] = int(state.passed[mat])
    out[_AT.harbor + place] = min(3.0, harbor * 0.1)
    _discs_below(harbor, out, _AT.harbor_at_least + place * HARBOR_STEPS)
    out[_AT.cards_held + place] = share(state.num_cards[mat], 1.0 / 12.0)
    out[_AT.governors_held + place] = share(state.num_governors[mat], 1.0 / c.NUM_REGIONS)
    out[_AT.slavery_held + place] = share(state.num_slavery[mat], 1.0 / c.CARDS_PER_DECK)
    out[_AT.face_down + place] = share(state.num_face_down[mat], 1.0 / c.CARDS_PER_DECK)


@inlined
def _write_levels(board, state, mat, place, out):
    """Write what the markers of a mat give (R1.8)."""
    entry = _AT.level + place * c.NUM_STATUSES
    for status in range(c.NUM_STATUSES):
        out[entry + status] = board.level_share[status, marker(board, state, mat, status)]
    if state.exploits != 0:  # shares add to the build level (E7)
        factor = scale(board.build_level[board.status_max])
        out[entry + c.INDUSTRY] = share(build_level(board, state, mat), factor)


@kernel
def _write_mats(board, state, places, out):
    """Write what lies on the mats, their markers and the icons above them (R10.1)."""
    glory, top = glory_on_table(board, state), np.int64(board.status_max)
    for mat in range(num_mats(state)):
        place = place_of(places, mat)
        out[_AT.glory + place] = max(-1.0, min(3.0, total_glory(board, state, mat, glory) * 0.01))
        _write_levels(board, state, mat, place, out)
        _write_counts(state, mat, place, out)
        entry = place * c.NUM_STATUSES
        _share_statuses(state.status, mat, _MARKER_SCALE, top * _MARKER_SCALE, out, _AT.marker + entry)
        _share_surplus(state.status, mat, top, _MARKER_SCALE, 2.0, out, _AT.surplus + entry)
        _share_kinds(state.tokens, mat, board.token_share, 1.0, out, _AT.tokens_held + place * c.NUM_TOKEN_KINDS)
        entry = place * c.MAX_BUILDING_TYPES
        _share_buildings(state.buildings, mat, board.building_share, 1.0, out, _AT.buildings + entry)
        _share_buildings(state.occupied, mat, board.building_share, 1.0, out, _AT.occupied + entry)


@kernel
def _write_discs(board, state, places, out):
    """Write the discs of all sides in supply, by region and on the tracks.

    The eight spaces of a track are the bits of a byte, those nearer the pile the higher ones.
    """
    disc_scale = scale(board.discs_per_player)
    for side in range(num_sides(state)):
        place = place_of(places, side)
        out[_AT.supply + place] = share(state.supply[side], disc_scale)
        entry = place * c.NUM_REGIONS
        _share_regions(state.presence, side, 0.2, 6.0, out, _AT.presence + entry)
        _share_regions(state.beside, side, 0.2, 6.0, out, _AT.beside + entry)
        discs = _tracks_of(state.track_owner, side) & board.track_spaces
        _bytes_of_regions(byte_counts(discs), 1.0 / c.MAX_TRACK, out, _AT.track_discs + entry)
        _bytes_of_regions(discs, 0.5**c.MAX_TRACK, out, _AT.track_order + entry)


@kernel
def _write_piles(board, state, observer, out):
    """Write the top card of every pile (R8.7.1)."""
    _tops_of_piles(state.pile_top, 0, _KINDS, out, _AT.pile_top)
    for deck in range(c.NUM_DECKS):
        card = top_card(state, deck)
        row = card if card >= 0 else np.int64(c.NUM_CARDS)
        out[_AT.pile_value + deck] = board.value_share[row]
        _copy_icons(board.icons_share, row, out, _AT.pile_icons + deck * c.NUM_STATUSES)
        out[_AT.pile_glory + deck] = board.glory_share[row]
        value = np.int64(board.card_value[card]) if card >= 0 else np.int64(0)
        missing = value - state.presence[observer, board.deck_region[deck]]
        out[_AT.pile_missing + deck] = max(0.0, min(1.0, missing * 0.2))


@kernel
def _write_tracks(board, state, out):
    """Write the shipping tracks and the tokens on them still to come (R8.1, R8.2)."""
    _share_regions(state.open, 0, 1.0, 1.0, out, _AT.region_open)
    left = np.int64(0)
    for region in range(c.NUM_REGIONS):
        filled = np.int64(state.track_next[region])
        free = (1 << (c.MAX_TRACK - filled)) - (1 << (c.MAX_TRACK - np.int64(board.track_length[region])))
        left |= free << (c.MAX_TRACK * region)
        tokens = places_of_values(state.token, c.TRACK_SPACES + region * c.MAX_TRACK) & repeated_byte(free)
        tokens <<= filled  # now the highest bit of each byte is the space filled next
        entry = region * c.NUM_TOKEN_KINDS
        _bytes_of_kinds(tokens >> 7 & repeated_byte(1), 1.0, out, _AT.track_next + entry)
        _bytes_of_kinds(tokens, 0.5**c.MAX_TRACK, out, _AT.track_tokens + entry)
    _bytes_of_regions(byte_counts(left), 1.0 / c.MAX_TRACK, out, _AT.track_left)


@kernel
def _sides_by_place(state, places):
    """Return the columns of a one-hot of relative sides: byte p is the side whose place is p."""
    columns = np.int64(0)
    for side in range(num_sides(state)):
        columns |= np.int64(side + 128) << (8 * place_of(places, side))
    return columns ^ _NO_SIDE


@kernel
def _write_map(board, state, observer, sides, out):
    """Write cities and connections (R8.3, R8.4)."""
    _kinds_in_cities(state.token, c.CITY_SPACES, _KINDS, out, _AT.city_token)
    _owners_of_cities(state.city_owner, 0, sides, out, _AT.city_owner)
    _kinds_on_connections(state.token, c.CONNECTION_SPACES, _KINDS, out, _AT.connection_token)
    own = _cities_of(state.city_owner, observer)
    for connection in range(c.MAX_CONNECTIONS):
        ends = (own >> board.first_end[connection] & 1) + (own >> board.second_end[connection] & 1)
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
        out: Float32, at least (FEATURES_SIZE,), of which that many are overwritten in place. Layout ``FEATURES``.
    """
    sides = _sides_by_place(state, places)
    _write_table(board, state, places, out)
    _write_action(state, out)
    _clear_sides(out, _AT.passed)
    _write_mats(board, state, places, out)
    _write_discs(board, state, places, out)
    _share_buildings(state.building_supply, 0, board.supply_share, 1.0, out, _AT.building_supply)
    _write_piles(board, state, observer, out)
    _cards_in_piles(state.card_place, 0, c.CARD_IN_PILE, out, _AT.card_in_pile)
    _holders_of_cards(state.card_place, 0, sides, out, _AT.card_holder)
    _write_tracks(board, state, out)
    _write_map(board, state, observer, sides, out)


# --- The ``features`` observation of the variants: the rows of the standard game, then those the variants add --------
# A standard game can be written in this layout too; most of the added rows then hold zeros.

_VARIANT_AT = row_offsets(VARIANT_FEATURES)


@kernel
def _write_game(state, out):
    """Write the variant, its options and the kinds of decision that the standard game does not have."""
    if state.decision >= c.NUM_DECISIONS:
        out[_VARIANT_AT.variant_decision + int(state.decision) - c.NUM_DECISIONS] = 1.0
    out[_VARIANT_AT.variant + int(state.variant)] = 1.0
    out[_VARIANT_AT.removed_stay] = int(state.removed_stay)
    out[_VARIANT_AT.ties_first] = int(state.ties_first)
    out[_VARIANT_AT.difficulty + int(state.difficulty)] = 1.0
    out[_VARIANT_AT.ignore_industry] = int(state.ignore_industry)


@kernel
def _write_lead(state, out):
    """Write the lead of the observer, computed from the Glory of every mat in ``out`` (S8.3)."""
    best = np.float64(-2.0)
    for place in range(1, num_mats(state)):
        best = max(best, np.float64(out[_VARIANT_AT.glory + place]))
    lead = int(np.rint((np.float64(out[_VARIANT_AT.glory]) - best) * 100.0))
    out[_VARIANT_AT.glory_lead] = max(-2.0, min(2.0, lead * 0.05))
    for step in range(len(LEAST_LEADS)):
        out[_VARIANT_AT.lead_at_least + step] = 1.0 if lead >= LEAST_LEADS[step] else 0.0


@kernel
def _write_variant_tracks(board, state, out):
    """Write which shipping spaces take no disc, and how many free ones take one (V2S.5)."""
    for region in range(c.NUM_REGIONS):
        left = 0
        for space in range(board.track_length[region]):
            if state.track_owner[region, space] == c.SPACE_CLOSED:
                out[_VARIANT_AT.track_closed + region * c.MAX_TRACK + space] = 1.0
            elif space >= state.track_next[region]:
                left += 1
        out[_VARIANT_AT.track_left + region] = left / c.MAX_TRACK


@kernel
def _write_neutral(state, places, out):
    """Write the neutral discs of the seats and the regions open to one (V2S.2, V2S.6, V2S.7, V2F.2)."""
    out[_VARIANT_AT.removals_left] = share(state.removals_left, 0.125)
    for seat in range(state.num_seats):
        place = place_of(places, seat)
        out[_VARIANT_AT.neutral_reserve + place] = share(state.neutral_reserve[seat], 1.0 / 3.0)
        out[_VARIANT_AT.neutral_harbor + place] = share(state.neutral_harbor[seat], 1.0 / 3.0)
    for region in range(c.NUM_REGIONS):
        out[_VARIANT_AT.neutral_regions + region] = 1.0 if has(np.int64(state.neutral_regions), region) else 0.0
    if state.neutral_due >= 0:
        out[_VARIANT_AT.neutral_due + int(state.neutral_due)] = 1.0


@kernel
def _write_scale(state, out):
    """Write the action scale, its marker (``ipf``, S2.1) and who acts first (S2, S3)."""
    for position in range(c.SCALE_SIZE):
        if state.scale[position] >= c.FIRST_COLOUR:
            out[_VARIANT_AT.scale + position * c.NUM_COLOURS + int(state.scale[position]) - c.FIRST_COLOUR] = 1.0
    if state.ipf > 0:
        out[_VARIANT_AT.ipf + int(state.ipf) - 1] = 1.0
    out[_VARIANT_AT.bonus_due] = int(state.bonus_due)
    if state.phase == c.PHASE_ACTION:  # in earlier phases the state holds the value of the last round
        out[_VARIANT_AT.opposition_first] = int(state.opposition_first)


@kernel
def _write_grid(state, out):
    """Write the building grid, its crown and the buildings that wait to refill it (S2.2, S6, S7.3)."""
    for level in range(c.GRID_LEVELS):
        for column in range(c.GRID_COLUMNS):
            building = int(state.grid[level, column])
            if building >= 0:
                out[_VARIANT_AT.grid_column + building * c.GRID_COLUMNS + column] = 1.0
                out[_VARIANT_AT.extra_actions + building] = abs(column - int(state.isb_column)) / (c.GRID_COLUMNS - 1)
        if state.pending[level] >= 0:
            out[_VARIANT_AT.pending + int(state.pending[level])] = 1.0
    if state.last_built >= 0:
        out[_VARIANT_AT.last_built + int(state.last_built)] = 1.0
    if state.isb_level >= 0:
        out[_VARIANT_AT.crown_level + int(state.isb_level)] = 1.0
        out[_VARIANT_AT.crown_column + int(state.isb_column)] = 1.0


@kernel
def _write_opposition(state, out):
    """Write the task of the Opposition, and the Governors it keeps for their Glory (S1.8, S4.1, S7.1)."""
    out[_VARIANT_AT.task + int(state.task)] = 1.0
    if state.acting >= c.FIRST_COLOUR:
        out[_VARIANT_AT.acting + int(state.acting) - c.FIRST_COLOUR] = 1.0
    step = int(state.task_step)
    if state.task == c.TASK_EUROPE:
        out[_VARIANT_AT.europe_step + step] = 1.0
        for later in range(step, c.NUM_STATUSES):
            out[_VARIANT_AT.europe_order + later * c.NUM_COLOURS + int(state.europe_order[later]) - c.FIRST_COLOUR] = (
                1.0
            )
    elif state.task == c.TASK_ACTION or state.task == c.TASK_TOKEN:
        out[_VARIANT_AT.scale_at + step] = 1.0
    for card in range(c.NUM_CARDS):
        if state.card_place[card] == c.CARD_RETAINED:
            out[_VARIANT_AT.retained + card // c.CARDS_PER_DECK] = 1.0


@kernel
def _write_waiting(state, out):
    """Write the blue tokens the Opposition has still to carry out; the next one has the greatest weight (S5.5)."""
    weight = 1.0
    for index in range(int(state.num_waiting) - 1, -1, -1):
        weight *= 0.5
        kind, regions = int(state.waiting_kind[index]) - c.FIRST_BLUE, np.int64(state.waiting_regions[index])
        out[_VARIANT_AT.waiting + kind] = min(1.0, out[_VARIANT_AT.waiting + kind] + 0.25)
        out[_VARIANT_AT.waiting_order + kind] += weight
        for region in range(c.NUM_REGIONS):
            if has(regions, region):
                out[_VARIANT_AT.waiting_regions + region] += weight


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
    _write_variant_tracks(board, state, out)
    _write_neutral(state, places, out)
    _write_scale(state, out)
    _write_grid(state, out)
    _write_opposition(state, out)
    _write_waiting(state, out)
