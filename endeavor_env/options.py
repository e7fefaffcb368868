"""The options of the variants: their names, their values, and the array the kernels take (notation, section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.core import constants as c
from endeavor_env.errors import InvalidOptionError


class Option(NamedTuple):
    """One option of the rules."""

    name: str
    at: int
    """Its place in the array of the kernels, OPTION_*."""
    field: str
    """The field of STATE that holds it during the game."""
    values: tuple[str, ...] | tuple[bool, ...]
    """What it can be; the first value holds unless another is asked for."""
    variants: tuple[str, ...]
    """The variants it belongs to."""
    meaning: str


OPTIONS = (
    Option(
        "opposition_ties",
        c.OPTION_TIES,
        "ties_first",
        ("player", "first"),
        ("solo",),
        "who settles what the rules leave open for the Opposition (S10): the player, or the first option on the board",
    ),
    Option(
        "difficulty",
        c.OPTION_DIFFICULTY,
        "difficulty",
        c.DIFFICULTY_NAMES,
        ("solo",),
        "easier: the Opposition's blue tokens do nothing (S9.1); harder: those it wins by Sail count as well (S9.2)",
    ),
    Option(
        "solo_ignore_industry",
        c.OPTION_IGNORE_INDUSTRY,
        "ignore_industry",
        (False, True),
        ("solo",),
        "whether any level of the building grid may be built, whatever the player's Industry (S6.2)",
    ),
    Option(
        "variant_removed_spaces_stay",
        c.OPTION_REMOVED_STAY,
        "removed_stay",
        (False, True),
        ("soloplay_2", "soloplay_3"),
        "whether a shipping space whose token was removed still takes a disc (V2S.5)",
    ),
)
"""Every option, in the order of the kernels' array."""
_BY_NAME = {option.name: option for option in OPTIONS}


def check_exploits(exploits: Sequence[str]) -> None:
    """Raise InvalidOptionError if any exploit is asked for: this version has none."""
    if exploits:
        raise InvalidOptionError(f"exploits={exploits!r}: this version plays without exploits")


def options_of(variant: str) -> tuple[Option, ...]:
    """Return the options that ``variant`` has."""
    return tuple(option for option in OPTIONS if variant in option.variants)


def check_options(options: object, variant: str) -> npt.NDArray[np.int8]:
    """Return the given options as kernels take them.

    Args:
        options: None, or a mapping from option names to values. An option left out has its first value; an option of
            another variant may be given with its first value, which says the same.
        variant: A name of VARIANT_NAMES.

    Returns:
        (NUM_OPTIONS,) int8: for each option the place of its value in ``Option.values``.

    Raises:
        InvalidOptionError: Not a mapping, an unknown option, an option of another variant, or a value it cannot have.
    """
    chosen = np.zeros(c.NUM_OPTIONS, np.int8)
    if options is None:
        return chosen
    if not isinstance(options, Mapping):
        raise InvalidOptionError(f"options={options!r} is not possible: give a mapping from option names to values")
    for name, value in options.items():
        option = _BY_NAME.get(name) if isinstance(name, str) else None
        if option is None:
            raise _refused(options, variant, name)
        place = _place(option, value)
        if place and variant not in option.variants:
            raise _refused(options, variant, name)
        chosen[option.at] = place
    return chosen


def _refused(options: Mapping[Any, Any], variant: str, name: object) -> InvalidOptionError:
    """Return the error for an option that ``variant`` does not have."""
    known = ", ".join(option.name for option in options_of(variant))
    has = f"has no option {name!r}, its options are {known}" if known else "has no options"
    return InvalidOptionError(f"options={dict(options)!r} is not possible: variant {variant!r} {has}")


def _place(option: Option, value: object) -> int:
    """Return where ``value`` stands among the values of ``option``; 0 and 1 do not stand for false and true."""
    for place, known in enumerate(option.values):
        if type(value) is type(known) and value == known:
            return place
    known = " or ".join(repr(value) for value in option.values)
    raise InvalidOptionError(f"option {option.name}={value!r} is not possible: it must be {known}")


def options_of_state(state: npt.NDArray[np.void]) -> dict[str, Any]:
    """Return the value of each option that the variant of ``state``, (1,) STATE, has; inverse of ``check_options``."""
    variant = c.VARIANT_NAMES[state["variant"][0]]
    return {option.name: option.values[state[option.field][0]] for option in options_of(variant)}


def without_defaults(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of ``options`` that differ from their first value: what a game record holds (notation 4)."""
    return {name: value for name, value in options.items() if value != _BY_NAME[name].values[0]}
