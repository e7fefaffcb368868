"""Rows of small integers, copied, compared and scaled as vectors: what observations are written with.

Each function is made for a fixed number of entries, because the instructions depend on it, and has a Python function
that does the same where nothing is compiled. All arrays are contiguous, and no bounds are checked. A source may have
several rows of the fixed length; ``row`` is the number of one.

Loops that Numba compiles cannot become vectors, because LLVM does not know that source and target are apart. For 40
entries ``scaled`` takes 6 ns (a loop 16), ``copied`` 0.5 (390), ``relabelled`` 2.6 (210), ``one_hots`` 10 (1,080).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from endeavor_env.kernels.kernels import intrinsic, kernel


def _entries(source: Any, row: Any, size: int) -> Any:
    """Return a row as an array: the Python functions read it so."""
    return source.reshape(-1)[row * size : (row + 1) * size]


# --- bytes -----------------------------------------------------------------------------------------------------------
def copied(size: int) -> Any:
    """Return a function (source, row, out, at) that copies a row to ``out[at:]``, an array of the same kind."""

    def copy(source: Any, row: Any, out: Any, at: Any) -> None:
        out[at : at + size] = _entries(source, row, size)

    return intrinsic("vectors:copied", copy, size)


def clipped(size: int) -> Any:
    """Return a function (source, row, out, at) that copies a row of int16 to bytes ``out[at:]``, each in [0, 127]."""

    def clip(source: Any, row: Any, out: Any, at: Any) -> None:
        out[at : at + size] = np.clip(_entries(source, row, size), 0, 127)

    return intrinsic("vectors:clipped", clip, size)


def relabelled(size: int, labels: int, step: int) -> Any:
    """Return a function (source, places, out, at) that copies bytes to ``out[at:]`` and renames the labels in them.

    Labels are the numbers below ``labels``, alone or with a multiple of ``step`` added, a power of 2. Label s gets the
    number in the s-th four bits of ``places`` instead of s, and what was added to it stays, as do values below 0.
    """

    def relabel(source: Any, places: Any, out: Any, at: Any) -> None:
        for index, value in enumerate(source.reshape(-1)[:size].tolist()):
            label = value % step
            out[at + index] = value if value < 0 else value - label + (int(places) >> 4 * label & 15)

    return intrinsic("vectors:relabelled", relabel, size, labels, step)


# --- floats ----------------------------------------------------------------------------------------------------------
def scaled(size: int) -> Any:
    """Return a function (source, row, factor, most, out, at) that writes a row of counts as float32 to ``out[at:]``.

    Each count, at least 0, times ``factor`` and at most ``most``, computed in float64. ``factor`` is a number, or an
    array of ``size`` numbers.
    """

    def scale(source: Any, row: Any, factor: Any, most: Any, out: Any, at: Any) -> None:
        counts = np.maximum(_entries(source, row, size).astype(np.int64), 0)
        out[at : at + size] = np.minimum(counts * factor, most)

    return intrinsic("vectors:scaled", scale, size)


def scaled_beyond(size: int) -> Any:
    """Return a function (source, row, limit, factor, most, out, at) that does as ``scaled`` with what exceeds a limit.

    ``factor`` is a number.
    """

    def scale(source: Any, row: Any, limit: Any, factor: Any, most: Any, out: Any, at: Any) -> None:
        above = np.maximum(_entries(source, row, size).astype(np.int64) - limit, 0)
        out[at : at + size] = np.minimum(above * factor, most)

    return intrinsic("vectors:scaled_beyond", scale, size)


def byte_shares(size: int) -> Any:
    """Return a function (bits, factor, out, at) that writes the lowest ``size`` bytes of an int64 to ``out[at:]``.

    Each byte counts as a number of 0 to 255 and is multiplied by ``factor``, a power of 2, so that nothing is rounded.
    """

    def spread(bits: Any, factor: Any, out: Any, at: Any) -> None:
        out[at : at + size] = [(int(bits) >> 8 * index & 255) * float(factor) for index in range(size)]

    return intrinsic("vectors:byte_shares", spread, size)


def one_hot(size: int) -> Any:
    """Return a function (index, out, at) that writes ``size`` float32 to ``out[at:]``: 1 at ``index`` and else 0.

    If ``index`` is not in [0, size), all are 0.
    """

    def mark(index: Any, out: Any, at: Any) -> None:
        out[at : at + size] = np.arange(size) == index

    return intrinsic("vectors:flagged", mark, "==", size)


def flags_below(size: int) -> Any:
    """Return a function (count, out, at) that writes ``size`` float32 to ``out[at:]``: 1 at indices below ``count``."""

    def mark(count: Any, out: Any, at: Any) -> None:
        out[at : at + size] = np.arange(size) < count

    return intrinsic("vectors:flagged", mark, "<", size)


def one_hots(rows: int, size: int) -> Any:
    """Return a function (source, start, columns, out, at) that writes a row of ``size`` float32 for each of many bytes.

    The bytes are ``rows`` entries of ``source`` from ``start`` on, a multiple of 8 of them. In the row of a byte there
    is a 1 in the column that stands for its value, if any, and else 0. What column i stands for is byte i of
    ``columns``, an int64.
    """

    def mark(source: Any, start: Any, columns: Any, out: Any, at: Any) -> None:
        wanted = np.frombuffer(np.int64(columns).tobytes(), np.int8)[:size]
        out[at : at + rows * size] = (source[start : start + rows, None] == wanted).ravel()

    return intrinsic("vectors:one_hots", mark, rows, size)


def zeros(size: int) -> Any:
    """Return a function (out, at) that writes ``size`` zeros to ``out[at:]``."""

    def clear(out: Any, at: Any) -> None:
        out[at : at + size] = 0

    return intrinsic("vectors:zeros", clear, size)


# --- int64 as eight bytes --------------------------------------------------------------------------------------------
@kernel
def byte_counts(bits):
    """Return an int64 whose bytes are the numbers of bits in the bytes of ``bits``, which is at least 0."""
    pairs = bits - (bits >> 1 & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + (pairs >> 2 & 0x3333333333333333)
    return fours + (fours >> 4) & 0x0F0F0F0F0F0F0F0F


def _python_repeat_byte(value: Any) -> Any:
    return np.frombuffer(bytes([int(value) & 255] * 8), np.int64)[0]


repeated_byte = intrinsic("vectors:repeated_byte", _python_repeat_byte)
"""``repeated_byte(value)``: an int64 whose eight bytes are all the lowest byte of ``value``."""


def _python_places_of_values(source: Any, start: Any) -> Any:
    sets = [0] * 8
    for place, value in enumerate(source[start : start + 8].tolist()):
        if 0 <= value < 8:
            sets[value] |= 128 >> place
    return np.frombuffer(bytes(sets), np.int64)[0]


places_of_values = intrinsic("vectors:places_of_values", _python_places_of_values)
"""``places_of_values(source, start)``: where each of the values 0 to 7 stands in the eight bytes from ``start`` on.

Byte v of the int64 is about value v: its bit 7 - i, so the highest for i = 0, is 1 if the byte i is v.
"""
