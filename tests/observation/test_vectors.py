"""The functions that write rows as vectors: each against NumPy, at every length and with values at their ends.

Compiled, this checks the instructions; with the JIT disabled, the Python functions in their place.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import pytest

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.kernels.intrinsics import borrowed
from endeavor_env.kernels.vectors import (
    byte_counts,
    byte_shares,
    clipped,
    copied,
    flags_below,
    one_hot,
    one_hots,
    places_of_values,
    relabelled,
    repeated_byte,
    scaled,
    scaled_beyond,
    zeros,
)

Array = npt.NDArray[Any]
RNG = np.random.default_rng(1)
PLACES = 0x30214  # side 0 has place 4, side 1 has place 1, ...
PLACE_OF = np.array([4, 1, 2, 0, 3])
WORDS = np.array([0, 1, -1, 2**63 - 1, -(2**63), 0x0706050403020100, *RNG.integers(-(2**63), 2**63 - 1, 20)])


def compiled(function: Any) -> Any:
    """Return a function of ``vectors`` as Python can call it; it is not saved, because every process makes another."""

    @numba.njit
    def call(*arguments):
        return function(*arguments)

    return call


def around(size: int, kind: Any, junk: float = 77) -> Array:
    """Return an array that is longer than ``size`` by four entries at both ends, full of ``junk``."""
    return np.full(size + 8, junk, kind)


def check(out: Array, want: Any, junk: float = 77) -> None:
    """Check the entries written from index 4 on, and that no other was."""
    want = np.asarray(want).astype(out.dtype)
    assert out[4:-4].tobytes() == want.tobytes()
    assert (out[:4] == junk).all()
    assert (out[-4:] == junk).all()


@pytest.mark.parametrize("size", [1, 2, 7, 8, 16, 136])
@pytest.mark.parametrize("kind", [np.int8, np.float32])
def test_copied_rows(size: int, kind: Any) -> None:
    source, out = RNG.integers(-128, 128, (3, size)).astype(kind), around(size, kind)
    compiled(copied(size))(source, 2, out, 4)
    check(out, source[2])


@pytest.mark.parametrize("size", [7, 470])
@pytest.mark.parametrize("kind", [np.int8, np.float32])
def test_zeros(size: int, kind: Any) -> None:
    out = around(size, kind)
    compiled(zeros(size))(out, 4)
    check(out, np.zeros(size))


def test_clipped_counts() -> None:
    source = np.array([[1, 2, 3, 4], [-5, 127, 128, 32767]], np.int16)
    out = around(4, np.int8)
    compiled(clipped(4))(source, 1, out, 4)
    check(out, [0, 127, 127, 127])


@pytest.mark.parametrize("size", [40, 48, 56])
def test_relabelled_sides_and_cards_face_down(size: int) -> None:
    values = np.array([*range(-4, c.MAX_SEATS), *(c.CARD_FACE_DOWN + side for side in range(c.MAX_SEATS))])
    renamed = np.array([*range(-4, 0), *PLACE_OF, *(c.CARD_FACE_DOWN + PLACE_OF)])
    picked, out = RNG.integers(0, values.size, size), around(size, np.int8)
    compiled(relabelled(size, c.MAX_SEATS, c.CARD_FACE_DOWN))(values[picked].astype(np.int8), PLACES, out, 4)
    check(out, renamed[picked])


@pytest.mark.parametrize("size", [1, 3, 4, 5, 6, 7, 8, 16])
@pytest.mark.parametrize("kind", [np.int8, np.int16])
def test_scaled_counts_round_as_float64_does(size: int, kind: Any) -> None:
    source, factors = RNG.integers(-2, 128, (3, size)).astype(kind), 1.0 / RNG.integers(1, 60, size)
    counts = np.maximum(source[1].astype(float), 0)
    scale = compiled(scaled(size))
    for factor in (0.2, 1 / 15, factors):
        out = around(size, np.float32)
        scale(source, 1, factor, 6.0, out, 4)
        check(out, np.minimum(6.0, counts * factor))


@pytest.mark.parametrize("size", [4, 7])
def test_scaled_counts_beyond_a_limit(size: int) -> None:
    source, out = RNG.integers(-5, 60, (2, size)).astype(np.int16), around(size, np.float32)
    compiled(scaled_beyond(size))(source, 1, 15, 1 / 15, 2.0, out, 4)
    check(out, np.clip((source[1].astype(float) - 15) * (1 / 15), 0, 2))


@pytest.mark.parametrize("size", [7, 8])
def test_byte_shares(size: int) -> None:
    spread = compiled(byte_shares(size))
    for word in WORDS:
        out = around(size, np.float32)
        spread(word, 2.0**-8, out, 4)
        check(out, np.frombuffer(word.tobytes(), np.uint8)[:size] / 256)


@pytest.mark.parametrize("size", [3, 5, 6, 7, 8, 16])
def test_one_hot_and_flags_below(size: int) -> None:
    hot, below = compiled(one_hot(size)), compiled(flags_below(size))
    for number in range(-3, size + 3):
        for mark, want in ((hot, np.arange(size) == number), (below, np.arange(size) < number)):
            out = around(size, np.float32)
            mark(number, out, 4)
            check(out, want)


@pytest.mark.parametrize(("rows", "size"), [(8, 7), (40, 8), (40, 5), (48, 5), (48, 1)])
def test_one_hots(rows: int, size: int) -> None:
    source, columns = RNG.integers(-4, 14, rows + 3).astype(np.int8), np.array([4, 1, -1, 0, 3, 2, 5, -128], np.int8)
    out = around(rows * size, np.float32)
    compiled(one_hots(rows, size))(source, 3, columns.view(np.int64)[0], out, 4)
    check(out, (source[3:, None] == columns[:size]).ravel())


def test_words_as_eight_bytes() -> None:
    repeat = compiled(repeated_byte)
    for word in WORDS.tolist():
        parts = np.frombuffer(np.int64(word).tobytes(), np.uint8)
        assert np.int64(repeat(word)).tobytes() == bytes([parts[0]] * 8)
        if word >= 0:
            assert np.int64(byte_counts(np.int64(word))).tobytes() == bytes(int(part).bit_count() for part in parts)


def test_places_of_values() -> None:
    find = compiled(places_of_values)
    for _ in range(50):
        source = RNG.integers(-1, 10, 13).astype(np.int8)
        sets = [sum(128 >> place for place in range(8) if source[5 + place] == value) for value in range(8)]
        assert np.int64(find(source, 5)).tobytes() == bytes(sets)


def test_borrowed_array_is_the_same_memory() -> None:
    @numba.njit
    def write(out):
        borrowed(out)[1] = 5

    out = np.zeros(3, np.int8)
    write(out)
    assert out.tolist() == [0, 5, 0]
