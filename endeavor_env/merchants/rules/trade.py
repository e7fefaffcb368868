"""Trade with the reserve, for cards and for gold (K5.1, K5.2)."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.masks import allow_set
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.hands import pay_cards, pay_gold, take_cards, take_gold


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
