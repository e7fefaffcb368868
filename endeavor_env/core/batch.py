"""Many games at once: each kernel walks a range of games, so that threads can share a batch without sharing a game.

Everything a game needs lies in its own row, its generators included: results depend neither on the number of threads
nor on the other games. Nothing here checks legality or ranges but ``step_*``, which leaves a game with an illegal
action as it is and says so.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core._jit import kernel
from endeavor_env.core.automa import automa_action
from endeavor_env.core.constants import DECIDE_NOTHING, MAX_SEATS, NONE, NUM_OPTIONS
from endeavor_env.core.engine import apply, start
from endeavor_env.core.greedy import greedy_action
from endeavor_env.core.legal import legal
from endeavor_env.core.observe_compact import compact
from endeavor_env.core.observe_features import features
from endeavor_env.core.observe_layout import COMPACT_SIZE, FEATURES_SIZE
from endeavor_env.core.observe_variants import variant_features
from endeavor_env.core.observe_variants_compact import variant_compact
from endeavor_env.core.rng import next_seed, reseed
from endeavor_env.core.rollout import choose
from endeavor_env.core.scoring import total_glory
from endeavor_env.core.setup import random_setup, set_up
from endeavor_env.core.sides import num_mats

# --- who decides for a seat (`TABLE.policies`) ---------------------------------------------------------------------
SEAT_LEARNER = 0
SEAT_RANDOM = 1
SEAT_GREEDY = 2
SEAT_AUTOMA = 3
SEAT_CALLABLE = 4  # + index of a function of the caller's

# --- what a step led to (`TABLE.status`) ------------------------------------------------------------------------------
RUNNING = 0  # the learner is to move
OVER = 1  # by the rules
ILLEGAL = 2  # the learner's action was illegal; the position is as it was
WAITING = 3  # a seat of the caller's functions is to move

TABLE = np.dtype(
    (
        np.record,
        [  # one game of a batch beside its STATE
            ("stream", np.uint64, (1,)),  # generator that seeds this row's games, one after the other
            ("rng", np.uint64, (1,)),  # generator of the game's compiled opponents
            ("game_seed", np.int64),  # seed of the set-up, as for Game.new
            ("length", np.int32),  # decisions of the learner in this game
            ("board", np.int16),  # row of the boards
            ("players", np.int8),
            ("variant", np.int8),  # VARIANT_*
            ("options", np.int8, (NUM_OPTIONS,)),
            ("learner", np.int8),  # seat; NONE: the learner decides for every seat
            ("rotates", np.int8),  # 0/1: the next game's learner sits one seat further
            ("seeded", np.int8),  # 0/1: the next game's seed is `game_seed`, not drawn from `stream`
            ("opponents", np.int8, (MAX_SEATS - 1,)),  # SEAT_* at distance 1, 2, ... after the learner
            ("policies", np.int8, (MAX_SEATS,)),  # SEAT_* by seat, in this game
            ("status", np.int8),  # RUNNING, OVER, ILLEGAL or WAITING
        ],
    )
)


@kernel
def _seat_policies(table):
    """Works out who decides for each seat from where the learner sits."""
    table.policies[:] = SEAT_LEARNER
    if table.learner != NONE:
        for distance in range(1, table.players):
            table.policies[(table.learner + distance) % table.players] = table.opponents[distance - 1]


@kernel
def _begin(boards, table, state, setup):
    """Starts the row's next game; ``setup`` is a scratch SETUP record."""
    board = boards[table.board]
    if not table.seeded:
        table.game_seed = next_seed(table.stream)
    reseed(table.rng, table.game_seed)
    random_setup(board, table.rng, table.players, table.variant, setup)
    set_up(board, state, table.players, table.variant, table.options, setup)
    start(board, state)
    if table.rotates:
        table.learner = (table.game_seed if table.seeded else table.learner + np.int64(1)) % table.players
    table.seeded = 0
    reseed(table.rng, next_seed(table.stream))
    table.length = 0
    _seat_policies(table)


@kernel
def _look(board, table, state, mask):
    """Writes the mask and the status; returns who decides, NONE if the game is over."""
    legal(board, state, mask)
    if state.decision == DECIDE_NOTHING:
        table.status = OVER
        return np.int64(NONE)
    policy = np.int64(table.policies[state.seat])
    table.status = WAITING if policy >= SEAT_CALLABLE else RUNNING
    return policy


@kernel
def _play_random_seats(board, table, state, mask):
    """Lets ``random`` seats play until somebody else is to move or the game is over; ``mask`` is then theirs."""
    made = np.int64(0)
    while _look(board, table, state, mask) == SEAT_RANDOM:
        apply(board, state, choose(mask, table.rng))
        made += 1
    return made


@kernel
def _play_all_seats(board, table, state, mask, weights, scratch, masks):
    """Is ``_play_random_seats`` for every compiled policy; the last three arguments are those of ``greedy_action``."""
    made = np.int64(0)
    policy = _look(board, table, state, mask)
    while SEAT_RANDOM <= policy < SEAT_CALLABLE:
        if policy == SEAT_RANDOM:
            action = choose(mask, table.rng)
        elif policy == SEAT_GREEDY:
            action = greedy_action(board, state, weights, scratch, masks, table.rng)
        else:
            action = automa_action(board, state, mask)
        apply(board, state, action)
        made += 1
        policy = _look(board, table, state, mask)
    return made


@kernel
def _try_action(board, table, state, mask, action):
    """Carries out the action of the seat to move if it is legal; tells whether it was."""
    if not (0 <= action < mask.size and mask[action] == 1):
        table.status = ILLEGAL
        return False
    apply(board, state, action)
    return True


@kernel
def step_random(boards, tables, states, actions, masks, low, high):
    """Carries out ``actions[i]`` for i in [low, high), then lets the ``random`` seats play.

    Args:
        boards: (B,) BOARD, read only.
        tables: (N,) TABLE; ``status`` says what each game came to.
        states: (N,) STATE.
        actions: (N,) int64 action ids of the seats to move; NONE leaves a game alone.
        masks: (N, actions of the variant) int8; the masks the actions were chosen from, replaced by the new ones.
        low: First game.
        high: One past the last.

    Returns:
        Decisions made by all seats.
    """
    made = np.int64(0)
    for i in range(low, high):
        if actions[i] == NONE:
            continue
        board = boards[tables[i].board]
        if _try_action(board, tables[i], states[i], masks[i], actions[i]):
            made += 1 + _play_random_seats(board, tables[i], states[i], masks[i])
    return made


@kernel
def step_all(boards, tables, states, actions, masks, low, high, weights, scratch, scratch_masks):
    """Is ``step_random`` for every compiled policy; the last three are one thread's arguments of ``greedy_action``."""
    made = np.int64(0)
    for i in range(low, high):
        if actions[i] == NONE:
            continue
        board = boards[tables[i].board]
        if _try_action(board, tables[i], states[i], masks[i], actions[i]):
            made += 1 + _play_all_seats(board, tables[i], states[i], masks[i], weights, scratch, scratch_masks)
    return made


@kernel
def restart_random(boards, tables, states, masks, rows, low, high, setups):
    """Starts new games in ``rows[low:high]`` and plays to the learner's first decision; ``setups`` (1,) is scratch."""
    made = np.int64(0)
    for index in range(low, high):
        i = rows[index]
        _begin(boards, tables[i], states[i], setups[0])
        made += _play_random_seats(boards[tables[i].board], tables[i], states[i], masks[i])
    return made


@kernel
def restart_all(boards, tables, states, masks, rows, low, high, setups, weights, scratch, scratch_masks):
    """Is ``restart_random`` for every compiled policy."""
    made = np.int64(0)
    for index in range(low, high):
        i = rows[index]
        _begin(boards, tables[i], states[i], setups[0])
        board = boards[tables[i].board]
        made += _play_all_seats(board, tables[i], states[i], masks[i], weights, scratch, scratch_masks)
    return made


@kernel
def play_out_random(boards, tables, states, masks, low, high):
    """Plays the games [low, high) to their end, every seat at random; returns the decisions made."""
    made = np.int64(0)
    for i in range(low, high):
        made += _play_random_seats(boards[tables[i].board], tables[i], states[i], masks[i])
    return made


@kernel
def play_out_all(boards, tables, states, masks, low, high, weights, scratch, scratch_masks):
    """Is ``play_out_random`` with each seat's own compiled policy."""
    made = np.int64(0)
    for i in range(low, high):
        board = boards[tables[i].board]
        made += _play_all_seats(board, tables[i], states[i], masks[i], weights, scratch, scratch_masks)
    return made


@kernel
def observer_of(table, state):
    """Returns whose view a row shows: the learner's, or with no seat of its own, the seat to move (0 at the end)."""
    if table.learner != NONE:
        return np.int64(table.learner)
    return np.int64(max(0, state.seat))


@kernel
def observe_features_of(boards, tables, states, rows, out, low, high):
    """Writes features observations of ``rows[low:high]`` into ``out[low:high]``, (n, size) float32."""
    for index in range(low, high):
        i = rows[index]
        board, seat = boards[tables[i].board], _viewer(tables[i], states[i])
        if out.shape[1] == FEATURES_SIZE:
            features(board, states[i], seat, out[index])
        else:
            variant_features(board, states[i], seat, out[index])


@kernel
def observe_compact_of(boards, tables, states, rows, out, low, high):
    """Writes compact observations of ``rows[low:high]`` into ``out[low:high]``, (n, size) int8."""
    for index in range(low, high):
        i = rows[index]
        board, seat = boards[tables[i].board], _viewer(tables[i], states[i])
        if out.shape[1] == COMPACT_SIZE:
            compact(board, states[i], seat, out[index])
        else:
            variant_compact(board, states[i], seat, out[index])


@kernel
def _viewer(table, state):
    """Returns the seat to move where the caller's function decides, else ``observer_of``."""
    return np.int64(state.seat) if table.status == WAITING else observer_of(table, state)


@kernel
def score_games(boards, tables, states, rows, out, low, high):
    """Writes the Glory "as if the game ended now" of ``rows[low:high]`` to ``out[low:high]``, (n, MAX_SEATS) int16."""
    for index in range(low, high):
        i = rows[index]
        out[index, :] = 0
        for seat in range(num_mats(states[i])):
            out[index, seat] = total_glory(boards[tables[i].board], states[i], seat)


@kernel
def sample_actions(masks, rngs, actions, low, high):
    """Draws a uniformly random legal action for each game, NONE where there is none.

    ``masks`` (N, A) int8; ``rngs`` (N, 1) uint64, advanced; ``actions`` (N,) int64 is written.
    """
    for i in range(low, high):
        actions[i] = choose(masks[i], rngs[i])
