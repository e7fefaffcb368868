"""Checks of what a vector environment is given, but for its games and its opponents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from endeavor_env.core import constants as c
from endeavor_env.core.batch.tables import IS_DRAWN, ROTATES, STAYS
from endeavor_env.envs.gym_env import ROTATE
from endeavor_env.envs.options import seat_number
from endeavor_env.errors import IllegalActionError, InvalidOptionError
from endeavor_env.setups import check_seed
from endeavor_env.whole_numbers import whole_number

ALL = "all"
"""The value of ``learner_seat`` for self-play."""
MAX_SEED = 1 << 63


def read_count(name: str, value: Any) -> int:
    """Returns ``value`` as a positive int; raises InvalidOptionError otherwise."""
    number = whole_number(value)
    if number is None or number < 1:
        raise InvalidOptionError(f"{name}={value!r} is not possible: give a positive whole number")
    return number


def read_learner_seat(value: Any, players: int, drawn: bool) -> tuple[int, int]:
    """Returns the learner's first seat, NONE for "all", and how it follows from game to game.

    Args:
        value: A seat of the smallest table, "rotate" or "all".
        players: Seats of the smallest table.
        drawn: Whether each game draws its table: then a rotating seat is drawn as well.
    """
    if isinstance(value, str) and value == ALL:
        return c.NONE, STAYS
    if isinstance(value, str) and value == ROTATE:
        return 0, IS_DRAWN if drawn else ROTATES
    return seat_number("learner_seat", value, players, ROTATE, ALL), STAYS


def read_mode(mode: Any) -> AutoresetMode:
    """Returns the autoreset mode, given as Gymnasium's enumeration or as its name or value."""
    for known in AutoresetMode:
        if mode is known or (isinstance(mode, str) and mode in (known.name, known.value)):
            return known
    raise InvalidOptionError(
        f"autoreset_mode={mode!r} is not possible: give one of {', '.join(known.name for known in AutoresetMode)}"
    )


def read_flag(name: str, value: Any) -> bool:
    """Returns ``value``, True or False; raises InvalidOptionError for anything else."""
    if isinstance(value, bool):
        return value
    raise InvalidOptionError(f"{name}={value!r} is not possible: give True or False")


def check_first_seed(seed: Any, num_envs: int) -> int | None:
    """Returns the seed of the constructor, from which those of the games are counted; raises InvalidOptionError."""
    return read_seeds(check_seed(seed), num_envs)[1]


def read_seeds(seed: Any, num_envs: int) -> tuple[list[int | None], int | None]:
    """Returns a seed or None for each game, and the seed itself if it was one number.

    From one seed s come the seeds s, s + 1, ...

    Raises:
        InvalidOptionError: Not a seed or list of them, a list of another length, or a seed of 2**63 or more.
    """
    if seed is None:
        return [None] * num_envs, None
    first: int | None = None
    if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str | bytes) and np.ndim(seed) > 0:
        seeds: list[int | None] = [check_seed(one) for one in seed]
        if len(seeds) != num_envs:
            raise InvalidOptionError(f"seed has {len(seeds)} entries: give one seed, or a list of {num_envs}")
    else:
        first = check_seed(seed)
        assert first is not None
        seeds = [*range(first, first + num_envs)]
    for one in seeds:
        if one is not None and one >= MAX_SEED:
            raise InvalidOptionError(f"seed {one} is not possible in a batch: give seeds below 2**63")
    return seeds, first


def read_actions(actions: Any, num_envs: int) -> npt.NDArray[np.int64]:
    """Returns a fresh array of one whole number a game; raises IllegalActionError for anything else."""
    array = np.asarray(actions)
    if array.shape != (num_envs,) or array.dtype.kind not in "iu":
        raise IllegalActionError(
            f"actions of shape {array.shape} and type {array.dtype} are not possible: give {num_envs} whole numbers"
        )
    return array.astype(np.int64)


def refuse_action(action: Any, game: int, mask: npt.NDArray[np.int8]) -> IllegalActionError:
    """Returns the error for an action that is no id, or is illegal where that is not played on with."""
    if 0 <= action < mask.size:
        return IllegalActionError(
            f"action {action} is illegal in game {game}; legal there are {np.flatnonzero(mask).tolist()}"
        )
    return IllegalActionError(f"action {action} of game {game} is not an action id: ids are 0 to {mask.size - 1}")
