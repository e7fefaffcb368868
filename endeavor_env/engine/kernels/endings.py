"""The ends of games of a batch: scores, and the rewards with names for every seat."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.kernels import rules as c
from endeavor_env.engine.kernels.rules import NUMBERS, REAL_ROWS, WORDS, header_of, score
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.kinds import INTEGER, REAL, Fields

# --- The ends of games of a batch: scores, and the rewards with names for every seat ---------------------------------

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


class Scale(NamedTuple):
    """What the rewards of a game are measured by."""

    margin: float
    """The lead that counts as a margin of 1."""
    alone_margin: float
    """The same in games that one seat plays against an opponent without a seat."""
    ladder: npt.NDArray[np.int64]
    """(n,): the leads from which on such a game reaches each rung."""


SCALE = Fields(Scale, (REAL, REAL, NUMBERS))
"""The kind of an argument for it."""
ENDED = np.dtype(
    (
        np.record,
        [
            ("row", np.int64),
            # the learner's; if it decides for all seats, the one to move, NONE at the end by the rules
            ("seat", np.int64),
            # whose reward the caller gets: the learner's; if it decides for all seats, the last to move
            ("paid_seat", np.int64),
            ("scores", np.int64, (c.MAX_SEATS,)),  # of each mat where it ended; 0 beyond
            ("paid", np.float64, (c.MAX_SEATS,)),  # each seat's reward; 0 beyond
            ("kind", np.int16),  # row of the kinds
            ("status", np.int8),  # OVER, ILLEGAL or TRUNCATED
            ("players", np.int8),
            ("sides", np.int8),  # number of mats with a score; 0 after an illegal action
            ("alone", np.int8),  # 0/1: a game against an opponent without a seat, over by the rules or cut short
            ("note", np.int8),  # what ``rules.score`` notes about the end
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
def _ladder(ladder, lead):
    """Return the share of the rungs that a lead reaches, from 0 (defeat) to 1."""
    rung = 0
    for step in range(ladder.size):
        if lead >= ladder[step]:
            rung += 1
    return rung / ladder.size


@kernel
def _margin(scale, alone, lead):
    """Return ``lead`` in units of the scale, at least -1 and at most 1."""
    return min(1.0, max(-1.0, lead / (scale.alone_margin if alone else scale.margin)))


@kernel
def reward_of(reward, scale, alone, scores, mats, seat):
    """Return the reward of ``seat`` for the final ``scores``; ``reward`` is a REWARD_* that has a name."""
    if reward == REWARD_RANK:
        return _rank(scores, mats, seat)
    if reward == REWARD_WIN_ZERO_SUM:
        return _share_of_win(scores, mats, seat) - 1.0 / mats
    if reward == REWARD_WIN and not alone:
        return _share_of_win(scores, mats, seat)
    lead = lead_of(scores, mats, seat)
    if reward == REWARD_MARGIN:
        return _margin(scale, alone, lead)
    if reward == REWARD_LADDER:
        return _ladder(scale.ladder, lead)
    return 1.0 if lead >= 0 else 0.0  # equal scores win a game against an opponent without a seat


@entry(INTEGER, SCALE, INTEGER, WORDS, INTEGER, REAL_ROWS)
def write_rewards(reward, scale, alone, scores, seats, out):
    """Write the rewards for final ``scores``, (n, mats) int64, of n games to ``out``, (n, seats) float64."""
    for game in range(scores.shape[0]):
        for seat in range(seats):
            out[game, seat] = reward_of(reward, scale, alone, scores[game], scores.shape[1], seat)


@kernel
def close_game(rules, board, table, position, reward, scale, ended):
    """Write scores and rewards of a game as it stands to ``ended``; ``paid`` stays 0 with REWARD_GIVEN."""
    mats, ended.note = score(rules, board, position, ended.scores)
    ended.sides = mats
    ended.alone = mats > table.players
    if reward != REWARD_GIVEN:
        for seat in range(table.players):
            ended.paid[seat] = reward_of(reward, scale, ended.alone, ended.scores, mats, seat)


@kernel
def open_entry(table, position, row, status, ended):
    """Write everything about the end of a game except scores and rewards, which are cleared, to ``ended``."""
    mover = header_of(position).seat
    ended.row = row
    ended.status = status
    ended.kind = table.kind
    ended.players = table.players
    ended.seat = np.int64(mover if table.learner == c.NONE else table.learner)
    ended.paid_seat = np.int64(table.mover if table.learner == c.NONE else table.learner)
    ended.sides = ended.alone = ended.note = 0
    ended.scores[:] = 0
    ended.paid[:] = 0.0


# --- What the end of a game is worth to a seat: the quantity that value networks of any game can estimate ------------


@kernel
def outcome_of(scores, mats, seat, margin_weight, most_margin):
    """Return the share of the win of ``seat``, 0..1, plus its lead over the best other mat times a weight.

    Seats that share the first place get equal shares.

    Args:
        scores: (MAX_SEATS,) the score of every mat.
        mats: The number of mats.
        seat: The seat.
        margin_weight: What a point of lead counts beside a win.
        most_margin: A lead or deficit above this counts as this.
    """
    own, best, equal = np.int64(scores[seat]), np.int64(-(1 << 30)), np.int64(1)
    for other in range(mats):
        if other != seat:
            best = max(best, np.int64(scores[other]))
            equal += np.int64(scores[other]) == own
    share = 1.0 / np.float64(equal) if own >= best else 0.0
    margin = np.float64(own - best)
    return share + margin_weight * min(most_margin, max(-most_margin, margin))
