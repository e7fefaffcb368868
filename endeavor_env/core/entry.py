"""The kernels Python calls. They take length-1 arrays (a bare record costs a microsecond a call) and no Python objects.

Memory belongs to the caller: ``boards`` (1,) BOARD is read only, ``states`` (1,) STATE and every ``out`` are written in
place. Nothing here checks legality or ranges: ``Game`` and the environments do.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core import engine, invariants, rollout, scoring, setup
from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import NUM_ACTIONS
from endeavor_env.core.legal import legal as legal_mask


@kernel
def random_setup(boards, rng, num_seats, tokens):
    """Draws a set-up (R2.1, R2.5): fills ``tokens`` (NUM_SPACES,) int8 and returns the first player."""
    return setup.random_setup(boards[0], rng, num_seats, tokens)


@kernel
def new_game(boards, states, num_seats, first_player, tokens):
    """Starts a game from a set-up and runs to its first decision (R2, R3.1)."""
    setup.set_up(boards[0], states[0], num_seats, first_player, tokens)
    engine.start(boards[0], states[0])


@kernel
def legal(boards, states, mask):
    """Writes the mask, (NUM_ACTIONS,) int8, and returns how many actions are legal."""
    legal_mask(boards[0], states[0], mask)
    count = np.int64(0)
    for action in range(NUM_ACTIONS):
        count += mask[action]
    return count


@kernel
def step(boards, states, action):
    """Carries out a legal action and runs to the next decision."""
    engine.apply(boards[0], states[0], action)


@kernel
def scores(boards, states, out):
    """Writes all breakdowns, (MAX_SEATS, NUM_BREAKDOWN) int16 (R12)."""
    scoring.scores(boards[0], states[0], out)


@kernel
def total(boards, states, out):
    """Writes the total Glory of every seat as if the game ended now, (MAX_SEATS,) int16; absent seats get 0."""
    out[:] = 0
    for seat in range(states[0].num_seats):
        out[seat] = scoring.total_glory(boards[0], states[0], seat)


@kernel
def choose(mask, rng):
    """Returns a uniformly random legal action of ``mask`` (NUM_ACTIONS,) int8, -1 if none; advances ``rng``."""
    return rollout.choose(mask, rng)


@kernel
def play_random(boards, states, rng, mask, stop_seat, limit):
    """Plays random legal moves until over, ``stop_seat`` decides or ``limit`` is reached; returns their number."""
    return rollout.play_random(boards[0], states[0], rng, mask, stop_seat, limit)


@kernel
def status(boards, states, fresh):
    """Returns the flags of ``invariants`` for ``states[0]``, 0 if sound; ``fresh`` (1,) STATE is scratch."""
    fresh[0] = states[0]
    return invariants.status(boards[0], states[0], fresh[0])


@kernel
def recount(boards, states):
    """Recomputes every derived field in place."""
    invariants.recount(boards[0], states[0])
