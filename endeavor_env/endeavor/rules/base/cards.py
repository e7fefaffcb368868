"""Held cards and piles (R8.7-R8.9)."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import DISCARD_AT
from endeavor_env.endeavor.rules.base.phases import card_limit, gain_icons, lose_icons
from endeavor_env.endeavor.rules.bits import where_equal
from endeavor_env.engine.kernels.masks import allow_set
from endeavor_env.kernels.kernels import kernel

# --- The piles of cards: their top card, taking cards away and putting them back (R2.2, R9.7) ------------------------
# A pile is sorted and holds only its own cards, so the position of its top card says everything.


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


# --- Held cards: gaining and losing them, the card limit and the free-Governor slot (R9) -----------------------------


@kernel
def gain_card(board, state, seat, card):
    """Put ``card`` face up before ``seat``; its icons count at once (R7.5)."""
    state.card_place[card] = seat
    state.num_cards[seat] += 1
    state.num_governors[seat] += board.card_governor[card]
    state.num_slavery[seat] += board.card_slavery[card]
    gain_icons(state, seat, board.card_icons[card])


@kernel
def lose_card(board, state, seat, card, place):
    """Move the face-up ``card`` from ``seat`` to ``place``, a value of ``card_place``; its icons are lost (R9.6)."""
    state.card_place[card] = place
    state.num_cards[seat] -= 1
    state.num_governors[seat] -= board.card_governor[card]
    state.num_slavery[seat] -= board.card_slavery[card]
    lose_icons(state, seat, board.card_icons[card])


@kernel
def set_aside(board, state, seat, card):
    """Turn a held Slavery card face down: no icons, not in the card limit, a penalty at the end (R8.9.2, R9.7)."""
    lose_card(board, state, seat, card, c.CARD_FACE_DOWN + seat)
    state.num_face_down[seat] += 1


@kernel
def discard(board, state, seat, card):
    """Discard a card: region and Europe cards to their pile, Slavery face down, a Governor out of the game (R9.7)."""
    if board.card_slavery[card]:
        set_aside(board, state, seat, card)
    elif board.card_governor[card]:
        lose_card(board, state, seat, card, c.CARD_OUT_OF_GAME)
    else:
        lose_card(board, state, seat, card, c.CARD_IN_PILE)
        refresh_pile(state, card // c.CARDS_PER_DECK)


@kernel
def _fits(board, state, seat, slotted):
    """Return whether the cards held are legal with ``slotted`` Governors, 0 or 1, in the free slot (R9.3, R9.4)."""
    normal = state.num_cards[seat] - slotted
    extra = 1 if state.num_slavery[seat] > 0 else 0
    return normal <= board.card_slots and normal - extra <= card_limit(board, state, seat)


@kernel
def holding_legal(board, state, seat):
    """Return whether the cards held are legal in at least one arrangement, condition A of R9.8.

    Using the free-Governor slot never hurts, so only that arrangement is tested (R9.2).
    """
    return _fits(board, state, seat, 1 if state.num_governors[seat] > 0 else 0)


@kernel
def holding_legal_without_slot(board, state, seat):
    """Return whether the cards held are legal with the free-Governor slot left empty, condition B of R9.8."""
    return _fits(board, state, seat, 0)


_cards_equal = where_equal(c.NUM_CARDS)


@kernel
def mark_discards(state, seat, words):
    """Mark every face-up card of ``seat`` in the DISCARD block (R9.6)."""
    allow_set(words, DISCARD_AT, _cards_equal(state.card_place, seat))
