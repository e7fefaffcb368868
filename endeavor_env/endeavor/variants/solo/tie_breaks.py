"""Tie-breaks of the Opposition (S5.1-S5.3): narrowing sets of options, given as bits.

The ``pick_`` functions also return the flags (``variants.solo.reasons``) of the tie-breaks that narrowed the set.
Functions take the ``side`` whose disc acts and the ``mat`` that gains, so that the automa can use them for a player's
seat.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.exploits.any_game import free_cities, top_card
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.base.actions import cities_of, next_space
from endeavor_env.endeavor.rules.base.phases import marker
from endeavor_env.endeavor.rules.bits import bit, has, lowest, without_lowest
from endeavor_env.endeavor.variants.solo.reasons import (
    ITEM_CITY,
    ITEM_CONNECT,
    ITEM_GLORY,
    ITEM_NOTHING,
    TIE_ADVANCE,
    TIE_BLUE,
    TIE_BLUE_TRACK,
    TIE_ICONS,
    TIE_OVERSHOOT,
    TIE_STATUS,
)
from endeavor_env.kernels.kernels import inlined, kernel

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
