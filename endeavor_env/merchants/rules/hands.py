"""Cards and gold that change hands (K1.3, K1.5), what the others have not seen of them, and thefts (K14)."""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import constants as c

# --- Thefts as a position remembers them -----------------------------------------------------------------------------
# Kinds of stolen cards can be told from what hands pay later. A position knows the latest thefts, back to the last one
# before which everybody knew all hands. ``state.thefts`` has a row for each, three numbers of six fields of FIELD bits:
#
# - THEFT: the victim's cards of each kind before it, and behind them thief, victim and kind in one number.
# - OF_THIEF, OF_VICTIM: of the hand after it, until its next theft, of each kind the most cards that could have been of
#   other kinds than they were, and in the sixth field how many more of SALT there could have been, NO_LIMIT for any.
#
# So in a game in which other cards were stolen a hand differs from the real one by a number for each kind, which stays
# as it is until the next theft, and these bounds say which numbers agree with all that was seen.

FIELD, FIELD_BITS = 5, 31
NO_LIMIT = FIELD_BITS
LIMIT_AT = FIELD * c.NUM_RESOURCES
"""The bit at which the sixth field begins."""
THEFT, OF_THIEF, OF_VICTIM = range(3)
"""The columns of ``state.thefts``."""
_OTHERS = c.MAX_SEATS - 1


@inlined
def field(number, place):
    """Return a field of a number of a theft: that of a kind, or the sixth."""
    return (np.int64(number) >> np.int64(FIELD * place)) & np.int64(FIELD_BITS)


@inlined
def with_field(number, place, value):
    """Return the number with another value of a field."""
    shift = np.int64(FIELD * place)
    return (np.int64(number) & ~(np.int64(FIELD_BITS) << shift)) | (np.int64(value) << shift)


@inlined
def thief_of(number):
    """Return the thief of a THEFT."""
    return (np.int64(number) >> np.int64(LIMIT_AT)) % c.MAX_SEATS


@inlined
def victim_of(number):
    """Return the victim of a THEFT."""
    who = np.int64(number) >> np.int64(LIMIT_AT)
    return (who % c.MAX_SEATS + 1 + who // c.MAX_SEATS % _OTHERS) % c.MAX_SEATS


@inlined
def kind_of(number):
    """Return the kind of the card of a THEFT."""
    return (np.int64(number) >> np.int64(LIMIT_AT)) // (c.MAX_SEATS * _OTHERS)


@inlined
def theft_number(thief, victim, kind):
    """Return a THEFT without the victim's cards."""
    distance = (np.int64(victim) - np.int64(thief) + c.MAX_SEATS - 1) % c.MAX_SEATS
    who = np.int64(thief) + c.MAX_SEATS * (distance + _OTHERS * np.int64(kind))
    return who << np.int64(LIMIT_AT)


@inlined
def bind_hand(state, seat, kind, most):
    """Note that at most so many cards of a kind could be of others."""
    side = np.int64(state.latest[seat])
    if side != c.NONE:
        row, column = side >> np.int64(1), np.int64(OF_THIEF) + (side & np.int64(1))
        number = state.thefts[row, column]
        if field(number, kind) > most:
            state.thefts[row, column] = with_field(number, kind, most)


@kernel
def limit_salt(state, seat, more):
    """Note that a hand can hold at most so much more SALT than it does, because of what its seat may not do."""
    side = np.int64(state.latest[seat])
    if side != c.NONE:
        row, column = side >> np.int64(1), np.int64(OF_THIEF) + (side & np.int64(1))
        number = state.thefts[row, column]
        if field(number, c.NUM_RESOURCES) > more:
            state.thefts[row, column] = with_field(number, c.NUM_RESOURCES, more)


@kernel
def all_know_all(state):
    """Return whether everybody knows all hands, and knows so."""
    for seat in range(state.num_seats):
        for kind in range(c.NUM_RESOURCES):
            if state.unseen[seat, kind, c.PUBLIC] > 0:
                return False
    return True


@kernel
def note_theft(state, thief, victim, kind):
    """Remember a theft that is about to be made; forget those that show nothing any more, or all if they are many."""
    if all_know_all(state):
        forget_thefts(state, 0)
    row = np.int64(state.num_thefts)
    if row == c.LOST:
        return
    if row == c.MOST_THEFTS:
        forget_thefts(state, c.LOST)
        return
    number = theft_number(thief, victim, kind)
    of_thief = of_victim = np.int64(NO_LIMIT) << np.int64(LIMIT_AT)
    for other in range(c.NUM_RESOURCES):
        number = with_field(number, other, state.hand[victim, other])
        of_thief = with_field(of_thief, other, state.hand[thief, other] + (1 if other == kind else 0))
        of_victim = with_field(of_victim, other, state.hand[victim, other] - (1 if other == kind else 0))
    state.thefts[row, THEFT] = number
    state.thefts[row, OF_THIEF], state.thefts[row, OF_VICTIM] = of_thief, of_victim
    state.latest[thief], state.latest[victim] = 2 * row, 2 * row + 1
    state.num_thefts = row + 1


@kernel
def forget_thefts(state, number):
    """Forget all thefts: ``number`` is 0 where they show nothing any more, LOST where they would."""
    state.thefts[:] = 0
    state.latest[:] = c.NONE
    state.num_thefts = number


# --- Cards and gold that change hands (K1.3, K1.5), and what the others have not seen of them (K14) ------------------
# ``unseen[hand, kind, observer]`` counts the cards of a hand whose kind an observer cannot name; the others it can.
# Open gains leave it as it is. An open loss shows a card: it was one that the observer could name, if there was any,
# since only the number of known cards is a lower bound. What that leaves open about thefts is above.


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
