"""Instructions on bits, and on rows of small integers as vectors (``kernels.intrinsics``, ``kernels.vectors``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from endeavor_env.kernels.llvm.parts import (
    BITS,
    BYTE,
    FLOAT,
    GROUP,
    INDEX,
    INTEGER,
    arrange,
    bytes_of,
    constant,
    emits,
    entry,
    flags,
    groups,
    limited,
    load,
    load_group,
    repeat,
    row_of,
    shares,
    store,
    store_group,
    word,
)

_BYTES_OF_ONES = 0x0101010101010101
VECTOR = 32
"""Bytes of the widest vectors: wider ones, where processors have them, slow down what runs beside them."""


# --- bits ------------------------------------------------------------------------------------------------------------
@emits(types.int64)
def count_bits(builder: Any, bits: Any) -> Any:
    """Count the bits that are 1."""
    return builder.ctpop(bits)


@emits(types.int64)
def lowest_bit(builder: Any, bits: Any) -> Any:
    """Find the lowest bit that is 1."""
    undefined_at_zero = ir.Constant(ir.IntType(1), 1)
    return builder.cttz(bits, undefined_at_zero)


def comparison(operator: str, size: int) -> Callable[..., Any]:
    """Return what emits the comparison of ``size`` bytes of a row with a value or with another row."""

    @emits(types.int64)
    def compare(builder: Any, row: Any, other: Any) -> Any:
        found = word(0)
        for first in range(0, size, VECTOR):
            part = min(VECTOR, size - first)
            if isinstance(other.type, ir.PointerType):
                right = load(builder, other, first, part)
            else:
                right = repeat(builder, builder.trunc(other, BYTE), part)
            bits = builder.icmp_signed(operator, load(builder, row, first, part), right)
            found = builder.or_(found, _bits_at(builder, bits, first))
        return found

    return compare


def _bits_at(builder: Any, bits: Any, first: int) -> Any:
    """Return a vector of bits as a word in which they begin at the bit ``first``."""
    together = builder.bitcast(bits, ir.IntType(bits.type.count))
    return builder.shl(builder.zext(together, INTEGER), word(first))


@emits()
def spread_bits(builder: Any, bits: Any, row: Any, at: Any) -> None:
    """Write the bits of a word as bytes."""
    for first in range(0, BITS, VECTOR):
        half = builder.trunc(builder.lshr(bits, word(first)), ir.IntType(VECTOR))
        vector = builder.bitcast(half, ir.VectorType(ir.IntType(1), VECTOR))
        store(builder, builder.zext(vector, ir.VectorType(BYTE, VECTOR)), entry(builder, row, at), first)


@emits(types.int64)
def gather_bits(builder: Any, row: Any, at: Any) -> Any:
    """Read bytes as the bits of a word."""
    zeros, found = ir.Constant(ir.VectorType(BYTE, VECTOR), None), word(0)
    for first in range(0, BITS, VECTOR):
        entries = load(builder, entry(builder, row, at), first, VECTOR)
        found = builder.or_(found, _bits_at(builder, builder.icmp_signed("!=", entries, zeros), first))
    return found


# --- bytes of rows ---------------------------------------------------------------------------------------------------
def _width(row: Any) -> int:
    """Return the bytes of an entry: 4 for float32, else 1."""
    return 4 if isinstance(row.type.pointee, ir.FloatType) else 1


def copied(size: int) -> Callable[..., None]:
    """Return what emits ``vectors.copied``."""

    @emits()
    def generate(builder: Any, source: Any, row: Any, out: Any, at: Any) -> None:
        start, end = row_of(builder, source, row, size), entry(builder, out, at)
        cgutils.raw_memcpy(builder, end, start, ir.Constant(INTEGER, size), _width(source))

    return generate


def clipped(size: int) -> Callable[..., None]:
    """Return what emits ``vectors.clipped``."""

    @emits()
    def generate(builder: Any, source: Any, row: Any, out: Any, at: Any) -> None:
        counts = load(builder, row_of(builder, source, row, size), 0, size)
        counts = limited(builder, limited(builder, counts, ">", 0), "<", 127)
        store(builder, builder.trunc(counts, ir.VectorType(BYTE, size)), entry(builder, out, at), 0)

    return generate


def relabelled(size: int, labels: int, step: int) -> Callable[..., None]:
    """Return what emits ``vectors.relabelled``."""
    kept = 127 & -step  # all bits but those of a label and the sign, so that no value below 0 is a label

    @emits()
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

    @emits()
    def generate(builder: Any, source: Any, row: Any, factor: Any, most: Any, out: Any, at: Any) -> None:
        start, end = row_of(builder, source, row, size), entry(builder, out, at)
        by_entry = isinstance(factor.type, ir.PointerType)
        for group in groups(size):
            by = load_group(builder, factor, group) if by_entry else repeat(builder, factor, len(group))
            store_group(builder, shares(builder, load_group(builder, start, group), by, most), end, group)

    return generate


def scaled_beyond(size: int) -> Callable[..., None]:
    """Return what emits ``vectors.scaled_beyond``."""

    @emits()
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

    @emits()
    def generate(builder: Any, bits: Any, factor: Any, out: Any, at: Any) -> None:
        numbers = builder.zext(bytes_of(builder, bits), ir.VectorType(INDEX, 8))
        factors = repeat(builder, builder.fptrunc(factor, FLOAT), 8)
        products = builder.fmul(builder.uitofp(numbers, factors.type), factors)
        for group in groups(size):
            store_group(builder, arrange(builder, products, group), entry(builder, out, at), group)

    return generate


def flagged(operator: str, size: int) -> Callable[..., None]:
    """Return what emits the flags of the indices which compare so to a number."""

    @emits()
    def generate(builder: Any, number: Any, out: Any, at: Any) -> None:
        for group in groups(size):
            numbers = repeat(builder, builder.trunc(number, INDEX), len(group))
            found = builder.icmp_signed(operator, constant(INDEX, group), numbers)
            store_group(builder, flags(builder, found), entry(builder, out, at), group)

    return generate


def one_hots(rows: int, size: int) -> Callable[..., None]:
    """Return what emits ``vectors.one_hots``."""
    columns_of_group, bytes_of_group = list(range(size)) * GROUP, [row for row in range(GROUP) for _ in range(size)]

    @emits()
    def generate(builder: Any, source: Any, start: Any, columns: Any, out: Any, at: Any) -> None:
        wanted = arrange(builder, bytes_of(builder, columns), columns_of_group)
        for first in range(0, rows, GROUP):
            found = arrange(builder, load(builder, entry(builder, source, start), first, GROUP), bytes_of_group)
            marks = flags(builder, builder.icmp_signed("==", found, wanted))
            store(builder, marks, entry(builder, out, at), first * size)

    return generate


def zeros(size: int) -> Callable[..., None]:
    """Return what emits ``vectors.zeros``."""

    @emits()
    def generate(builder: Any, out: Any, at: Any) -> None:
        cgutils.memset(builder, entry(builder, out, at), ir.Constant(INTEGER, size * _width(out)), 0)

    return generate


# --- int64 as eight bytes --------------------------------------------------------------------------------------------
@emits(types.int64)
def repeated_byte(builder: Any, value: Any) -> Any:
    """Emit ``vectors.repeated_byte``."""
    lowest = builder.and_(value, ir.Constant(INTEGER, 255))
    return builder.mul(lowest, ir.Constant(INTEGER, _BYTES_OF_ONES))


@emits(types.int64)
def places_of_values(builder: Any, source: Any, start: Any) -> Any:
    """Emit ``vectors.places_of_values``."""
    backward = [place for _ in range(8) for place in range(7, -1, -1)]
    found = arrange(builder, load(builder, entry(builder, source, start), 0, 8), backward)
    values = constant(BYTE, [value for value in range(8) for _ in range(8)])
    return builder.bitcast(builder.icmp_signed("==", found, values), INTEGER)
