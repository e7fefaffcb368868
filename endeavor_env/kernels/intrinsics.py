"""What Numba has no words for: bits, memory, and words that threads share, as functions that kernels call.

Rows are contiguous int8 arrays, such as fields of records. How many bytes of them are looked at is fixed when a
function is made, because the instructions depend on it.
"""

from __future__ import annotations

import operator
from functools import partial, reduce
from typing import Any

import numpy as np

from endeavor_env.kernels.instructions import BITS, instruction
from endeavor_env.kernels.kernels import intrinsic

VECTOR = 32
"""Bytes of the widest vectors: wider ones, where processors have them, slow down what runs beside them."""
POISON = 0xA5
"""The byte that stands for memory nobody has written to."""


# --- bits and bytes --------------------------------------------------------------------------------------------------
@instruction
def count_bits(code, bits) -> int:
    """Return how many bits of an int64 are 1."""
    return code.count(bits)


@instruction
def lowest_bit(code, bits) -> int:
    """Return the place of the lowest bit of an int64 that is 1; there must be one."""
    return code.lowest(bits)


@instruction
def where_equal(code, row, value, *, size) -> int:
    """Return an int64 whose bit i, below ``size``, is 1 where ``row[i] == value``."""
    return _comparison(code, operator.eq, row, value, size)


@instruction
def where_above(code, row, value, *, size) -> int:
    """Return an int64 whose bit i, below ``size``, is 1 where ``row[i] > value``.

    In the place of ``value`` there may be a row: bit i is then 1 where ``row[i] > value[i]``.
    """
    return _comparison(code, operator.gt, row, value, size)


def _comparison(code, compare, row, value, size, at=0):
    words = []
    for first in range(0, size, VECTOR):
        group = range(first, min(first + VECTOR, size))
        other = code.load(value, 0, group) if code.is_array(value) else value
        words.append(code.word_of(compare(code.load(row, at, group), other)) << first)
    return reduce(operator.or_, words)


@instruction
def gather_bits(code, row, at) -> int:
    """Return the int64 whose bits are 1 where the 64 bytes of an int8 row from ``at`` on are not 0."""
    return _comparison(code, operator.ne, row, 0, BITS, at)


@instruction
def spread_bits(code, word, row, at):
    """Write the 64 bits of an int64 as bytes 0 and 1 to an int8 row, from ``at`` on."""
    for first in (0, VECTOR):
        code.store(row, at, range(first, first + VECTOR), code.flags_of(word >> first, VECTOR))


# --- memory that is needed soon ---------------------------------------------------------------------------------------
fetch = intrinsic("memory:fetch", lambda record: None)
"""``fetch(record)``: let the processor bring a record, or an array of them, to the cache while the kernel goes on."""


# --- copies of records ------------------------------------------------------------------------------------------------
def _python_assign(array: Any, record: Any) -> None:
    array[0] = record


assign = intrinsic("memory:assign", _python_assign)
"""``assign(array, record)``: ``array[0] = record`` as one copy of memory, of a record of the array's type.

An assignment does the same, but LLVM moves records of more than 1,024 bytes one byte at a time.
"""


# --- records and arrays at a place in memory --------------------------------------------------------------------------
def record_at(dtype: Any) -> Any:
    """Return a function that gives the record of this type at a place, without a copy.

    The place is a pointer, an array of any type at whose beginning the record lies, or the record.
    """
    return intrinsic("memory:record_at", partial(_python_record_at, np.dtype(dtype)), np.dtype(dtype))


def _python_record_at(dtype: np.dtype[Any], place: Any) -> Any:
    if isinstance(place, np.void):
        return place
    return np.ndarray(1, dtype, buffer=place.reshape(-1).view(np.uint8))[0]


def array_of(kind: Any) -> Any:
    """Return a function (place, size) that gives ``size`` entries of a type at a pointer or in an array, as one."""
    return intrinsic("memory:array_from", partial(_python_array_at, np.dtype(kind)), np.dtype(kind))


def _python_array_at(kind: np.dtype[Any], place: Any, size: Any) -> Any:
    if isinstance(place, np.ndarray) and place.dtype == kind and place.shape == (size,):
        return place
    return np.ndarray(size, kind, buffer=place.reshape(-1).view(np.uint8))


bytes_at = array_of(np.int8)
shorts_at = array_of(np.int16)
words_at = array_of(np.int64)
floats_at = array_of(np.float32)
memory_at = array_of(np.uint8)
generator_at = array_of(np.uint64)


def words_on_stack(most: int) -> Any:
    """Return a function (size) -> (size,) int64 array in the stack frame of the kernel that calls it.

    ``size`` is at most ``most``. No memory is allocated. The entries hold anything, and the array must not be used
    after the kernel has returned. Each call in the source has one place, in a loop as well. Where nothing is compiled,
    and with ``ENDEAVOR_ENV_POISON_STACK=1``, the entries hold one byte all over, so that tests notice who reads them.
    """
    return intrinsic("memory:on_stack", partial(_poisoned, np.int64), "int64", most)


def numbers_on_stack(most: int) -> Any:
    """Return a function (size) -> (size,) float64 array, as ``words_on_stack`` does."""
    return intrinsic("memory:on_stack", partial(_poisoned, np.float64), "float64", most)


def _poisoned(kind: Any, size: Any) -> Any:
    """Return an array of ``size`` entries of 64 bits that nobody has written to."""
    return np.frombuffer(bytearray([POISON]) * (size * BITS // 8), kind)


no_words = intrinsic("memory:no_words", lambda: np.zeros(0, np.int64))
"""``no_words()``: a (0,) int64 array."""
borrowed = intrinsic("memory:borrowed", lambda array: array)
"""``borrowed(array)``: the same array, but calls with it are not counted, which costs as much as writing 100 bytes.

Whoever passed the array must keep it alive meanwhile, as the caller of a kernel does with its arguments.
"""


# --- words that threads share -----------------------------------------------------------------------------------------
# The compiler neither leaves these reads and writes out nor moves them.
@instruction
def load_word(code, words, at) -> int:
    """Return the word of an int64 array at index ``at``; what is read later is read after it."""
    return code.read_shared(words, at)


@instruction
def store_word(code, words, at, value):
    """Write a word; what was written earlier is written before it."""
    code.write_shared(words, at, value)


@instruction
def add_word(code, words, at, value) -> int:
    """Add to a word at once, for all threads; return what it was before."""
    return code.add_shared(words, at, value)


@instruction
def pause(code):
    """Let what shares the core get on, in a loop that waits for another thread."""
    code.pause()


@instruction
def yield_(code):
    """Let the operating system run another thread, if one waits for this core."""
    code.yield_()
