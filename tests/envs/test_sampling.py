"""Drawing a legal action."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from endeavor_env.endeavor.rules.actions import NUM_ACTIONS, NUM_IDS, NUM_VARIANT_ACTIONS
from endeavor_env.envs.sampling import generator, sample_action
from endeavor_env.errors import IllegalActionError, InvalidOptionError
from endeavor_env.merchants.rules.actions import NUM_ACTIONS as MERCHANTS_ACTIONS
from tests.toy_game.rules import NUM_ACTIONS as TOY_ACTIONS


def mask_of(*actions: int) -> np.ndarray:
    mask = np.zeros(NUM_ACTIONS, np.int8)
    mask[list(actions)] = 1
    return mask


def test_every_legal_action_is_equally_likely() -> None:
    mask, rng = mask_of(0, 7, NUM_ACTIONS - 1), generator(1)
    counts = Counter(sample_action(mask, rng) for _ in range(3000))
    assert sorted(counts) == [0, 7, NUM_ACTIONS - 1]
    assert all(900 < count < 1100 for count in counts.values())  # 5 standard deviations are 130


def test_masks_may_be_int8_or_bool_and_give_python_ints() -> None:
    mask = mask_of(*range(20, 60))
    drawn = [sample_action(mask, generator(seed)) for seed in range(20)]
    assert drawn == [sample_action(mask.astype(bool), generator(seed)) for seed in range(20)]
    assert {type(action) for action in drawn} == {int}


def test_the_generator_follows_its_seed_and_moves_on() -> None:
    mask, rng, same = mask_of(*range(NUM_ACTIONS)), generator(5), generator(5)
    drawn = [sample_action(mask, rng) for _ in range(20)]
    assert drawn == [sample_action(mask, same) for _ in range(20)]
    assert len(set(drawn)) > 10


@pytest.mark.parametrize("size", [NUM_VARIANT_ACTIONS, NUM_IDS, TOY_ACTIONS, MERCHANTS_ACTIONS, 2048])
def test_masks_of_any_game_are_drawn_from(size: int) -> None:
    mask, rng = np.zeros(size, np.int8), generator(3)
    mask[[1, size // 2, size - 1]] = 1
    for given in (mask, mask.astype(bool)):
        assert {sample_action(given, rng) for _ in range(60)} == {1, size // 2, size - 1}


def test_masks_of_rows_with_gaps_are_drawn_from() -> None:
    masks = np.zeros((TOY_ACTIONS, 3), np.int64)
    masks[2, 1] = 1
    assert sample_action(masks[:, 1], generator(1)) == 2


def test_nothing_can_be_drawn_from_an_empty_mask() -> None:
    with pytest.raises(IllegalActionError, match="all zeros"):
        sample_action(mask_of(), generator(1))


@pytest.mark.parametrize(
    "mask",
    [
        np.ones(0, np.int8),
        np.ones(2049, np.int8),
        np.ones((1, NUM_ACTIONS), np.int8),
        [1] * NUM_ACTIONS,
        None,
        np.int8(1),
    ],
)
def test_what_is_no_mask_is_refused(mask) -> None:
    with pytest.raises(InvalidOptionError, match="must be an array with one axis"):
        sample_action(mask, generator(1))


@pytest.mark.parametrize("rng", [None, 1, [1], np.zeros(1, np.int64), np.zeros(2, np.uint64), np.zeros(0, np.uint64)])
def test_what_is_no_generator_is_refused(rng) -> None:
    with pytest.raises(InvalidOptionError, match=r"give what generator\(seed\) returns"):
        sample_action(mask_of(1), rng)


@pytest.mark.parametrize("seed", [None, -1, 1.0, "1"])
def test_a_generator_needs_a_seed(seed) -> None:
    with pytest.raises(InvalidOptionError, match="non-negative whole number"):
        generator(seed)


@pytest.mark.parametrize("entry", [2, -1, -128, 127])
def test_a_mask_of_other_numbers_is_refused(entry: int) -> None:
    mask = mask_of(1, 7)
    mask[5] = entry
    with pytest.raises(InvalidOptionError, match="other entries than 0 and 1"):
        sample_action(mask, generator(1))
