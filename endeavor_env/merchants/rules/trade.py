"""Trade: with the reserve for cards and gold, and between the mover and another seat (K5)."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.masks import allow, allow_set
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import actions, sets
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.asking import ask, ask_seat, go_back
from endeavor_env.merchants.rules.hands import hand_over, pay_cards, pay_gold, show_cards, take_cards, take_gold

# --- Trade with the reserve, for cards and for gold (K5.1, K5.2) -----------------------------------------------------


@inlined
def _in_reserve(state):
    """Return the resources of which the reserve has a card, as bits."""
    stock = np.int64(0)
    for kind in range(c.NUM_RESOURCES):
        stock |= np.int64(state.reserve[kind] > 0) << np.int64(kind)
    return stock


@kernel
def mark_trade(state, mask):
    """Mark what the mover may exchange with the reserve."""
    stock, seat = _in_reserve(state), state.mover
    if state.buys < c.MOST_BUYS and state.gold[seat] >= c.GOLD_PRICE:
        allow_set(mask, actions.BUY_AT, stock)
    offered = stock | (np.int64(state.gold_left > 0) << np.int64(c.GOLD))
    for kind in range(c.NUM_RESOURCES):
        if state.hand[seat, kind] >= c.BANK_RATE:
            allow_set(mask, actions.BANK_AT + c.NUM_ITEMS * kind, offered & ~(np.int64(1) << np.int64(kind)))


@kernel
def buy(state, kind):
    """Buy a card for gold."""
    pay_gold(state, state.mover, c.GOLD_PRICE)
    take_cards(state, state.mover, kind, 1)
    state.buys += 1


@kernel
def exchange(state, index):
    """Give three cards of a kind for another card or for gold."""
    give, get = index // c.NUM_ITEMS, index % c.NUM_ITEMS
    pay_cards(state, state.mover, give, c.BANK_RATE)
    if get == c.GOLD:
        take_gold(state, state.mover, 1)
    else:
        take_cards(state, state.mover, get, 1)


# --- Offers: trade between the mover and another seat (K5.3) ---------------------------------------------------------


@inlined
def held(state, seat, item):
    """Return how much of an item a seat holds."""
    return np.int64(state.gold[seat]) if item == c.GOLD else np.int64(state.hand[seat, item])


@inlined
def _number(items):
    """Return how many things are on one side of an offer."""
    total = np.int64(0)
    for item in range(c.NUM_ITEMS):
        total += np.int64(items[item])
    return total


@inlined
def _last(items):
    """Return the last item on one side of an offer; NONE if there is none."""
    last = np.int64(c.NONE)
    for item in range(c.NUM_ITEMS):
        if items[item] > 0:
            last = np.int64(item)
    return last


@inlined
def mark_first_gifts(state, mask):
    """Mark the items with which the mover may begin an offer."""
    for item in range(c.NUM_ITEMS):
        if held(state, state.mover, item) > 0:
            allow(mask, actions.GIVE_AT + item)


@kernel
def mark_offer(state, mask):
    """Mark how an offer may go on: items ascend, at most three a side, no kind on both sides."""
    given, wanted = _number(state.gives), _number(state.wants)
    if wanted == 0 and given < c.MOST_ITEMS:
        for item in range(_last(state.gives), c.NUM_ITEMS):
            if held(state, state.mover, item) > state.gives[item]:
                allow(mask, actions.GIVE_AT + item)
    if wanted < c.MOST_ITEMS:
        for item in range(max(np.int64(0), _last(state.wants)), c.NUM_ITEMS):
            if state.gives[item] == 0:
                allow(mask, actions.WANT_AT + item)
    if wanted > 0:
        allow(mask, actions.PROPOSE)
    allow(mask, actions.CANCEL)


@kernel
def begin_offer(state, item):
    """Begin an offer with the first thing given."""
    state.offers += 1
    state.gives[:] = 0
    state.wants[:] = 0
    give(state, item)


@kernel
def give(state, item):
    """Put one more thing on the side that the mover gives."""
    state.gives[item] += 1
    if item != c.GOLD:
        show_cards(state, state.mover, item, state.gives[item])
    ask(state, c.DECIDE_OFFER)


@kernel
def want(state, item):
    """Put one more thing on the side that the mover wants."""
    state.wants[item] += 1
    ask(state, c.DECIDE_OFFER)


@kernel
def propose(state):
    """Ask the next seat whether it accepts."""
    state.accepted = 0
    ask_seat(state, c.DECIDE_REPLY, (state.mover + 1) % state.num_seats)


@kernel
def close_offer(state):
    """Forget the offer and go on."""
    state.gives[:] = 0
    state.wants[:] = 0
    state.accepted = 0
    go_back(state)


# --- replies ---------------------------------------------------------------------------------------------------------
@kernel
def mark_replies(state, mask):
    """Mark what the seat that is asked may answer: it accepts only what it can give."""
    able = True
    for item in range(c.NUM_ITEMS):
        able = able and held(state, state.seat, item) >= state.wants[item]
    if able:
        allow(mask, actions.ACCEPT)
    allow(mask, actions.REFUSE)


@kernel
def reply(state, accepts):
    """Note an answer; ask the next seat, or bring the offer to its end."""
    if accepts:
        state.accepted |= sets.bit(state.seat)
        for kind in range(c.NUM_RESOURCES):
            show_cards(state, state.seat, kind, state.wants[kind])
    following = (state.seat + 1) % state.num_seats
    if following != state.mover:
        ask_seat(state, c.DECIDE_REPLY, following)
        return
    accepted = np.int64(state.accepted)
    if sets.without_lowest(accepted) != 0:
        ask(state, c.DECIDE_PARTNER)
        return
    if accepted != 0:
        _exchange(state, sets.lowest(accepted))
    close_offer(state)


@kernel
def mark_partners(state, mask):
    """Mark the seats that accept."""
    for distance in range(1, state.num_seats):
        if sets.has(state.accepted, (state.mover + distance) % state.num_seats):
            allow(mask, actions.PARTNER_AT + distance - 1)


@kernel
def choose_partner(state, index):
    """Trade with one of the seats that accept."""
    _exchange(state, (state.mover + index + 1) % state.num_seats)
    close_offer(state)


@kernel
def _exchange(state, partner):
    """Exchange both sides of the offer."""
    _give_all(state, state.gives, state.mover, partner)
    _give_all(state, state.wants, partner, state.mover)


@kernel
def _give_all(state, items, giver, taker):
    """Give one side of the offer to a seat."""
    for kind in range(c.NUM_RESOURCES):
        if items[kind] > 0:
            hand_over(state, giver, taker, kind, items[kind])
    state.gold[giver] -= items[c.GOLD]
    state.gold[taker] += items[c.GOLD]
