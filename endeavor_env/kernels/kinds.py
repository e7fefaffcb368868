"""The kinds of arguments that entries declare, so that their machine code can be made before anybody calls them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

INTEGER, REAL = "integer", "real"
"""Whole numbers, as int64 (flags are 0 and 1), and floating-point numbers, as float64."""


class Array(NamedTuple):
    """A contiguous array; an array of bool may stand for one of int8."""

    dtype: np.dtype[Any]
    axes: int = 1
    size: int | None = None
    """Its length, where it has only one and another one must be refused."""


class New(NamedTuple):
    """A new array with one axis, which is returned: the caller gives its size in its place."""

    dtype: np.dtype[Any]


class Listed(NamedTuple):
    """Scratch for int16, of which the first are returned as a list, as many as the kernel returns; not given."""

    most: int


class Fields(NamedTuple):
    """A named tuple."""

    make: type[Any]
    kinds: tuple[Any, ...]


class Pointer(NamedTuple):
    """The address of an entry of a type, or with None of any memory: only between machine code."""

    dtype: np.dtype[Any] | None


def array(dtype: Any, axes: int = 1, size: int | None = None) -> Array:
    """Return the kind of a contiguous array."""
    return Array(np.dtype(dtype), axes, size)


def new(dtype: Any) -> New:
    """Return the kind of an array that is made."""
    return New(np.dtype(dtype))


def pointer(dtype: Any = None) -> Pointer:
    """Return the kind of a pointer."""
    return Pointer(None if dtype is None else np.dtype(dtype))
