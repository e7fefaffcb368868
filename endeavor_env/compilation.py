"""Compiling the kernels once, with a word to the user, before the first game of a process."""

from __future__ import annotations

import functools

import numpy as np

from endeavor_env.board import Board
from endeavor_env.core import entry, greedy, greedy_value, observe, observe_layout
from endeavor_env.core._jit import announce_compilation
from endeavor_env.core.actions import NUM_ACTIONS
from endeavor_env.core.constants import MAX_SEATS, NONE, NUM_BREAKDOWN, NUM_SPACES
from endeavor_env.core.rng import seeded
from endeavor_env.core.state import STATE


@functools.cache
def ensure_compiled() -> None:
    """Compiles every entry kernel if this version of the sources was never compiled on this machine."""
    announce_compilation("the rules", _play_once)


@functools.cache
def ensure_greedy_compiled() -> None:
    """Compiles the kernels of the greedy agent likewise; most programs never need them."""
    ensure_compiled()
    announce_compilation("the greedy agent", _choose_once)


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


def _choose_once() -> None:
    """Calls the greedy agent's kernel in the types it is always called in."""
    boards, states, rng = Board.default().array, np.zeros(1, STATE), seeded(0)
    tokens = np.empty(NUM_SPACES, np.int8)
    entry.new_game(boards, states, 3, int(entry.random_setup(boards, rng, 3, tokens)), tokens)
    scratch, masks = np.zeros(greedy.DEPTH, STATE), np.empty((greedy.DEPTH, NUM_ACTIONS), np.int8)
    greedy.choose(boards, states, np.zeros(greedy_value.NUM_WEIGHTS), scratch, masks, rng)
