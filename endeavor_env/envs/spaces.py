"""The observation and action spaces of one seat."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from endeavor_env.core.actions import num_actions
from endeavor_env.observation import box_bounds


def vector_space(variant: str, observation: str) -> gymnasium.spaces.Box:
    """Return a new space of the observation vector without the mask."""
    low, high = box_bounds(observation, variant)
    return gymnasium.spaces.Box(low, high, dtype=low.dtype.type)


def seat_spaces(variant: str, observation: str) -> tuple[gymnasium.Space[Any], gymnasium.Space[Any]]:
    """Return new observation and action spaces of one seat."""
    size = num_actions(variant)
    mask = gymnasium.spaces.Box(0, 1, (size,), np.int8)
    vector = vector_space(variant, observation)
    return gymnasium.spaces.Dict({"observation": vector, "action_mask": mask}), gymnasium.spaces.Discrete(size)
