"""The types by which Numba knows the kinds of arguments (``kernels.kinds``)."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from endeavor_env.kernels.kinds import INTEGER, REAL, Array, Fields, Listed, New, Pointer


def type_of_kind(kind: Any) -> Any:
    """Return the Numba type of an argument."""
    if kind == INTEGER:
        return types.int64
    if kind == REAL:
        return types.float64
    if isinstance(kind, Array):
        return types.Array(_entry_type(kind.dtype), kind.axes, "C")
    if isinstance(kind, New):
        return types.Array(_entry_type(kind.dtype), 1, "C")
    if isinstance(kind, Listed):
        return types.Array(types.int16, 1, "C")
    if isinstance(kind, Fields):
        return _named_tuple(kind)
    if isinstance(kind, Pointer):
        return types.voidptr if kind.dtype is None else types.CPointer(_entry_type(kind.dtype))
    raise TypeError(f"{kind!r} is no kind of argument")


def _entry_type(dtype: np.dtype[Any]) -> Any:
    return numba.from_dtype(dtype)


def _named_tuple(kind: Fields) -> Any:
    members = [type_of_kind(member) for member in kind.kinds]
    if len(set(members)) == 1:
        return types.NamedUniTuple(members[0], len(members), kind.make)
    return types.NamedTuple(members, kind.make)
