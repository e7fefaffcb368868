"""Rollouts of a policy network that learns: its choices, its opponents and its observations, in one loop.

The rows are those of a batch (``engine.kernels.turn``); nothing outside the kernel is asked between two updates.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.flow.scoring import write_totals
from endeavor_env.endeavor.players.policy.player import LOGITS, VALUE, draw_action, write_logits
from endeavor_env.endeavor.players.value.inputs import outcome
from endeavor_env.endeavor.players.value.player import HERE, look_at_position, workspace_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import board_at, state_at
from endeavor_env.engine.kernels.masks import choose_move, count_allowed, write_bytes
from endeavor_env.engine.kernels.network import write_outputs
from endeavor_env.engine.kernels.players import PLAYERS
from endeavor_env.engine.kernels.rules import BYTES, FLOAT_ROWS, FLOATS, GENERATORS, MEMORY, NUMBERS, SETUPS, WORDS
from endeavor_env.engine.kernels.tables import GAMES
from endeavor_env.engine.kernels.turn import OVER, RUNNING, advance, begin_row, play_compiled_seats
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.intrinsics import words_on_stack
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.kinds import INTEGER, array

_scores = words_on_stack(c.MAX_SEATS)
RESULT = np.dtype((np.record, [("outcome", np.float32), ("score", np.int32), ("margin", np.int32)]))
"""How a game ended for the learner: ``outcome``, its Glory, and its lead over the best other mat."""


@entry(GAMES, SETUPS, INTEGER, BYTES, INTEGER, INTEGER, PLAYERS)
def begin_games(games, setups, limit, mask, low, high, players):
    """Start new games in the rows from ``low`` to ``high`` and play up to the learner's first choices."""
    for row in range(low, high):
        _begin_game(games, row, setups, limit, mask, players)


@kernel
def _begin_game(games, row, setups, limit, mask, players):
    """Start a new game in ``row`` and play up to the learner's first choice."""
    begin_row(games, row, setups, 0, 0)
    _play_to_choice(games, row, mask, limit, players)


@kernel
def _play_to_choice(games, row, mask, limit, players):
    """Play on until the learner has a choice or the game has ended: opponents, and decisions with one legal action."""
    play_compiled_seats(games, row, mask, limit, players)
    words, rng = games.words[row], games.tables[row].rng
    while games.status[row] == RUNNING and count_allowed(words) == 1:
        advance(games, row, choose_move(words, rng))
        play_compiled_seats(games, row, mask, limit, players)


@kernel
def _write_result(board, state, seat, scores, result):
    """Write how a game ended for ``seat``; ``scores`` is scratch."""
    mats = write_totals(board, state, scores)
    best = np.int64(-(1 << 30))
    for other in range(mats):
        if other != seat:
            best = max(best, scores[other])
    result.outcome = outcome(state, scores, mats, seat)
    result.score, result.margin = scores[seat], scores[seat] - best


@entry(
    GAMES, BYTES, GENERATORS, SETUPS, INTEGER, BYTES, PLAYERS, MEMORY, array(np.float32, 3), array(np.float32, 3),
    WORDS, FLOAT_ROWS, FLOAT_ROWS, FLOAT_ROWS, FLOAT_ROWS, FLOATS, array(RESULT, 2), NUMBERS, INTEGER, INTEGER,
    counts_references=True,
)  # fmt: skip
def collect_rollouts(
    games, fresh, draws, setups, limit, mask, players, memory,
    observations, allowed, actions, log_probs, values, rewards, starts, last_values, results, ended, low, high,
):  # fmt: skip
    """Make the learner's next ``steps`` choices in each row from ``low`` to ``high``; games that end start again.

    Every row is at a choice of the learner's before and after; decisions with one legal action are not counted.

    Args:
        games: ``Games`` of Endeavor.
        fresh: (N,) int8, 0/1: the learner has made no choice in the game yet.
        draws: (N, 1) uint64, the generators of the learner's choices.
        setups: (1, words) int64, scratch.
        limit: Most decisions of a game, which is scored as it then stands.
        mask: (number of actions,) int8, scratch.
        players: The ``Players`` of the thread.
        memory: Uint8, of ``learner_memory``; overwritten.
        observations: (N, steps, size) float32, written; so are all that follow.
        allowed: (N, steps, number of actions) float32, the masks.
        actions: (N, steps) int64, drawn from the probabilities.
        log_probs: (N, steps) float32.
        values: (N, steps) float32, the network's.
        rewards: (N, steps) float32: ``outcome`` where the game ended before the learner's next choice, else 0.
        starts: (N, steps) float32, 0/1: the first choice in its game.
        last_values: (N,) float32, of the positions after the last step.
        results: (N, steps) RESULT; the games that ended in row i are the first ``ended[i]``.
        ended: (N,) int64.
        low: First row.
        high: One past the last.
    """
    workspace, scores = workspace_of(memory), _scores(c.MAX_SEATS)
    for row in range(low, high):
        ended[row] = 0
        table, state, words = games.tables[row], state_at(games.positions[row]), games.words[row]
        for step in range(observations.shape[1]):
            board = board_at(games.boards[table.board])
            write_bytes(words, mask)
            action, log_probs[row, step] = _choose(
                board, state, mask, workspace, draws[row], observations[row, step], allowed[row, step]
            )
            values[row, step] = _judge_here(workspace)
            actions[row, step] = action
            starts[row, step], fresh[row], rewards[row, step] = fresh[row], 0, 0.0
            advance(games, row, action)
            _play_to_choice(games, row, mask, limit, players)
            if games.status[row] >= OVER:
                result = results[row, ended[row]]
                _write_result(board, state, np.int64(table.learner), scores, result)
                rewards[row, step] = result.outcome
                ended[row] += 1
                fresh[row] = 1
                _begin_game(games, row, setups, limit, mask, players)
        board = board_at(games.boards[table.board])
        look_at_position(board, state, np.int64(state.seat), workspace.networks[LOGITS], workspace)
        last_values[row] = _judge_here(workspace)


@kernel
def _choose(board, state, mask, workspace, rng, observation, allowed):
    """Draw an action from the network's probabilities; return it with the logarithm of its probability.

    Write what the network saw to ``observation``, and ``mask`` to ``allowed``, both float32.
    """
    write_logits(board, state, workspace.networks[LOGITS], workspace)
    action, log_prob = draw_action(workspace.out, mask, 1.0, rng)
    for index in range(observation.size):
        observation[index] = workspace.seen[HERE, index]
    for action_id in range(mask.size):
        allowed[action_id] = mask[action_id]
    return action, log_prob


@kernel
def _judge_here(workspace):
    """Return the value network's output for the position last looked at."""
    value = workspace.networks[VALUE]
    scratch = workspace.places, workspace.amounts
    write_outputs(value, workspace.parameters, workspace.sums[0], workspace.second, workspace.out, *scratch)
    return workspace.out[0]
