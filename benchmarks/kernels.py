"""Compiled loops that time parts of the core apart from each other; cached like the core's own kernels."""

from __future__ import annotations

from endeavor_env.core._jit import kernel
from endeavor_env.core.constants import NONE
from endeavor_env.core.engine import apply
from endeavor_env.core.legal import legal
from endeavor_env.core.rollout import choose, play_random

NO_LIMIT = 1 << 30


@kernel
def replay(boards, starts, moves, ends, scratch):
    """Plays game after game from ``starts`` without looking at a mask; ``ends`` says where in ``moves`` each ends."""
    index = 0
    for game in range(starts.size):
        scratch[0] = starts[game]
        while index < ends[game]:
            apply(boards[0], scratch[0], moves[index])
            index += 1
    return index


@kernel
def replay_masked(boards, starts, moves, ends, scratch, mask):
    """As ``replay``, with the mask built before each move."""
    index = 0
    for game in range(starts.size):
        scratch[0] = starts[game]
        while index < ends[game]:
            legal(boards[0], scratch[0], mask)
            apply(boards[0], scratch[0], moves[index])
            index += 1
    return index


@kernel
def play(boards, starts, rng, scratch, mask):
    """Plays a random game from each of ``starts``; returns the decisions made."""
    made = 0
    for game in range(starts.size):
        scratch[0] = starts[game]
        made += play_random(boards[0], scratch[0], rng, mask, NONE, NO_LIMIT)
    return made


@kernel
def play_noted(boards, states, rng, mask, moves, positions):
    """Plays random legal moves to the end, notes moves and the positions before them; returns the decisions made."""
    made = 0
    while states[0].seat >= 0:
        legal(boards[0], states[0], mask)
        action = choose(mask, rng)
        positions[made] = states[0]
        moves[made] = action
        apply(boards[0], states[0], action)
        made += 1
    return made


@kernel
def mask_each(boards, positions, mask):
    """Builds the mask of every position."""
    for index in range(positions.size):
        legal(boards[0], positions[index], mask)
    return positions.size


@kernel
def copy_each(positions, scratch):
    """Copies every position."""
    for index in range(positions.size):
        scratch[0] = positions[index]
    return positions.size


@kernel
def apply_each(boards, positions, moves, scratch):
    """Copies every position and makes its move on the copy."""
    for index in range(positions.size):
        scratch[0] = positions[index]
        apply(boards[0], scratch[0], moves[index])
    return positions.size
