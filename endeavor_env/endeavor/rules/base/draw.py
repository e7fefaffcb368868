"""Draw, and the abolition of slavery (R8.7, R8.9)."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import DRAW_AT
from endeavor_env.endeavor.rules.base.cards import gain_card, set_aside
from endeavor_env.endeavor.rules.base.piles import refresh_pile, top_card
from endeavor_env.endeavor.rules.bits import bit, where_equal
from endeavor_env.endeavor.rules.sides import num_mats
from endeavor_env.engine.kernels.masks import allow_set
from endeavor_env.kernels.kernels import kernel

_decks_equal, _EVERY_DECK = where_equal(c.NUM_DECKS), (1 << c.NUM_DECKS) - 1


@kernel
def decks_within(board, lock_deck, lock_region):
    """Return the piles, as bits, that the locks allow: one pile, those of one region (R8.8), or with NONE all."""
    decks = np.int64(_EVERY_DECK)
    if lock_deck >= 0:
        decks = bit(lock_deck)
    return decks if lock_region < 0 else decks & _decks_equal(board.deck_region, lock_region)


@kernel
def can_draw(board, state, side, deck):
    """Return whether ``side`` has enough discs for the top card of ``deck``, in an open region (R8.7.1, R8.7.2)."""
    top = np.int64(state.pile_top[deck])
    region = board.deck_region[deck]
    # No branch: with an empty pile the value of its last card is read, which does not matter then.
    value = board.card_value[deck * c.CARDS_PER_DECK + min(top, c.CARDS_PER_DECK - 1)]
    return (top < c.CARDS_PER_DECK) & suffices(state, region, state.presence[side, region], value)


@kernel
def suffices(state, region, discs, value):
    """Return whether so many discs suffice for a card of this value: in an open region (R8.7.1, R8.7.2)."""
    return (state.open[region] == 1) & (discs >= value)


@kernel
def draw_targets(board, state, seat, lock_deck, lock_region):
    """Return the piles that ``seat`` may draw from within the locks, as bits."""
    decks = np.int64(0)
    for deck in range(c.NUM_DECKS):
        decks |= np.int64(can_draw(board, state, seat, deck)) << deck
    return decks & decks_within(board, lock_deck, lock_region)


@kernel
def mark_draws(board, state, seat, lock_deck, lock_region, words):
    """Mark the piles that ``seat`` may draw from in the DRAW block."""
    allow_set(words, DRAW_AT, draw_targets(board, state, seat, lock_deck, lock_region))


@kernel
def draw(board, state, mat, deck):
    """Give ``mat`` the top card of ``deck``; the first draw of the abolition card ends slavery (R8.7.1, R8.9.1)."""
    card = top_card(state, deck)
    gain_card(board, state, mat, card)
    refresh_pile(state, deck)
    if ends_slavery(board, state, card):
        abolish(board, state)


@kernel
def ends_slavery(board, state, card):
    """Return whether the card that somebody has just got is the first one that ends slavery (R8.9.1)."""
    return board.card_abolition[card] and not state.abolished


@kernel
def abolish(board, state):
    """Set aside every held Slavery card, and remove those still on the board from the game (R8.9.2, R8.9.3)."""
    end_slavery(board, state)
    for deck in range(c.NUM_DECKS):
        refresh_pile(state, deck)


@kernel
def end_slavery(board, state):
    """Do as ``abolish``, but leave the piles to be refreshed."""
    state.abolished = 1
    for card in range(c.NUM_CARDS):
        if not board.card_slavery[card]:
            continue
        place = state.card_place[card]
        if 0 <= place < num_mats(state):
            set_aside(board, state, place, card)
        elif place == c.CARD_IN_PILE:
            state.card_place[card] = c.CARD_OUT_OF_GAME
