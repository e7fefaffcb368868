"""Compiled loops over parts of the core, so that each part can be timed; cached like the kernels of the core."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.flow.dispatch import apply, begin_entry, draw_setup_entry, legal, play_random
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import NUM_WORDS
from endeavor_env.engine.kernels.masks import choose, choose_move, new_words
from endeavor_env.engine.kernels.rng import next_below
from endeavor_env.kernels.calls import extern_call
from endeavor_env.kernels.kernels import kernel

NO_LIMIT = 1 << 30
_draw_setup, _begin = extern_call(draw_setup_entry), extern_call(begin_entry)


@kernel
def replay(boards, starts, moves, ends, scratch):
    """Play the ``moves`` of every game from ``starts`` without masks; ``ends[i]`` is the index after game i's last."""
    index = 0
    for game in range(starts.size):
        scratch[0] = starts[game]
        while index < ends[game]:
            apply(boards[0], scratch[0], moves[index])
            index += 1
    return index


@kernel
def replay_masked(boards, starts, moves, ends, scratch):
    """Do what ``replay`` does, with the mask built before each move."""
    index = 0
    for game in range(starts.size):
        scratch[0] = starts[game]
        words = new_words(NUM_WORDS[scratch[0].variant])
        while index < ends[game]:
            legal(boards[0], scratch[0], words)
            apply(boards[0], scratch[0], moves[index])
            index += 1
    return index


@kernel
def play(boards, starts, rng, scratch):
    """Play a random game from each of ``starts``; return the number of decisions."""
    made = 0
    for game in range(starts.size):
        scratch[0] = starts[game]
        made += play_random(boards, scratch, rng, c.NONE, NO_LIMIT)
    return made


@kernel
def play_noted(boards, states, rng, moves, positions):
    """Play random legal moves to the end, store moves and the positions before them; return the number of decisions."""
    words, made = new_words(NUM_WORDS[states[0].variant]), 0
    while states[0].seat >= 0:
        legal(boards[0], states[0], words)
        action = choose_move(words, rng)
        positions[made] = states[0]
        moves[made] = action
        apply(boards[0], states[0], action)
        made += 1
    return made


@kernel
def copy_each(positions, scratch):
    """Copy every position; return the number of positions."""
    for index in range(positions.size):
        scratch[0] = positions[index]
    return positions.size


@kernel
def reference_steps(mask, rng, steps):
    """Do fixed work that resembles a decision but uses no rules: the reference that speeds are compared with.

    Each step sets random entries of ``mask``, (A,) int8, and chooses one of them. ``rng`` is (1,) uint64. Return a sum
    of the choices, so that the compiler cannot leave any work out.
    """
    found = np.int64(0)
    for _ in range(steps):
        mask[:] = 0
        for _ in range(12):
            mask[next_below(rng, mask.size)] = 1
        found += choose(mask, rng)
    return found


@kernel
def play_games(boards, setups, states, rng, num_seats, variant, options, games):
    """Play ``games`` whole random games, set-ups included; return the number of decisions."""
    made = 0
    for _ in range(games):
        _draw_setup(boards[0], setups, rng, num_seats, variant, c.NONE)
        _begin(boards[0], states, setups, options, num_seats, variant)
        made += play_random(boards, states, rng, c.NONE, NO_LIMIT)
    return made
