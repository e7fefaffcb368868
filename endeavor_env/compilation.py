"""Compiling the kernels once, with a word to the user, before the first game of a process."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from endeavor_env.board import Board
from endeavor_env.board.arrays import BoardArray
from endeavor_env.core import constants as c
from endeavor_env.core import entry
from endeavor_env.core._jit import announce_compilation, compile_for
from endeavor_env.core.actions import NUM_ACTIONS, NUM_VARIANT_ACTIONS
from endeavor_env.core.batch import endings as batch_rewards
from endeavor_env.core.batch import positions as search
from endeavor_env.core.batch import rows as batch
from endeavor_env.core.observe import base_layout as observe_layout
from endeavor_env.core.observe import write as observe
from endeavor_env.core.policies.automa import choice as automa
from endeavor_env.core.policies.greedy import position_value as greedy_value
from endeavor_env.core.policies.greedy import turn_search as greedy
from endeavor_env.core.rng import next_seed, reseed, seeded
from endeavor_env.core.state import SETUP, STATE
from endeavor_env.core.variants.solo import tasks as opposition


@functools.cache
def ensure_compiled() -> None:
    """Compiles every entry kernel if this version of the sources was never compiled on this machine."""
    announce_compilation("the rules", play_once, look_once)


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
def ensure_batch_compiled(every_policy: bool) -> None:
    """Compiles the kernels of the batch engine: with ``random`` opponents only, or with every compiled policy."""
    ensure_compiled()
    if every_policy:
        announce_compilation("the batch engine's opponents", lambda: _batch_once(batch.SEAT_GREEDY), batch_once)
    else:
        announce_compilation("the batch engine", batch_once)


@functools.cache
def ensure_search_compiled(every_policy: bool = False) -> None:
    """Compiles the kernels of search: with ``random`` rollouts only, or with those of every compiled policy."""
    ensure_compiled()
    announce_compilation("the search", lambda: _search_once(batch.SEAT_RANDOM))
    if every_policy:
        announce_compilation("the search's policies", lambda: _search_once(batch.SEAT_GREEDY))


@functools.cache
def ensure_explaining_compiled() -> None:
    """Compiles the kernels that explain the Opposition's actions likewise."""
    ensure_compiled()
    announce_compilation("the explanations", _explain_once)


def play_once() -> None:
    """Calls each entry kernel that plays in the types it is called in, which are the same in every variant."""
    boards, states, rng = Board.default().array, np.zeros(1, STATE), seeded(0)
    _start(boards, states, rng)
    mask = np.empty(NUM_ACTIONS, np.int8)
    entry.legal(boards, states, mask)
    entry.step(boards, states, int(entry.choose(mask, rng)))
    entry.play_random(boards, states, rng, mask, c.NONE, 5)
    reseed(rng, next_seed(rng))


def look_once() -> None:
    """Calls each entry kernel that looks at a position likewise.

    First it compiles what ``play_once`` comes to last, the Opposition, so that two processes share the work.
    """
    boards, states = Board.default().array, np.zeros(1, STATE)
    compile_for(opposition.decide, boards[0], states[0])
    compile_for(opposition.carry_out_choice, boards[0], states[0], 0)
    states["num_seats"] = c.MAX_SEATS  # nothing else matters to them
    entry.scores(boards, states, np.empty((c.MAX_SEATS, c.NUM_BREAKDOWN), np.int16))
    entry.total(boards, states, np.empty(c.MAX_SEATS, np.int16))
    observe.observe_features(boards, states, 0, np.empty(observe_layout.FEATURES_SIZE, np.float32))
    observe.observe_compact(boards, states, 0, np.empty(observe_layout.COMPACT_SIZE, np.int8))


def _explain_once() -> None:
    """Calls the kernels that let the Opposition do one thing at a time."""
    boards, states, rng = Board.default().array, np.zeros(1, STATE), seeded(0)
    setups, options, mask = np.zeros(1, SETUP), np.zeros(c.NUM_OPTIONS, np.int8), np.empty(NUM_VARIANT_ACTIONS, np.int8)
    entry.random_setup(boards, rng, 1, c.VARIANT_SOLO, setups)
    entry.begin_game(boards, states, 1, c.VARIANT_SOLO, options, setups)
    entry.opposition_step(boards, states, np.zeros(4, np.int64))
    entry.new_game(boards, states, 1, c.VARIANT_SOLO, options, setups)
    entry.legal(boards, states, mask)
    entry.begin_step(boards, states, int(entry.choose(mask, rng)))


def _start(boards: BoardArray, states: npt.NDArray[np.void], rng: npt.NDArray[np.uint64]) -> None:
    """Starts a random game."""
    setups, options = np.zeros(1, SETUP), np.zeros(c.NUM_OPTIONS, np.int8)
    entry.random_setup(boards, rng, 3, c.VARIANT_STANDARD, setups)
    entry.new_game(boards, states, 3, c.VARIANT_STANDARD, options, setups)


def _choose_once() -> None:
    """Calls the greedy agent's kernel in the types it is always called in."""
    boards, states, rng = Board.default().array, np.zeros(1, STATE), seeded(0)
    _start(boards, states, rng)
    scratch, masks = np.zeros(greedy.DEPTH, STATE), np.empty((greedy.DEPTH, NUM_ACTIONS), np.int8)
    greedy.choose(boards, states, np.zeros(greedy_value.NUM_WEIGHTS), scratch, masks, rng)


def batch_once() -> None:
    """Calls the kernels of the batch engine with ``random`` opponents likewise."""
    _batch_once(batch.SEAT_RANDOM)


def _batch_once(opponent: int) -> None:
    """Calls the kernels of the batch engine in the types they are always called in."""
    boards, tables, states = Board.default().array, np.zeros(1, batch.TABLE), np.zeros(1, STATE)
    masks, rows, begin = np.zeros((1, NUM_ACTIONS), np.int8), np.zeros(1, np.int64), np.full(1, batch.BEGIN, np.int64)
    kinds, mix, status = np.zeros(1, batch.KIND), np.zeros(0, batch.MIX), np.zeros(1, np.int8)
    kinds["players"], tables["opponents"], tables["stream"] = 3, opponent, 1
    tables["given_first"] = tables["given_learner"] = c.NONE
    closing = (batch.RESTARTS, batch_rewards.REWARD_WIN, 50.0, -1.0, np.zeros(1, batch.ENDED))
    seen = np.zeros((1, observe_layout.FEATURES_SIZE), np.float32), np.zeros((0, 0), np.int8)
    shared = (boards, kinds, mix, tables, states, masks, status, rows, begin, np.zeros(1, SETUP))
    if opponent == batch.SEAT_RANDOM:
        batch.turn_random(*shared, *seen, *closing, *seen, 0, 1)
        batch.sample_actions(masks, seeded(0)[None], begin.copy(), 0, 1)
        batch.first_wrong(begin, masks, status, True, True, begin.copy())
        batch.leads(boards, tables, states, rows, 0, 1, np.zeros(c.MAX_SEATS, np.int64), begin.copy())
        return
    weights, scratch = np.zeros(greedy_value.NUM_WEIGHTS), np.zeros(greedy.DEPTH, STATE)
    greedy_arguments = (weights, scratch, np.zeros((greedy.DEPTH, NUM_ACTIONS), np.int8))
    batch.turn_all(*shared, *seen, *closing, *seen, 0, 1, *greedy_arguments)


def _search_once(policy: int) -> None:
    """Calls the kernels of search in the types they are always called in."""
    boards, states, rng = Board.default().array, np.zeros(1, STATE), seeded(0)
    _start(boards, states, rng)
    masks, seeds = np.zeros((1, NUM_ACTIONS), np.int8), np.zeros(1, np.int64)
    scores, game = np.zeros((1, c.MAX_SEATS), np.int16), np.zeros(1, STATE)
    results = (scores, np.zeros(1, np.int32), np.zeros(1, np.int8))
    rollouts = (boards, states, seeds, 1, 1, game, rng, masks[0], *results, 0, 1)
    if policy == batch.SEAT_RANDOM:
        search.write_masks(boards, states, masks, 0, 1)
        search.apply_actions(boards, states, np.full(1, c.NONE, np.int64), 0, 1)
        search.score_states(boards, states, scores, 0, 1)
        search.write_features(boards, states, seeds, np.zeros((1, observe_layout.FEATURES_SIZE), np.float32), 0, 1)
        search.write_compact(boards, states, seeds, np.zeros((1, observe_layout.COMPACT_SIZE), np.int8), 0, 1)
        search.rollout_random(*rollouts)
        search.seed_rollouts(np.zeros((1, 1), np.uint64), seeds, 1, 0)
        search.draw_seeds(rng, seeds)
        wide = scores.astype(np.int64)
        batch_rewards.write_rewards(batch_rewards.REWARD_WIN, 0, wide, c.MAX_SEATS, 50.0, np.zeros(wide.shape))
        return
    greedy_arguments = (np.zeros(greedy_value.NUM_WEIGHTS), np.zeros(greedy.DEPTH, STATE))
    scratch_masks = np.zeros((greedy.DEPTH, NUM_ACTIONS), np.int8)
    search.rollout_all(*rollouts, np.full(c.MAX_SEATS, policy, np.int8), *greedy_arguments, scratch_masks)


def _follow_the_list_once() -> None:
    """Calls the automa agent's kernel in the types it is always called in."""
    boards, states, rng = Board.default().array, np.zeros(1, STATE), seeded(0)
    _start(boards, states, rng)
    automa.choose(boards, states, np.empty(NUM_ACTIONS, np.int8))
