"""The rules as kernels of others call them: one game in (1,) arrays, ``boards`` BOARD and ``states`` STATE.

These are for compiled loops, those of users included. From Python ``entry`` has the same functions, quicker to call.
Nothing here checks ranges, and only ``play`` checks legality.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.flow import dispatch, opening, scoring
from endeavor_env.endeavor.flow.dispatch import play_random
from endeavor_env.endeavor.rules.actions import NUM_WORDS
from endeavor_env.engine.kernels.masks import BITS, choose, count_allowed, is_allowed, new_words, write_bytes, write_ids
from endeavor_env.kernels.kernels import kernel

__all__ = [
    "NOT_LEGAL",
    "advance",
    "choose",
    "legal",
    "new_game",
    "play",
    "play_random",
    "random_setup",
    "seat",
    "step",
    "total",
]

NOT_LEGAL = -2
"""What ``play`` returns if nothing was done."""


@kernel
def random_setup(boards, rng, num_seats, variant, setups):
    """Draw every random outcome of a game into ``setups`` (1,) SETUP (R2.1, R2.5, S1); ``variant`` is a VARIANT_*."""
    opening.random_setup(boards[0], rng, num_seats, variant, setups, 0)


@kernel
def new_game(boards, states, num_seats, variant, options, setups):
    """Start a game from a set-up and run to its first decision (R2, R3.1).

    ``options`` (NUM_OPTIONS,) int16, indexed by OPTION_*; ``setups`` (1,) SETUP. Number of seats, options and set-up
    must fit ``variant``.
    """
    opening.set_up(boards[0], states, 0, num_seats, variant, options, setups[0])
    dispatch.start(boards[0], states[0])


@kernel
def legal(boards, states, mask):
    """Write the mask, int8 with one entry for each action of the game, and return how many are legal."""
    words = new_words(NUM_WORDS[states[0].variant])
    dispatch.legal(boards[0], states[0], words)
    write_bytes(words, mask)
    return count_allowed(words)


@kernel
def write_legal_ids(boards, states, ids):
    """Write the legal action ids, ascending, and return how many there are."""
    words = new_words(NUM_WORDS[states[0].variant])
    dispatch.legal(boards[0], states[0], words)
    return write_ids(words, ids)


@kernel
def play(boards, states, action):
    """Carry out an action if it is legal and run to the next decision; return the seat that made it, or NOT_LEGAL.

    ``action`` is any integer.
    """
    state = states[0]
    words, seat = new_words(NUM_WORDS[state.variant]), np.int64(state.seat)
    dispatch.legal(boards[0], state, words)
    if not (0 <= action < words.size * BITS and is_allowed(words, action)):
        return np.int64(NOT_LEGAL)
    dispatch.apply(boards[0], state, action)
    return seat


@kernel
def step(boards, states, action):
    """Carry out a legal action and run to the next decision; return the seat to move, -1 for none."""
    dispatch.apply(boards[0], states[0], action)
    return np.int64(states[0].seat)


@kernel
def advance(boards, states, action, mask):
    """Carry out a legal action, run to the next decision, write its mask, and return the seat to move, -1 for none."""
    words = new_words(NUM_WORDS[states[0].variant])
    dispatch.advance(boards[0], states[0], action, words)
    write_bytes(words, mask)
    return np.int64(states[0].seat)


@kernel
def seat(states):
    """Return the seat to move, -1 when the game is over."""
    return np.int64(states[0].seat)


@kernel
def total(boards, states, out):
    """Write the total Glory of every seat as if the game ended now, (MAX_SEATS,) int16; absent seats get 0.

    In the solitaire game entry 1 is the Opposition's. Return how many have a mat.
    """
    return scoring.write_totals(boards[0], states[0], out)
