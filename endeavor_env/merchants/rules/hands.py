"""Cards and gold that change hands (K1.3, K1.5), and what the others have not seen of them (K14).

``unseen[hand, kind, observer]`` counts the cards of a hand whose kind an observer cannot name; the others it can. Open
gains leave it as it is. An open loss shows a card: it was one that the observer could name, if there was any, since
only the number of known cards is a lower bound. What that leaves open about thefts is in ``thefts``.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.thefts import bind_hand, note_theft


@inlined
def hand_size(state, seat):
    """Return the number of resource cards of a hand."""
    hand = state.hand
    return (
        np.int64(hand[seat, 0])
        + np.int64(hand[seat, 1])
        + np.int64(hand[seat, 2])
        + np.int64(hand[seat, 3])
        + np.int64(hand[seat, 4])
    )


@inlined
def cards_in_hand(state, seat):
    """Return the number of development cards that a seat holds."""
    cards = state.cards
    return np.int64(cards[seat, 0]) + np.int64(cards[seat, 1]) + np.int64(cards[seat, 2]) + np.int64(cards[seat, 3])


@inlined
def take_cards(state, seat, kind, number):
    """Move cards of a kind from the reserve to a hand; the reserve must hold them."""
    state.reserve[kind] -= number
    state.hand[seat, kind] += number


@inlined
def show_cards(state, seat, kind, number):
    """Note that everybody now knows that a seat holds so many cards of a kind, because of what it does with them."""
    most = np.int64(state.hand[seat, kind]) - np.int64(number)
    for other in range(c.NUM_OBSERVERS):
        state.unseen[seat, kind, other] = min(np.int64(state.unseen[seat, kind, other]), most)
    bind_hand(state, np.int64(seat), np.int64(kind), most)


@inlined
def _lose(state, seat, kind, number):
    """Take cards of a kind out of a hand, openly."""
    state.hand[seat, kind] -= number
    show_cards(state, seat, kind, 0)


@inlined
def pay_cards(state, seat, kind, number):
    """Move cards of a kind from a hand to the reserve."""
    _lose(state, seat, kind, number)
    state.reserve[kind] += number


@inlined
def hand_over(state, giver, taker, kind, number):
    """Move cards of a kind from a hand to another, openly."""
    _lose(state, giver, kind, number)
    state.hand[taker, kind] += number


@kernel
def steal_card(state, thief, victim, kind):
    """Move a card from a hand to another so that only these two see which it is (K4.7)."""
    note_theft(state, thief, victim, kind)
    for other in range(c.NUM_OBSERVERS):
        if other != thief and other != victim:
            _miss_theft(state, thief, victim, kind, other)
    state.hand[victim, kind] -= 1
    state.hand[thief, kind] += 1
    state.unseen[victim, kind, thief] = min(state.unseen[victim, kind, thief], state.hand[victim, kind])


@kernel
def _miss_theft(state, thief, victim, stolen, other):
    """Count what an observer no longer knows after a theft that it does not see: it may have been any kind."""
    for kind in range(c.NUM_RESOURCES):
        left = state.hand[victim, kind] - (1 if kind == stolen else 0)
        unseen = state.unseen[victim, kind, other] + (0 if kind == stolen else 1)
        state.unseen[victim, kind, other] = min(unseen, left)
    state.unseen[thief, stolen, other] += 1


@inlined
def take_gold(state, seat, amount):
    """Pay a seat from the reserve, as far as it lasts (K4.5)."""
    paid = min(np.int64(amount), np.int64(state.gold_left))
    state.gold[seat] += paid
    state.gold_left -= paid


@inlined
def pay_gold(state, seat, amount):
    """Pay gold to the reserve."""
    state.gold[seat] -= amount
    state.gold_left += amount
