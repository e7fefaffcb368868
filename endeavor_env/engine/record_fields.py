"""A structured record of whole numbers as plain JSON values, and back with every number checked; numbers of options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import listed, whole_number
from endeavor_env.engine.kernels.rules import MAX_OPTIONS
from endeavor_env.errors import InvalidOptionError, InvalidSetupError, named, shown


def to_json(records: npt.NDArray[np.void]) -> dict[str, Any]:
    """Return the fields of a record, (1,) of a structured type, by name."""
    return {name: records[name][0].tolist() for name in _names(records.dtype)}


def read_json(given: object, kind: np.dtype[np.void], what: str) -> npt.NDArray[np.void]:
    """Return (1,) of a structured type with the values that ``to_json`` has written.

    Args:
        given: The values.
        kind: The type, whose fields hold whole numbers.
        what: What is read, for messages.

    Raises:
        InvalidSetupError: Not exactly the fields of the type, or one of another form or out of range.
    """
    names = _names(kind)
    if not isinstance(given, Mapping) or set(given) != set(names):
        fields = ", ".join(map(named, given)) if isinstance(given, Mapping) else f"the form {type(given).__name__}"
        raise InvalidSetupError(f"{what} has {fields or 'no field'}: it must be a mapping of {', '.join(names)}")
    records = np.zeros(1, kind)
    for name in names:
        numbers = records[name]
        flat = _flattened(given[name], numbers.shape[1:])
        limits = np.iinfo(numbers.dtype)
        if flat is None or not all(limits.min <= number <= limits.max for number in flat):
            raise InvalidSetupError(
                f"{what}.{name} is {shown(given[name])}: it must be {_form(numbers.shape[1:])} from {limits.min} to "
                f"{limits.max}"
            )
        records[name] = np.array(flat, numbers.dtype).reshape(numbers.shape)
    return records


def _names(kind: np.dtype[Any]) -> tuple[str, ...]:
    names = kind.names
    assert names is not None
    return names


def _form(shape: tuple[int, ...]) -> str:
    """Return what holds whole numbers of a shape, in words."""
    if not shape:
        return "a whole number"
    inner = _form(shape[1:]).removeprefix("a ")
    return f"a list of {shape[0]} {inner.replace('list ', 'lists ', 1) if len(shape) > 1 else 'whole numbers'}"


def _flattened(given: Any, shape: tuple[int, ...]) -> list[int] | None:
    """Return the whole numbers of lists in lists of a shape, in their order; None for anything else."""
    if not shape:
        number = whole_number(given)
        return None if number is None else [number]
    several = given.tolist() if isinstance(given, np.ndarray) else listed(given)
    if several is None or len(several) != shape[0]:
        return None
    found: list[int] = []
    for one in several:
        inner = _flattened(one, shape[1:])
        if inner is None:
            return None
        found += inner
    return found


def read_options(options: Sequence[int]) -> npt.NDArray[np.int16]:
    """Return (MAX_OPTIONS,) int16; raise InvalidOptionError for what is no list of such numbers."""
    limits = np.iinfo(np.int16)
    given = listed(options)
    numbers = [number for one in given or () if (number := whole_number(one)) is not None]
    fits = given is not None and len(numbers) == len(given) <= MAX_OPTIONS
    if not fits or not all(limits.min <= one <= limits.max for one in numbers):
        raise InvalidOptionError(
            f"options={shown(options)} are not possible: give a list of at most {MAX_OPTIONS} whole numbers from "
            f"{limits.min} to {limits.max}"
        )
    return np.array([*numbers, *[0] * (MAX_OPTIONS - len(numbers))], np.int16)
