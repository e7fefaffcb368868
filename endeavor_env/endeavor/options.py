"""The options of the variants: one table of names and values, and the array that kernels take (notation, section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import listed, plain_text
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import InvalidOptionError, shown


class Option(NamedTuple):
    """One option of the rules."""

    name: str
    at: int
    """Index in the array of the kernels, OPTION_*."""
    field: str
    """Field of STATE that holds it during the game."""
    values: tuple[str, ...] | tuple[bool, ...] | tuple[int, ...]
    """Possible values, the default first."""
    variants: tuple[str, ...]
    """Variants that have it."""
    meaning: str
    """One sentence."""


OPTIONS = (
    Option(
        "opposition_ties",
        c.OPTION_TIES,
        "ties_first",
        ("player", "first"),
        ("solo",),
        "who decides when the Opposition's rules leave a choice (S10): the player, or the first option on the board",
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
    Option(
        "exploit_discs",
        c.OPTION_EXPLOIT_DISCS,
        "fewer_discs",
        (35, 30),
        ("exploits",),
        "how many discs each player has: as many as in Age of Sail, or as in the base game (X0)",
    ),
    Option(
        "value1_bonus",
        c.OPTION_VALUE1_BONUS,
        "value1_bonus",
        (False, True),
        ("exploits",),
        "whether the card of value 1 of a region gives a disc when it is taken (X0)",
    ),
)
"""Every option: a new one is a row here, beside its OPTION_* index and its field of STATE."""
_BY_NAME = {option.name: option for option in OPTIONS}


STANDARD, EXPLOITS = c.VARIANT_NAMES[0], c.VARIANT_NAMES[c.VARIANT_EXPLOITS]
RANDOM = "random"
"""Name for three Exploits drawn with the set-up (X1.1)."""


def check_exploits(exploits: object, variant: str) -> tuple[int | None, str]:
    """Return the Exploits asked for as bits, None for random ones, and the variant that plays with them.

    Args:
        exploits: Names of EXPLOIT_NAMES in any order, RANDOM, or None for what the variant has by itself.
        variant: A name of VARIANT_NAMES. The base game with Exploits is the variant "exploits".

    Raises:
        InvalidOptionError: Anything else, a name twice, Exploits in another variant, or none in "exploits".
    """
    if exploits is None:
        return (None if variant == EXPLOITS else 0), variant
    names = listed(exploits)
    if plain_text(exploits) == RANDOM:
        bits = None
    elif names is not None:
        bits = _bits_of(names)
    else:
        raise InvalidOptionError(f"exploits={shown(exploits)} is not possible: give a list of names, or {RANDOM!r}")
    if variant == EXPLOITS and bits == 0:
        raise InvalidOptionError(
            f"exploits={shown(exploits)} do not fit variant {EXPLOITS!r}: name at least one, or play {STANDARD!r}"
        )
    if variant == EXPLOITS or bits == 0:
        return bits, variant
    if variant != STANDARD:
        raise InvalidOptionError(
            f"exploits={shown(exploits)} do not fit variant {variant!r}: only the base game has them"
        )
    return bits, EXPLOITS


def _bits_of(names: Sequence[object]) -> int:
    """Return the Exploits of a list as bits."""
    bits = 0
    for given in names:
        name = plain_text(given)
        if name not in c.EXPLOIT_NAMES:
            raise InvalidOptionError(f"exploit {shown(given)} is unknown: they are {', '.join(c.EXPLOIT_NAMES)}")
        bit = 1 << c.EXPLOIT_NAMES.index(name)
        if bits & bit:
            raise InvalidOptionError(f"exploits={shown(names)} names {name} twice: each is in play once")
        bits |= bit
    return bits


def exploits_of(bits: int) -> tuple[str, ...]:
    """Return the names of the Exploits whose bits are set."""
    return tuple(name for exploit, name in enumerate(c.EXPLOIT_NAMES) if bits >> exploit & 1)


def options_of(variant: str) -> tuple[Option, ...]:
    """Return the options of ``variant``."""
    return tuple(option for option in OPTIONS if variant in option.variants)


def check_options(options: object, variant: str) -> npt.NDArray[np.int16]:
    """Check ``options`` and return them as kernels take them.

    Args:
        options: None, or a mapping from option names to values. Options left out have their default. An option of
            another variant may be given with its default, which changes nothing.
        variant: A name of VARIANT_NAMES.

    Returns:
        (NUM_OPTIONS,) int16: for each option the index of its value in ``Option.values``; the Exploits are those of the
        set-up.

    Raises:
        InvalidOptionError: Not a mapping, an unknown option, an option of another variant, or an impossible value.
    """
    chosen = np.zeros(c.NUM_OPTIONS, np.int16)
    chosen[c.OPTION_EXPLOITS] = c.NONE
    if options is None:
        return chosen
    if not isinstance(options, Mapping):
        raise InvalidOptionError(
            f"options={shown(options)} is not possible: give a mapping from option names to values"
        )
    for name, value in options.items():
        option = _BY_NAME.get(plain_text(name) or "")
        if option is None:
            raise _not_an_option(options, variant, name)
        index = _value_index(option, value)
        if index and variant not in option.variants:
            raise _not_an_option(options, variant, name)
        chosen[option.at] = index
    return chosen


def _not_an_option(options: Mapping[Any, Any], variant: str, name: object) -> InvalidOptionError:
    """Return the error for an option that ``variant`` does not have."""
    known = ", ".join(option.name for option in options_of(variant))
    has = f"has no option {shown(name)}, its options are {known}" if known else "has no options"
    return InvalidOptionError(f"options={shown(dict(options))} is not possible: variant {variant!r} {has}")


def _value_index(option: Option, value: object) -> int:
    """Return the index of ``value`` among the values of ``option``; 0 and 1 do not count as false and true."""
    plain = plain_text(value) if isinstance(value, str) else value.item() if isinstance(value, np.generic) else value
    for index, known in enumerate(option.values):
        if type(plain) is type(known) and plain == known:
            return index
    known = " or ".join(repr(value) for value in option.values)
    raise InvalidOptionError(f"option {option.name}={shown(value)} is not possible: it must be {known}")


def options_of_state(state: npt.NDArray[np.void]) -> dict[str, Any]:
    """Return the options of a position, (1,) STATE, by name: the inverse of ``check_options``."""
    variant = c.VARIANT_NAMES[state["variant"][0]]
    return {option.name: option.values[state[option.field][0]] for option in options_of(variant)}


def without_defaults(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of ``options`` that differ from their default, as a game record holds them (notation 4)."""
    return {name: value for name, value in options.items() if value != _BY_NAME[name].values[0]}
