"""Compiling the kernels once, with a message to the user, before the first game of a process."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.board import Board
from endeavor_env.board.arrays import BoardArray
from endeavor_env.compile_once import compile_once
from endeavor_env.core import constants as c
from endeavor_env.core import entry
from endeavor_env.core._jit import compile_for
from endeavor_env.core.actions import NUM_ACTIONS, NUM_VARIANT_ACTIONS
from endeavor_env.core.batch import (
    endings,
    lessons,
    playouts,
    practice,
    ranges,
    reports,
    rows,
    self_play,
    sharing,
    tables,
    turn,
)
from endeavor_env.core.engine import decisions
from endeavor_env.core.engine.scoring import NUM_PARTS
from endeavor_env.core.late import compile_late
from endeavor_env.core.masks import NUM_WORDS
from endeavor_env.core.observe import base_layout
from endeavor_env.core.policies.choose import NOBODY, SEAT_RANDOM, choose_action
from endeavor_env.core.policies.value.desk import PARAMETERS_AT
from endeavor_env.core.policies.value.estimates import NUM_ESTIMATES
from endeavor_env.core.rng import next_seed, reseed, seeded
from endeavor_env.core.state import SETUP, STATE
from endeavor_env.core.variants.solo import tasks


@functools.cache
def ensure_compiled() -> None:
    """Compile every entry kernel if this version of the sources was never compiled on this machine."""
    compile_once(*RULES)


@functools.cache
def ensure_players_compiled() -> None:
    """Compile the kernel that lets compiled players make single decisions if needed; most programs never need it."""
    ensure_compiled()
    compile_once(*PLAYERS)


@functools.cache
def ensure_batch_compiled() -> None:
    """Compile the kernels of the batch engine if needed."""
    ensure_compiled()
    compile_once(*BATCH)


@functools.cache
def ensure_search_compiled() -> None:
    """Compile the kernels of search if needed."""
    ensure_compiled()
    compile_once(*SEARCH)


@functools.cache
def ensure_explaining_compiled() -> None:
    """Compile the kernels that explain the Opposition's actions if needed."""
    ensure_compiled()
    compile_once(*EXPLAINING)


@functools.cache
def ensure_self_play_compiled() -> None:
    """Compile the kernels of recorded games if needed."""
    ensure_compiled()
    compile_once(*SELF_PLAY)


@functools.cache
def ensure_exploits_compiled() -> None:
    """Compile what only games with Exploits call if needed; without this their first move would, without a message."""
    ensure_compiled()
    compile_once(*EXPLOITS)


@functools.cache
def ensure_learning_compiled() -> None:
    """Compile the kernels of policy networks that learn if needed."""
    ensure_compiled()
    compile_once(*LEARNING)


def compile_parts() -> list[str]:
    """Compile every kernel besides those of the compiled players; return the names of the parts that were missing."""
    return [part.what for part in PARTS if compile_once(*part)]


def compile_playing() -> None:
    """Call each entry kernel that plays, with arguments of the types it is always called with."""
    boards, states, rng = Board.default().array, np.zeros(1, STATE), seeded(0)
    _start(boards, states, rng)
    mask = np.empty(NUM_ACTIONS, np.int8)
    entry.legal(boards, states, mask)
    entry.step(boards, states, int(entry.choose(mask, rng)))
    entry.legal(boards, states, mask)
    entry.advance(boards, states, int(entry.choose(mask, rng)), mask)
    entry.play(boards, states, entry.legal_ids(boards, states)[0])
    entry.play_random(boards, states, rng, c.NONE, 5)
    entry.play_random_on(boards, states, c.NONE, rng, int(entry.seat(states)), 5, mask)
    reseed(rng, next_seed(rng))


def compile_looking() -> None:
    """Call each entry kernel that only reads a position, with arguments of the types it is always called with.

    First compile the Opposition and the legal moves, which ``compile_playing`` comes to last, so that two processes
    share the work.
    """
    boards, states = Board.default().array, np.zeros(1, STATE)
    compile_for(tasks.decide, boards[0], states[0])
    compile_for(tasks.carry_out_choice, boards[0], states[0], 0)
    compile_for(decisions.legal, boards[0], states[0], np.empty(NUM_WORDS[0], np.int64))
    states["num_seats"] = c.MAX_SEATS  # nothing else matters to them
    entry.scores(boards, states, np.empty((c.MAX_SEATS, NUM_PARTS), np.int16))
    entry.total(boards, states, np.empty(c.MAX_SEATS, np.int16))
    entry.observe_features(boards, states, 0, np.empty(base_layout.FEATURES_SIZE, np.float32))
    entry.observe_compact(boards, states, 0, np.empty(base_layout.COMPACT_SIZE, np.int8))
    entry.new_features(boards, states, 0, base_layout.FEATURES_SIZE)
    entry.new_compact(boards, states, 0, base_layout.COMPACT_SIZE)
    for copy in (entry.new_mask, entry.new_bool_mask):
        copy(np.zeros(NUM_ACTIONS, np.int8), NUM_ACTIONS)


def compile_batch() -> None:
    """Call the kernels of the batch engine."""
    _compile_turn()
    words, status, actions = (
        np.zeros((1, NUM_WORDS[0]), np.int64),
        np.zeros(1, np.int8),
        np.full(1, rows.BEGIN, np.int64),
    )
    alone = np.zeros(sharing.words_for(1), np.int64)
    sharing.help_out(alone, 1, 0)
    rows.sample_actions(words, seeded(0)[None], actions.copy(), alone, 1, 1)
    rows.check_actions(actions, words, NUM_ACTIONS, status, True, True, actions.copy(), actions.copy())
    rows.write_masks(words, np.zeros((1, NUM_ACTIONS), np.int8), 0, 1)
    boards, games, states = Board.default().array, np.zeros(1, tables.TABLE), np.zeros(1, STATE)
    scores = np.zeros(c.MAX_SEATS, np.int64)
    rows.leads(boards, games, states, np.zeros(1, np.int64), 0, 1, scores, actions.copy())


def _compile_turn() -> None:
    """Call the kernel of a batch's turn for one game against ``random``."""
    boards, games, states = Board.default().array, np.zeros(1, tables.TABLE), np.zeros(1, STATE)
    words, masks, begin = (
        np.zeros((1, NUM_WORDS[0]), np.int64),
        np.zeros((1, NUM_ACTIONS), np.int8),
        np.full(1, rows.BEGIN),
    )
    kinds, mix, status = np.zeros(1, tables.KIND), np.zeros(0, tables.MIX), np.zeros(1, np.int8)
    kinds["players"], games["opponents"], games["stream"] = 3, SEAT_RANDOM, 1
    games["given_first"] = games["given_learner"] = c.NONE
    closing = (turn.RESTARTS, endings.REWARD_WIN, 1, -1.0, np.zeros(1, endings.ENDED))
    seen = np.zeros((1, base_layout.FEATURES_SIZE), np.float32), np.zeros((0, 0), np.int8)
    all_games = (boards, kinds, mix, games, states, words, status, status.copy())
    given = (*all_games, np.zeros(1, np.int64), begin, np.zeros(1, SETUP), masks)
    alone, found = np.zeros(sharing.words_for(1), np.int64), np.zeros((1, 2), np.int64)
    nobody = NOBODY._replace(memory=NOBODY.memory[None])
    turn.turn(*given, *seen, *closing, *seen, masks, nobody, alone, 1, 1, found)
    scores, flag, flags = np.zeros((1, 1), np.int64), np.zeros(1, np.bool_), np.zeros((1, 1), np.bool_)
    reports.write_ends(closing[-1], np.zeros(1), flag, flag, begin, np.zeros((1, 1)), scores, flags, flags, flags)
    numbers = np.zeros(1, np.int64)
    reports.write_starts(games, numbers, flag, numbers, flag, numbers, flag, numbers, flag)


def _compile_search() -> None:
    """Call the kernels of search."""
    _compile_rollout()
    boards, states, rng = Board.default().array, np.zeros(1, STATE), seeded(0)
    _start(boards, states, rng)
    masks, seeds = np.zeros((1, NUM_ACTIONS), np.int8), np.zeros(1, np.int64)
    scores = np.zeros((1, c.MAX_SEATS), np.int16)
    ranges.write_masks(boards, states, masks, 0, 1)
    ranges.apply_actions(boards, states, np.full(1, c.NONE, np.int64), 0, 1)
    ranges.score_states(boards, states, scores, 0, 1)
    ranges.write_features(boards, states, seeds, np.zeros((1, base_layout.FEATURES_SIZE), np.float32), 0, 1)
    ranges.write_compact(boards, states, seeds, np.zeros((1, base_layout.COMPACT_SIZE), np.int8), 0, 1)
    playouts.seed_rollouts(np.zeros((1, 1), np.uint64), seeds, 1, 0)
    playouts.draw_seeds(rng, seeds)
    wide = scores.astype(np.int64)
    endings.write_rewards(endings.REWARD_WIN, 0, wide, c.MAX_SEATS, np.zeros(wide.shape))


def _compile_rollout() -> None:
    """Call the kernel of rollouts with ``random`` in every seat."""
    boards, states, rng = Board.default().array, np.zeros(1, STATE), seeded(0)
    _start(boards, states, rng)
    mask, seeds, game = np.zeros(NUM_ACTIONS, np.int8), np.zeros(1, np.int64), np.zeros(1, STATE)
    results = np.zeros((1, c.MAX_SEATS), np.int16), np.zeros(1, np.int32), np.zeros(1, np.int8)
    policies = np.full(c.MAX_SEATS, SEAT_RANDOM, np.int64)
    playouts.rollout(boards, states, seeds, 1, 1, game, rng, mask, *results, 0, 1, policies, NOBODY)


def _compile_explaining() -> None:
    """Call the kernels that let the Opposition do one thing at a time."""
    boards, states, rng = Board.default().array, np.zeros(1, STATE), seeded(0)
    setups, options = np.zeros(1, SETUP), np.zeros(c.NUM_OPTIONS, np.int16)
    mask = np.empty(NUM_VARIANT_ACTIONS, np.int8)
    entry.random_setup(boards, rng, 1, c.VARIANT_SOLO, setups)
    entry.begin_game(boards, states, 1, c.VARIANT_SOLO, options, setups)
    entry.opposition_step(boards, states, np.zeros(4, np.int64))
    entry.new_game(boards, states, 1, c.VARIANT_SOLO, options, setups)
    entry.legal(boards, states, mask)
    entry.begin_step(boards, states, int(entry.choose(mask, rng)))


def _compile_players() -> None:
    """Call the kernel that lets a compiled player choose one action."""
    boards, states, rng = Board.default().array, np.zeros(1, STATE), seeded(0)
    _start(boards, states, rng)
    choose_action(SEAT_RANDOM, NOBODY, boards, states, np.empty(NUM_ACTIONS, np.int8), rng)


def _start(boards: BoardArray, states: npt.NDArray[np.void], rng: npt.NDArray[np.uint64]) -> None:
    """Start a random game."""
    setups, options = np.zeros(1, SETUP), np.zeros(c.NUM_OPTIONS, np.int16)
    entry.random_setup(boards, rng, 3, c.VARIANT_STANDARD, setups)
    entry.new_game(boards, states, 3, c.VARIANT_STANDARD, options, setups)


def _compile_self_play() -> None:
    """Call the kernels of recorded games for a game of ``random``."""
    fixtures, records = np.zeros(1, self_play.FIXTURE), np.zeros(SEAT_RANDOM + 1, np.int8)
    fixtures["players"], fixtures["policies"] = 3, SEAT_RANDOM
    scratch = np.zeros(1, SETUP), np.zeros(1, STATE), np.zeros(NUM_ACTIONS, np.int8), seeded(0), 1
    moments, outcomes = np.zeros(1, self_play.MOMENT), np.zeros((1, c.MAX_SEATS))
    recorded = np.zeros(1, STATE), moments, np.zeros((1, c.MAX_SEATS), np.int64), outcomes, np.zeros(1, np.int64)
    self_play.play_fixtures(Board.default().array, fixtures, NOBODY, records, *scratch, *recorded, 0, 1)
    self_play.write_targets(moments, outcomes, 1.0)
    inputs = np.zeros((1, base_layout.FEATURES_SIZE + NUM_ESTIMATES), np.float32)
    self_play.write_all_inputs(Board.default().array, np.zeros(1, STATE), np.zeros(1, np.int64), inputs, 0, 0)


def _compile_exploit_rules() -> None:
    """Compile the late kernels of the rules, the longer half."""
    compile_late("exploits_entry")


def compile_exploit_rows() -> None:
    """Compile the late kernels of the observations."""
    compile_late("exploit_rows_entry")


def _compile_learning() -> None:
    """Call the kernels in which a teacher of policy networks plays, and those of their rollouts, for no rows."""
    fixtures, boards, states = np.zeros(1, self_play.FIXTURE), Board.default().array, np.zeros(1, STATE)
    fixtures["players"], fixtures["policies"] = 3, SEAT_RANDOM
    setups, mask, words = np.zeros(1, SETUP), np.zeros(NUM_ACTIONS, np.int8), np.zeros((1, NUM_WORDS[0]), np.int64)
    ends = np.zeros((1, c.MAX_SEATS), np.int64), np.zeros((1, c.MAX_SEATS)), np.zeros(1, np.int64)
    taught = np.zeros(1, STATE), np.zeros(1, lessons.CHOICE)
    scratch = setups, states, mask, seeded(0), 1
    lessons.play_lessons(boards, fixtures, NOBODY, SEAT_RANDOM, 0, *scratch, *taught, *ends, 0, 1)
    kinds, mix, games = np.zeros(1, tables.KIND), np.zeros(1, tables.MIX), np.zeros(1, tables.TABLE)
    rows_of = boards, kinds, mix, games, states, words, np.zeros(1, np.int8)
    practice.begin_games(*rows_of, setups, 1, mask, 0, 0, NOBODY)
    observed, number = np.zeros((1, 1, base_layout.FEATURES_SIZE), np.float32), np.zeros((1, 1), np.float32)
    seen = observed, np.zeros((1, 1, NUM_ACTIONS), np.float32), np.zeros((1, 1), np.int64)
    own = np.zeros(1, np.int8), np.zeros((1, 1), np.uint64), setups, 1, mask, NOBODY, np.zeros(PARAMETERS_AT, np.uint8)
    results = np.zeros(1, np.float32), np.zeros((1, 1), practice.RESULT), np.zeros(1, np.int64)
    practice.practise(*rows_of, *own, *seen, number, number, number, number, *results, 0, 0)


class Part(NamedTuple):
    """Kernels that are compiled together: the arguments of ``compile_once``."""

    what: str
    warm_up: Callable[[], None]
    second_half: Callable[[], None] | None = None


RULES = Part("the rules", compile_playing, compile_looking)
PLAYERS = Part("the players", _compile_players)
BATCH = Part("the batch engine", compile_batch)
SEARCH = Part("the search", _compile_search)
EXPLAINING = Part("the explanations", _compile_explaining)
SELF_PLAY = Part("recorded games", _compile_self_play)
LEARNING = Part("learning policies", _compile_learning)
EXPLOITS = Part("the Exploits", _compile_exploit_rules, compile_exploit_rows)
PARTS = (RULES, PLAYERS, BATCH, SEARCH, EXPLAINING, SELF_PLAY, LEARNING, EXPLOITS)
