"""What a seat cannot know, drawn anew (K14.1): kinds of stolen cards, and development cards that others hold."""

from __future__ import annotations

import numpy as np

from endeavor_env.machine.intrinsics import words_on_stack
from endeavor_env.machine.kernels import kernel
from endeavor_env.merchants.core import constants as c
from endeavor_env.merchants.core.hands import cards_in_hand
from endeavor_env.rails.kernels.rng import next_below

_new_pool = words_on_stack(max(c.NUM_RESOURCES, c.NUM_CARDS))


@kernel
def resample(state, seat, rng):
    """Draw anew, in place, what ``seat`` cannot know, so that the position agrees with all it has seen."""
    _deal_resources(state, seat, rng)
    _deal_development(state, seat, rng)


@kernel
def _draw(pool, left, rng):
    """Take a card out of a pool with ``left`` cards, each as likely as the others; return its kind."""
    index, kind = next_below(rng, left), np.int64(0)
    while index >= pool[kind]:
        index -= pool[kind]
        kind += 1
    pool[kind] -= 1
    return kind


@kernel
def _deal_resources(state, seat, rng):
    """Deal the cards whose kinds the seat does not know among the hands that have them."""
    pool, left = _new_pool(c.NUM_RESOURCES), np.int64(0)
    for kind in range(c.NUM_RESOURCES):
        pool[kind] = 0
        for other in range(state.num_seats):
            pool[kind] += state.unseen[other, kind, seat]
        left += pool[kind]
    for other in range(state.num_seats):
        unknown = np.int64(0)
        for kind in range(c.NUM_RESOURCES):
            unknown += state.unseen[other, kind, seat]
        if unknown > 0:
            _deal_hand(state, seat, other, unknown, pool, left, rng)
            left -= unknown


@kernel
def _deal_hand(state, seat, other, unknown, pool, left, rng):
    """Give a hand other cards for the ``unknown`` ones of a seat."""
    dealt = _new_pool(c.NUM_RESOURCES)
    dealt[:] = 0
    for number in range(unknown):
        dealt[_draw(pool, left - number, rng)] += 1
    for kind in range(c.NUM_RESOURCES):
        before = np.int64(state.hand[other, kind])
        after = before - state.unseen[other, kind, seat] + dealt[kind]
        state.hand[other, kind] = after
        state.unseen[other, kind, seat] = dealt[kind]
        for third in range(state.num_seats):
            if third != seat and third != other:  # who knew more of the hand than it now has knows all of it
                known = before - state.unseen[other, kind, third]
                state.unseen[other, kind, third] = after - min(known, after)


@kernel
def _deal_development(state, seat, rng):
    """Deal the development cards of the others and of the pile; the one bought this turn is any of its owner's."""
    pool, left = _new_pool(c.NUM_CARDS), np.int64(0)
    for kind in range(c.NUM_CARDS):
        pool[kind] = state.pile[kind]
        for other in range(state.num_seats):
            if other != seat:
                pool[kind] += state.cards[other, kind]
        left += pool[kind]
    for other in range(state.num_seats):
        if other != seat:
            number = cards_in_hand(state, other)
            for kind in range(c.NUM_CARDS):
                state.cards[other, kind] = 0
            for _ in range(number):
                kind = _draw(pool, left, rng)
                state.cards[other, kind] += 1
                left -= 1
                if other == state.mover and state.bought != c.NONE:
                    state.bought = kind  # the last one: each is as likely
    for kind in range(c.NUM_CARDS):
        state.pile[kind] = pool[kind]
