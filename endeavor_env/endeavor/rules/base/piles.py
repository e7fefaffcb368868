"""The piles of cards: their top card, taking cards away and putting them back (R2.2, R9.7).

A pile is sorted and holds only its own cards, so the position of its top card says everything.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.kernels.kernels import kernel


@kernel
def top_card(state, deck):
    """Return the top card of the pile ``deck``, NONE if it is empty."""
    top = np.int64(state.pile_top[deck])
    return deck * c.CARDS_PER_DECK + top if top < c.CARDS_PER_DECK else np.int64(c.NONE)


@kernel
def card_below(card):
    """Return the next card of the deck after ``card``, NONE if it is the lowest.

    It may have been taken already and not been put back (R9.7).
    """
    return card + 1 if (card + 1) % c.CARDS_PER_DECK else np.int64(c.NONE)


@kernel
def refresh_pile(state, deck):
    """Find the top of a pile again after cards were taken or put back: ``card_place`` says which are there."""
    top = 0
    while top < c.CARDS_PER_DECK and state.card_place[deck * c.CARDS_PER_DECK + top] != c.CARD_IN_PILE:
        top += 1
    state.pile_top[deck] = top
