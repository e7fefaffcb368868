"""Random play in compiled loops, for kernels that know the game."""

from __future__ import annotations

from endeavor_env.endeavor.flow.late_rules import advance, legal
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import NUM_WORDS
from endeavor_env.engine.kernels.masks import new_words
from endeavor_env.engine.kernels.uniform import choose_move
from endeavor_env.kernels.kernels import kernel


@kernel
def play_random(boards, states, rng, stop_seat, limit):
    """Play random legal moves until the game is over, ``stop_seat`` is to move, or ``limit`` decisions were made.

    The full mask is built at every decision. Return the number of decisions made.
    """
    words = new_words(NUM_WORDS[states[0].variant])
    legal(boards[0], states[0], words)
    return play_random_from(boards[0], states[0], words, rng, stop_seat, limit)


@kernel
def play_random_from(board, state, words, rng, stop_seat, limit):
    """Do what ``play_random`` does; ``words`` is the mask of the next decision, before and after."""
    made = 0
    while made < limit and state.decision != c.DECIDE_NOTHING and state.seat != stop_seat:
        advance(board, state, choose_move(words, rng), words)
        made += 1
    return made
