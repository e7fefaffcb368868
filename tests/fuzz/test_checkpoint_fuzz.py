"""No damage to a checkpoint gives anything but a CheckpointError, the weights it was saved with, or sound ones."""

from __future__ import annotations

import pytest

from tests.fuzz import checkpoints
from tests.fuzz.checkpoint_mutations import MUTATIONS


@pytest.mark.parametrize("seed", range(4))
def test_damaged_checkpoints_are_refused_with_a_named_error(seed: int) -> None:
    outcomes = checkpoints.run(seed, 70 * len(MUTATIONS))
    assert outcomes.total() == 70 * len(MUTATIONS)
    assert outcomes["CheckpointError"] > outcomes["accepted"] > 0
    assert outcomes["CheckpointMismatchError"] > 0
