"""Compiling the kernels once, with a word to the user, before the first game of a process."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from endeavor_env.board import Board
from endeavor_env.board_build import BoardArray
from endeavor_env.core import automa, entry, greedy, greedy_value, observe, observe_layout
from endeavor_env.core._jit import announce_compilation
from endeavor_env.core.actions import NUM_ACTIONS, NUM_VARIANT_ACTIONS
from endeavor_env.core.constants import MAX_SEATS, NONE, NUM_BREAKDOWN, NUM_OPTIONS, VARIANT_SOLO, VARIANT_STANDARD
from endeavor_env.core.rng import seeded
from endeavor_env.core.state import SETUP, STATE


@functools.cache
def ensure_compiled() -> None:
    """Compiles every entry kernel if this version of the sources was never compiled on this machine."""
    announce_compilation("the rules", _play_once)


@functools.cache
def ensure_greedy_compiled() -> None:
    """Compiles the kernels of the greedy agent likewise; most programs never need them."""
    ensure_compiled()
    announce_compilation("the greedy agent", _choose_once)


@functools.cache
def ensure_automa_compiled() -> None:
    """Compiles the kernels of the automa agent likewise."""
    ensure_compiled()
    announce_compilation("the automa agent", _follow_the_list_once)


@functools.cache
def ensure_explaining_compiled() -> None:
    """Compiles the kernels that explain the Opposition's actions likewise."""
    ensure_compiled()
    announce_compilation("the explanations", _explain_once)


def _play_once() -> None:
    """Calls each entry kernel of ordinary play in the types it is called in, which are the same in every variant."""
    boards, states, rng = Board.default().array, np.zeros(1, STATE), seeded(0)
    _start(boards, states, rng)
    mask = np.empty(NUM_ACTIONS, np.int8)
    entry.legal(boards, states, mask)
    entry.step(boards, states, int(entry.choose(mask, rng)))
    entry.play_random(boards, states, rng, mask, NONE, 5)
    entry.status(boards, states, np.zeros(1, STATE))
    entry.recount(boards, states)
    entry.scores(boards, states, np.empty((MAX_SEATS, NUM_BREAKDOWN), np.int16))
    entry.total(boards, states, np.empty(MAX_SEATS, np.int16))
    observe.observe_features(boards, states, 0, np.empty(observe_layout.FEATURES_SIZE, np.float32))
    observe.observe_compact(boards, states, 0, np.empty(observe_layout.COMPACT_SIZE, np.int8))


def _explain_once() -> None:
    """Calls the kernels that let the Opposition do one thing at a time."""
    boards, states, rng = Board.default().array, np.zeros(1, STATE), seeded(0)
    setups, options, mask = np.zeros(1, SETUP), np.zeros(NUM_OPTIONS, np.int8), np.empty(NUM_VARIANT_ACTIONS, np.int8)
    entry.random_setup(boards, rng, 1, VARIANT_SOLO, setups)
    entry.begin_game(boards, states, 1, VARIANT_SOLO, options, setups)
    entry.opposition_step(boards, states, np.zeros(4, np.int64))
    entry.new_game(boards, states, 1, VARIANT_SOLO, options, setups)
    entry.legal(boards, states, mask)
    entry.begin_step(boards, states, int(entry.choose(mask, rng)))


def _start(boards: BoardArray, states: npt.NDArray[np.void], rng: npt.NDArray[np.uint64]) -> None:
    """Starts a random game."""
    setups, options = np.zeros(1, SETUP), np.zeros(NUM_OPTIONS, np.int8)
    entry.random_setup(boards, rng, 3, VARIANT_STANDARD, setups)
    entry.new_game(boards, states, 3, VARIANT_STANDARD, options, setups)


def _choose_once() -> None:
    """Calls the greedy agent's kernel in the types it is always called in."""
    boards, states, rng = Board.default().array, np.zeros(1, STATE), seeded(0)
    _start(boards, states, rng)
    scratch, masks = np.zeros(greedy.DEPTH, STATE), np.empty((greedy.DEPTH, NUM_ACTIONS), np.int8)
    greedy.choose(boards, states, np.zeros(greedy_value.NUM_WEIGHTS), scratch, masks, rng)


def _follow_the_list_once() -> None:
    """Calls the automa agent's kernel in the types it is always called in."""
    boards, states, rng = Board.default().array, np.zeros(1, STATE), seeded(0)
    _start(boards, states, rng)
    automa.choose(boards, states, np.empty(NUM_ACTIONS, np.int8))
