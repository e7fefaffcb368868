"""What Numba has no words for: single instructions of the processor, as functions that kernels call.

Each has a Python function that does the same where nothing is compiled. Rows are
contiguous int8 arrays, such as fields of records. How many bytes of them are looked at is fixed when a function is
made, because the instructions depend on it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from endeavor_env.kernels.kernels import intrinsic

BITS = 64
"""Bits of a word."""
_WORD = (1 << BITS) - 1
_POISON = 0xA5  # the byte that stands for memory nobody has written to


# --- counting and finding bits ---------------------------------------------------------------------------------------
def _python_count_bits(bits: Any) -> Any:
    return np.int64((int(bits) & _WORD).bit_count())


def _python_lowest_bit(bits: Any) -> Any:
    return np.int64((int(bits) & -int(bits)).bit_length() - 1)


count_bits = intrinsic("vectors:count_bits", _python_count_bits)
"""``count_bits(bits)``: how many bits of an int64 are 1."""
lowest_bit = intrinsic("vectors:lowest_bit", _python_lowest_bit)
"""``lowest_bit(bits)``: the place of the lowest bit of an int64 that is 1; there must be one."""


# --- comparing many bytes at once ------------------------------------------------------------------------------------
def _set_of(found: Any) -> Any:
    """Return the indices at which a bool array is True, as bits."""
    return np.int64(sum(1 << index for index in np.flatnonzero(found).tolist()))


def where_equal(size: int) -> Any:
    """Return a function (row, value) -> int64 whose bit i, below ``size``, is 1 where ``row[i] == value``."""
    return intrinsic("vectors:comparison", lambda row, value: _set_of(row[:size] == value), "==", size)


def where_above(size: int) -> Any:
    """Return a function (row, value) -> int64 whose bit i, below ``size``, is 1 where ``row[i] > value``.

    In the place of ``value`` there may be a row: bit i is then 1 where ``row[i] > value[i]``.
    """
    return intrinsic("vectors:comparison", lambda row, value: _set_of(row[:size] > _beginning(value, size)), ">", size)


def _beginning(value: Any, size: int) -> Any:
    """Return the first ``size`` entries of a row, or a single value as it is."""
    return value[:size] if isinstance(value, np.ndarray) else value


# --- memory that is needed soon ---------------------------------------------------------------------------------------
fetch = intrinsic("memory:fetch", lambda record: None)
"""``fetch(record)``: let the processor bring a record, or an array, to the cache while the kernel goes on."""


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
    return np.frombuffer(bytearray([_POISON]) * (size * BITS // 8), kind)


no_words = intrinsic("memory:no_words", lambda: np.zeros(0, np.int64))
"""``no_words()``: a (0,) int64 array."""
borrowed = intrinsic("memory:borrowed", lambda array: array)
"""``borrowed(array)``: the same array, but calls with it are not counted, which costs as much as writing 100 bytes.

Whoever passed the array must keep it alive meanwhile, as the caller of a kernel does with its arguments.
"""


# --- the bits of words as bytes --------------------------------------------------------------------------------------
def _python_spread_bits(word: Any, row: Any, at: Any) -> None:
    for bit in range(BITS):
        row[at + bit] = int(word) >> bit & 1


def _python_gather_bits(row: Any, at: Any) -> Any:
    word = _set_of(row[at : at + BITS - 1] != 0)
    return word | np.int64(-(1 << (BITS - 1))) if row[at + BITS - 1] else word


gather_bits = intrinsic("vectors:gather_bits", _python_gather_bits)
"""``gather_bits(row, at)``: the int64 whose bits are 1 where the 64 bytes of an int8 row from ``at`` on are not 0."""
spread_bits = intrinsic("vectors:spread_bits", _python_spread_bits)
"""``spread_bits(word, row, at)``: write the 64 bits of an int64 as bytes 0 and 1 to an int8 row, from ``at`` on."""


# --- words that threads share -----------------------------------------------------------------------------------------
# The compiler neither leaves these reads and writes out nor moves them.
def _python_load_word(words: Any, at: Any) -> Any:
    return words[at]


def _python_store_word(words: Any, at: Any, value: Any) -> None:
    words[at] = value


def _python_add_word(words: Any, at: Any, value: Any) -> Any:
    before = np.int64(words[at])
    words[at] += value
    return before


def _python_pause() -> None:
    pass


load_word = intrinsic("threads:load_word", _python_load_word)
"""``load_word(words, at)``: the word of an int64 array at index ``at``; what is read later is read after it."""
store_word = intrinsic("threads:store_word", _python_store_word)
"""``store_word(words, at, value)``: write a word; what was written earlier is written before it."""
pause = intrinsic("threads:pause", _python_pause)
"""``pause()``: to be called in a loop that waits for another thread, so that what shares its core gets on."""
add_word = intrinsic("threads:add_word", _python_add_word)
"""``add_word(words, at, value)``: add to a word at once, for all threads; returns what it was before."""
yield_ = intrinsic("threads:yield_", _python_pause)
"""``yield_()``: let the operating system run another thread, if one waits for this core."""
