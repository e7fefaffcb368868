"""What Numba has no words for: single instructions of the processor, as functions that kernels call.

Each is a pair: the instructions, and a Python function that does the same where nothing is compiled. Rows are
contiguous int8 arrays, such as fields of STATE. How many bytes of them are looked at is fixed when a function is made,
because the instructions depend on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from endeavor_env.core._cache_folder import RUBBISH_ON_STACK
from endeavor_env.core._jit import JIT_DISABLED
from endeavor_env.core.instructions import BYTE, INTEGER, entry, load, pair, repeat, store

BITS = 64
"""Bits of a word."""
VECTOR = 32
"""Bytes of the widest vectors: wider ones, where processors have them, slow down what runs beside them."""
_WORD = (1 << BITS) - 1
_RUBBISH = 0xA5
"""The byte that stands for memory nobody has written to."""


def _word(value: int) -> Any:
    """Return a constant of 64 bits."""
    return ir.Constant(INTEGER, value)


# --- counting and finding bits ---------------------------------------------------------------------------------------
def _count_bits(builder: Any, bits: Any) -> Any:
    return builder.ctpop(bits)


def _lowest_bit(builder: Any, bits: Any) -> Any:
    undefined_at_zero = ir.Constant(ir.IntType(1), 1)
    return builder.cttz(bits, undefined_at_zero)


def _python_count_bits(bits: Any) -> Any:
    return np.int64((int(bits) & _WORD).bit_count())


def _python_lowest_bit(bits: Any) -> Any:
    return np.int64((int(bits) & -int(bits)).bit_length() - 1)


count_bits = pair(_count_bits, _python_count_bits, types.int64)
"""``count_bits(bits)``: how many bits of an int64 are 1."""
lowest_bit = pair(_lowest_bit, _python_lowest_bit, types.int64)
"""``lowest_bit(bits)``: the place of the lowest bit of an int64 that is 1; there must be one."""


# --- comparing many bytes at once ------------------------------------------------------------------------------------
def _comparison(operator: str, size: int) -> Callable[..., Any]:
    """Return what emits the comparison of ``size`` bytes of a row with a value or with another row."""

    def compare(builder: Any, row: Any, other: Any) -> Any:
        found = _word(0)
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
    return builder.shl(builder.zext(together, INTEGER), _word(first))


def _set_of(found: Any) -> Any:
    """Return the indices at which a bool array is True, as bits."""
    return np.int64(sum(1 << index for index in np.flatnonzero(found).tolist()))


def where_equal(size: int) -> Any:
    """Return a function (row, value) -> int64 whose bit i, below ``size``, is 1 where ``row[i] == value``."""
    return pair(_comparison("==", size), lambda row, value: _set_of(row[:size] == value), types.int64)


def where_above(size: int) -> Any:
    """Return a function (row, value) -> int64 whose bit i, below ``size``, is 1 where ``row[i] > value``.

    In the place of ``value`` there may be a row: bit i is then 1 where ``row[i] > value[i]``.
    """
    return pair(_comparison(">", size), lambda row, value: _set_of(row[:size] > _beginning(value, size)), types.int64)


def _beginning(value: Any, size: int) -> Any:
    """Return the first ``size`` entries of a row, or a single value as it is."""
    return value[:size] if isinstance(value, np.ndarray) else value


def _either(compiled: Callable[..., Any], python: Callable[..., Any]) -> Any:
    """Return the intrinsic whose instructions ``compiled`` generates; where nothing is compiled, ``python``."""
    return python if JIT_DISABLED else intrinsic(compiled)


# --- memory that is needed soon ---------------------------------------------------------------------------------------
_LINE = 64  # bytes of a line of the cache
_WRITTEN, _KEPT, _DATA = 1, 3, 1  # it will be written, and used several times; it is no code


def _fetch(typing_context: Any, record: Any) -> Any:
    """Ask for all lines of a record, for a kernel that goes on without waiting for them."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        address = builder.bitcast(values[0], BYTE.as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [BYTE.as_pointer(), number, number, number])
        ask = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        how = [number(_WRITTEN), number(_KEPT), number(_DATA)]
        for first in range(0, signature.args[0].size, _LINE):
            builder.call(ask, [entry(builder, address, first), *how])
        return context.get_dummy_value()

    return types.void(record), generate


fetch = _either(_fetch, lambda record: None)
"""``fetch(record)``: let the processor bring a record to the cache while the kernel goes on."""


# --- arrays at a place in memory ------------------------------------------------------------
_WORDS = types.Array(types.int64, 1, "C")


def _make_array(context: Any, builder: Any, kind: Any, memory: Any, size: Any) -> Any:
    """Return an array of ``size`` entries at a place in memory, whose owner is somebody else."""
    array = context.make_array(kind)(context, builder)
    width = ir.Constant(INTEGER, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    shape, strides = cgutils.pack_array(builder, [size]), cgutils.pack_array(builder, [width])
    data = builder.bitcast(memory, array.data.type)
    context.populate_array(array, data=data, shape=shape, strides=strides, itemsize=width, meminfo=None)
    return array._getvalue()


def array_from(kind: Any) -> Any:
    """Return a function (pointer, size) -> (size,) array of a Numba type, for entries that get untyped pointers.

    There is none where nothing is compiled, because there are no pointers then.
    """

    def make(typing_context: Any, pointer: Any, size: Any) -> Any:
        array = types.Array(kind, 1, "C")

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return _make_array(context, builder, array, *values)

        return array(pointer, types.int64), generate

    return _either(make, _no_pointers)


def _array_at(typing_context: Any, pointer: Any, size: Any) -> Any:
    """Return the array of ``size`` entries that a typed pointer points to."""
    array = types.Array(pointer.dtype, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return _make_array(context, builder, array, *values)

    return array(pointer, types.int64), generate


def _no_pointers(pointer: Any, size: Any) -> Any:
    raise AssertionError("there are no pointers where nothing is compiled")


array_at = _either(_array_at, _no_pointers)
"""``array_at(pointer, size)``: the (size,) array that a typed pointer points to; for entries of kernels."""
bytes_at, words_at, floats_at = (array_from(kind) for kind in (types.int8, types.int64, types.float32))
"""The same for untyped pointers: an int8, int64 or float32 array."""


def words_on_stack(most: int) -> Any:
    """Return a function (size) -> (size,) int64 array in the stack frame of the kernel that calls it.

    ``size`` is at most ``most``. No memory is allocated. The entries hold anything, and the array must not be used
    after the kernel has returned. Each call in the source has one place, in a loop as well. Where nothing is compiled,
    and with ``ENDEAVOR_ENV_RUBBISH_ON_STACK=1``, the entries hold rubbish, so that tests notice who reads them.
    """

    def make(typing_context: Any, size: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            memory = cgutils.alloca_once(builder, ir.ArrayType(INTEGER, most))
            if RUBBISH_ON_STACK:
                cgutils.memset(builder, memory, _word(most * BITS // 8), _RUBBISH)
            return _make_array(context, builder, _WORDS, memory, values[0])

        return _WORDS(types.int64), generate

    return _either(make, lambda size: np.frombuffer(bytearray([_RUBBISH]) * (size * BITS // 8), np.int64))


def _no_words(typing_context: Any) -> Any:
    """Return an array of no words."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        nowhere, nothing = ir.Constant(BYTE.as_pointer(), None), ir.Constant(INTEGER, 0)
        return _make_array(context, builder, _WORDS, nowhere, nothing)

    return _WORDS(), generate


no_words = _either(_no_words, lambda: np.zeros(0, np.int64))
"""``no_words()``: a (0,) int64 array."""


# --- the bits of words as bytes --------------------------------------------------------------------------------------
def _spread_bits(builder: Any, word: Any, row: Any, at: Any) -> None:
    for first in range(0, BITS, VECTOR):
        half = builder.trunc(builder.lshr(word, _word(first)), ir.IntType(VECTOR))
        bits = builder.bitcast(half, ir.VectorType(ir.IntType(1), VECTOR))
        store(builder, builder.zext(bits, ir.VectorType(BYTE, VECTOR)), entry(builder, row, at), first)


def _python_spread_bits(word: Any, row: Any, at: Any) -> None:
    for bit in range(BITS):
        row[at + bit] = int(word) >> bit & 1


def _gather_bits(builder: Any, row: Any, at: Any) -> Any:
    zeros, found = ir.Constant(ir.VectorType(BYTE, VECTOR), None), _word(0)
    for first in range(0, BITS, VECTOR):
        entries = load(builder, entry(builder, row, at), first, VECTOR)
        found = builder.or_(found, _bits_at(builder, builder.icmp_signed("!=", entries, zeros), first))
    return found


def _python_gather_bits(row: Any, at: Any) -> Any:
    word = _set_of(row[at : at + BITS - 1] != 0)
    return word | np.int64(-(1 << (BITS - 1))) if row[at + BITS - 1] else word


gather_bits = pair(_gather_bits, _python_gather_bits, types.int64)
"""``gather_bits(row, at)``: the int64 whose bits are 1 where the 64 bytes of an int8 row from ``at`` on are not 0."""
spread_bits = pair(_spread_bits, _python_spread_bits)
"""``spread_bits(word, row, at)``: write the 64 bits of an int64 as bytes 0 and 1 to an int8 row, from ``at`` on."""
