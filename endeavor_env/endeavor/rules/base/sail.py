"""Sail, and opening a region (R8.1, R8.2)."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import SAIL_AT
from endeavor_env.endeavor.rules.base.cards import gain_card
from endeavor_env.endeavor.rules.base.piles import refresh_pile
from endeavor_env.endeavor.rules.base.tokens import take_token
from endeavor_env.endeavor.rules.bits import bit, where_above
from endeavor_env.endeavor.rules.sides import mat_of
from endeavor_env.engine.kernels.masks import allow_set
from endeavor_env.kernels.kernels import kernel

_regions_above = where_above(c.NUM_REGIONS)


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
