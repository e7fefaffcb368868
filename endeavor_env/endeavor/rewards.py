"""Endeavor's rewards with names: what they are measured by, and which a variant has (R12.10, S8.3)."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.observe.layouts import LEAST_LEADS
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.endings import Scale
from endeavor_env.engine.rewards import RewardFunction, named_rewards
from endeavor_env.engine.rewards import margin_scale as scale_of
from endeavor_env.engine.rewards import reward_function as function_of

SOLO = c.VARIANT_NAMES[c.VARIANT_SOLO]
MARGIN_SCALE = c.MARGIN_SCALE
"""Glory that counts as a reward of 1 in ``margin`` and in the shaping potential; typical scores are 30 to 80."""
SOLO_MARGIN_SCALE = c.SOLO_MARGIN_SCALE
"""The same in the solitaire game, where random play ends 57 Glory behind on average."""
SCALE = Scale(MARGIN_SCALE, SOLO_MARGIN_SCALE, np.array(LEAST_LEADS, np.int64))
"""Scale of the rewards; the ladder is that of S8.3."""
REWARDS = named_rewards(SCALE, alone=False)
"""The rewards by name where seats play against each other."""
SOLO_REWARDS = named_rewards(SCALE, alone=True)
"""The rewards by name in the solitaire game."""


def margin_scale(variant: str) -> float:
    """Return the Glory that counts as 1 in the ``margin`` and the shaping potential of a variant."""
    return scale_of(SCALE, variant == SOLO)


def rewards_in(variant: str) -> dict[str, RewardFunction]:
    """Return the rewards with names of a variant."""
    return SOLO_REWARDS if variant == SOLO else REWARDS


def reward_function(reward: str | RewardFunction, players: int, variant: str = c.VARIANT_NAMES[0]) -> RewardFunction:
    """Return the named reward of a variant, or ``reward`` itself if it is a function that works for its scores.

    Raises:
        InvalidOptionError: Neither such a name nor such a function.
    """
    return function_of(reward, players, variant, rewards_in(variant), variant == SOLO)
