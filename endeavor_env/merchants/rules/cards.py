"""Development cards: buying and playing them (K6.2, K9)."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.masks import allow
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.asking import ask, ask_chance, go_back
from endeavor_env.merchants.rules.caravans import has_bribe_drive, mark_drives
from endeavor_env.merchants.rules.hands import pay_cards, take_gold
from endeavor_env.merchants.rules.merchants import has_treaty_walk, mark_walks
from endeavor_env.merchants.rules.routes import can_build, go_on_with_conduct


@inlined
def _number(cards):
    """Return how many cards there are of all kinds."""
    return np.int64(cards[0]) + np.int64(cards[1]) + np.int64(cards[2]) + np.int64(cards[3])


@inlined
def note_event(state, what, seat, kind):
    """Remember what happens to a development card, for those who draw anew what was hidden; LOST if it is too much."""
    number = np.int64(state.num_card_events)
    if number != c.LOST:
        if number == c.MOST_CARD_EVENTS:
            state.card_events[:] = 0
            state.num_card_events = c.LOST
        else:
            state.card_events[number] = np.int64(kind) + c.NUM_CARDS * (np.int64(seat) + c.MAX_SEATS * np.int64(what))
            state.num_card_events = number + 1


# --- buying ----------------------------------------------------------------------------------------------------------
@inlined
def can_be_bought(state):
    """Return whether the mover may buy a card: it can pay, has bought none this turn, and there is one."""
    hand, seat = state.hand, state.mover
    return (
        state.bought == c.NONE
        and hand[seat, c.WOOL] > 0
        and hand[seat, c.SALT] > 0
        and _number(state.pile) + _number(state.used) > 0
    )


@kernel
def buy_card(state):
    """Pay for a card; chance draws it, from the played ones if the pile is empty."""
    pay_cards(state, state.mover, c.WOOL, 1)
    pay_cards(state, state.mover, c.SALT, 1)
    if _number(state.pile) == 0:
        for kind in range(c.NUM_CARDS):
            state.pile[kind] = state.used[kind]
            state.used[kind] = 0
        note_event(state, c.SHUFFLED, 0, 0)
    ask_chance(state, c.CHANCE_DRAWN)


@kernel
def show_drawn(state, kind):
    """Let the mover have the card, which it may not play this turn."""
    state.pile[kind] -= 1
    state.cards[state.mover, kind] += 1
    state.bought = kind
    note_event(state, c.DREW, state.mover, kind)
    go_back(state)


# --- playing ---------------------------------------------------------------------------------------------------------
@kernel
def _has_effect(board, state, kind):
    """Return whether a card would do anything now (K-R29)."""
    if kind == c.SAFE_CONDUCT:
        return can_build(state, state.mover)
    if kind == c.TRADE_TREATY:
        return state.gold_left > 0 or has_treaty_walk(board, state)
    if kind == c.BRIBE:
        return has_bribe_drive(board, state)
    return True


@kernel
def mark_plays(board, state, mask):
    """Mark the cards that the mover may play: one a turn, and not the one that it bought."""
    if state.card_played:
        return
    for kind in range(c.NUM_CARDS):
        held = np.int64(state.cards[state.mover, kind]) - np.int64(state.bought == kind)
        if held > 0 and _has_effect(board, state, kind):
            allow(mask, actions.PLAY_AT + kind)


@kernel
def play(state, kind):
    """Play a card, and ask what it brings."""
    state.cards[state.mover, kind] -= 1
    state.used[kind] += 1
    state.card_played = 1
    state.card = kind
    note_event(state, c.PLAYED if state.bought == c.NONE else c.PLAYED_OLDER, state.mover, kind)
    if kind == c.SAFE_CONDUCT:
        state.routes_of_card = c.CONDUCT_ROUTES
        go_on_with_conduct(state)
    elif kind == c.TRADE_TREATY:
        ask(state, c.DECIDE_TREATY)
    elif kind == c.BRIBE:
        ask(state, c.DECIDE_BRIBE)
    else:
        ask(state, c.DECIDE_ROBBER)


@kernel
def mark_treaty(board, state, mask):
    """Mark what a trade treaty offers: a walk, or gold."""
    mark_walks(board, state, mask, np.int64(c.TREATY_STEPS))
    if state.gold_left > 0:
        allow(mask, actions.TAKE_GOLD)


@kernel
def take_treaty_gold(state):
    """Take the gold of a trade treaty."""
    take_gold(state, state.mover, c.TREATY_GOLD)
    go_back(state)


@kernel
def mark_bribe(board, state, mask):
    """Mark the caravans that a bribe lets drive."""
    mark_drives(board, state, mask, True)
