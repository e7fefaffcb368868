"""Development cards that a seat cannot know, drawn anew: those that others hold, and the pile (K14.1).

Each pile is known as a whole: the first one, and later ones, which are the cards played before. So each card that was
drawn is one of its pile. A play is told again as that of any card that its seat then held, by how likely each was to be
of that kind; the cards that nobody has played are dealt from what is left of their piles, each as likely as the others.
With a single pile every deal of the cards that are left comes with the same probability.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.rng import next_below
from endeavor_env.kernels.intrinsics import words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.hands import cards_in_hand

MOST_TRIES = 100
_UNKNOWN, _PARTS = -1, 1 << 30
_IS_PLAYED = c.NUM_CARDS
"""Added to the kind of a drawn card that was played later."""
_new_events = words_on_stack(c.MOST_CARD_EVENTS)
_new_piles = words_on_stack(c.MOST_CARD_EVENTS * c.NUM_CARDS)
_new_pool = words_on_stack(c.NUM_CARDS)


@kernel
def draw_from_pool(pool, left, rng):
    """Take a card out of a pool with ``left`` cards, each as likely as the others; return its kind."""
    index, kind = next_below(rng, left), np.int64(0)
    while index >= pool[kind]:
        index -= pool[kind]
        kind += 1
    pool[kind] -= 1
    return kind


@kernel
def deal_development(state, seat, rng):
    """Deal the development cards of the others and of the pile."""
    if state.num_card_events == 0:
        return
    if state.num_card_events != c.LOST:
        kinds, piles = _new_events(c.MOST_CARD_EVENTS), _new_events(c.MOST_CARD_EVENTS)
        left = _new_piles(c.MOST_CARD_EVENTS * c.NUM_CARDS)
        for _ in range(MOST_TRIES):
            last = _begin_piles(state, seat, kinds, piles, left)
            if _tell_plays(state, seat, kinds, piles, left, rng):
                _write_cards(state, seat, kinds, piles, left, last, rng)
                return
    _deal_by_counts(state, seat, rng)


# --- what happened to cards ------------------------------------------------------------------------------------------
@inlined
def _kind_of(event):
    """Return the kind of the card of an event."""
    return np.int64(event) % c.NUM_CARDS


@inlined
def _seat_of(event):
    """Return the seat of an event."""
    return np.int64(event) // c.NUM_CARDS % c.MAX_SEATS


@inlined
def _what_of(event):
    """Return what happens."""
    return np.int64(event) // (c.NUM_CARDS * c.MAX_SEATS)


@kernel
def _begin_piles(state, seat, kinds, piles, left):
    """Write what a seat knows of drawn cards and of piles; return the number of the last pile.

    Args:
        state: STATE record, read only.
        seat: The seat.
        kinds: For each event that draws a card, its kind, _UNKNOWN of others than the seat.
        piles: The number of the pile at each event.
        left: The cards of each kind in each pile that are not in ``kinds``.
    """
    used, last = _new_pool(c.NUM_CARDS), np.int64(0)
    used[:] = 0
    for kind in range(c.NUM_CARDS):
        left[kind] = np.int64(state.pile[kind]) + np.int64(state.used[kind])
        for other in range(state.num_seats):
            left[kind] += state.cards[other, kind]
    for number in range(state.num_card_events):
        event = np.int64(state.card_events[number])
        what, kind = _what_of(event), _kind_of(event)
        if what == c.SHUFFLED:
            last += 1
            for one in range(c.NUM_CARDS):
                left[last * c.NUM_CARDS + one] = used[one]
                used[one] = 0
        elif what == c.DREW:
            kinds[number] = _UNKNOWN
            if _seat_of(event) == seat:
                kinds[number] = kind
                left[last * c.NUM_CARDS + kind] -= 1
        else:
            used[kind] += 1
        piles[number] = last
    return last


@kernel
def _tell_plays(state, seat, kinds, piles, left, rng):
    """Write kinds of the cards that others have played; return whether each play found a card that it can be."""
    for number in range(state.num_card_events):
        event = np.int64(state.card_events[number])
        what, owner = _what_of(event), _seat_of(event)
        if owner != seat and (what == c.PLAYED or what == c.PLAYED_OLDER):
            played = _draw_played(state, number, kinds, piles, left, rng)
            if played == c.NONE:
                return False
            kinds[played] = _kind_of(event) + _IS_PLAYED
            left[piles[played] * c.NUM_CARDS + _kind_of(event)] -= 1
    return True


@kernel
def _draw_played(state, number, kinds, piles, left, rng):
    """Return the event in which the card of a play was drawn, NONE if none is possible."""
    event = np.int64(state.card_events[number])
    chosen, total = np.int64(c.NONE), 0.0
    for pick in range(2):
        newest = _what_of(event) == c.PLAYED_OLDER  # which the seat may not play
        aim = total * np.float64(next_below(rng, _PARTS)) / np.float64(_PARTS) if pick else 0.0
        chosen, total = np.int64(c.NONE), 0.0
        for before in range(number - 1, -1, -1):
            drawn = np.int64(state.card_events[before])
            if _what_of(drawn) != c.DREW or _seat_of(drawn) != _seat_of(event):
                continue
            if kinds[before] == _UNKNOWN and not newest:
                likely = _likelihood(piles[before], _kind_of(event), left)
                total += likely
                if likely > 0.0 and (chosen == c.NONE or total - likely <= aim):
                    chosen = np.int64(before)
            newest = False
        if chosen == c.NONE:
            break
    return chosen


@inlined
def _likelihood(pile, kind, left):
    """Return which share of what is left of a pile is of a kind."""
    total = np.int64(0)
    for one in range(c.NUM_CARDS):
        total += left[pile * c.NUM_CARDS + one]
    return np.float64(left[pile * c.NUM_CARDS + kind]) / np.float64(max(total, np.int64(1)))


@kernel
def _write_cards(state, seat, kinds, piles, left, last, rng):
    """Deal the cards that are not played, and write hands, pile and what happened."""
    pool = _new_pool(c.NUM_CARDS)
    for other in range(state.num_seats):
        if other != seat:
            for kind in range(c.NUM_CARDS):
                state.cards[other, kind] = 0
    for number in range(state.num_card_events):
        event = np.int64(state.card_events[number])
        owner, first = _seat_of(event), piles[number] * c.NUM_CARDS
        if _what_of(event) != c.DREW or owner == seat:
            continue
        kind = kinds[number]
        if kind == _UNKNOWN:
            total = np.int64(0)
            for one in range(c.NUM_CARDS):
                pool[one] = left[first + one]
                total += pool[one]
            kind = draw_from_pool(pool, total, rng)
            left[first + kind] -= 1
            state.cards[owner, kind] += 1
            if state.bought != c.NONE and owner == state.mover:
                state.bought = kind  # that of the last one stays
        state.card_events[number] = event - _kind_of(event) + kind % c.NUM_CARDS
    for kind in range(c.NUM_CARDS):
        state.pile[kind] = left[last * c.NUM_CARDS + kind]


@kernel
def _deal_by_counts(state, seat, rng):
    """Deal as if all were cards of one pile, where what happened is forgotten or could not be told again."""
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
                kind = draw_from_pool(pool, left, rng)
                state.cards[other, kind] += 1
                left -= 1
                if other == state.mover and state.bought != c.NONE:
                    state.bought = kind  # the last one: each is as likely
    for kind in range(c.NUM_CARDS):
        state.pile[kind] = pool[kind]
    state.card_events[:] = 0
    state.num_card_events = c.LOST
