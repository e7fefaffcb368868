"""Checks of what users hand in: numbers, seats, seeds, names, flags, reset options and arrays of actions."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.errors import IllegalActionError, InvalidOptionError

OBSERVATIONS = ("features", "compact")
"""The kinds of observation, values of the environments' ``observation`` option."""
ILLEGAL_ACTIONS = ("terminate", "raise")
RENDER_MODES = (None, "human", "ansi")
MASK_DTYPES = ("int8", "bool")
"""The types of the masks that environments return, values of their ``mask_dtype`` option."""
MAX_CYCLES = 10_000
"""Decisions of all seats after which environments cut a game short unless told otherwise; games take 40 to 300."""
SEED_LIMIT = 1 << 63
"""Seeds of batches and of rows of positions are below this, so that they fit into an int64."""


class InvalidRenderModeError(InvalidOptionError, TypeError):
    """A render mode the environment does not have.

    It is a TypeError as well: ``stable_baselines3.common.env_util.make_vec_env`` first asks every environment for
    "rgb_array" and takes a TypeError for the answer that there is none.
    """


# --- numbers ---------------------------------------------------------------------------------------------------------
def whole_number(value: object) -> int | None:
    """Return a Python or NumPy whole number (also a 0-d array of one) as an int; None for bools and all else."""
    if type(value) is int:  # the usual case, and several times faster than the checks below
        return value
    if isinstance(value, bool | np.bool_):
        return None
    if isinstance(value, np.ndarray) and (value.ndim != 0 or value.dtype.kind not in "iu"):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def positive_number(name: str, value: object, otherwise: str = "") -> int:
    """Return ``value`` as an int above 0.

    Args:
        name: The name of the option, for the message.
        value: The value given.
        otherwise: What else is possible, added to the message.

    Raises:
        InvalidOptionError: Not a whole number above 0.
    """
    number = whole_number(value)
    if number is None or number < 1:
        raise InvalidOptionError(f"{name}={value!r} is not possible: give a positive whole number{otherwise}")
    return number


def finite_number(name: str, value: Any) -> float:
    """Return ``value`` as a finite float; raise InvalidOptionError for anything else."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < float("inf"):
        return float(value)
    raise InvalidOptionError(f"{name}={value!r} is not possible: give a finite number")


def positive_weight(name: str, value: Any) -> float:
    """Return ``value`` as a float; raise InvalidOptionError unless it is a finite number above 0."""
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not number or not 0 < value < math.inf:
        raise InvalidOptionError(f"{name} {value!r} is not possible: give a finite number above 0")
    return float(value)


def seat_number(name: str, value: Any, players: int, *also: str) -> int:
    """Return ``value`` as a seat in [0, ``players``); otherwise raise InvalidOptionError, which also names ``also``."""
    if not isinstance(value, bool) and hasattr(value, "__index__"):
        number = operator.index(value)
        if 0 <= number < players:
            return number
    others = "".join(f", or {word!r}" for word in also)
    seats = f"a seat, 0 to {players - 1}" if players > 1 else "0, the only seat"
    raise InvalidOptionError(f"{name}={value!r} is not possible: give {seats}{others}")


# --- names and flags -------------------------------------------------------------------------------------------------
def one_of(name: str, value: Any, allowed: Sequence[str | None]) -> Any:
    """Return ``value`` if it is one of ``allowed``; otherwise raise InvalidOptionError, which lists them."""
    if isinstance(value, str | None) and value in allowed:
        return value
    raise InvalidOptionError(f"{name}={value!r} is not possible: give {' or '.join(map(repr, allowed))}")


def true_or_false(name: str, value: Any) -> bool:
    """Return ``value``, True or False; raise InvalidOptionError for anything else."""
    if isinstance(value, bool):
        return value
    raise InvalidOptionError(f"{name}={value!r} is not possible: give True or False")


def check_render_mode(render_mode: Any) -> str | None:
    """Return the render mode; raise InvalidRenderModeError for an unknown one."""
    if isinstance(render_mode, str | None) and render_mode in RENDER_MODES:
        return render_mode
    raise InvalidRenderModeError(f"render_mode={render_mode!r} is not possible: give None or 'human' or 'ansi'")


# --- seeds -----------------------------------------------------------------------------------------------------------
def check_seed(seed: object) -> int | None:
    """Return ``seed`` as an int or None; raise InvalidOptionError for anything else."""
    if seed is None:
        return None
    number = whole_number(seed)
    if number is None or number < 0:
        raise InvalidOptionError(f"seed={seed!r} is not possible: a seed is a non-negative whole number or None")
    return number


def check_seeds(seed: Any, count: int) -> tuple[list[int | None], int | None]:
    """Return a seed or None for each of ``count`` games, and ``seed`` itself if it is a single number.

    A single seed s stands for the seeds s, s + 1, ...

    Raises:
        InvalidOptionError: Not a seed or a list of seeds, a list of another length, or a seed of 2**63 or more.
    """
    if seed is None:
        return [None] * count, None
    first: int | None = None
    if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str | bytes) and np.ndim(seed) > 0:
        seeds: list[int | None] = [check_seed(one) for one in seed]
        if len(seeds) != count:
            raise InvalidOptionError(f"seed has {len(seeds)} entries: give one seed, or a list of {count}")
    else:
        first = check_seed(seed)
        assert first is not None
        seeds = [*range(first, first + count)]
    for one in seeds:
        if one is not None and one >= SEED_LIMIT:
            raise InvalidOptionError(f"seed {one} is not possible in a batch: give seeds below 2**63")
    return seeds, first


# --- resets and actions ----------------------------------------------------------------------------------------------
def check_reset_options(options: Any, known: Sequence[str], *, strict: bool) -> dict[str, Any]:
    """Return the ``known`` keys of a reset's ``options`` whose values are not None.

    Raises:
        InvalidOptionError: Not a mapping, both ``setup`` and ``first_player``, or an unknown key when ``strict``.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise InvalidOptionError(f"reset options {options!r} are not possible: give a mapping of {', '.join(known)}")
    unknown = [key for key in options if key not in known]
    if strict and unknown:
        raise InvalidOptionError(f"reset has no option {unknown[0]!r}: its options are {', '.join(known)}")
    given = {key: options[key] for key in known if options.get(key) is not None}
    if "setup" in given and "first_player" in given:
        raise InvalidOptionError("reset options setup and first_player exclude each other: a setup has a first player")
    return given


def action_array(actions: Any, count: int, unit: str = "") -> npt.NDArray[np.integer[Any]]:
    """Return ``actions`` as an array, (``count``,), of whole numbers of any integer type.

    Args:
        actions: The actions given, one for each game or row.
        count: How many there must be.
        unit: What each of them is for, added to the message.

    Raises:
        IllegalActionError: Another shape or type.
    """
    array = np.asarray(actions)
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise IllegalActionError(
            f"actions of shape {array.shape} and type {array.dtype} are not possible: give {count} whole numbers{unit}"
        )
    return array
