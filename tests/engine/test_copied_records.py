"""Copies of records: all of them, or some rows, independent of those they were made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules.state import STATE, copy_states
from endeavor_env.engine.game_rules import copied, taken


def _different_states() -> npt.NDArray[np.void]:
    """Return (5,) STATE of five set-ups."""
    return np.concatenate([Game.new(3, seed=seed).state for seed in range(5)])


@pytest.mark.parametrize("copy", [copy_states, copied])
def test_a_copy_has_the_same_bytes_and_no_memory_in_common(copy: Callable[..., npt.NDArray[np.void]]) -> None:
    states = _different_states()
    found = copy(states)
    assert found.dtype == STATE
    assert found.tobytes() == states.tobytes()
    assert not np.shares_memory(found, states)
    assert found.flags.writeable


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (np.array([3, 0, 3]), [3, 0, 3]),
        (np.array([True, False, False, True, True]), [0, 3, 4]),
        (np.zeros(5, bool), []),
        (np.arange(5), [0, 1, 2, 3, 4]),
    ],
)
def test_taken_records_are_those_of_the_rows_in_their_order(rows: npt.NDArray[Any], expected: list[int]) -> None:
    states = _different_states()
    found = taken(states, rows)
    assert found.dtype == STATE
    assert found.shape == (len(expected),)
    assert found.tobytes() == b"".join(states[row : row + 1].tobytes() for row in expected)
    assert not np.shares_memory(found, states)
    assert found.flags.writeable
