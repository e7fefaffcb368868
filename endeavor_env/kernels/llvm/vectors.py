"""Instructions on rows of small integers, as vectors (``kernels.vectors`` says what each function does)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from endeavor_env.kernels.llvm.parts import (
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
    repeat,
    returns,
    row_of,
    shares,
    store,
    store_group,
)

_BYTES_OF_ONES = 0x0101010101010101


def _width(row: Any) -> int:
    """Return the bytes of an entry: 4 for float32, else 1."""
    return 4 if isinstance(row.type.pointee, ir.FloatType) else 1


# --- bytes -----------------------------------------------------------------------------------------------------------
def copied(size: int) -> Callable[..., None]:
    """Return what emits ``vectors.copied``."""

    def generate(builder: Any, source: Any, row: Any, out: Any, at: Any) -> None:
        start, end = row_of(builder, source, row, size), entry(builder, out, at)
        cgutils.raw_memcpy(builder, end, start, ir.Constant(INTEGER, size), _width(source))

    return generate


def clipped(size: int) -> Callable[..., None]:
    """Return what emits ``vectors.clipped``."""

    def generate(builder: Any, source: Any, row: Any, out: Any, at: Any) -> None:
        counts = load(builder, row_of(builder, source, row, size), 0, size)
        counts = limited(builder, limited(builder, counts, ">", 0), "<", 127)
        store(builder, builder.trunc(counts, ir.VectorType(BYTE, size)), entry(builder, out, at), 0)

    return generate


def relabelled(size: int, labels: int, step: int) -> Callable[..., None]:
    """Return what emits ``vectors.relabelled``."""
    kept = 127 & -step  # all bits but those of a label and the sign, so that no value below 0 is a label

    def generate(builder: Any, source: Any, places: Any, out: Any, at: Any) -> None:
        found = load(builder, source, 0, size)
        others = builder.and_(found, constant(BYTE, [kept] * size))
        renamed = known = builder.xor(found, others)
        for label in range(labels):
            place = builder.and_(builder.lshr(places, ir.Constant(INTEGER, 4 * label)), ir.Constant(INTEGER, 15))
            is_label = builder.icmp_signed("==", known, constant(BYTE, [label] * size))
            renamed = builder.select(is_label, repeat(builder, builder.trunc(place, BYTE), size), renamed)
        store(builder, builder.or_(renamed, others), entry(builder, out, at), 0)

    return generate


# --- floats ----------------------------------------------------------------------------------------------------------
def scaled(size: int) -> Callable[..., None]:
    """Return what emits ``vectors.scaled``."""

    def generate(builder: Any, source: Any, row: Any, factor: Any, most: Any, out: Any, at: Any) -> None:
        start, end = row_of(builder, source, row, size), entry(builder, out, at)
        by_entry = isinstance(factor.type, ir.PointerType)
        for group in groups(size):
            by = load_group(builder, factor, group) if by_entry else repeat(builder, factor, len(group))
            store_group(builder, shares(builder, load_group(builder, start, group), by, most), end, group)

    return generate


def scaled_beyond(size: int) -> Callable[..., None]:
    """Return what emits ``vectors.scaled_beyond``."""

    def generate(builder: Any, source: Any, row: Any, limit: Any, factor: Any, most: Any, out: Any, at: Any) -> None:
        start, end = row_of(builder, source, row, size), entry(builder, out, at)
        for group in groups(size):
            limits = repeat(builder, builder.trunc(limit, start.type.pointee), len(group))
            above = builder.sub(load_group(builder, start, group), limits)
            share = shares(builder, above, repeat(builder, factor, len(group)), most)
            store_group(builder, share, end, group)

    return generate


def byte_shares(size: int) -> Callable[..., None]:
    """Return what emits ``vectors.byte_shares``."""

    def generate(builder: Any, bits: Any, factor: Any, out: Any, at: Any) -> None:
        numbers = builder.zext(bytes_of(builder, bits), ir.VectorType(INDEX, 8))
        factors = repeat(builder, builder.fptrunc(factor, FLOAT), 8)
        products = builder.fmul(builder.uitofp(numbers, factors.type), factors)
        for group in groups(size):
            store_group(builder, arrange(builder, products, group), entry(builder, out, at), group)

    return generate


def flagged(operator: str, size: int) -> Callable[..., None]:
    """Return what emits the flags of the indices which compare so to a number."""

    def generate(builder: Any, number: Any, out: Any, at: Any) -> None:
        for group in groups(size):
            numbers = repeat(builder, builder.trunc(number, INDEX), len(group))
            found = builder.icmp_signed(operator, constant(INDEX, group), numbers)
            store_group(builder, flags(builder, found), entry(builder, out, at), group)

    return generate


def one_hots(rows: int, size: int) -> Callable[..., None]:
    """Return what emits ``vectors.one_hots``."""
    columns_of_group, bytes_of_group = list(range(size)) * GROUP, [row for row in range(GROUP) for _ in range(size)]

    def generate(builder: Any, source: Any, start: Any, columns: Any, out: Any, at: Any) -> None:
        wanted = arrange(builder, bytes_of(builder, columns), columns_of_group)
        for first in range(0, rows, GROUP):
            found = arrange(builder, load(builder, entry(builder, source, start), first, GROUP), bytes_of_group)
            marks = flags(builder, builder.icmp_signed("==", found, wanted))
            store(builder, marks, entry(builder, out, at), first * size)

    return generate


def zeros(size: int) -> Callable[..., None]:
    """Return what emits ``vectors.zeros``."""

    def generate(builder: Any, out: Any, at: Any) -> None:
        cgutils.memset(builder, entry(builder, out, at), ir.Constant(INTEGER, size * _width(out)), 0)

    return generate


# --- int64 as eight bytes --------------------------------------------------------------------------------------------
@returns(types.int64)
def repeated_byte(builder: Any, value: Any) -> Any:
    """Emit ``vectors.repeated_byte``."""
    lowest = builder.and_(value, ir.Constant(INTEGER, 255))
    return builder.mul(lowest, ir.Constant(INTEGER, _BYTES_OF_ONES))


@returns(types.int64)
def places_of_values(builder: Any, source: Any, start: Any) -> Any:
    """Emit ``vectors.places_of_values``."""
    backward = [place for _ in range(8) for place in range(7, -1, -1)]
    found = arrange(builder, load(builder, entry(builder, source, start), 0, 8), backward)
    values = constant(BYTE, [value for value in range(8) for _ in range(8)])
    return builder.bitcast(builder.icmp_signed("==", found, values), INTEGER)
