"""Compiling the kernels once, with a word to the user, before the first game of a process."""

from __future__ import annotations

import functools

import numpy as np

from endeavor_env.board import Board
from endeavor_env.core import entry, observe, observe_layout
from endeavor_env.core._jit import announce_compilation
from endeavor_env.core.actions import NUM_ACTIONS
from endeavor_env.core.constants import MAX_SEATS, NONE, NUM_BREAKDOWN, NUM_SPACES
from endeavor_env.core.rng import seeded
from endeavor_env.core.state import STATE


@functools.cache
def ensure_compiled() -> None:
    """Compiles every entry kernel if this version of the sources was never compiled on this machine."""
    announce_compilation(_play_once)


def _play_once() -> None:
    """Calls each entry kernel in the types it is always called in."""
    boards, states, rng = Board.default().array, np.zeros(1, STATE), seeded(0)
    tokens, mask = np.empty(NUM_SPACES, np.int8), np.empty(NUM_ACTIONS, np.int8)
    first_player = entry.random_setup(boards, rng, 3, tokens)
    entry.new_game(boards, states, 3, int(first_player), tokens)
    entry.legal(boards, states, mask)
    entry.step(boards, states, int(entry.choose(mask, rng)))
    entry.play_random(boards, states, rng, mask, NONE, 5)
    entry.status(boards, states, np.zeros(1, STATE))
    entry.recount(boards, states)
    entry.scores(boards, states, np.empty((MAX_SEATS, NUM_BREAKDOWN), np.int16))
    entry.total(boards, states, np.empty(MAX_SEATS, np.int16))
    observe.observe_features(boards, states, 0, np.empty(observe_layout.FEATURES_SIZE, np.float32))
    observe.observe_compact(boards, states, 0, np.empty(observe_layout.COMPACT_SIZE, np.int8))
