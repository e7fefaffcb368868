"""Many games at once: each kernel walks a range of games, so that threads can share a batch without sharing a game.

Everything a game needs lies in its own row, its generators included: results depend neither on the number of threads
nor on the other games. Nothing here checks legality or ranges but ``first_wrong``, and ``turn_*``, which leaves a
game with an illegal action as it is and says so.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.batch.endings import ENDED, close_game, lead_of, open_entry, write_scores
from endeavor_env.core.batch.tables import (
    KIND,
    MIX,
    SEAT_AUTOMA,
    SEAT_CALLABLE,
    SEAT_GREEDY,
    SEAT_LEARNER,
    SEAT_RANDOM,
    TABLE,
    begin,
)
from endeavor_env.core.engine.apply import apply
from endeavor_env.core.engine.legal import legal
from endeavor_env.core.observe.write import write_compact, write_features
from endeavor_env.core.policies.automa.choice import automa_action
from endeavor_env.core.policies.greedy.turn_search import greedy_action
from endeavor_env.core.policies.uniform import choose, choose_move

__all__ = [  # names in capitals also come from `batch_games` and `batch_rewards`
    "BEGIN",
    "CLOSES",
    "CLOSES_NOTHING",
    "ENDED",
    "GO_ON",
    "ILLEGAL",
    "KIND",
    "MIX",
    "OVER",
    "RESTARTS",
    "RUNNING",
    "SEAT_AUTOMA",
    "SEAT_CALLABLE",
    "SEAT_GREEDY",
    "SEAT_LEARNER",
    "SEAT_RANDOM",
    "TABLE",
    "WAITING",
    "first_wrong",
    "leads",
    "sample_actions",
    "turn_all",
    "turn_random",
]

# --- what may stand for an action ------------------------------------------------------------------------------------
BEGIN = -2  # the row's next game begins; NONE leaves a row alone
GO_ON = -3  # nobody's action: the compiled policies play on from the position as it is

# --- what became of a game (`status`) --------------------------------------------------------------------------------
RUNNING = 0  # the learner is to move
WAITING = 1  # a seat of the caller's functions is to move
OVER = 2  # by the rules; from here on no more is played
ILLEGAL = 3  # the action was illegal; the position is as it was

# --- what a turn does about games that are OVER or ILLEGAL ------------------------------------------------------------
CLOSES_NOTHING = 0
CLOSES = 1  # settles them
RESTARTS = 2  # settles them, looks at them for the last time, and starts the next games

BLOCK = 64
"""Rows of a turn that are played, then closed, then observed."""


@kernel
def _look(board, table, state, mask, status, i):
    """Writes the mask and ``status[i]``; returns who decides, NONE if the game is over."""
    legal(board, state, mask)
    if state.decision == c.DECIDE_NOTHING:
        status[i] = OVER
        return np.int64(c.NONE)
    policy = np.int64(table.policies[state.seat])
    status[i] = WAITING if policy >= SEAT_CALLABLE else RUNNING
    return policy


@kernel
def _play_random_seats(board, table, state, mask, status, i):
    """Lets ``random`` seats play until somebody else is to move or the game is over; ``mask`` is then theirs."""
    made = np.int64(0)
    while _look(board, table, state, mask, status, i) == SEAT_RANDOM:
        apply(board, state, choose_move(state, mask, table.rng))
        made += 1
    return made


@kernel
def _play_all_seats(board, table, state, mask, status, i, weights, scratch, scratch_masks):
    """Is ``_play_random_seats`` for every compiled policy; the last three arguments are those of ``greedy_action``."""
    made = np.int64(0)
    policy = _look(board, table, state, mask, status, i)
    while SEAT_RANDOM <= policy < SEAT_CALLABLE:
        if policy == SEAT_RANDOM:
            action = choose_move(state, mask, table.rng)
        elif policy == SEAT_GREEDY:
            action = greedy_action(board, state, weights, scratch, scratch_masks, table.rng)
        else:
            action = automa_action(board, state, mask)
        apply(board, state, action)
        made += 1
        policy = _look(board, table, state, mask, status, i)
    return made


@kernel
def _begin_row(boards, kinds, mix, table, state, setups, given):
    """Starts the row's next game."""
    begin(boards, kinds, mix, table, state, setups[given if table.given_setup else 0])


@kernel
def _carry_out(boards, kinds, mix, table, state, mask, action, status, i, setups, given):
    """Does what ``action`` says; tells whether the game is to be played on."""
    if action == c.NONE:
        return False
    if action == BEGIN:
        _begin_row(boards, kinds, mix, table, state, setups, given)
    elif action != GO_ON:
        table.mover = state.seat
        if not (0 <= action < mask.size and mask[action] == 1):
            status[i] = ILLEGAL
            return False
        apply(boards[table.board], state, action)
    return True


@kernel
def _close_row(boards, table, state, mask, status, i, pay, margin_scale, illegal_reward, ended):
    """Settles a game that is OVER or ILLEGAL; after an illegal action nobody is to move any more."""
    open_entry(table, state, i, status[i], ended)
    if status[i] == OVER:
        close_game(boards[table.board], table, state, pay, margin_scale, ended)
    else:
        mask[:] = 0
        ended.paid[ended.paid_seat] = illegal_reward


@kernel
def _observer(table, state, status):
    """Returns whose view a row shows.

    The seat to move where the caller's function decides, else the learner's, or with no seat of its own, the seat to
    move (0 at the end).
    """
    if table.learner != c.NONE and status != WAITING:
        return np.int64(table.learner)
    return np.int64(max(0, state.seat))


@kernel
def _observe(boards, table, state, status, as_features, as_compact, index):
    """Writes the observation into row ``index`` of the array that has rows, in the layout of its size."""
    if as_features.shape[0] > 0:
        write_features(boards[table.board], state, _observer(table, state, status), as_features[index])
    elif as_compact.shape[0] > 0:
        write_compact(boards[table.board], state, _observer(table, state, status), as_compact[index])


@kernel
def turn_random(
    boards, kinds, mix, tables, states, masks, status, rows, actions, setups, observed, observed_raw,
    closes, pay, margin_scale, illegal_reward, ended, last, last_raw, low, high,
):  # fmt: skip
    """Carries out ``actions[low:high]`` in ``rows[low:high]``, each followed by what the ``random`` seats play.

    All of it is one kernel, because every call costs the threads a meeting at the interpreter's lock. Rows are done in
    blocks, few enough for their states, and many enough for the code of each part, to stay in the cache.

    Args:
        boards: (B,) BOARD, read only.
        kinds: (K,) KIND, read only: what may be played.
        mix: (M,) MIX, read only: who may sit down in new games; empty for ``TABLE.opponents``.
        tables: (N,) TABLE.
        states: (N,) STATE.
        masks: (N, actions of the variant) int8; the masks the actions were chosen from, replaced by the new ones.
        status: (N,) int8, written: RUNNING, WAITING, OVER or ILLEGAL.
        rows: (n,) int64, games.
        actions: (n,) int64: action ids of the seats to move, BEGIN, GO_ON or NONE.
        setups: (1 + g,) SETUP: scratch, then the set-ups of rows with ``given_setup``, 1 + its index a row.
        observed: (n, size) float32 for features observations, or without rows.
        observed_raw: (n, size) int8 for compact observations, or without rows.
        closes: CLOSES_NOTHING, CLOSES, or RESTARTS: what is done about games that are OVER or ILLEGAL.
        pay: REWARD_*; with REWARD_GIVEN the games that are over by the rules are paid 0.
        margin_scale: Glory that counts as 1 in ``margin``.
        illegal_reward: What an illegal action pays the seat that chose it.
        ended: (n,) ENDED, written from ``low`` on: the games closed.
        last: As ``observed``, written likewise: their last observations.
        last_raw: As ``observed_raw``, likewise.
        low: First index into ``rows``.
        high: One past the last.

    Returns:
        Decisions made by all seats, and the number of games closed.
    """
    made = closed = np.int64(0)
    for start in range(low, high, BLOCK):
        end = min(start + BLOCK, high)
        for index in range(start, end):
            i, action = rows[index], actions[index]
            table, state, mask = tables[i], states[i], masks[i]
            if _carry_out(boards, kinds, mix, table, state, mask, action, status, i, setups, index + 1):
                made += action >= 0
                made += _play_random_seats(boards[table.board], table, state, mask, status, i)
        for index in range(start, end):
            i = rows[index]
            if not closes or status[i] < OVER:
                continue
            table, state, mask = tables[i], states[i], masks[i]
            place = low + closed
            _close_row(boards, table, state, mask, status, i, pay, margin_scale, illegal_reward, ended[place])
            closed += 1
            if closes == RESTARTS:
                _observe(boards, table, state, status[i], last, last_raw, place)
                _begin_row(boards, kinds, mix, table, state, setups, 0)
                made += _play_random_seats(boards[table.board], table, state, mask, status, i)
        for index in range(start, end):
            i = rows[index]
            _observe(boards, tables[i], states[i], status[i], observed, observed_raw, index)
    return made, closed


@kernel
def turn_all(
    boards, kinds, mix, tables, states, masks, status, rows, actions, setups, observed, observed_raw,
    closes, pay, margin_scale, illegal_reward, ended, last, last_raw, low, high, weights, scratch, scratch_masks,
):  # fmt: skip
    """Is ``turn_random`` for every compiled policy; the last three are ``greedy_action``'s, a thread's own."""
    made = closed = np.int64(0)
    for start in range(low, high, BLOCK):
        end = min(start + BLOCK, high)
        for index in range(start, end):
            i, action = rows[index], actions[index]
            table, state, mask = tables[i], states[i], masks[i]
            if _carry_out(boards, kinds, mix, table, state, mask, action, status, i, setups, index + 1):
                made += action >= 0
                board = boards[table.board]
                made += _play_all_seats(board, table, state, mask, status, i, weights, scratch, scratch_masks)
        for index in range(start, end):
            i = rows[index]
            if not closes or status[i] < OVER:
                continue
            table, state, mask = tables[i], states[i], masks[i]
            place = low + closed
            _close_row(boards, table, state, mask, status, i, pay, margin_scale, illegal_reward, ended[place])
            closed += 1
            if closes == RESTARTS:
                _observe(boards, table, state, status[i], last, last_raw, place)
                _begin_row(boards, kinds, mix, table, state, setups, 0)
                board = boards[table.board]
                made += _play_all_seats(board, table, state, mask, status, i, weights, scratch, scratch_masks)
        for index in range(start, end):
            i = rows[index]
            _observe(boards, tables[i], states[i], status[i], observed, observed_raw, index)
    return made, closed


@kernel
def first_wrong(actions, masks, status, legality, autoreset, chosen):
    """Checks the actions of all games, (N,) integers, and writes ``chosen`` (N,) int64, what ``turn_*`` takes.

    Games that are over get BEGIN with ``autoreset``, else NONE, whatever stands for them. The others' actions must be
    ids, and with ``legality`` legal ones.

    Returns:
        The first game with a wrong action, NONE if there is none.
    """
    for i in range(actions.size):
        action = np.int64(actions[i])
        if status[i] >= OVER:
            action = np.int64(BEGIN if autoreset else c.NONE)
        elif not 0 <= action < masks.shape[1] or (legality and masks[i, action] == 0):
            return i
        chosen[i] = action
    return np.int64(c.NONE)


@kernel
def leads(boards, tables, states, rows, low, high, scores, out):
    """Writes by how much the learner leads in ``rows[low:high]`` to ``out`` (n,) int64; ``scores`` (5,) is scratch."""
    for index in range(low, high):
        i = rows[index]
        mats = write_scores(boards[tables[i].board], states[i], scores)
        out[index] = lead_of(scores, mats, np.int64(tables[i].learner))


@kernel
def sample_actions(masks, rngs, actions, low, high):
    """Draws a uniformly random legal action for each game, NONE where there is none.

    ``masks`` (N, A) int8; ``rngs`` (N, 1) uint64, advanced; ``actions`` (N,) int64 is written.
    """
    for i in range(low, high):
        actions[i] = choose(masks[i], rngs[i])
