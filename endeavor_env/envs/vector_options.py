"""Checks of what a vector environment is given, and its opponents as codes of the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from endeavor_env.board import Board
from endeavor_env.core import batch as kernels
from endeavor_env.core.constants import NONE
from endeavor_env.core.greedy_weights import WEIGHTS
from endeavor_env.envs.batch import COMPILED, BatchPolicy
from endeavor_env.envs.gym_env import ROTATE
from endeavor_env.envs.options import reset_options, seat_number
from endeavor_env.errors import IllegalActionError, InvalidOptionError
from endeavor_env.setups import check_seed
from endeavor_env.whole_numbers import whole_number

ALL = "all"
"""The value of ``learner_seat`` for self-play."""
MAX_SEED = 1 << 63

BatchOpponent = str | BatchPolicy
"""``"random"``, ``"greedy"``, ``"automa"``, or a function of (observations, masks)."""


def read_count(name: str, value: Any) -> int:
    """Returns ``value`` as a positive int; raises InvalidOptionError otherwise."""
    number = whole_number(value)
    if number is None or number < 1:
        raise InvalidOptionError(f"{name}={value!r} is not possible: give a positive whole number")
    return number


def read_boards(board: Any) -> list[Board | str | Path | None]:
    """Returns the boards in turn: one for all games, or those of a list."""
    boards = list(board) if isinstance(board, list | tuple) else [board]
    if not boards:
        raise InvalidOptionError("board=[] is not possible: give at least one board")
    return boards


def read_learner_seat(value: Any, players: int) -> tuple[int, bool]:
    """Returns the learner's first seat, NONE for "all", and whether it rotates."""
    if isinstance(value, str) and value == ALL:
        return NONE, False
    if isinstance(value, str) and value == ROTATE:
        return players - 1, True  # one further for the first game
    return seat_number("learner_seat", value, players, ROTATE, ALL), False


def read_opponents(opponents: Any, players: int) -> tuple[list[int], list[BatchPolicy], npt.NDArray[np.float64] | None]:
    """Returns the codes of the opponents by distance, the functions among them, and the greedy agent's weights.

    Raises:
        InvalidOptionError: Something that cannot play in a batch, or a list of another length.
    """
    others: list[Any] = list(opponents) if isinstance(opponents, list | tuple) else [opponents] * (players - 1)
    if len(others) != players - 1:
        raise InvalidOptionError(
            f"opponents has {len(others)} entries: with {players} players give one, or a list of {players - 1}"
        )
    codes: list[int] = []
    policies: list[Any] = []
    for other in others:
        if isinstance(other, str) and other in COMPILED:
            codes.append(COMPILED[other])
        elif callable(other) and not isinstance(other, type):
            if not any(other is known for known in policies):
                policies.append(other)
            codes.append(kernels.SEAT_CALLABLE + next(i for i, known in enumerate(policies) if known is other))
        else:
            raise InvalidOptionError(
                f"opponent {other!r} cannot play in a batch: give {', '.join(map(repr, COMPILED))}, or a function from "
                "(observations, masks) of all games that wait for it to one action id for each"
            )
    return codes, policies, WEIGHTS.as_array() if kernels.SEAT_GREEDY in codes else None


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


def read_reset(options: Any, num_envs: int, playing: bool) -> npt.NDArray[np.int64]:
    """Returns the games a reset starts: all, or those of the option ``reset_mask``."""
    mask = reset_options(options, ("reset_mask",), strict=True).get("reset_mask")
    if mask is None:
        return np.arange(num_envs)
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (num_envs,) or not mask.any():
        raise InvalidOptionError(f"reset_mask must be a ({num_envs},) bool array of NumPy with at least one True")
    if not playing:
        raise InvalidOptionError("reset_mask is not possible now: games are in play only after a reset of all of them")
    return np.flatnonzero(mask)


def read_actions(actions: Any, masks: npt.NDArray[np.int8], moving: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Returns a fresh (games,) int64 array of the actions of the games that are ``moving``, NONE for the others.

    Raises:
        IllegalActionError: Not whole numbers of the right shape, or one that is no action id.
    """
    array = np.asarray(actions)
    if array.shape != moving.shape or array.dtype.kind not in "iu":
        raise IllegalActionError(
            f"actions of shape {array.shape} and type {array.dtype} are not possible: give {moving.size} whole numbers"
        )
    outside = np.flatnonzero(moving & ((array < 0) | (array >= masks.shape[1])))
    if outside.size:
        raise IllegalActionError(
            f"action {array[outside[0]]} of game {outside[0]} is not an action id: ids are 0 to {masks.shape[1] - 1}"
        )
    return np.where(moving, array, NONE).astype(np.int64)


def refuse_illegal(actions: npt.NDArray[np.int64], masks: npt.NDArray[np.int8]) -> None:
    """Raises IllegalActionError if an action, an id or NONE, is illegal."""
    wrong = np.flatnonzero((actions != NONE) & (masks[np.arange(actions.size), actions] == 0))
    if wrong.size:
        game = wrong[0]
        raise IllegalActionError(
            f"action {actions[game]} is illegal in game {game}; legal there are {np.flatnonzero(masks[game]).tolist()}"
        )
