"""How games of a batch began and ended, as arrays over all games: what the infos of environments are made of."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.endings import ENDED
from endeavor_env.engine.kernels.rows import ILLEGAL, TRUNCATED
from endeavor_env.engine.kernels.rules import FLAG_ROWS, FLAGS, NUMBERS, REAL_ROWS, REALS, WORDS
from endeavor_env.engine.kernels.tables import TABLE
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.kinds import array


@kernel
def _write_winners(game, winners):
    """Write who won: all with the highest score; against an opponent without a seat from equal scores on."""
    best = game.scores[0]
    for side in range(1, game.sides):
        best = max(best, game.scores[side])
    for seat in range(game.players):
        winners[seat] = game.scores[seat] == best


@entry(array(ENDED), REALS, FLAGS, FLAGS, NUMBERS, REAL_ROWS, WORDS, FLAG_ROWS, FLAG_ROWS, FLAG_ROWS)
def write_ends(games, rewards, terminated, truncated, seats, seat_rewards, scores, winners, ended, scored):
    """Write how games ended to arrays over all N games, in the rows of these games; the other rows stay as they are.

    Args:
        games: (n,) ENDED, read only.
        rewards: (N,) float64; what the seat that the caller plays is paid is added.
        terminated: (N,) bool: whether the game is over by the rules or by an illegal action.
        truncated: (N,) bool: whether it was cut short.
        seats: (N,) int64, see ENDED.
        seat_rewards: (N, most seats) float64, see ENDED.
        scores: (N, most scores) int64, of the games that have scores.
        winners: (N, most seats) bool, of the games that have scores.
        ended: (copies, N) bool, several times the same: True for all ``games``.
        scored: (copies, N) bool: True for all but those that ended by an illegal action.

    Returns:
        The number of games that ended by an illegal action, and that of games with scores against an
        opponent without a seat.
    """
    illegal = alone = np.int64(0)
    for index in range(games.size):
        game = games[index]
        row = game.row
        rewards[row] += game.paid[game.paid_seat]
        truncated[row] = game.status == TRUNCATED
        terminated[row] = not truncated[row]
        seats[row] = game.seat
        ended[:, row] = True
        for seat in range(seat_rewards.shape[1]):
            seat_rewards[row, seat] = game.paid[seat]
        if game.status == ILLEGAL:
            illegal += 1
            continue
        alone += game.alone
        scored[:, row] = True
        for side in range(scores.shape[1]):
            scores[row, side] = game.scores[side]
        _write_winners(game, winners[row])
    return illegal, alone


@entry(array(TABLE), NUMBERS, FLAGS, NUMBERS, FLAGS, NUMBERS, FLAGS, NUMBERS, FLAGS)
def write_starts(tables, rows, drawn, seeds, of_seeds, kinds, of_kinds, learners, of_learners):
    """Write how games began to arrays over all N games, in the rows of these games; the other rows stay as they are.

    Args:
        tables: (N,) TABLE, read only.
        rows: (n,) int64, the games.
        drawn: (n,) bool: whether the game's set-up was drawn from its seed; else the game has no seed.
        seeds: (N,) int64.
        of_seeds: (N,) bool: True for the games that have a seed.
        kinds: (N,) int64: the rows of the kinds; without entries they are not written.
        of_kinds: (N,) bool: True for all ``rows``.
        learners: (N,) int64: the learner's seats; without entries they are not written.
        of_learners: (N,) bool: True for all ``rows``.
    """
    for index in range(rows.size):
        row = rows[index]
        table = tables[row]
        if drawn[index]:
            seeds[row], of_seeds[row] = table.game_seed, True
        if kinds.size > 0:
            kinds[row], of_kinds[row] = table.kind, True
        if learners.size > 0:
            learners[row], of_learners[row] = table.learner, True
