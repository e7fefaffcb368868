"""Sail, and opening a region (R8.1, R8.2)."""

from __future__ import annotations

import numpy as np

from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import SAIL_AT
from endeavor_env.core.cards import gain_card, refresh_pile
from endeavor_env.core.constants import (
    CARD_IN_PILE,
    CARDS_PER_DECK,
    MAX_TRACK,
    NONE,
    NUM_REGIONS,
    TRACK_SPACES,
)
from endeavor_env.core.tokens import take_token


@kernel
def _can_sail(board, region, lock):
    """Tells whether a disc may go to ``region``: any with a track, full or not, present or not (R8.1.1, R8.1.2).

    ``lock`` keeps one region (R8.8); NONE keeps all.
    """
    return board.track_length[region] > 0 and (lock < 0 or lock == region)


@kernel
def mark_sails(board, state, seat, lock, out):
    """Marks the regions ``seat`` may sail to, for one harbor disc (R7.4), in the SAIL block."""
    if state.harbor[seat] < 1:
        return
    for region in range(NUM_REGIONS):
        if _can_sail(board, region, lock):
            out[SAIL_AT + region] = 1


@kernel
def any_sail(board, state, seat, lock):
    """Tells whether Sail has a target."""
    if state.harbor[seat] < 1:
        return False
    for region in range(NUM_REGIONS):
        if _can_sail(board, region, lock):
            return True
    return False


@kernel
def sail(board, state, seat, region):
    """Ships one disc: to the farthest free space with its token, or beside a full track (R8.1, order of R8.2.4)."""
    state.harbor[seat] -= 1
    state.presence[seat, region] += 1
    space = np.int64(state.track_next[region])  # wide: the token's space number exceeds int8
    if space >= board.track_length[region]:
        state.beside[seat, region] += 1
        return
    state.track_owner[region, space] = seat
    state.track_next[region] = space + 1
    take_token(state, seat, TRACK_SPACES + region * MAX_TRACK + space)
    if space + 1 >= board.track_length[region]:
        _open(board, state, region)


@kernel
def majority(board, state, region):
    """Returns the seat with most discs on the track; a tie goes to the disc nearest the pile (R8.2.2)."""
    best, best_count = NONE, 0
    # From the pile outwards, so that the first seat met with a count is the one nearest the pile among its equals.
    for space in range(board.track_length[region] - 1, -1, -1):
        owner = state.track_owner[region, space]
        count = 0
        for other in range(board.track_length[region]):
            if state.track_owner[region, other] == owner:
                count += 1
        if owner != NONE and count > best_count:
            best, best_count = owner, count
    return best


@kernel
def _open(board, state, region):
    """Opens a region and awards its Governor, whose icons count at once (R8.2.1-R8.2.3)."""
    state.open[region] = 1
    card = board.governor_card[region]
    if card != NONE and state.card_place[card] == CARD_IN_PILE:
        gain_card(board, state, majority(board, state, region), card)
        refresh_pile(state, card // CARDS_PER_DECK)
