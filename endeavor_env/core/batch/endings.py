"""The ends of games of a batch: scores, and the named rewards of ``endeavor_env.rewards`` for every seat."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core.arguments import REAL_ROWS, WORDS
from endeavor_env.core.engine.scoring import write_totals
from endeavor_env.core.observe.variant_layout import LEAD_STEPS
from endeavor_env.core.sides import is_solo
from endeavor_env.machine.entries import entry
from endeavor_env.machine.kernels import kernel
from endeavor_env.machine.kinds import INTEGER

REWARD_GIVEN = 0  # the caller computes it with a function
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
        [
            ("row", np.int64),
            # the learner's; if it decides for all seats, the one to move, NONE at the end by the rules
            ("seat", np.int64),
            # whose reward the caller gets: the learner's; if it decides for all seats, the last to move
            ("paid_seat", np.int64),
            ("scores", np.int64, (c.MAX_SEATS,)),  # Glory where it ended, in solo the Opposition's second; 0 beyond
            ("paid", np.float64, (c.MAX_SEATS,)),  # each seat's reward; 0 beyond
            ("kind", np.int16),  # row of the kinds
            ("status", np.int8),  # OVER, ILLEGAL or TRUNCATED
            ("players", np.int8),
            ("sides", np.int8),  # number of mats with a score; 0 after an illegal action
            ("solo", np.int8),  # 0/1: a solitaire game that is over by the rules or was cut short
            ("level_5", np.int8),  # 0/1: seat 0 owns a building of level 5 (S8.4)
        ],
    )
)
"""How a game ended."""


@kernel
def lead_of(scores, mats, seat):
    """Return the score of ``seat`` minus the best score of the other ``mats``."""
    best = np.int64(-(1 << 30))
    for other in range(mats):
        if other != seat:
            best = max(best, scores[other])
    return scores[seat] - best


@kernel
def _share_of_win(scores, mats, seat):
    """Return 1 for the only winner and 0 for a loser; tied winners share the 1 equally (R12.10)."""
    best, winners = np.int64(-(1 << 30)), 0
    for other in range(mats):
        if scores[other] > best:
            best, winners = scores[other], 0
        if scores[other] == best:
            winners += 1
    return 1.0 / winners if scores[seat] == best else 0.0


@kernel
def _rank(scores, mats, seat):
    """Return (mats beaten - mats that beat ``seat``) / (mats - 1)."""
    balance = 0
    for other in range(mats):
        if scores[seat] > scores[other]:
            balance += 1
        elif scores[seat] < scores[other]:
            balance -= 1
    return balance / (mats - 1)


@kernel
def _ladder(lead):
    """Return the place of a solitaire result on the ladder of S8.3, from 0 (defeat) to 1 (total victory)."""
    rung = 0
    for step in range(len(LEAD_STEPS)):
        if lead >= LEAD_STEPS[step]:
            rung += 1
    return rung / len(LEAD_STEPS)


@kernel
def _margin(solo, lead):
    """Return ``lead`` in units of the variant's scale, at least -1 and at most 1."""
    return min(1.0, max(-1.0, lead / (c.SOLO_MARGIN_SCALE if solo else c.MARGIN_SCALE)))


@kernel
def reward_of(reward, solo, scores, mats, seat):
    """Return the reward of ``seat`` for the final ``scores``; ``reward`` is a REWARD_* that has a name."""
    if reward == REWARD_RANK:
        return _rank(scores, mats, seat)
    if reward == REWARD_WIN_ZERO_SUM:
        return _share_of_win(scores, mats, seat) - 1.0 / mats
    if reward == REWARD_WIN and not solo:
        return _share_of_win(scores, mats, seat)
    lead = lead_of(scores, mats, seat)
    if reward == REWARD_MARGIN:
        return _margin(solo, lead)
    if reward == REWARD_LADDER:
        return _ladder(lead)
    return 1.0 if lead >= 0 else 0.0  # equal scores win a solitaire game (S8.3, SA7)


@entry(INTEGER, INTEGER, WORDS, INTEGER, REAL_ROWS)
def write_rewards(reward, solo, scores, seats, out):
    """Write the rewards for final ``scores``, (n, mats) int64, of n games to ``out``, (n, seats) float64."""
    for game in range(scores.shape[0]):
        for seat in range(seats):
            out[game, seat] = reward_of(reward, solo, scores[game], scores.shape[1], seat)


@kernel
def close_game(board, table, state, reward, ended):
    """Write scores and rewards of a game as it stands to ``ended``; ``paid`` stays 0 with REWARD_GIVEN."""
    mats = write_totals(board, state, ended.scores)
    ended.sides = mats
    ended.solo = is_solo(state)
    if reward != REWARD_GIVEN:
        for seat in range(table.players):
            ended.paid[seat] = reward_of(reward, ended.solo, ended.scores, mats, seat)
    for building in range(board.num_building_types):
        if board.building_level[building] == c.GRID_LEVELS and state.buildings[0, building] > 0:
            ended.level_5 = 1


@kernel
def open_entry(table, state, row, status, ended):
    """Write everything about the end of a game except scores and rewards, which are cleared, to ``ended``."""
    ended.row = row
    ended.status = status
    ended.kind = table.kind
    ended.players = table.players
    ended.seat = np.int64(state.seat if table.learner == c.NONE else table.learner)
    ended.paid_seat = np.int64(table.mover if table.learner == c.NONE else table.learner)
    ended.sides = ended.solo = ended.level_5 = 0
    ended.scores[:] = 0
    ended.paid[:] = 0.0
