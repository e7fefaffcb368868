"""Instructions on bits and on many bytes at once (``kernels.intrinsics``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types

from endeavor_env.kernels.llvm.parts import BYTE, INTEGER, entry, load, repeat, returns, store

BITS = 64
"""Bits of a word."""
VECTOR = 32
"""Bytes of the widest vectors: wider ones, where processors have them, slow down what runs beside them."""


def word(value: int) -> Any:
    """Return a constant of 64 bits."""
    return ir.Constant(INTEGER, value)


@returns(types.int64)
def count_bits(builder: Any, bits: Any) -> Any:
    """Count the bits that are 1."""
    return builder.ctpop(bits)


@returns(types.int64)
def lowest_bit(builder: Any, bits: Any) -> Any:
    """Find the lowest bit that is 1."""
    undefined_at_zero = ir.Constant(ir.IntType(1), 1)
    return builder.cttz(bits, undefined_at_zero)


def comparison(operator: str, size: int) -> Callable[..., Any]:
    """Return what emits the comparison of ``size`` bytes of a row with a value or with another row."""

    @returns(types.int64)
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


def spread_bits(builder: Any, bits: Any, row: Any, at: Any) -> None:
    """Write the bits of a word as bytes."""
    for first in range(0, BITS, VECTOR):
        half = builder.trunc(builder.lshr(bits, word(first)), ir.IntType(VECTOR))
        vector = builder.bitcast(half, ir.VectorType(ir.IntType(1), VECTOR))
        store(builder, builder.zext(vector, ir.VectorType(BYTE, VECTOR)), entry(builder, row, at), first)


@returns(types.int64)
def gather_bits(builder: Any, row: Any, at: Any) -> Any:
    """Read bytes as the bits of a word."""
    zeros, found = ir.Constant(ir.VectorType(BYTE, VECTOR), None), word(0)
    for first in range(0, BITS, VECTOR):
        entries = load(builder, entry(builder, row, at), first, VECTOR)
        found = builder.or_(found, _bits_at(builder, builder.icmp_signed("!=", entries, zeros), first))
    return found
