"""Offers of the greedy player: one card for another, once a turn, if somebody seems to accept it; and its answers."""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.players.greedy import weights as w
from endeavor_env.merchants.players.greedy.hands import items_value, write_items, write_known_items
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.state import new_items


@inlined
def _gain(board, state, seat, items, before, give, want, weights):
    """Return what an exchange of one item for another brings a seat that now has ``items``, worth ``before``."""
    items[give] -= 1
    items[want] += 1
    gain = items_value(board, state, seat, items, weights) - before
    items[give] += 1
    items[want] -= 1
    return gain


@kernel
def _somebody_accepts(board, state, seat, give, want, gain, weights):
    """Return whether another seat holds what is wanted, as far as ``seat`` knows, and would accept by ``answer``."""
    items = new_items(c.NUM_ITEMS)
    for other in range(state.num_seats):
        if other == seat:
            continue
        write_known_items(state, seat, other, items)
        if items[want] == 0:
            continue
        before = items_value(board, state, other, items, weights)
        theirs = _gain(board, state, other, items, before, want, give, weights)
        if theirs > 0.0 and theirs > weights[w.ACCEPT] * gain:
            return True
    return False


@kernel
def _best_exchange(board, state, seat, only, weights):
    """Return the best exchange as NUM_ITEMS * give + want, NONE if none brings enough.

    ``only`` is the item that is given, NONE for any.
    """
    items = new_items(c.NUM_ITEMS)
    write_items(state, seat, items)
    before = items_value(board, state, seat, items, weights)
    best, chosen = weights[w.OFFER], np.int64(c.NONE)
    for give in range(c.NUM_ITEMS):
        if items[give] == 0 or (only != c.NONE and give != only):
            continue
        for want in range(c.NUM_RESOURCES):
            if want == give:
                continue
            gain = _gain(board, state, seat, items, before, give, want, weights)
            if gain > best and _somebody_accepts(board, state, seat, give, want, gain, weights):
                best, chosen = gain, np.int64(c.NUM_ITEMS * give + want)
    return chosen


@kernel
def first_gift(board, state, weights):
    """Return the move that begins an offer, NONE if there is no use in one, or one was made this turn."""
    if state.offers > 0:
        return np.int64(c.NONE)
    exchange = _best_exchange(board, state, np.int64(state.mover), np.int64(c.NONE), weights)
    return exchange if exchange == c.NONE else np.int64(actions.GIVE_AT) + exchange // np.int64(c.NUM_ITEMS)


@kernel
def go_on_offering(board, state, weights):
    """Return the next move of an offer of one item: what is wanted, and then ``propose``."""
    given, wanted, item = np.int64(0), np.int64(0), np.int64(0)
    for kind in range(c.NUM_ITEMS):
        given += state.gives[kind]
        wanted += state.wants[kind]
        if state.gives[kind] > 0:
            item = np.int64(kind)
    if wanted > 0:
        return np.int64(actions.PROPOSE)
    exchange = _best_exchange(board, state, np.int64(state.mover), item, weights)
    if given > 1 or exchange == c.NONE:
        return np.int64(actions.CANCEL)
    return np.int64(actions.WANT_AT) + exchange % np.int64(c.NUM_ITEMS)


@kernel
def _exchange_gain(board, state, seat, items, sign, weights):
    """Return what the offer brings a seat with ``items``, which are overwritten: the mover if ``sign`` is 1."""
    before = items_value(board, state, seat, items, weights)
    for item in range(c.NUM_ITEMS):
        change = sign * (np.int64(state.wants[item]) - np.int64(state.gives[item]))
        items[item] = max(np.int64(0), items[item] + change)
    return items_value(board, state, seat, items, weights) - before


@kernel
def answer(board, state, weights):
    """Return whether the seat that is asked accepts: the offer brings it something, and more than the mover."""
    items = new_items(c.NUM_ITEMS)
    write_items(state, state.seat, items)
    own = _exchange_gain(board, state, np.int64(state.seat), items, np.int64(-1), weights)
    write_known_items(state, state.seat, state.mover, items)
    theirs = _exchange_gain(board, state, np.int64(state.mover), items, np.int64(1), weights)
    return own > 0.0 and own > weights[w.ACCEPT] * theirs


@kernel
def best_partner(state, mask):
    """Return the move that trades with the seat, of those that accept, which has delivered least."""
    least, chosen = np.int64(c.ALL_GOLD), np.int64(c.NONE)
    for index in range(state.num_seats - 1):
        delivered = np.int64(state.delivered[(state.mover + index + 1) % state.num_seats])
        if mask[actions.PARTNER_AT + index] and delivered < least:
            least, chosen = delivered, np.int64(actions.PARTNER_AT + index)
    return chosen
