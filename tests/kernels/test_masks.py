"""Masks as words: marking, taking back, counting, choosing, and their other forms."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import NUM_WORDS, num_actions
from endeavor_env.engine.kernels import masks
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.kernels.kernels import kernel

SIZES = sorted({num_actions(variant) for variant in c.VARIANT_NAMES})


@kernel
def mark(words, actions, offset, members):
    """Mark single actions and a set of them."""
    for index in range(actions.size):
        masks.allow(words, actions[index])
    masks.allow_set(words, offset, members)


@kernel
def take_back(words, action, offset, size):
    """Take back one mark and a block of them."""
    masks.forbid(words, action)
    masks.forbid_block(words, offset, size)


@kernel
def take_back_set(words, offset, members):
    """Take back the marks of a set."""
    masks.forbid_set(words, offset, members)


@kernel
def ask(words, action):
    """Return whether an action is legal, and how many are."""
    return masks.is_allowed(words, action), masks.count_allowed(words)


@kernel
def find(words, n):
    """Return the n-th legal action."""
    return masks.nth_allowed(words, n)


@kernel
def allow_every(words, actions):
    """Mark all ids."""
    masks.allow_all(words, actions)


@kernel
def draw(words, rng):
    """Return a random legal action."""
    return masks.choose_move(words, rng)


def words_with(legal: np.ndarray) -> np.ndarray:
    """Return the words of a bool mask."""
    words = np.zeros(masks.words_of(legal.size), np.int64)
    masks.read_bytes(legal.astype(np.int8), words)
    return words


def test_every_variant_has_words_for_all_its_actions() -> None:
    assert NUM_WORDS.tolist() == [-(-num_actions(variant) // 64) for variant in c.VARIANT_NAMES]


@pytest.mark.parametrize("size", SIZES)
def test_actions_are_marked_and_taken_back(size: int) -> None:
    rng, words = np.random.default_rng(size), np.zeros(masks.words_of(size), np.int64)
    wanted, actions = np.zeros(size, bool), rng.integers(0, size, 25)
    wanted[actions] = True
    for offset in (0, 45, 60, 64, 100, size - 41):
        members = int(rng.integers(1 << 41))
        mark(words, actions, offset, members)
        wanted[[offset + bit for bit in range(41) if members >> bit & 1]] = True
    taken, offset = int(actions[0]), 50
    take_back(words, taken, offset, 40)
    wanted[taken], wanted[offset : offset + 40] = False, False
    for offset in (0, 100, size - 41):
        members = int(rng.integers(1 << 41))
        take_back_set(words, offset, members)
        wanted[[offset + bit for bit in range(41) if members >> bit & 1]] = False
    mask = np.full(size, 9, np.int8)
    masks.write_bytes(words, mask)
    assert (mask == wanted).all()
    assert all(ask(words, action) == (wanted[action], wanted.sum()) for action in range(size))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [0.01, 0.1, 0.9])
def test_legal_actions_are_found_in_order(size: int, share: float) -> None:
    legal = np.random.default_rng(3).random(size) < share
    legal[size - 1] = True
    words, ids = words_with(legal), np.zeros(size, np.int16)
    count = masks.write_ids(words, ids)
    assert ids[:count].tolist() == np.flatnonzero(legal).tolist()
    assert [find(words, n) for n in range(count)] == ids[:count].tolist()


@pytest.mark.parametrize("size", SIZES)
def test_all_actions_can_be_marked_and_no_other_bit(size: int) -> None:
    words = np.zeros(masks.words_of(size), np.int64)
    allow_every(words, size)
    assert (words == words_with(np.ones(size, bool))).all()


def test_a_choice_among_words_is_that_among_bytes() -> None:
    legal = np.random.default_rng(5).random(197) < 0.1
    words, mask, first, second = words_with(legal), legal.astype(np.int8), seeded(1), seeded(1)
    drawn = [draw(words, first) for _ in range(300)]
    assert drawn == [masks.choose(mask, second) for _ in range(300)]
    assert set(drawn) == set(np.flatnonzero(legal).tolist())
    assert draw(np.zeros(4, np.int64), first) == -1
