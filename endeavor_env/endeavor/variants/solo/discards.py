"""The Opposition's discards at its card limit: the fewest cards, and those that leave it best off (S7.1, C11).

Sets of cards are bits.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.base.cards import discard, holding_legal, lose_card
from endeavor_env.endeavor.rules.bits import bit, lowest, without_lowest
from endeavor_env.kernels.kernels import inlined, kernel

GLORY_FACTOR = 1 << 16  # Glory outweighs any sum of statuses


@inlined
def _status_after(board, state, chosen, status):
    """Return the true count of ``status`` after a discard of the cards ``chosen``."""
    count = np.int64(state.status[c.OPPOSITION, status])
    while chosen != 0:
        count -= board.card_icons[lowest(chosen), status]
        chosen = without_lowest(chosen)
    return count


@kernel
def _marker_at(board, count):
    """Return the marker position of a status with this true count (R10.1)."""
    return max(np.int64(0), min(np.int64(board.status_max), count))


@inlined
def _legal_after(board, state, chosen):
    """Return whether the cards held are legal after a discard of the cards ``chosen`` (R9.3, R9.4)."""
    normal, governors = np.int64(state.num_cards[c.OPPOSITION]), np.int64(state.num_governors[c.OPPOSITION])
    slavery = np.int64(state.num_slavery[c.OPPOSITION])
    limit = board.card_limit[_marker_at(board, _status_after(board, state, chosen, c.POLITICS))]
    while chosen != 0:
        card = lowest(chosen)
        normal -= 1
        governors -= board.card_governor[card]
        slavery -= board.card_slavery[card]
        chosen = without_lowest(chosen)
    normal -= 1 if governors > 0 else 0
    extra = 1 if slavery > 0 else 0
    return normal <= board.card_slots and normal - extra <= limit


@inlined
def _worth_after(board, state, chosen):
    """Return a number that ranks the discard of the cards ``chosen``: the Glory after it, then the true counts.

    Glory that no choice of cards changes is left out; a discarded Governor keeps its Glory (S7.1).
    """
    glory, counts = np.int64(0), np.int64(0)
    for status in range(c.NUM_STATUSES):
        after = _status_after(board, state, chosen, status)
        glory += board.status_glory[_marker_at(board, after)]
        counts += after
    while chosen != 0:
        card = lowest(chosen)
        if not board.card_governor[card]:
            glory -= board.card_glory[card]
            if board.card_slavery[card]:
                glory -= board.slavery_penalty
        chosen = without_lowest(chosen)
    return glory * GLORY_FACTOR + counts


@kernel
def _cards_of(held, subset):
    """Return the cards of ``held`` that ``subset`` selects: its bit i stands for the i-th card held."""
    cards = np.int64(0)
    while subset != 0:
        if subset & np.int64(1):
            cards |= bit(lowest(held))
        held = without_lowest(held)
        subset >>= np.int64(1)
    return cards


@kernel
def _next_subset(subset):
    """Return the next larger number with the same number of bits set."""
    low = subset & -subset
    ripple = subset + low
    return ripple | ((subset ^ ripple) >> (lowest(low) + np.int64(2)))


@kernel
def discard_options(board, state):
    """Return the cards that occur in any best set of the least size, 0 if the cards held are legal (C11)."""
    options = np.int64(0)
    if holding_legal(board, state, c.OPPOSITION):
        return options
    held = np.int64(0)
    for card in range(c.NUM_CARDS):
        held |= np.int64(state.card_place[card] == c.OPPOSITION) << card
    count = np.int64(state.num_cards[c.OPPOSITION])
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


@kernel
def discard_card(board, state, card):
    """Discard a card of the Opposition; a Governor is retained for its Glory (S7.1)."""
    if board.card_governor[card] and not board.card_slavery[card]:
        lose_card(board, state, c.OPPOSITION, card, c.CARD_RETAINED)
    else:
        discard(board, state, c.OPPOSITION, card)
