"""What the Opposition discards at its card limit: the fewest cards, and those that leave it best off (S7.1, C11)."""

from __future__ import annotations

import numpy as np

from endeavor_env.core._jit import kernel
from endeavor_env.core.bits import bit, has
from endeavor_env.core.cards import holding_legal
from endeavor_env.core.constants import CARD_RETAINED, NUM_CARDS, NUM_STATUSES, OPPOSITION, POLITICS

STATUS_SHARE = 1 << 16  # Glory outweighs any sum of statuses


@kernel
def _status_after(board, state, chosen, status):
    """Returns the true count of ``status`` once the cards ``chosen`` are gone."""
    count = np.int64(state.status[OPPOSITION, status])
    for card in range(NUM_CARDS):
        if has(chosen, card):
            count -= board.card_icons[card, status]
    return count


@kernel
def _marker_after(board, state, chosen, status):
    return max(np.int64(0), min(np.int64(board.status_max), _status_after(board, state, chosen, status)))


@kernel
def _legal_after(board, state, chosen):
    """Tells whether the holding is legal once the cards ``chosen`` are gone (R9.3, R9.4)."""
    normal, governors = np.int64(state.num_cards[OPPOSITION]), np.int64(state.num_governors[OPPOSITION])
    slavery = np.int64(state.num_slavery[OPPOSITION])
    for card in range(NUM_CARDS):
        if has(chosen, card):
            normal -= 1
            governors -= board.card_governor[card]
            slavery -= board.card_slavery[card]
    normal -= 1 if governors > 0 else 0
    extra = 1 if slavery > 0 else 0
    limit = board.card_limit[_marker_after(board, state, chosen, POLITICS)]
    return normal <= board.card_slots and normal - extra <= limit


@kernel
def _worth_after(board, state, chosen):
    """Returns the Opposition's Glory from statuses and cards once ``chosen`` are gone, true counts breaking ties."""
    glory, counts = np.int64(0), np.int64(0)
    for status in range(NUM_STATUSES):
        glory += board.status_glory[_marker_after(board, state, chosen, status)]
        counts += _status_after(board, state, chosen, status)
    penalties = np.int64(state.num_face_down[OPPOSITION])
    for card in range(NUM_CARDS):
        place = state.card_place[card]
        kept = place == CARD_RETAINED or (place == OPPOSITION and not has(chosen, card))
        if kept or (has(chosen, card) and board.card_governor[card]):
            glory += board.card_glory[card]
        elif has(chosen, card) and board.card_slavery[card]:
            penalties += 1
    return (glory - penalties * board.slavery_penalty) * STATUS_SHARE + counts


@kernel
def _cards_of(held, subset):
    """Returns the cards of ``held`` whose ranks in it are the bits of ``subset``."""
    cards, rank = np.int64(0), np.int64(0)
    for card in range(NUM_CARDS):
        if has(held, card):
            if has(subset, rank):
                cards |= bit(card)
            rank += 1
    return cards


@kernel
def _next_subset(subset):
    """Returns the next larger number with as many bits set."""
    low = subset & -subset
    ripple = subset + low
    return ripple | (((subset ^ ripple) >> np.int64(2)) // low)


@kernel
def discard_options(board, state):
    """Returns the cards that occur in any best smallest discard, 0 if the holding is legal (C11)."""
    options = np.int64(0)
    if holding_legal(board, state, OPPOSITION):
        return options
    held = np.int64(0)
    for card in range(NUM_CARDS):
        if state.card_place[card] == OPPOSITION:
            held |= bit(card)
    count = np.int64(state.num_cards[OPPOSITION])
    for size in range(1, count + 1):
        best = np.int64(-(1 << 60))
        subset = bit(size) - np.int64(1)
        while subset < bit(count):
            chosen = _cards_of(held, subset)
            if _legal_after(board, state, chosen):
                worth = _worth_after(board, state, chosen)
                if worth > best:
                    best, options = worth, np.int64(0)
                if worth == best:
                    options |= chosen
            subset = _next_subset(subset)
        if options != 0:
            return options
    return options
