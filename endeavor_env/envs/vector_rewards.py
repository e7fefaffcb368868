"""Rewards of many finished games at once. The named ones are those of ``endeavor_env.rewards``, over arrays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from endeavor_env.ladder import TOP_RUNG, rung_of
from endeavor_env.rewards import (
    MARGIN_SCALE,
    SOLO,
    RewardFunction,
    final_rewards,
    reward_function,
)

Scores = npt.NDArray[np.int64]
"""(n, sides): final scores; two columns in the solitaire game."""
Rewards = npt.NDArray[np.float64]
"""(n, seats)."""


def best_other(scores: Scores) -> Scores:
    """Returns for each entry the highest other one of its row, (n, sides)."""
    ordered = np.sort(scores, axis=1)
    top, second = ordered[:, -1:], ordered[:, -2:-1]
    sole = (scores == top) & ((scores == top).sum(axis=1, keepdims=True) == 1)
    return np.where(sole, second, top)


def _win(scores: Scores) -> Rewards:
    winners = scores == scores.max(axis=1, keepdims=True)
    return winners / winners.sum(axis=1, keepdims=True)


def _win_zero_sum(scores: Scores) -> Rewards:
    return _win(scores) - 1.0 / scores.shape[1]


def _rank(scores: Scores) -> Rewards:
    own, other = scores[:, :, None], scores[:, None, :]
    return ((own > other).sum(axis=2) - (own < other).sum(axis=2)) / (scores.shape[1] - 1)


def _margin(scores: Scores) -> Rewards:
    return (scores - best_other(scores)) / MARGIN_SCALE


def _solo_win(scores: Scores) -> Rewards:
    return (scores[:, :1] >= scores[:, 1:]).astype(np.float64)


def _solo_margin(scores: Scores) -> Rewards:
    return _margin(scores)[:, :1]


def _solo_ladder(scores: Scores) -> Rewards:
    leads = (scores[:, 0] - scores[:, 1]).tolist()
    return np.array([[rung_of(lead) / TOP_RUNG] for lead in leads])


_BY_NAME: dict[str, Callable[[Scores], Rewards]] = {
    "win": _win,
    "win_zero_sum": _win_zero_sum,
    "rank": _rank,
    "margin": _margin,
}
_SOLO_BY_NAME: dict[str, Callable[[Scores], Rewards]] = {
    "win": _solo_win,
    "margin": _solo_margin,
    "ladder": _solo_ladder,
}


def batch_reward(reward: str | RewardFunction, players: int, variant: str) -> Callable[[Scores], Rewards]:
    """Returns a function from the final scores of n games to their rewards, (n, seats).

    Args:
        reward: As for ``endeavor_env.rewards.reward_function``; a function is called once for each finished game.
        players: Number of seats.
        variant: A name of VARIANT_NAMES.

    Raises:
        InvalidOptionError: As there.
    """
    single = reward_function(reward, players, variant)
    if isinstance(reward, str):
        return (_SOLO_BY_NAME if variant == SOLO else _BY_NAME)[reward]
    return lambda scores: np.array([final_rewards(single, row, players) for row in scores.tolist()])
