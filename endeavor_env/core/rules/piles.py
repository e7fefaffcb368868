"""The piles of cards: their top card, taking cards away and putting them back (R2.2, R9.7).

Without Exploits a pile is sorted and holds only its own cards, so the position of its top card says everything. With
Exploits cards can lie in foreign piles and out of order (E13): each pile is a list from ``pile_head`` downward by
``pile_below``. There the Governors lie apart and are in no pile (X0).
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core.rules.shields import has_exploits
from endeavor_env.machine.kernels import kernel


@kernel
def top_card(state, deck):
    """Return the top card of the pile ``deck``, NONE if it is empty."""
    if has_exploits(state):
        return np.int64(state.pile_head[deck])
    top = np.int64(state.pile_top[deck])
    return deck * c.CARDS_PER_DECK + top if top < c.CARDS_PER_DECK else np.int64(c.NONE)


@kernel
def card_below(state, card):
    """Return the card under ``card`` in its pile, NONE if it is the lowest.

    Without Exploits it is the next card of the deck, which may have been taken already and not been put back (R9.7).
    """
    if has_exploits(state):
        return np.int64(state.pile_below[card])
    return card + 1 if (card + 1) % c.CARDS_PER_DECK else np.int64(c.NONE)


@kernel
def refresh_pile(state, deck):
    """Find the top of a pile again after cards were taken from it: ``card_place`` says which are still there."""
    if has_exploits(state):
        _drop_taken(state, deck)
        return
    top = 0
    while top < c.CARDS_PER_DECK and state.card_place[deck * c.CARDS_PER_DECK + top] != c.CARD_IN_PILE:
        top += 1
    state.pile_top[deck] = top


@kernel
def _drop_taken(state, deck):
    """Take the cards that are no longer in a pile out of the list of ``deck``."""
    above, card = np.int64(c.NONE), np.int64(state.pile_head[deck])
    while card != c.NONE:
        below = np.int64(state.pile_below[card])
        if state.card_place[card] == c.CARD_IN_PILE:
            above = card
        else:
            _link(state, deck, above, below)
            state.pile_below[card] = c.NONE
        card = below
    _note_top(state, deck)


@kernel
def _link(state, deck, above, below):
    """Make ``below`` follow ``above`` in a pile; ``above`` NONE makes it the top card."""
    if above == c.NONE:
        state.pile_head[deck] = below
    else:
        state.pile_below[above] = below


@kernel
def _note_top(state, deck):
    """Write the position of the top card within its own deck to ``pile_top``, 6 for an empty pile."""
    card = np.int64(state.pile_head[deck])
    state.pile_top[deck] = c.CARDS_PER_DECK if card == c.NONE else card % c.CARDS_PER_DECK


@kernel
def stack_piles(board, state):
    """Lay out the piles of a game with Exploits, the lowest card on top and Governors apart (R2.2, X0)."""
    for deck in range(c.NUM_DECKS):
        state.pile_head[deck] = c.NONE
        for position in range(c.CARDS_PER_DECK - 1, -1, -1):
            card = deck * c.CARDS_PER_DECK + position
            if not board.card_governor[card]:
                state.pile_below[card] = state.pile_head[deck]
                state.pile_head[deck] = card
        _note_top(state, deck)


@kernel
def put_back(board, state, card):
    """Put a card that is ``CARD_IN_PILE`` again into the pile of its printed type (R9.7).

    With Exploits it goes before the first card of a higher value, or to the bottom (X8 N14).
    """
    deck = card // c.CARDS_PER_DECK
    if not has_exploits(state):
        refresh_pile(state, deck)
        return
    above, below = np.int64(c.NONE), np.int64(state.pile_head[deck])
    while below != c.NONE and board.card_value[below] <= board.card_value[card]:
        above, below = below, np.int64(state.pile_below[below])
    state.pile_below[card] = below
    _link(state, deck, above, card)
    _note_top(state, deck)


@kernel
def pile_of(state, card):
    """Return the pile in which a card lies, perhaps a foreign one, or NONE. For games with Exploits only."""
    for deck in range(c.NUM_DECKS):
        other = np.int64(state.pile_head[deck])
        while other != c.NONE:
            if other == card:
                return np.int64(deck)
            other = np.int64(state.pile_below[other])
    return np.int64(c.NONE)


@kernel
def replace_in_pile(state, deck, taken, given):
    """Put ``given`` exactly where ``taken`` lies in the pile ``deck``, which it leaves (E13)."""
    if state.pile_head[deck] == taken:
        state.pile_head[deck] = given
    else:
        above = np.int64(state.pile_head[deck])
        while state.pile_below[above] != taken:
            above = np.int64(state.pile_below[above])
        state.pile_below[above] = given
    state.pile_below[given] = state.pile_below[taken]
    state.pile_below[taken] = c.NONE
    _note_top(state, deck)
