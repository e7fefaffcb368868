"""Rows of small integers, copied, compared and scaled as vectors: what observations are written with.

Each function is made for a fixed number of entries, because the instructions depend on it, and is a pair as in
``intrinsics``: the instructions, and a Python function that does the same where nothing is compiled. All arrays are
contiguous, and no bounds are checked. A source may have several rows of the fixed length; ``row`` is the number of one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from endeavor_env.core import constants as c
from endeavor_env.core._jit import JIT_DISABLED, kernel
from endeavor_env.core.instructions import (
    BYTE,
    FLOAT,
    GROUP,
    INDEX,
    INTEGER,
    arrange,
    bytes_of,
    constant,
    entry,
    flags,
    groups,
    limited,
    load,
    load_group,
    pair,
    repeat,
    row_of,
    shares,
    store,
    store_group,
)

_BYTES_OF_ONES = 0x0101010101010101


def _entries(source: Any, row: Any, size: int) -> Any:
    """Return a row as an array: the Python functions read it so."""
    return source.reshape(-1)[row * size : (row + 1) * size]


# --- bytes -----------------------------------------------------------------------------------------------------------
def copied(size: int) -> Any:
    """Return a function (source, row, out, at) that copies a row to ``out[at:]``, an array of the same kind."""

    def generate(builder: Any, source: Any, row: Any, out: Any, at: Any) -> None:
        width = 4 if isinstance(source.type.pointee, ir.FloatType) else 1
        start, end = row_of(builder, source, row, size), entry(builder, out, at)
        cgutils.raw_memcpy(builder, end, start, ir.Constant(INTEGER, size), width)

    def copy(source: Any, row: Any, out: Any, at: Any) -> None:
        out[at : at + size] = _entries(source, row, size)

    return pair(generate, copy)


def clipped(size: int) -> Any:
    """Return a function (source, row, out, at) that copies a row of int16 to bytes ``out[at:]``, each in [0, 127]."""

    def generate(builder: Any, source: Any, row: Any, out: Any, at: Any) -> None:
        counts = load(builder, row_of(builder, source, row, size), 0, size)
        counts = limited(builder, limited(builder, counts, ">", 0), "<", 127)
        store(builder, builder.trunc(counts, ir.VectorType(BYTE, size)), entry(builder, out, at), 0)

    def clip(source: Any, row: Any, out: Any, at: Any) -> None:
        out[at : at + size] = np.clip(_entries(source, row, size), 0, 127)

    return pair(generate, clip)


def relabelled(size: int) -> Any:
    """Return a function (source, places, out, at) that copies bytes to ``out[at:]`` and renames the sides in them.

    Side s and a card face down before s, ``CARD_FACE_DOWN`` + s, get the number in the s-th four bits of ``places``
    instead of s. Other values, all below 0, stay.
    """
    kept = 127 & -c.CARD_FACE_DOWN  # all bits but those of a side and the sign, so that no value below 0 is a side

    def generate(builder: Any, source: Any, places: Any, out: Any, at: Any) -> None:
        found = load(builder, source, 0, size)
        others = builder.and_(found, constant(BYTE, [kept] * size))
        renamed = sides = builder.xor(found, others)
        for side in range(c.MAX_SEATS):
            place = builder.and_(builder.lshr(places, ir.Constant(INTEGER, 4 * side)), ir.Constant(INTEGER, 15))
            is_side = builder.icmp_signed("==", sides, constant(BYTE, [side] * size))
            renamed = builder.select(is_side, repeat(builder, builder.trunc(place, BYTE), size), renamed)
        store(builder, builder.or_(renamed, others), entry(builder, out, at), 0)

    def relabel(source: Any, places: Any, out: Any, at: Any) -> None:
        for index, value in enumerate(source.reshape(-1)[:size].tolist()):
            side = value % c.CARD_FACE_DOWN
            out[at + index] = value if value < 0 else value - side + (int(places) >> 4 * side & 15)

    return pair(generate, relabel)


# --- floats ----------------------------------------------------------------------------------------------------------
def scaled(size: int) -> Any:
    """Return a function (source, row, factor, most, out, at) that writes a row of counts as float32 to ``out[at:]``.

    Each count, at least 0, times ``factor`` and at most ``most``, computed in float64. ``factor`` is a number, or an
    array of ``size`` numbers.
    """

    def generate(builder: Any, source: Any, row: Any, factor: Any, most: Any, out: Any, at: Any) -> None:
        start, end = row_of(builder, source, row, size), entry(builder, out, at)
        by_entry = isinstance(factor.type, ir.PointerType)
        for group in groups(size):
            by = load_group(builder, factor, group) if by_entry else repeat(builder, factor, len(group))
            store_group(builder, shares(builder, load_group(builder, start, group), by, most), end, group)

    def scale(source: Any, row: Any, factor: Any, most: Any, out: Any, at: Any) -> None:
        counts = np.maximum(_entries(source, row, size).astype(np.int64), 0)
        out[at : at + size] = np.minimum(counts * factor, most)

    return pair(generate, scale)


def scaled_beyond(size: int) -> Any:
    """Return a function (source, row, limit, factor, most, out, at) that does as ``scaled`` with what exceeds a limit.

    ``factor`` is a number.
    """

    def generate(builder: Any, source: Any, row: Any, limit: Any, factor: Any, most: Any, out: Any, at: Any) -> None:
        start, end = row_of(builder, source, row, size), entry(builder, out, at)
        for group in groups(size):
            limits = repeat(builder, builder.trunc(limit, start.type.pointee), len(group))
            above = builder.sub(load_group(builder, start, group), limits)
            share = shares(builder, above, repeat(builder, factor, len(group)), most)
            store_group(builder, share, end, group)

    def scale(source: Any, row: Any, limit: Any, factor: Any, most: Any, out: Any, at: Any) -> None:
        above = np.maximum(_entries(source, row, size).astype(np.int64) - limit, 0)
        out[at : at + size] = np.minimum(above * factor, most)

    return pair(generate, scale)


def byte_shares(size: int) -> Any:
    """Return a function (bits, factor, out, at) that writes the lowest ``size`` bytes of an int64 to ``out[at:]``.

    Each byte counts as a number of 0 to 255 and is multiplied by ``factor``, a power of 2, so that nothing is rounded.
    """

    def generate(builder: Any, bits: Any, factor: Any, out: Any, at: Any) -> None:
        numbers = builder.zext(bytes_of(builder, bits), ir.VectorType(INDEX, 8))
        factors = repeat(builder, builder.fptrunc(factor, FLOAT), 8)
        products = builder.fmul(builder.uitofp(numbers, factors.type), factors)
        for group in groups(size):
            store_group(builder, arrange(builder, products, group), entry(builder, out, at), group)

    def spread(bits: Any, factor: Any, out: Any, at: Any) -> None:
        out[at : at + size] = [(int(bits) >> 8 * index & 255) * float(factor) for index in range(size)]

    return pair(generate, spread)


def _flagged(size: int, operator: str) -> Callable[..., None]:
    """Return what emits the instructions that flag the indices which compare so to a number."""

    def generate(builder: Any, number: Any, out: Any, at: Any) -> None:
        for group in groups(size):
            numbers = repeat(builder, builder.trunc(number, INDEX), len(group))
            found = builder.icmp_signed(operator, constant(INDEX, group), numbers)
            store_group(builder, flags(builder, found), entry(builder, out, at), group)

    return generate


def one_hot(size: int) -> Any:
    """Return a function (index, out, at) that writes ``size`` float32 to ``out[at:]``: 1 at ``index`` and else 0.

    If ``index`` is not in [0, size), all are 0.
    """

    def mark(index: Any, out: Any, at: Any) -> None:
        out[at : at + size] = np.arange(size) == index

    return pair(_flagged(size, "=="), mark)


def flags_below(size: int) -> Any:
    """Return a function (count, out, at) that writes ``size`` float32 to ``out[at:]``: 1 at indices below ``count``."""

    def mark(count: Any, out: Any, at: Any) -> None:
        out[at : at + size] = np.arange(size) < count

    return pair(_flagged(size, "<"), mark)


def one_hots(rows: int, size: int) -> Any:
    """Return a function (source, start, columns, out, at) that writes a row of ``size`` float32 for each of many bytes.

    The bytes are ``rows`` entries of ``source`` from ``start`` on, a multiple of 8 of them. In the row of a byte there
    is a 1 in the column that stands for its value, if any, and else 0. What column i stands for is byte i of
    ``columns``, an int64.
    """
    columns_of_group, bytes_of_group = list(range(size)) * GROUP, [row for row in range(GROUP) for _ in range(size)]

    def generate(builder: Any, source: Any, start: Any, columns: Any, out: Any, at: Any) -> None:
        wanted = arrange(builder, bytes_of(builder, columns), columns_of_group)
        for first in range(0, rows, GROUP):
            found = arrange(builder, load(builder, entry(builder, source, start), first, GROUP), bytes_of_group)
            marks = flags(builder, builder.icmp_signed("==", found, wanted))
            store(builder, marks, entry(builder, out, at), first * size)

    def mark(source: Any, start: Any, columns: Any, out: Any, at: Any) -> None:
        wanted = np.frombuffer(np.int64(columns).tobytes(), np.int8)[:size]
        out[at : at + rows * size] = (source[start : start + rows, None] == wanted).ravel()

    return pair(generate, mark)


def zeros(size: int) -> Any:
    """Return a function (out, at) that writes ``size`` zeros to ``out[at:]``."""

    def generate(builder: Any, out: Any, at: Any) -> None:
        width = 4 if isinstance(out.type.pointee, ir.FloatType) else 1
        cgutils.memset(builder, entry(builder, out, at), ir.Constant(INTEGER, size * width), 0)

    def clear(out: Any, at: Any) -> None:
        out[at : at + size] = 0

    return pair(generate, clear)


# --- int64 as eight bytes --------------------------------------------------------------------------------------------
@kernel
def byte_counts(bits):
    """Return an int64 whose bytes are the numbers of bits in the bytes of ``bits``, which is at least 0."""
    pairs = bits - (bits >> 1 & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + (pairs >> 2 & 0x3333333333333333)
    return fours + (fours >> 4) & 0x0F0F0F0F0F0F0F0F


def _repeat_byte(builder: Any, value: Any) -> Any:
    lowest = builder.and_(value, ir.Constant(INTEGER, 255))
    return builder.mul(lowest, ir.Constant(INTEGER, _BYTES_OF_ONES))


def _python_repeat_byte(value: Any) -> Any:
    return np.frombuffer(bytes([int(value) & 255] * 8), np.int64)[0]


repeated_byte = pair(_repeat_byte, _python_repeat_byte, types.int64)
"""``repeated_byte(value)``: an int64 whose eight bytes are all the lowest byte of ``value``."""


def _places_of_values(builder: Any, source: Any, start: Any) -> Any:
    backward = [place for _ in range(8) for place in range(7, -1, -1)]
    found = arrange(builder, load(builder, entry(builder, source, start), 0, 8), backward)
    values = constant(BYTE, [value for value in range(8) for _ in range(8)])
    return builder.bitcast(builder.icmp_signed("==", found, values), INTEGER)


def _python_places_of_values(source: Any, start: Any) -> Any:
    sets = [0] * 8
    for place, value in enumerate(source[start : start + 8].tolist()):
        if 0 <= value < 8:
            sets[value] |= 128 >> place
    return np.frombuffer(bytes(sets), np.int64)[0]


places_of_values = pair(_places_of_values, _python_places_of_values, types.int64)
"""``places_of_values(source, start)``: where each of the values 0 to 7 stands in the eight bytes from ``start`` on.

Byte v of the int64 is about value v: its bit 7 - i, so the highest for i = 0, is 1 if the byte i is v.
"""


# --- arrays as arguments ---------------------------------------------------------------------------------------------
def _borrow(typing_context: Any, array: Any) -> Any:
    """Return the array without its owner."""

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        view = cgutils.create_struct_proxy(signature.return_type)(context, builder, values[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return array(array), emit


borrowed: Any = (lambda array: array) if JIT_DISABLED else intrinsic(_borrow)
"""``borrowed(array)``: the same array, but calls with it are not counted, which costs as much as writing 100 bytes.

Whoever passed the array must keep it alive meanwhile, as the caller of a kernel does with its arguments.
"""
