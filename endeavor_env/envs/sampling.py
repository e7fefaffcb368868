"""Uniformly random legal actions; Gymnasium's ``Discrete.sample(mask)`` takes longer than a whole step of a game."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import check_seed
from endeavor_env.engine.kernels import single
from endeavor_env.engine.kernels.masks import BITS
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.rules import MAX_WORDS
from endeavor_env.errors import IllegalActionError, InvalidOptionError, shown

MOST_ACTIONS = MAX_WORDS * BITS
"""The largest size of a mask."""


def generator(seed: int) -> npt.NDArray[np.uint64]:
    """Return a generator for ``sample_action``: a fresh (1,) uint64 array, the same for the same ``seed`` >= 0."""
    number = check_seed(seed)
    if number is None:
        raise InvalidOptionError("seed=None is not possible here: a generator needs a non-negative whole number")
    return seeded(number)


def sample_action(mask: npt.NDArray[Any], rng: npt.NDArray[np.uint64]) -> int:
    """Return one of the legal actions, each equally likely.

    Args:
        mask: (actions,) int8 or bool, as in an observation or from ``action_masks()``, of any game. The mask of a
            finished episode is all ones: any action is drawn, which the environment ignores.
        rng: From ``generator``; advanced in place.

    Raises:
        IllegalActionError: Nothing is legal: the mask is all zeros, as it is for a seat that is not to move.
        InvalidOptionError: Not a mask: an array of another shape or with other numbers. Or not a generator.
    """
    try:
        fits = 0 < mask.size <= MOST_ACTIONS
        action: int = single.choose(mask if fits else _checked_mask(mask), rng)
    except (TypeError, AttributeError):
        action = single.choose(_checked_mask(mask), _checked_generator(rng))
    if action < 0:
        raise _why_nothing(action)
    return action


def _checked_mask(mask: Any) -> npt.NDArray[np.int8]:
    """Return ``mask`` as a contiguous int8 array; raise InvalidOptionError if it is no mask."""
    if not isinstance(mask, np.ndarray) or mask.ndim != 1 or not 0 < mask.size <= MOST_ACTIONS:
        given = f"array of shape {mask.shape}" if isinstance(mask, np.ndarray) else type(mask).__name__
        raise InvalidOptionError(
            f"mask is a {given}: it must be an array with one axis, of an entry for each action id of the game"
        )
    if mask.dtype.kind not in "biu":
        raise InvalidOptionError(f"mask is an array of type {mask.dtype}: it must be one of int8 or bool")
    return np.ascontiguousarray(mask, np.int8)


def _checked_generator(rng: Any) -> npt.NDArray[np.uint64]:
    """Return ``rng``; raise InvalidOptionError if it is no generator."""
    if type(rng) is not np.ndarray or rng.dtype != np.uint64 or rng.shape != (1,):
        raise InvalidOptionError(f"rng={shown(rng)} is not possible: give what generator(seed) returns")
    return rng


def _why_nothing(answer: int) -> IllegalActionError | InvalidOptionError:
    """Return the error for a mask to which ``choose`` gave this ``answer``."""
    if answer == single.OTHER_NUMBERS:
        return InvalidOptionError("mask has other entries than 0 and 1: 1 stands for a legal action")
    return IllegalActionError("no action can be drawn: the mask is all zeros, as for a seat that is not to move")
