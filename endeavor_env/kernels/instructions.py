"""Instructions that Numba has no words for, each defined once: for LLVM, and for NumPy where nothing is compiled.

A definition is a function (code, *arguments). It works on vectors and words with the operators of NumPy's arrays, and
on memory by the methods of ``code``: ``NumpyCode`` does what they say, ``llvm.code.LlvmCode`` emits it. A group is the
list of indices of the entries that are read or written at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from endeavor_env.kernels.kernels import intrinsic

BITS = 64
"""Bits of a word."""
GROUP = 8
"""Entries of an observation that are compared or scaled at once."""


def instruction(define: Callable[..., Any]) -> Any:
    """Return the function (*arguments) that kernels call, given its definition.

    Arrays are contiguous, and no bounds are checked; any other argument is an int64 or float64. A definition that
    returns an int64 is annotated with ``-> int``. One with keyword-only arguments, such as a size, on which the
    instructions depend, becomes a function of these that makes the function for kernels.
    """
    code, returns = define.__code__, bool(define.__annotations__)
    names = code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]

    def make(*numbers: int) -> Any:
        made = partial(define, **dict(zip(names, numbers, strict=True)))
        return intrinsic("code:emitted", partial(made, NumpyCode), made, returns)

    return make if names else make()


def groups(size: int) -> Iterator[Sequence[int]]:
    """Yield groups that cover ``size`` entries: eight at a time, or two halves that overlap, or fewer."""
    if size % GROUP == 0:
        yield from (range(first, first + GROUP) for first in range(0, size, GROUP))
        return
    half = 1 << size.bit_length() - 1  # the longest that is loaded in one piece
    yield [*range(half), *(range(size - half, size) if half < size else ())]


class NumpyCode:
    """What the methods of ``code`` do, in NumPy."""

    maximum, minimum, where = np.maximum, np.minimum, np.where

    @staticmethod
    def is_array(value: Any) -> bool:
        """Return whether an argument is an array."""
        return isinstance(value, np.ndarray)

    @staticmethod
    def load(source: Any, first: Any, group: Sequence[int]) -> Any:
        """Return the entries of a group as a vector; index 0 is that of the entry ``first``."""
        return source.reshape(-1)[first + np.array(group)]

    @staticmethod
    def store(out: Any, first: Any, group: Sequence[int], vector: Any) -> None:
        """Write a vector to the entries of a group, converted to their type; flags become 1 and 0."""
        out[first + np.array(group)] = vector

    @staticmethod
    def copy(out: Any, at: Any, source: Any, first: Any, size: int) -> None:
        """Copy ``size`` entries."""
        out[at : at + size] = source.reshape(-1)[first : first + size]

    @staticmethod
    def clear(out: Any, at: Any, size: int) -> None:
        """Write ``size`` zeros."""
        out[at : at + size] = 0

    @staticmethod
    def indices(group: Sequence[int]) -> Any:
        """Return numbers that are known now as a vector of int32."""
        return np.array(group, np.int32)

    @staticmethod
    def bytes_of(word: Any) -> Any:
        """Return the eight bytes of a word as a vector of int8, the lowest first."""
        return np.frombuffer(np.int64(word).tobytes(), np.int8)

    @staticmethod
    def flags_of(word: Any, count: int) -> Any:
        """Return the lowest bits of a word as a vector of flags."""
        return np.int64(word) >> np.arange(count) & 1 == 1

    @staticmethod
    def word_of(flags: Any) -> Any:
        """Return the word whose lowest bits are a vector of flags."""
        return np.bitwise_or.reduce(flags.astype(np.int64) << np.arange(flags.size))

    @staticmethod
    def count(word: Any) -> Any:
        """Return how many bits of a word are 1."""
        return np.int64((int(word) % (1 << BITS)).bit_count())

    @staticmethod
    def lowest(word: Any) -> Any:
        """Return the place of the lowest bit of a word that is 1; there must be one."""
        return np.int64((int(word) & -int(word)).bit_length() - 1)

    @staticmethod
    def read_shared(words: Any, at: Any) -> Any:
        """Return a word of an array that threads share; what is read later is read after it."""
        return words[at]

    @staticmethod
    def write_shared(words: Any, at: Any, value: Any) -> None:
        """Write a word of an array that threads share; what was written earlier is written before it."""
        words[at] = value

    @staticmethod
    def add_shared(words: Any, at: Any, value: Any) -> Any:
        """Add to a word of an array that threads share, at once; return what it was before."""
        before = np.int64(words[at])
        words[at] += value
        return before

    @staticmethod
    def pause() -> None:
        """Let what shares the core get on."""

    @staticmethod
    def yield_() -> None:
        """Let the operating system run another thread."""
