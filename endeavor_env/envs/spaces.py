"""The observation and action spaces of one seat."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import MASK_KEY, OBSERVATION_KEY, PACKED
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.kernels.masks import BITS, words_of
from endeavor_env.spaces import ActionSpace, MaskedSpace

_EVERY_BIT = (1 << BITS) - 1


def vector_space(rules: GameRules, variant: str, observation: str) -> gymnasium.spaces.Box:
    """Return a new space of the observation vector without the mask."""
    layout = rules.layout_for(variant, observation)
    return gymnasium.spaces.Box(layout.low, layout.high, dtype=layout.low.dtype.type)


def mask_space(actions: int, mask_dtype: str) -> gymnasium.spaces.Box:
    """Return a new space of the mask of legal actions, of the type "int8", "bool" or PACKED."""
    if mask_dtype == PACKED:
        return gymnasium.spaces.Box(0, _EVERY_BIT, (words_of(actions),), np.uint64)
    return gymnasium.spaces.Box(0, 1, (actions,), np.dtype(mask_dtype).type)


def ended_mask(actions: int) -> npt.NDArray[np.uint64]:
    """Return the packed mask, (words,) uint64, in which all ``actions`` ids are legal, as when a game has ended."""
    ids = np.zeros(words_of(actions) * BITS, np.uint8)
    ids[:actions] = 1
    return np.packbits(ids, bitorder="little").view("<u8").astype(np.uint64)


def seat_spaces(
    rules: GameRules,
    variant: str,
    observation: str,
    *,
    flat: bool = False,
    observation_key: str = OBSERVATION_KEY,
    mask_dtype: str = "int8",
) -> tuple[gymnasium.Space[Any], gymnasium.Space[Any]]:
    """Return new observation and action spaces of one seat.

    Args:
        rules: The game.
        variant: A name of its variants.
        observation: "features" or "compact".
        flat: Whether an observation is the vector alone, without the mask.
        observation_key: The key of the vector in an observation with a mask.
        mask_dtype: "int8", "bool" or PACKED, the type of the mask.
    """
    vector, actions = vector_space(rules, variant, observation), rules.num_actions(variant)
    seen: gymnasium.Space[Any] = vector
    if not flat:
        seen = MaskedSpace({observation_key: vector, MASK_KEY: mask_space(actions, mask_dtype)})
    return seen, ActionSpace(actions)
