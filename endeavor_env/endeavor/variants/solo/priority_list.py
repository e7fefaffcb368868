"""The Opposition's priority list (S4): the options of a disc that acts, by the first item that is feasible.

Options are cities, regions or decks as bits, already narrowed by the tie-breaks. With them come the offset of their
block of action ids and a reason (``variants.solo.reasons``). As in ``variants.solo.tie_breaks``, functions take the
``side`` whose disc acts and the ``mat`` that gains, so that the automa can use them for a player's seat.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.exploits.any_game import top_card
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import DRAW_AT, OCCUPY_AT, SAIL_AT
from endeavor_env.endeavor.rules.base.actions import can_draw, cities_of, majority_with, next_space, reachable_regions
from endeavor_env.endeavor.rules.bits import bit, has
from endeavor_env.endeavor.rules.sides import is_soloplay, mat_of
from endeavor_env.endeavor.variants.solo.reasons import (
    ITEM_BESIDE,
    ITEM_COMPLETE,
    ITEM_DRAW,
    ITEM_DRAW_ANYWHERE,
    ITEM_DRAW_HERE,
    ITEM_FIRST_SPACE,
    ITEM_LATER_SPACE,
    ITEM_NOTHING,
    TIE_PRESENCE,
    USELESS,
)
from endeavor_env.endeavor.variants.solo.tie_breaks import brings_something, pick_card, pick_city, pick_track
from endeavor_env.kernels.kernels import inlined, kernel


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
