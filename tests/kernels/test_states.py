"""Copies of states: all of them, or some rows, independent of those they were made of."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from endeavor_env.core.state import STATE, copy_states, take_states
from endeavor_env.game import Game


def _different_states() -> npt.NDArray[np.void]:
    """Return (5,) STATE of five set-ups."""
    return np.concatenate([Game.new(3, seed=seed).state for seed in range(5)])


def test_a_copy_has_the_same_bytes_and_no_memory_in_common():
    states = _different_states()
    copied = copy_states(states)
    assert copied.dtype == STATE
    assert copied.tobytes() == states.tobytes()
    assert not np.shares_memory(copied, states)
    assert copied.flags.writeable


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (np.array([3, 0, 3]), [3, 0, 3]),
        (np.array([True, False, False, True, True]), [0, 3, 4]),
        (np.zeros(5, bool), []),
        (np.arange(5), [0, 1, 2, 3, 4]),
    ],
)
def test_taken_states_are_those_of_the_rows_in_their_order(rows, expected):
    states = _different_states()
    taken = take_states(states, rows)
    assert taken.dtype == STATE
    assert taken.shape == (len(expected),)
    assert taken.tobytes() == b"".join(states[row : row + 1].tobytes() for row in expected)
    assert not np.shares_memory(taken, states)
    assert taken.flags.writeable
