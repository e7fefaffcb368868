"""The actions of the Action phase (R8): where they lead, and what they do."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import ATTACK_AT, DRAW_AT, OCCUPY_AT, PAY_AT, SAIL_AT
from endeavor_env.endeavor.rules.base.cards import gain_card, refresh_pile, set_aside, top_card
from endeavor_env.endeavor.rules.base.components import hold_city, leave_city
from endeavor_env.endeavor.rules.bits import bit, where_above, where_equal
from endeavor_env.endeavor.rules.sides import mat_of, num_mats
from endeavor_env.engine.kernels.masks import allow_set
from endeavor_env.kernels.kernels import kernel

# --- Where a seat may occupy and attack: open regions in which it is present (R8.3.2, R8.5.1) ------------------------

_regions_above, _regions_equal = where_above(c.NUM_REGIONS), where_equal(c.NUM_REGIONS)


@kernel
def reachable_regions(board, state, seat, lock):
    """Return the open regions where ``seat`` is present as bits, bit r for region r.

    Everybody is present in the start region, the one without a track (R8.3.2). ``lock`` allows only one region, for
    the second part of a same-region action (R8.8); NONE allows all.
    """
    present = _regions_equal(board.track_length, 0) | _regions_above(state.presence[seat], 0)
    regions = present & open_regions(state)
    return regions if lock < 0 else regions & bit(lock)


@kernel
def cities_in(board, regions):
    """Return the cities of the board in ``regions``, both as bits."""
    cities = np.int64(0)
    for region in range(c.NUM_REGIONS):  # without a branch, which processors could not predict
        cities |= board.region_cities[region] & -((regions >> region) & np.int64(1))
    return cities


@kernel
def open_regions(state):
    """Return the open regions as bits, whether or not anybody is present (R8.2.1)."""
    return _regions_equal(state.open, 1)


# --- Draw, and the abolition of slavery (R8.7, R8.9) -----------------------------------------------------------------

_decks_equal, _EVERY_DECK = where_equal(c.NUM_DECKS), (1 << c.NUM_DECKS) - 1


@kernel
def decks_within(board, lock_deck, lock_region):
    """Return the piles, as bits, that the locks allow: one pile, those of one region (R8.8), or with NONE all."""
    decks = np.int64(_EVERY_DECK)
    if lock_deck >= 0:
        decks = bit(lock_deck)
    return decks if lock_region < 0 else decks & _decks_equal(board.deck_region, lock_region)


@kernel
def can_draw(board, state, side, deck):
    """Return whether ``side`` has enough discs for the top card of ``deck``, in an open region (R8.7.1, R8.7.2)."""
    top = np.int64(state.pile_top[deck])
    region = board.deck_region[deck]
    # No branch: with an empty pile the value of its last card is read, which does not matter then.
    value = board.card_value[deck * c.CARDS_PER_DECK + min(top, c.CARDS_PER_DECK - 1)]
    return (top < c.CARDS_PER_DECK) & suffices(state, region, state.presence[side, region], value)


@kernel
def suffices(state, region, discs, value):
    """Return whether so many discs suffice for a card of this value: in an open region (R8.7.1, R8.7.2)."""
    return (state.open[region] == 1) & (discs >= value)


@kernel
def draw_targets(board, state, seat, lock_deck, lock_region):
    """Return the piles that ``seat`` may draw from within the locks, as bits."""
    decks = np.int64(0)
    for deck in range(c.NUM_DECKS):
        decks |= np.int64(can_draw(board, state, seat, deck)) << deck
    return decks & decks_within(board, lock_deck, lock_region)


@kernel
def mark_draws(board, state, seat, lock_deck, lock_region, words):
    """Mark the piles that ``seat`` may draw from in the DRAW block."""
    allow_set(words, DRAW_AT, draw_targets(board, state, seat, lock_deck, lock_region))


@kernel
def draw(board, state, mat, deck):
    """Give ``mat`` the top card of ``deck``; the first draw of the abolition card ends slavery (R8.7.1, R8.9.1)."""
    card = top_card(state, deck)
    gain_card(board, state, mat, card)
    refresh_pile(state, deck)
    if ends_slavery(board, state, card):
        abolish(board, state)


@kernel
def ends_slavery(board, state, card):
    """Return whether the card that somebody has just got is the first one that ends slavery (R8.9.1)."""
    return board.card_abolition[card] and not state.abolished


@kernel
def abolish(board, state):
    """Set aside every held Slavery card, and remove those still on the board from the game (R8.9.2, R8.9.3)."""
    end_slavery(board, state)
    for deck in range(c.NUM_DECKS):
        refresh_pile(state, deck)


@kernel
def end_slavery(board, state):
    """Do as ``abolish``, but leave the piles to be refreshed."""
    state.abolished = 1
    for card in range(c.NUM_CARDS):
        if not board.card_slavery[card]:
            continue
        place = state.card_place[card]
        if 0 <= place < num_mats(state):
            set_aside(board, state, place, card)
        elif place == c.CARD_IN_PILE:
            state.card_place[card] = c.CARD_OUT_OF_GAME


# --- Pay: freeing a building by moving its disc to the harbor, as an action (R8.6) or in the Salary phase (R6) -------

_buildings_above = where_above(c.MAX_BUILDING_TYPES)


@kernel
def pay_targets(state, seat, kept):
    """Return the building types that ``seat`` may free, as bits.

    ``kept`` is a building type of which the disc on one copy stays, or NONE: the building whose Pay action is under
    way. This copy cannot be freed, another one of the same type can (R8.6.2, C1).
    """
    buildings = _buildings_above(state.occupied[seat], 0)
    if kept >= 0 and state.occupied[seat, kept] == 1:
        buildings &= ~bit(kept)
    return buildings


@kernel
def mark_pays(state, seat, kept, words):
    """Mark the building types that ``seat`` may free in the PAY block."""
    allow_set(words, PAY_AT, pay_targets(state, seat, kept))


@kernel
def pay(state, seat, building):
    """Move one disc from an activation space of ``building`` back to the harbor (R6.1, R8.6.1)."""
    state.occupied[seat, building] -= 1
    state.harbor[seat] += 1


@kernel
def discs_on_buildings(board, state, seat):
    """Return the number of discs on the buildings of ``seat``."""
    discs = np.int64(0)
    for building in range(board.num_building_types):
        discs += state.occupied[seat, building]
    return discs


@kernel
def free_all(board, state, seat):
    """Free every building of ``seat``, as happens when the payments suffice for all (R6.2)."""
    for building in range(board.num_building_types):
        state.harbor[seat] += state.occupied[seat, building]
        state.occupied[seat, building] = 0


# --- Taking trade tokens from the board, and the actions of the blue ones (R1.2, R7.3, R7.5) -------------------------


@kernel
def take_token(state, seat, space):
    """Move the token lying on ``space``, if any, to ``seat``; a brown one counts at once (R7.5)."""
    kind = state.token[space]
    if kind == c.NONE:
        return
    state.token[space] = c.NONE
    state.tokens[seat, kind] += 1
    if kind < c.FIRST_BLUE:
        state.status[seat, kind] += 1


@kernel
def blue_mode(kind):
    """Return how the blue token ``kind`` combines its actions: MODE_ONE or MODE_EITHER (R8.8)."""
    return c.MODE_EITHER if kind in (c.TOKEN_OCCUPY_DRAW, c.TOKEN_SAIL_DRAW) else c.MODE_ONE


@kernel
def blue_part(kind, index):
    """Return action ``index`` (0 or 1) of the blue token ``kind``, or NONE (R1.2)."""
    if index == 1:
        return c.DRAW if blue_mode(kind) == c.MODE_EITHER else c.NONE
    if kind == c.TOKEN_ATTACK:
        return c.ATTACK
    if kind == c.TOKEN_OCCUPY_DRAW:
        return c.OCCUPY
    if kind == c.TOKEN_SAIL_DRAW:
        return c.SAIL
    return c.PAY if kind == c.TOKEN_PAY else c.NONE


# --- Occupy, and taking control of connections (R8.3, R8.4) ----------------------------------------------------------

_cities_equal = where_equal(c.MAX_CITIES)


@kernel
def free_cities(board, state, regions):
    """Return the cities in ``regions`` without a disc, both as bits."""
    return _cities_equal(state.city_owner, c.NONE) & cities_in(board, regions)


@kernel
def cities_of(board, state, side):
    """Return the cities in which ``side`` has a disc, as bits; with NONE the cities without a disc."""
    return _cities_equal(state.city_owner, side) & ((np.int64(1) << board.num_cities) - np.int64(1))


@kernel
def occupy_targets(board, state, seat, lock):
    """Return the free cities that ``seat`` may occupy, as bits (R8.3.1).

    It needs a harbor disc. ``lock`` allows only the cities of one region (R8.8); NONE allows all.
    """
    if state.harbor[seat] < 1:
        return np.int64(0)
    return free_cities(board, state, reachable_regions(board, state, seat, lock))


@kernel
def mark_occupies(board, state, seat, lock, words):
    """Mark the free cities that ``seat`` may occupy in the OCCUPY block."""
    allow_set(words, OCCUPY_AT, occupy_targets(board, state, seat, lock))


@kernel
def occupy(board, state, seat, city):
    """Put a harbor disc into a free city, take the city's token, then its connections (R8.3.1)."""
    state.harbor[seat] -= 1
    hold_city(board, state, seat, city)
    take_token(state, seat, c.CITY_SPACES + city)
    take_connections(board, state, seat, city)


@kernel
def take_connections(board, state, seat, city):
    """Take the tokens of all connections that ``seat`` controls now that it holds ``city`` (R8.4.1, R8.4.2)."""
    for index in range(board.city_degree[city]):
        connection = np.int64(board.city_connection[city, index])
        if controls(board, state, seat, connection):
            take_token(state, seat, c.CONNECTION_SPACES + connection)


@kernel
def controls(board, state, seat, connection):
    """Return whether ``seat`` holds both ends of ``connection`` (R8.4.1)."""
    first = board.connection_city[connection, 0]
    second = board.connection_city[connection, 1]
    return (state.city_owner[first] == seat) & (state.city_owner[second] == seat)


# --- Attack (R8.5) ---------------------------------------------------------------------------------------------------

_cities_above = where_above(c.MAX_CITIES)
CASUALTIES = 1  # discs that go from harbor to supply, besides the one that takes the city (R8.5.2)


@kernel
def attack_targets(board, state, seat, lock):
    """Return the cities of other owners that ``seat`` may attack, as bits (R8.5.1, R8.5.2).

    ``lock`` allows only the cities of one region (R8.8); NONE allows all.
    """
    if state.harbor[seat] < CASUALTIES + 1:
        return np.int64(0)
    return enemy_cities(board, state, seat, reachable_regions(board, state, seat, lock))


@kernel
def enemy_cities(board, state, seat, regions):
    """Return the cities of other owners in ``regions``, both as bits (R8.5.1)."""
    others = _cities_above(state.city_owner, c.NONE) & ~_cities_equal(state.city_owner, seat)
    return others & cities_in(board, regions)


@kernel
def mark_attacks(board, state, seat, lock, words):
    """Mark the cities that ``seat`` may attack in the ATTACK block."""
    allow_set(words, ATTACK_AT, attack_targets(board, state, seat, lock))


@kernel
def attack(board, state, seat, city):
    """Pay the casualties, replace the enemy disc with one of the harbor, then take connections (R8.5.2, R8.5.3)."""
    state.harbor[seat] -= CASUALTIES + 1
    state.supply[seat] += CASUALTIES
    leave_city(board, state, city)
    hold_city(board, state, seat, city)
    take_connections(board, state, seat, city)


# --- Sail, and opening a region (R8.1, R8.2) -------------------------------------------------------------------------


@kernel
def sail_targets(board, state, seat, lock):
    """Return the regions that ``seat`` may sail to, as bits: those with a track, full or not (R8.1.1, R8.1.2).

    It needs a harbor disc (R7.4) and no presence. ``lock`` allows only one region (R8.8); NONE allows all.
    """
    if state.harbor[seat] < 1:
        return np.int64(0)
    regions = _regions_above(board.track_length, 0)
    return regions if lock < 0 else regions & bit(lock)


@kernel
def mark_sails(board, state, seat, lock, words):
    """Mark the regions that ``seat`` may sail to in the SAIL block."""
    allow_set(words, SAIL_AT, sail_targets(board, state, seat, lock))


@kernel
def sail(board, state, seat, region):
    """Ship a disc to the farthest free space and take its token, or beside a full track (R8.1, order of R8.2.4)."""
    state.harbor[seat] -= 1
    space = put_on_track(board, state, seat, region)
    if space != c.NONE:
        take_token(state, seat, space)
        open_if_full(board, state, region)


@kernel
def next_space(board, state, region):
    """Return the space number that the next disc on this track fills; NONE if the track is full (R8.1.1)."""
    space = np.int64(state.track_next[region])  # int64, as the number exceeds int8
    return c.TRACK_SPACES + region * c.MAX_TRACK + space if space < board.track_length[region] else c.NONE


@kernel
def skip_closed(board, state, region):
    """Move ``track_next`` over spaces that take no disc (V2S.5)."""
    space = np.int64(state.track_next[region])
    while space < board.track_length[region] and state.track_owner[region, space] == c.SPACE_CLOSED:
        space += 1
    state.track_next[region] = space


@kernel
def put_on_track(board, state, side, region):
    """Put a disc of ``side`` on the farthest free space and return its number; beside a full track return NONE.

    The caller takes the token and opens the region (R8.1.1, R8.1.2).
    """
    state.presence[side, region] += 1
    space = next_space(board, state, region)
    if space == c.NONE:
        state.beside[side, region] += 1
        return space
    state.track_owner[region, state.track_next[region]] = side
    state.track_next[region] += 1
    skip_closed(board, state, region)
    return space


@kernel
def majority_with(board, state, region, extra_space, extra_side):
    """Return ``majority`` as if ``extra_side`` had a disc on space ``extra_space`` of the track; NONE adds no disc."""
    best, best_count = np.int64(c.NONE), np.int64(0)
    # From the pile outwards: of sides with the same count, the first one met is nearest the pile.
    for space in range(board.track_length[region] - 1, -1, -1):
        owner = np.int64(extra_side if space == extra_space else state.track_owner[region, space])
        count = np.int64(1 if extra_side == owner and extra_space >= 0 else 0)
        for other in range(board.track_length[region]):
            if state.track_owner[region, other] == owner:
                count += 1
        if owner >= 0 and count > best_count:
            best, best_count = owner, count
    return best


@kernel
def majority(board, state, region):
    """Return the side with the most discs on the track; the disc nearest the pile breaks a tie (R8.2.2)."""
    return majority_with(board, state, region, c.NONE, c.NONE)


@kernel
def open_if_full(board, state, region):
    """Open a region whose track is full, and award its Governor (R8.2.1-R8.2.3)."""
    card = open_region(board, state, region)
    if card != c.NONE:
        refresh_pile(state, card // c.CARDS_PER_DECK)


@kernel
def open_region(board, state, region):
    """Open a region whose track is full; return the Governor that was awarded, NONE for none (R8.2.1-R8.2.3).

    Its icons count at once, and it is left in the list of its pile. One won by a neutral side leaves the game (V2S.12,
    V2F.8).
    """
    if state.open[region] or state.track_next[region] < board.track_length[region]:
        return np.int64(c.NONE)
    state.open[region] = 1
    card = np.int64(board.governor_card[region])
    if card == c.NONE or state.card_place[card] != c.CARD_IN_PILE:
        return np.int64(c.NONE)
    winner = mat_of(state, majority(board, state, region))
    if winner == c.NONE:
        state.card_place[card] = c.CARD_OUT_OF_GAME
    else:
        gain_card(board, state, winner, card)
    return card
