"""Uniformly random legal actions; Gymnasium's ``Discrete.sample(mask)`` takes longer than a whole step of a game."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.core import entry
from endeavor_env.core.actions import NUM_ACTIONS, NUM_VARIANT_ACTIONS, RULESETS
from endeavor_env.core.rng import seeded
from endeavor_env.errors import IllegalActionError, InvalidOptionError, shown
from endeavor_env.inputs import check_seed

_INT8, _UINT64 = np.dtype(np.int8), np.dtype(np.uint64)
_SHAPES = {(ruleset.num_actions,) for ruleset in RULESETS.values()}


def generator(seed: int) -> npt.NDArray[np.uint64]:
    """Return a generator for ``sample_action``: a fresh (1,) uint64 array, the same for the same ``seed`` >= 0."""
    number = check_seed(seed)
    if number is None:
        raise InvalidOptionError("seed=None is not possible here: a generator needs a non-negative whole number")
    return seeded(number)


def sample_action(mask: npt.NDArray[Any], rng: npt.NDArray[np.uint64]) -> int:
    """Return one of the legal actions, each equally likely.

    Args:
        mask: (NUM_ACTIONS,) int8 or bool, as in an observation or from ``action_masks()``; (NUM_VARIANT_ACTIONS,) in a
            variant. The mask of a finished episode is all ones: any action is drawn, which the environment ignores.
        rng: From ``generator``; advanced in place.

    Raises:
        IllegalActionError: Nothing is legal: the mask is all zeros, as it is for a seat that is not to move.
        InvalidOptionError: Not a mask: an array of another shape or with other numbers. Or not a generator.
    """
    if not isinstance(mask, np.ndarray) or mask.shape not in _SHAPES:
        given = f"array of shape {mask.shape}" if isinstance(mask, np.ndarray) else type(mask).__name__
        raise InvalidOptionError(
            f"mask is a {given}: it must be an array of {NUM_ACTIONS} entries, in a variant of {NUM_VARIANT_ACTIONS}, "
            "one an action id"
        )
    if mask.dtype is not _INT8:
        if mask.dtype.kind not in "biu":
            raise InvalidOptionError(f"mask is an array of type {mask.dtype}: it must be one of int8 or bool")
        mask = mask.astype(np.int8)
    if type(rng) is not np.ndarray or (rng.dtype is not _UINT64 and rng.dtype != _UINT64) or rng.shape != (1,):
        raise InvalidOptionError(f"rng={shown(rng)} is not possible: give what generator(seed) returns")
    action = int(entry.choose(mask, rng))
    if action == -2:
        raise InvalidOptionError("mask has other entries than 0 and 1: 1 stands for a legal action")
    if action < 0:
        raise IllegalActionError("no action can be drawn: the mask is all zeros, as for a seat that is not to move")
    return action
