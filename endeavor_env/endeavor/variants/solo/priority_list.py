"""The Opposition's priority list: what it does, by which criteria it chooses, and the reasons that are reported."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.exploits.any_game import free_cities, top_card
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import DRAW_AT, OCCUPY_AT, SAIL_AT
from endeavor_env.endeavor.rules.base.actions import can_draw, cities_of, majority_with, next_space, reachable_regions
from endeavor_env.endeavor.rules.base.phases import marker
from endeavor_env.endeavor.rules.bits import bit, has, lowest, without_lowest
from endeavor_env.endeavor.rules.sides import is_soloplay, mat_of
from endeavor_env.kernels.kernels import inlined, kernel

# --- The reasons for what the Opposition does, as one number: the item of its rules, then flags ----------------------
ITEM_NOTHING = 0
ITEM_EUROPE_NEAR, ITEM_EUROPE_FAR, ITEM_EUROPE_ANY = 1, 2, 3  # S1.8a, S1.8b, S1.8c
ITEM_REMOVE = 4
ITEM_CONNECT, ITEM_GLORY, ITEM_CITY = 5, 6, 7  # S4.1 a, and b with and without a city of 2 Glory
ITEM_COMPLETE = 8  # c
ITEM_FIRST_SPACE, ITEM_LATER_SPACE, ITEM_BESIDE = 9, 10, 11  # d.i, d.ii, d.iii
ITEM_DRAW = 12  # e
ITEM_DRAW_HERE, ITEM_DRAW_ANYWHERE = 13, 14  # S5.4 for a token: in its region, else everywhere
ITEM_ATTACK, ITEM_PAY = 15, 16  # S5.5
ITEM_BONUS = 17
ITEM_DISCARD = 18
ITEM_CLAUSES = (
    *(
        "S4.2",
        "S1.8a",
        "S1.8b",
        "S1.8c",
        "S1.9",
        "S4.1a",
        "S4.1b",
        "S4.1b",
        "S4.1c",
        "S4.1d.i",
        "S4.1d.ii",
        "S4.1d.iii",
    ),
    *("S4.1e", "S5.4", "S5.4", "S5.5", "S5.5", "S3.6", "S7.1"),
)
ITEM_TEXTS = (
    "nothing is feasible",
    "connected to a region where the colour has the first shipping space",
    "connected to a region where the colour has the second shipping space",
    "connected to no such region",
    "one blue token leaves Europe",
    "completes a connection",
    "a free city of 2 Glory",
    "a free city",
    "completes a track and wins its Governor",
    "a track whose first space the colour has",
    "a track of which the colour has a later space",
    "beside the track of an open region with a free city",
    "draws where the colour has most discs",
    "draws in the region of the token",
    "draws in any region",
    "attacks where most Glory changes hands",
    "takes a token from the player",
    "the bonus draw of the round",
    "discards to the card limit",
)
ITEM_MASK = 31

# Flags: the tie-breaks that narrowed the choice, in the order they apply, and other circumstances
TIE_BLUE = 1 << 8  # T1 of S5.1
TIE_STATUS = 1 << 9  # T2 of S5.1, also for the tokens of tracks (S5.2)
TIE_BLUE_TRACK = 1 << 10  # a blue token on a track may be chosen as well (S5.2)
TIE_PRESENCE = 1 << 11  # item e: the regions where the colour has most discs
TIE_ADVANCE = 1 << 12  # C1 of S5.3
TIE_ICONS = 1 << 13  # C2
TIE_OVERSHOOT = 1 << 14  # C3
TIE_SWING = 1 << 15  # greatest swing of an attack, the Glory that changes hands (S5.5)
TIE_BEST_DISCARD = 1 << 16  # the discards that leave the Opposition best off (S7.1)
USELESS = 1 << 17  # nothing useful was feasible: the second run of the list (S4.3)
BY_TOKEN = 1 << 18  # the action of a blue token (S5.5)
TIE_NAMES = {
    TIE_BLUE: "T1",
    TIE_STATUS: "T2",
    TIE_BLUE_TRACK: "S5.2",
    TIE_PRESENCE: "most present",
    TIE_ADVANCE: "C1",
    TIE_ICONS: "C2",
    TIE_OVERSHOOT: "C3",
    TIE_SWING: "swing",
    TIE_BEST_DISCARD: "best holding",
}


# --- Tie-breaks of the Opposition (S5.1-S5.3): narrowing sets of options, given as bits ------------------------------
# The ``pick_`` functions also return the flags of the tie-breaks that narrowed the set.
# Functions take the ``side`` whose disc acts and the ``mat`` that gains, so that the automa can use them for a player's
# seat.

LAST = 99  # rank of a space without a status token: after every marker position (C5)
BEST_GLORY = 2  # of a city


@kernel
def completes(board, state, side, city, connection):
    """Return whether ``side`` would control ``connection``, which ends in ``city``, by holding the city (R8.4.1)."""
    first, second = board.connection_city[connection, 0], board.connection_city[connection, 1]
    return state.city_owner[second if first == city else first] == side


@kernel
def connections_completed(board, state, side, city):
    """Return how many connections ``side`` would complete by holding ``city``."""
    count = np.int64(0)
    for index in range(board.city_degree[city]):
        if completes(board, state, side, city, board.city_connection[city, index]):
            count += 1
    return count


@inlined
def _token_rank(board, state, mat, space):
    """Return the marker of the status whose token lies on ``space``; LAST if there is none (T2, C5)."""
    kind = np.int64(state.token[space])
    if kind == c.NONE or kind >= c.FIRST_BLUE:
        return np.int64(LAST)
    return np.int64(marker(board, state, mat, kind))


@inlined
def _blue_tokens(board, state, side, city):
    """Return the number of blue tokens that holding ``city`` brings, those of completed connections included (T1)."""
    blue = np.int64(1 if state.token[c.CITY_SPACES + city] >= c.FIRST_BLUE else 0)
    for index in range(board.city_degree[city]):
        connection = np.int64(board.city_connection[city, index])
        if state.token[c.CONNECTION_SPACES + connection] >= c.FIRST_BLUE:
            blue += np.int64(completes(board, state, side, city, connection))
    return blue


@inlined
def _neighbours(board, cities):
    """Return the cities that are connected to one of ``cities``, both as bits."""
    found = np.int64(0)
    while cities != 0:
        found |= board.city_neighbours[lowest(cities)]
        cities = without_lowest(cities)
    return found


@inlined
def _cities_of_first_item(board, state, side, free):
    """Return the cities of ``free`` that fit the first feasible item, and that item (S4.1 a and b).

    The items are, in this order: the city completes a connection, it has 2 Glory, it is any city.
    """
    cities = free & _neighbours(board, cities_of(board, state, side))
    if cities != 0:
        return cities, ITEM_CONNECT
    rest = free
    while rest != 0:
        if board.city_glory[lowest(rest)] >= BEST_GLORY:
            cities |= rest & -rest
        rest = without_lowest(rest)
    return (cities, ITEM_GLORY) if cities != 0 else (free, ITEM_CITY)


@kernel
def pick_city(board, state, side, mat, regions):
    """Return the best free cities of ``regions``, bits, and the reason; no cities if none is free (S4.1, S5.1)."""
    kept, flags, most, least = np.int64(0), np.int64(0), np.int64(-1), np.int64(0)
    free = free_cities(board, state, regions)
    if free == 0:
        return kept, ITEM_NOTHING
    use_blue = state.difficulty != c.DIFFICULTY_EASIER or mat != c.OPPOSITION  # S9.1: no T1 in the easier game
    rest, item = _cities_of_first_item(board, state, side, free)
    while rest != 0:
        city = lowest(rest)
        blue = _blue_tokens(board, state, side, city) if use_blue else np.int64(0)
        rank = _token_rank(board, state, mat, c.CITY_SPACES + city)
        if blue > most:
            flags = np.int64(TIE_BLUE if kept != 0 else 0)
            kept, most, least = bit(city), blue, rank
        elif blue < most:
            flags |= TIE_BLUE
        elif rank != least:
            flags |= TIE_STATUS
            if rank < least:
                kept, least = bit(city), rank
        else:
            kept |= bit(city)
        rest = without_lowest(rest)
    return kept, item | flags


@kernel
def pick_track(board, state, mat, tracks):
    """Return the best of ``tracks`` by T2 together with those whose next token is blue, and the flags (S5.2, C6)."""
    least, kept, blue = np.int64(LAST + 1), np.int64(0), np.int64(0)
    rest = tracks
    while rest != 0:
        region = lowest(rest)
        rest = without_lowest(rest)
        space = next_space(board, state, region)
        if state.token[space] >= c.FIRST_BLUE:
            blue |= bit(region)
        rank = _token_rank(board, state, mat, space)
        if rank < least:
            least, kept = rank, np.int64(0)
        if rank == least:
            kept |= bit(region)
    flags = TIE_STATUS if kept != tracks else 0
    flags |= TIE_BLUE_TRACK if blue & ~kept != 0 else 0
    return kept | blue, flags


@kernel
def effective_advance(board, state, mat, icons):
    """Return the steps that the markers of ``mat`` would advance by ``icons`` (4,) (S5.3)."""
    steps = np.int64(0)
    for status in range(c.NUM_STATUSES):
        true = np.int64(state.status[mat, status])
        after = true + icons[status]
        steps += min(np.int64(board.status_max), after) - min(np.int64(board.status_max), true)
    return steps


@kernel
def icons_in_least(board, state, mat, icons):
    """Return how many of ``icons`` (4,) are of the statuses whose marker is the lowest of ``mat`` (C2, C7)."""
    least = np.int64(LAST)
    for status in range(c.NUM_STATUSES):
        least = min(least, np.int64(marker(board, state, mat, status)))
    count = np.int64(0)
    for status in range(c.NUM_STATUSES):
        if marker(board, state, mat, status) == least:
            count += icons[status]
    return count


@kernel
def brings_something(board, state, mat, card):
    """Return whether ``card`` has Glory or an effective advance for ``mat``; if not, it is useless (S4.3)."""
    return board.card_glory[card] > 0 or effective_advance(board, state, mat, board.card_icons[card]) > 0


@kernel
def _overshoots(board, state, mat, card):
    """Return whether ``card`` would raise a status above the end of its track (C3, C7)."""
    for status in range(c.NUM_STATUSES):
        icons = board.card_icons[card, status]
        if icons > 0 and state.status[mat, status] + icons > board.status_max:
            return True
    return False


@kernel
def _merit(board, state, mat, card, criterion):
    """Return the score of ``card`` by ``criterion`` 0..2: C1, C2 or C3 of S5.3."""
    if criterion == 0:
        return effective_advance(board, state, mat, board.card_icons[card])
    if criterion == 1:
        return icons_in_least(board, state, mat, board.card_icons[card])
    return np.int64(0 if _overshoots(board, state, mat, card) else 1)


@kernel
def pick_card(board, state, mat, decks):
    """Return the decks with the best top cards by C1, C2 and C3 in turn, and flags of those that narrowed the set."""
    flags = 0
    for criterion in range(3):
        best, kept = np.int64(-1), np.int64(0)
        for deck in range(c.NUM_DECKS):
            if has(decks, deck):
                merit = _merit(board, state, mat, top_card(state, deck), criterion)
                if merit > best:
                    best, kept = merit, np.int64(0)
                if merit == best:
                    kept |= bit(deck)
        if kept != decks:
            flags |= TIE_ADVANCE if criterion == 0 else (TIE_ICONS if criterion == 1 else TIE_OVERSHOOT)
        decks = kept
    return decks, flags


# --- The Opposition's priority list (S4): the options of a disc that acts, by the first item that is feasible --------
# Options are cities, regions or decks as bits, already narrowed by the tie-breaks. With them come the offset of their
# block of action ids and a reason. As above, functions take the ``side`` whose disc acts and the ``mat`` that gains.


@inlined
def occupy_options(board, state, side, mat):
    """Return the cities to occupy by items a and b, 0 if there is none, and the reason (S4.1)."""
    return pick_city(board, state, side, mat, reachable_regions(board, state, side, c.NONE))


@inlined
def free_spaces(board, state, region):
    """Return the number of shipping spaces of ``region`` that still take a disc."""
    count = np.int64(board.track_length[region]) - state.track_next[region]
    if is_soloplay(state):  # no other variant has closed spaces
        count -= _closed_spaces(board, state, region)
    return count


@kernel
def _closed_spaces(board, state, region):
    """Return the number of closed spaces beyond the next free one (V2S.5)."""
    count = np.int64(0)
    for space in range(state.track_next[region], board.track_length[region]):
        if state.track_owner[region, space] != c.NONE:
            count += 1
    return count


@inlined
def complete_options(board, state, side, mat):
    """Return the tracks of item c and the reason: ``side`` takes the last space, ``mat`` the Governor (S4.1c, S4.5)."""
    tracks = np.int64(0)
    for region in range(c.NUM_REGIONS):
        if free_spaces(board, state, region) != 1:
            continue
        governor = board.governor_card[region]
        if governor == c.NONE or state.card_place[governor] != c.CARD_IN_PILE:
            continue
        winner = majority_with(board, state, region, state.track_next[region], side)
        if mat_of(state, winner) == mat:
            tracks |= bit(region)
    if tracks == 0:
        return tracks, ITEM_NOTHING
    tracks, flags = pick_track(board, state, mat, tracks)
    return tracks, ITEM_COMPLETE | flags


@kernel
def _useless_space(board, state, mat, region):
    """Return whether the track's next space brings nothing: no token, or one of a status at its maximum (S4.3)."""
    kind = np.int64(state.token[next_space(board, state, region)])
    return kind == c.NONE or (kind < c.FIRST_BLUE and state.status[mat, kind] >= board.status_max)


@inlined
def ship_options(board, state, side, mat, allow_useless):
    """Return the tracks of items d.i and d.ii and the reason (S4.1d, S4.4).

    Only tracks with at least two free spaces count; of these, those where ``side`` has the space nearest the far end.
    """
    for place in range(c.MAX_TRACK - 1):  # with a disc on the last space the track has no free one
        tracks = np.int64(0)
        for region in range(c.NUM_REGIONS):
            if state.track_owner[region, place] != side or free_spaces(board, state, region) < 2:
                continue
            if allow_useless or not _useless_space(board, state, mat, region):
                tracks |= bit(region)
        if tracks != 0:
            tracks, flags = pick_track(board, state, mat, tracks)
            return tracks, (ITEM_FIRST_SPACE if place == 0 else ITEM_LATER_SPACE) | flags
    return np.int64(0), ITEM_NOTHING


@kernel
def beside_options(board, state):
    """Return the regions of item d.iii: open ones overseas with a free city (S4.1d)."""
    regions, free = np.int64(0), cities_of(board, state, c.NONE)
    for region in range(c.NUM_REGIONS):
        if state.open[region] and board.track_length[region] > 0 and free & board.region_cities[region] != 0:
            regions |= bit(region)
    return regions


@kernel
def legal_piles(board, state, side):
    """Return the decks that ``side`` may draw from (S5.4)."""
    decks = np.int64(0)
    for deck in range(c.NUM_DECKS):
        if can_draw(board, state, side, deck):
            decks |= bit(deck)
    return decks


@kernel
def _without_useless(board, state, mat, decks):
    """Return ``decks`` without those whose top card has neither an effective advance nor Glory (S4.3)."""
    kept = np.int64(0)
    for deck in range(c.NUM_DECKS):
        if has(decks, deck) and brings_something(board, state, mat, top_card(state, deck)):
            kept |= bit(deck)
    return kept


@kernel
def draw_options(board, state, side, mat, allow_useless):
    """Return the decks of item e: the best cards of the regions where ``side`` has most discs (S4.1e, C14)."""
    decks = legal_piles(board, state, side)
    if not allow_useless:
        decks = _without_useless(board, state, mat, decks)
    if decks == 0:
        return decks, ITEM_NOTHING
    most, kept = np.int64(-1), np.int64(0)
    for deck in range(c.NUM_DECKS):
        if has(decks, deck):
            presence = np.int64(state.presence[side, board.deck_region[deck]])
            if presence > most:
                most, kept = presence, np.int64(0)
            if presence == most:
                kept |= bit(deck)
    flags = TIE_PRESENCE if kept != decks else 0
    decks, more = pick_card(board, state, mat, kept)
    return decks, ITEM_DRAW | flags | more


@kernel
def draw_for(board, state, side, mat, prefer):
    """Return the decks of S5.4: the best cards of the regions ``prefer``, bits, or of all if none is legal there."""
    decks = legal_piles(board, state, side)
    here = np.int64(0)
    for deck in range(c.NUM_DECKS):
        if has(decks, deck) and has(prefer, board.deck_region[deck]):
            here |= bit(deck)
    if decks == 0:
        return decks, ITEM_NOTHING
    item = ITEM_DRAW_HERE if here != 0 else ITEM_DRAW_ANYWHERE
    decks, flags = pick_card(board, state, mat, here if here != 0 else decks)
    return decks, item | flags


@inlined
def action_options(board, state, side, mat):
    """Return block offset, options and reason of one action by the priority list; without options it is lost (S4.2)."""
    options, reason = occupy_options(board, state, side, mat)
    if options != 0:
        return OCCUPY_AT, options, reason
    options, reason = complete_options(board, state, side, mat)
    if options != 0:
        return SAIL_AT, options, reason
    for run in range(2):
        useless = USELESS if run == 1 else 0
        options, reason = ship_options(board, state, side, mat, run == 1)
        if options != 0:
            return SAIL_AT, options, reason | useless
        options = beside_options(board, state)
        if options != 0:
            return SAIL_AT, options, ITEM_BESIDE
        options, reason = draw_options(board, state, side, mat, run == 1)
        if options != 0:
            return DRAW_AT, options, reason | useless
    return OCCUPY_AT, np.int64(0), ITEM_NOTHING
