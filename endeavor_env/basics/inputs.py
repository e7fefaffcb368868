"""Checks of what users hand in: numbers, seats, seeds, names, flags, reset options and arrays of actions."""

from __future__ import annotations

import difflib
import functools
import inspect
import math
import operator
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, ParamSpec, TypeGuard, TypeVar

import numpy as np
import numpy.typing as npt

from endeavor_env.errors import IllegalActionError, InvalidOptionError, shown

OBSERVATIONS = ("features", "compact")
"""The kinds of observation, values of the environments' ``observation`` option."""
ILLEGAL_ACTIONS = ("terminate", "raise")
RENDER_MODES = (None, "human", "ansi", "rgb_array")
MASK_DTYPES = ("int8", "bool")
"""The types of the masks that environments return, values of their ``mask_dtype`` option."""
PACKED = "packed"
"""Another value of ``mask_dtype`` of vector environments: 64 action ids in each uint64."""
MASK_KEY = "action_mask"
"""The key of the mask in observations and infos."""
OBSERVATION_KEY = "observation"
"""The key of the vector in observations unless told otherwise, the environments' ``observation_key`` option."""
INFO_MASKS = ("array", "list")
"""Types of the masks in infos of PettingZoo environments: the values of their ``info_masks`` option."""
MAX_CYCLES = 10_000
"""Decisions of all seats after which environments cut a game short unless told otherwise; games take 40 to 300."""
MAX_WEIGHT = 1e15
"""The largest weight of an opponent or a kind of game; beside a larger one, a weight of 1 would be lost in rounding."""
INT64_END = 1 << 63
SEED_LIMIT = INT64_END
"""Seeds of batches and of rows of positions are below this, so that they fit into an int64."""
SEED_END = 1 << 128
"""Seeds of single games are below this."""
MOST_LISTED = 1 << 24
"""Most entries of a list that is given as an option."""
_NOT_LISTS = (str, bytes, bytearray, memoryview)
MOST_OF_NAME = 100
"""Characters of an unknown name that are compared with the known ones."""
_NAMES_ELSEWHERE = {"max_episode_steps": "max_cycles"}
"""Names that other libraries have for options."""

P = ParamSpec("P")
R = TypeVar("R")


class InvalidRenderModeError(InvalidOptionError, TypeError):
    """A render mode the environment does not have.

    It is a TypeError as well: ``stable_baselines3.common.env_util.make_vec_env`` first asks every environment for
    "rgb_array" and takes a TypeError for the answer that there is none.
    """


class UnknownOptionError(InvalidOptionError, TypeError):
    """A keyword argument that there is not.

    It is a TypeError as well, and ends in the words of Python's own: ``torchrl.envs.GymEnv`` first gives every
    environment a "frameskip", and takes this TypeError for the answer that there is none.
    """


# --- names of options ------------------------------------------------------------------------------------------------
def check_names(of: str, given: Iterable[object], known: Collection[str]) -> None:
    """Raise InvalidOptionError if a name that was ``given`` is none of the options ``known`` of what ``of`` names."""
    for name in given:
        if plain_text(name) in known:
            continue
        text = name[:MOST_OF_NAME] if isinstance(name, str) else shown(name)
        other = _NAMES_ELSEWHERE.get(text, "")
        near = [other] if other in known else difflib.get_close_matches(text, known, 1)
        meant = f"did you mean {near[0]}? Its" if near else "its"
        raise InvalidOptionError(f"{of} has no option {shown(name)}: {meant} options are {', '.join(known)}")


def refuses_unknown_options(of: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator of a function whose keyword arguments are the options of what ``of`` names.

    The function raises UnknownOptionError for a name that it does not take, in place of Python's TypeError.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        parameters = inspect.signature(function).parameters
        known = dict.fromkeys(name for name in parameters if name not in ("self", "cls"))

        @functools.wraps(function)
        def checked(*args: P.args, **given: P.kwargs) -> R:
            if unknown := [name for name in given if name not in known]:
                try:
                    check_names(of, unknown, known)
                except InvalidOptionError as refusal:
                    words = f"unexpected keyword argument {shown(unknown[0])}"
                    raise UnknownOptionError(f"{refusal} ({words})") from None
            return function(*args, **given)

        return checked

    return decorate


# --- numbers ---------------------------------------------------------------------------------------------------------
def whole_number(value: object) -> int | None:
    """Return a whole number of Python, NumPy or a tensor library as an int; None for anything else.

    Scalars and arrays without an axis are numbers. Bools are not, of whatever library, and neither are arrays with an
    axis, even of one entry.
    """
    if type(value) is int:  # the usual cases come first, because the checks below take longer than a move
        return value
    if type(value) is np.int64:
        return int(value)
    if isinstance(value, bool | str):
        return None
    try:  # the methods of a class of the caller's may raise anything
        if getattr(value, "ndim", 0) != 0 or "bool" in str(getattr(value, "dtype", "")):
            return None
        return operator.index(value)  # type: ignore[arg-type]
    except Exception:
        return None


def real_number(value: object) -> float | None:
    """Return a finite number of Python or NumPy as a float; None for anything else."""
    if not isinstance(value, int | float | np.integer | np.floating) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def positive_number(name: str, value: object, otherwise: str = "") -> int:
    """Return ``value`` as an int from 1 to 2**63 - 1.

    Args:
        name: The name of the option, for the message.
        value: The value given.
        otherwise: What else is possible, added to the message.

    Raises:
        InvalidOptionError: Not a whole number above 0, or one that no int64 holds.
    """
    number = whole_number(value)
    if number is None or not 1 <= number < INT64_END:
        below = " below 2**63" if number is not None and number > 0 else ""
        raise InvalidOptionError(
            f"{name}={shown(value)} is not possible: give a positive whole number{below}{otherwise}"
        )
    return number


def finite_number(name: str, value: Any) -> float:
    """Return ``value`` as a finite float; raise InvalidOptionError for anything else."""
    number = real_number(value)
    if number is None:
        raise InvalidOptionError(f"{name}={shown(value)} is not possible: give a finite number")
    return number


def positive_weight(name: str, value: Any) -> float:
    """Return ``value`` as a float; raise InvalidOptionError unless it is above 0 and at most MAX_WEIGHT."""
    number = real_number(value)
    if number is None or not 0 < number <= MAX_WEIGHT:
        raise InvalidOptionError(
            f"{name} {shown(value)} is not possible: give a finite number above 0, at most {MAX_WEIGHT:g}"
        )
    return number


def seat_number(name: str, value: Any, players: int, *also: str) -> int:
    """Return ``value`` as a seat in [0, ``players``); otherwise raise InvalidOptionError, which also names ``also``."""
    number = whole_number(value)
    if number is not None and 0 <= number < players:
        return number
    others = "".join(f", or {word!r}" for word in also)
    seats = f"a seat, 0 to {players - 1}" if players > 1 else "0, the only seat"
    raise InvalidOptionError(f"{name}={shown(value)} is not possible: give {seats}{others}")


# --- lists -----------------------------------------------------------------------------------------------------------
def listed(value: object) -> list[Any] | None:
    """Return the entries of any sequence, or of an array with one axis, as a list.

    Configuration libraries have lists of their own, such as OmegaConf's, and NumPy's names are texts.

    Returns:
        None for what is no list, as a text, and for more than MOST_LISTED entries, as a range may have.
    """
    if isinstance(value, np.ndarray):
        return value.tolist() if value.ndim == 1 else None
    if not _is_sequence(value):
        return None
    return list(value) if not isinstance(value, range) or not value[MOST_LISTED:] else None


def _is_sequence(value: object) -> TypeGuard[Sequence[Any]]:
    """Return whether a value is a sequence of entries, which texts and bytes are not."""
    return isinstance(value, Sequence) and not isinstance(value, _NOT_LISTS)


# --- names and flags -------------------------------------------------------------------------------------------------
def plain_text(value: object) -> str | None:
    """Return a text as an exact ``str``, also one of a subclass; None for anything else."""
    return str.__str__(value) if isinstance(value, str) else None


def one_of(name: str, value: Any, allowed: Sequence[str | None]) -> Any:
    """Return ``value`` if it is one of ``allowed``; otherwise raise InvalidOptionError, which lists them."""
    text = plain_text(value)
    if (text is not None or value is None) and text in allowed:
        return text
    raise InvalidOptionError(f"{name}={shown(value)} is not possible: give {' or '.join(map(repr, allowed))}")


def true_or_false(name: str, value: Any) -> bool:
    """Return ``value``, True or False; raise InvalidOptionError for anything else."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise InvalidOptionError(f"{name}={shown(value)} is not possible: give True or False")


def check_observation_key(value: Any, flat: bool) -> str:
    """Return the key of the vector in observations; raise InvalidOptionError for one that is not possible.

    Args:
        value: The key given.
        flat: Whether observations are the vectors alone, which have no key.
    """
    key = plain_text(value)
    if not key or key == MASK_KEY:
        raise InvalidOptionError(
            f"observation_key={shown(value)} is not possible: give a text that is not empty, such as 'observations'; "
            f"the mask has the key {MASK_KEY!r}"
        )
    if flat and key != OBSERVATION_KEY:
        raise InvalidOptionError(
            f"observation_key={shown(value)} is not possible with flat=True: observations are then vectors without keys"
        )
    return key


def check_render_mode(render_mode: Any) -> str | None:
    """Return the render mode; raise InvalidRenderModeError for an unknown one."""
    try:
        return one_of("render_mode", render_mode, RENDER_MODES)
    except InvalidOptionError as error:
        raise InvalidRenderModeError(str(error)) from None


# --- seeds -----------------------------------------------------------------------------------------------------------
class _NoSeeds(Sequence[None]):
    """None for each of any number of games, without a list of them."""

    def __init__(self, count: int) -> None:
        self._rows = range(count)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, row: Any) -> Any:
        self._rows[row]  # raises IndexError beyond the last row


def fresh_seed() -> int:
    """Return a seed from the operating system, in [0, 2**53) because JSON readers keep such numbers exact."""
    return secrets.randbits(53)


def derived_seed(seed: int, *key: int) -> int:
    """Return a seed in [0, 2**53) for the part ``key`` of what ``seed`` draws, unrelated to that of any other part.

    Sums would not do: part 1 of the seed s would be part 0 of the seed s + 1.
    """
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)[0] >> np.uint64(11))


def spread_seeds(seed: int, count: int) -> npt.NDArray[np.int64]:
    """Return a seed in [0, 2**53) for each of ``count`` rows, (``count``,), the first ones equal for every ``count``.

    They are unrelated to each other and to those of any other ``seed``.
    """
    return (np.random.SeedSequence(seed).generate_state(count, np.uint64) >> np.uint64(11)).astype(np.int64)


def check_seed(seed: object) -> int | None:
    """Return ``seed`` as an int below 2**128 or None; raise InvalidOptionError for anything else.

    NumPy's and Gymnasium's own seeds have up to 128 bits.
    """
    if seed is None:
        return None
    number = whole_number(seed)
    if number is None or not 0 <= number < SEED_END:
        raise InvalidOptionError(
            f"seed={shown(seed)} is not possible: a seed is a non-negative whole number below 2**128, or None"
        )
    return number


def check_seeds(seed: Any, count: int) -> tuple[Sequence[int | None], int | None]:
    """Return a seed or None for each of ``count`` games, and ``seed`` itself if it is a single number.

    A list is taken as it is; a single seed stands for those of ``spread_seeds``.

    Raises:
        InvalidOptionError: Not a seed or a list of seeds, a list of another length, or a seed of 2**63 or more in it.
    """
    if seed is None:
        return _NoSeeds(count), None
    if not _is_sequence(seed) and not (isinstance(seed, np.ndarray) and seed.ndim > 0):
        single = check_seed(seed)
        assert single is not None
        return spread_seeds(single, count).tolist(), single
    seeds = _checked_list(seed, count)
    highest = max((one for one in seeds if one is not None), default=0)
    if highest >= SEED_LIMIT:
        raise InvalidOptionError(f"seed {shown(highest)} is not possible in a batch: give seeds below 2**63")
    return seeds, None


def _checked_list(seeds: Any, count: int) -> list[int | None]:
    """Return ``count`` seeds of a list or an array with one axis; raise InvalidOptionError for any other number."""
    try:
        entries = len(seeds)
    except OverflowError:  # such as range(10**30)
        raise InvalidOptionError(
            f"seed={shown(seeds)} has too many entries: give one seed, or a list of {count}"
        ) from None
    if entries != count:
        raise InvalidOptionError(f"seed has {entries} entries: give one seed, or a list of {count}")
    return [check_seed(one) for one in seeds]


# --- resets and actions ----------------------------------------------------------------------------------------------
def check_reset_options(options: Any, known: Sequence[str], *, strict: bool) -> dict[str, Any]:
    """Return the ``known`` keys of a reset's ``options`` whose values are not None.

    Raises:
        InvalidOptionError: Not a mapping, both ``setup`` and ``first_player``, or an unknown key when ``strict``.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise InvalidOptionError(
            f"reset options {shown(options)} are not possible: give a mapping of {', '.join(known)}"
        )
    if strict:
        check_names("reset", options, known)
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
    array = actions if type(actions) is np.ndarray else _as_array(actions)
    if array is None:
        raise IllegalActionError(f"actions={shown(actions)} are not possible: give {count} whole numbers{unit}")
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise IllegalActionError(
            f"actions of shape {array.shape} and type {array.dtype} are not possible: give {count} whole numbers{unit}"
        )
    return array


def _as_array(actions: Any) -> npt.NDArray[Any] | None:
    """Return what is no array yet as one; None for what has no shape, and for a list with a bool among its numbers."""
    try:  # conversions of a class of the caller's may raise anything
        array = np.asarray(actions)
    except Exception:
        return None
    mixed = isinstance(actions, list | tuple) and array.ndim == 1 and array.dtype.kind in "iu"
    if mixed and any(type(one) is not int and whole_number(one) is None for one in actions):
        return None  # NumPy reads [1, True] as [1, 1]
    return array


# --- lists from JSON -------------------------------------------------------------------------------------------------


def is_list_of_texts(value: object) -> TypeGuard[list[str]]:
    """Return whether a value read from JSON is a list of texts."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def is_list_of_whole_numbers(value: object) -> TypeGuard[list[int]]:
    """Return whether a value read from JSON is a list of whole numbers."""
    return isinstance(value, list) and all(type(one) is int for one in value)
