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


def mask_space(variant: str, mask_dtype: str) -> gymnasium.spaces.Box:
    """Return a new space of the mask of legal actions, of the type "int8" or "bool"."""
    return gymnasium.spaces.Box(0, 1, (num_actions(variant),), np.dtype(mask_dtype).type)


def seat_spaces(
    variant: str, observation: str, *, flat: bool = False, mask_dtype: str = "int8"
) -> tuple[gymnasium.Space[Any], gymnasium.Space[Any]]:
    """Return new observation and action spaces of one seat.

    Args:
        variant: A name of VARIANT_NAMES.
        observation: "features" or "compact".
        flat: Whether an observation is the vector alone, without the mask.
        mask_dtype: "int8" or "bool", the type of the mask.
    """
    vector = vector_space(variant, observation)
    seen = vector
    if not flat:
        seen = gymnasium.spaces.Dict({"observation": vector, "action_mask": mask_space(variant, mask_dtype)})
    return seen, gymnasium.spaces.Discrete(num_actions(variant))
