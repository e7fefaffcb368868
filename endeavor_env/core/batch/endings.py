"""How games of a batch ended: scores, and the named rewards of ``endeavor_env.rewards`` for every seat."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.engine.scoring import write_totals
from endeavor_env.core.observe.variant_layout import LEAD_STEPS
from endeavor_env.core.sides import is_solo

REWARD_GIVEN = 0  # a function of the caller's
REWARD_WIN = 1
REWARD_WIN_ZERO_SUM = 2
REWARD_RANK = 3
REWARD_MARGIN = 4
REWARD_LADDER = 5
REWARD_CODES = {
    "win": REWARD_WIN,
    "win_zero_sum": REWARD_WIN_ZERO_SUM,
    "rank": REWARD_RANK,
    "margin": REWARD_MARGIN,
    "ladder": REWARD_LADDER,
}

ENDED = np.dtype(
    (
        np.record,
        [  # how a game ended
            ("row", np.int64),
            ("seat", np.int64),  # the learner's; if it decides for all, the one to move, NONE at the end by the rules
            ("paid_seat", np.int64),  # whose reward the caller gets: the learner's, or if that is all, who moved last
            (
                "scores",
                np.int64,
                (c.MAX_SEATS,),
            ),  # final Glory, in solo the Opposition's second; 0 beyond
            ("paid", np.float64, (c.MAX_SEATS,)),  # each seat's reward; 0 beyond
            ("kind", np.int16),  # row of the kinds
            ("status", np.int8),  # OVER or ILLEGAL
            ("players", np.int8),
            ("sides", np.int8),  # number of scores; 0 after an illegal action
            ("solo", np.int8),  # 0/1: a solitaire game that is over by the rules
            ("level_5", np.int8),  # 0/1: seat 0 owns a building of level 5 (S8.4)
        ],
    )
)


@kernel
def lead_of(scores, mats, seat):
    """Return the score of ``seat`` less the best other one of the ``mats``."""
    best = np.int64(-(1 << 30))
    for other in range(mats):
        if other != seat:
            best = max(best, scores[other])
    return scores[seat] - best


@kernel
def _share_of_win(scores, mats, seat):
    """Return 1 for the only winner and 0 for a loser; tied winners share the 1 (R12.10)."""
    best, winners = np.int64(-(1 << 30)), 0
    for other in range(mats):
        if scores[other] > best:
            best, winners = scores[other], 0
        if scores[other] == best:
            winners += 1
    return 1.0 / winners if scores[seat] == best else 0.0


@kernel
def _rank(scores, mats, seat):
    """Return (seats beaten - seats that beat it) / (seats - 1)."""
    balance = 0
    for other in range(mats):
        if scores[seat] > scores[other]:
            balance += 1
        elif scores[seat] < scores[other]:
            balance -= 1
    return balance / (mats - 1)


@kernel
def _rung(lead):
    """Return the rung of a solitaire result from 0 to 1 (S8.3)."""
    rung = 0
    for step in range(len(LEAD_STEPS)):
        if lead >= LEAD_STEPS[step]:
            rung += 1
    return rung / len(LEAD_STEPS)


@kernel
def reward_of(reward, solo, scores, mats, seat, margin_scale):
    """Return the reward of ``seat`` for the final ``scores``; ``reward`` is a REWARD_* that has a name."""
    if reward == REWARD_RANK:
        return _rank(scores, mats, seat)
    if reward == REWARD_WIN_ZERO_SUM:
        return _share_of_win(scores, mats, seat) - 1.0 / mats
    if reward == REWARD_WIN and not solo:
        return _share_of_win(scores, mats, seat)
    lead = lead_of(scores, mats, seat)
    if reward == REWARD_MARGIN:
        return lead / margin_scale
    if reward == REWARD_LADDER:
        return _rung(lead)
    return 1.0 if lead >= 0 else 0.0  # a solitaire game is won from equal scores on (S8.3, SA7)


@kernel
def write_rewards(reward, solo, scores, seats, margin_scale, out):
    """Write the rewards of games with final ``scores``, (n, mats) int64, to ``out``, (n, seats) float64."""
    for game in range(scores.shape[0]):
        for seat in range(seats):
            out[game, seat] = reward_of(reward, solo, scores[game], scores.shape[1], seat, margin_scale)


@kernel
def close_game(board, table, state, reward, margin_scale, ended):
    """Write scores and rewards of a game that is over by the rules; ``paid`` stays 0 with REWARD_GIVEN."""
    mats = write_totals(board, state, ended.scores)
    ended.sides = mats
    ended.solo = is_solo(state)
    if reward != REWARD_GIVEN:
        for seat in range(table.players):
            ended.paid[seat] = reward_of(reward, ended.solo, ended.scores, mats, seat, margin_scale)
    for building in range(board.num_building_types):
        if board.building_level[building] == c.GRID_LEVELS and state.buildings[0, building] > 0:
            ended.level_5 = 1


@kernel
def open_entry(table, state, row, status, ended):
    """Write what is known of the end of a game but for scores and rewards, which are cleared."""
    ended.row = row
    ended.status = status
    ended.kind = table.kind
    ended.players = table.players
    ended.seat = np.int64(state.seat if table.learner == c.NONE else table.learner)
    ended.paid_seat = np.int64(table.mover if table.learner == c.NONE else table.learner)
    ended.sides = ended.solo = ended.level_5 = 0
    ended.scores[:] = 0
    ended.paid[:] = 0.0
