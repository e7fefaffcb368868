"""Single instructions of the processor: each does what its twin for runs without compilation does."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env.endeavor.rules import bits
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.kernels import intrinsics
from endeavor_env.kernels.kernels import kernel

_cities_equal, _cities_above = bits.where_equal(c.MAX_CITIES), bits.where_above(c.MAX_CITIES)
_regions_above, _cards_equal = bits.where_above(c.NUM_REGIONS), bits.where_equal(c.NUM_CARDS)
_types_above = bits.where_above(c.MAX_BUILDING_TYPES)


@kernel
def compare(states, value, out):
    """Write every comparison of rows of ``states[0]`` to ``out``."""
    state = states[0]
    out[0] = _cities_equal(state.city_owner, value)
    out[1] = _cities_above(state.city_owner, value)
    out[2] = _regions_above(state.presence[2], value)
    out[3] = _cards_equal(state.card_place, value)
    out[4] = _types_above(state.buildings[1], state.occupied[2])


@kernel
def count_and_find(word):
    """Return the number of bits and the place of the lowest."""
    return intrinsics.count_bits(word), intrinsics.lowest_bit(word)


@kernel
def spread(word, row, at):
    """Write the bits of a word as bytes."""
    intrinsics.spread_bits(word, row, at)


@kernel
def gather(row, at):
    """Return bytes as the bits of a word."""
    return intrinsics.gather_bits(row, at)


@kernel
def fill_stack(size, out):
    """Write to words on the stack and copy them to ``out``; return their number."""
    words, none = _stack(size), intrinsics.no_words()
    for index in range(words.size):
        words[index] = index * index
    for index in range(words.size):
        out[index] = words[index]
    return words.size + none.size


_stack = intrinsics.words_on_stack(9)


def set_of(found: np.ndarray) -> int:
    return sum(1 << index for index in np.flatnonzero(found).tolist())


@pytest.mark.parametrize("seed", range(20))
def test_rows_of_bytes_become_sets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    states, out = np.zeros(1, STATE), np.zeros(5, np.int64)
    for name in ("city_owner", "presence", "card_place", "buildings", "occupied"):
        states[name] = rng.integers(-3, 6, states[name].shape)
    value, state = int(rng.integers(-3, 6)), states[0]
    compare(states, value, out)
    assert out.tolist() == [
        set_of(state["city_owner"] == value),
        set_of(state["city_owner"] > value),
        set_of(state["presence"][2] > value),
        set_of(state["card_place"] == value),
        set_of(state["buildings"][1] > state["occupied"][2]),
    ]


@pytest.mark.parametrize("word", [1, 2, 3, 1 << 62, (1 << 63) - 1, -1, -(1 << 63), 0x5A5A_0000_1234_8000])
def test_bits_are_counted_and_found(word: int) -> None:
    unsigned = word % (1 << 64)
    assert count_and_find(np.int64(word)) == (unsigned.bit_count(), (unsigned & -unsigned).bit_length() - 1)


def test_no_bits_are_none() -> None:
    assert intrinsics.BITS == 64
    assert count_and_find(np.int64(0))[0] == 0


@pytest.mark.parametrize("word", [0, -1, 1, -(1 << 63), 0x0123_4567_89AB_CDEF])
def test_bits_become_bytes_and_their_neighbours_stay(word: int) -> None:
    row = np.full(80, 7, np.int8)
    spread(np.int64(word), row, 9)
    assert row[9:73].tolist() == [word >> bit & 1 for bit in range(64)]
    assert gather(row, 9) == word
    assert (row[:9] == 7).all()
    assert (row[73:] == 7).all()


def test_words_on_the_stack_have_the_size_asked_for() -> None:
    out = np.zeros(9, np.int64)
    assert fill_stack(6, out) == 6
    assert out.tolist() == [0, 1, 4, 9, 16, 25, 0, 0, 0]


@kernel
def seat_after_fetching(states, row):
    intrinsics.fetch(states[row])
    return states[row].seat


def test_fetching_a_record_changes_nothing() -> None:
    states = np.zeros(3, STATE)
    states["seat"] = 2, 1, 0
    before = states.tobytes()
    assert [seat_after_fetching(states, row) for row in range(3)] == [2, 1, 0]
    assert states.tobytes() == before
