"""The entries of every decision: built-in functions that call kernels, with errors for what is no array or integer."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.engine.kernels import single
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.kernels.kernels import JIT_DISABLED, Kernel

KINDS = (("features", np.float32), ("compact", np.int8))
COMPILED = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled, so that the functions are those of Python")


@pytest.fixture
def game() -> Game:
    """Return a game in its first round."""
    return Game.new(4, seed=3)


@pytest.mark.parametrize("options", [{}, {"variant": "solo"}, {"exploits": "random"}], ids=["base", "solo", "exploits"])
def test_they_agree_with_each_other(options: dict[str, Any]) -> None:
    game, rng = Game.new(seed=5, **options), seeded(2)
    boards, states = game.board.array, game.state
    while not game.over:
        mask, seat = game.mask().view(np.int8), entry.seat(states)
        ids = entry.legal_ids(boards, states)
        assert ids == np.flatnonzero(mask).tolist() == [int(action) for action in ids]
        assert entry.legal(boards, states, mask) == len(ids)
        twin, action = game.clone(), entry.choose(mask, rng)
        assert action in ids
        assert entry.play(boards, states, action) == seat
        next_mask = np.empty_like(mask)
        given = game.config.rules.given(boards, twin.state)
        assert single.advance(*given, action, next_mask) == entry.seat(states)
        assert twin.state.tobytes() == states.tobytes()
        assert (next_mask == game.mask()).all()
    assert entry.legal_ids(boards, states) == []
    assert entry.seat(states) == -1


def test_an_illegal_action_changes_nothing(game: Game) -> None:
    before = game.state.tobytes()
    illegal = [action for action in range(-2, 1400) if action not in game.legal_actions()]
    assert {entry.play(game.board.array, game.state, action) for action in illegal} == {entry.NOT_LEGAL}
    assert game.state.tobytes() == before


@COMPILED
@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda boards, states: entry.play(boards, states, "5"), TypeError, "integer"),
        (lambda boards, states: entry.play(boards, states, 1.0), TypeError, "integer"),
        (lambda boards, states: entry.play(boards, states, 1 << 70), OverflowError, "too big"),
        (lambda boards, states: entry.play(boards, states), TypeError, r"play\(\) takes 3 values"),
        (lambda boards, states: entry.play(boards, [1], 5), TypeError, r"play\(\) takes a contiguous array"),
        (lambda boards, states: entry.legal(boards, states, None), TypeError, r"legal\(\) takes a contiguous array"),
    ],
)
def test_what_is_no_array_or_no_integer_is_refused(
    game: Game, call: Callable[..., Any], error: type[Exception], message: str
) -> None:
    before = game.state.tobytes()
    with pytest.raises(error, match=message):
        call(game.board.array, game.state)
    assert game.state.tobytes() == before


def strided(array: np.ndarray) -> np.ndarray:
    """Return the same numbers, but not one after the other in memory."""
    return np.repeat(array, 2)[::2]


@pytest.mark.parametrize("dtype", [np.int8, np.bool_])
def test_choosing_takes_masks_of_int8_and_bool(game: Game, dtype: type) -> None:
    mask = game.mask().astype(dtype)
    assert entry.choose(mask, seeded(3)) == entry.choose(game.mask().view(np.int8), seeded(3)) in game.legal_actions()


@COMPILED
@pytest.mark.parametrize(
    "change",
    [
        lambda mask, rng: (mask.astype(np.float32), rng),
        lambda mask, rng: (mask.astype(np.int64), rng),
        lambda mask, rng: (mask[None], rng),
        lambda mask, rng: (strided(mask), rng),
        lambda mask, rng: (mask.tolist(), rng),
        lambda mask, rng: (mask, rng.astype(np.int64)),
        lambda mask, rng: (mask, np.repeat(rng, 2)),
        lambda mask, rng: (mask, rng[None]),
        lambda mask, rng: (mask, 5),
    ],
)
def test_choosing_refuses_what_is_no_mask_or_no_generator(game: Game, change: Callable[..., Any]) -> None:
    rng = seeded(1)
    with pytest.raises(TypeError, match=r"choose\(\)"):
        entry.choose(*change(game.mask().view(np.int8), rng))
    assert rng[0] == seeded(1)[0]


def test_choosing_says_why_nothing_was_chosen(game: Game) -> None:
    mask, rng = game.mask().view(np.int8), seeded(1)
    assert entry.choose(np.zeros_like(mask), rng) == -1
    assert entry.choose(mask * 2, rng) == entry.OTHER_NUMBERS
    assert entry.choose(mask[1:].copy(), rng) == entry.NO_MASK
    assert rng[0] == seeded(1)[0]


def test_new_arrays_hold_what_is_written_into_given_ones(game: Game) -> None:
    boards, states, mask = game.board.array, game.state, game.mask().view(np.int8)
    given = game.config.rules.given(boards, states)
    features, compact = (np.empty(layout_for("standard", kind).size, dtype) for kind, dtype in KINDS)
    entry.observe_features(boards, states, 2, features)
    entry.observe_compact(boards, states, 2, compact)
    for wanted, new in (
        (features, single.new_features(*given, 2, features.size)),
        (compact, single.new_compact(*given, 2, compact.size)),
        (mask, single.new_mask(mask, mask.size)),
        (mask.view(np.bool_), single.new_bool_mask(mask, mask.size)),
    ):
        assert type(new) is np.ndarray
        assert (new.dtype, new.shape, new.tobytes()) == (wanted.dtype, wanted.shape, wanted.tobytes())
        assert new.flags.owndata
        assert new.flags.writeable
        assert not np.shares_memory(new, mask)
        assert sys.getrefcount(new) == sys.getrefcount(np.empty(3)) + 1, "only the name holds it"


@COMPILED
def test_new_arrays_of_no_size_are_refused(game: Game) -> None:
    with pytest.raises(ValueError, match="negative"):
        single.new_mask(game.mask().view(np.int8), -1)


def test_they_are_pickled_by_name() -> None:
    assert all(pickle.loads(pickle.dumps(getattr(entry, name))) is getattr(entry, name) for name in ("play", "total"))


def test_one_that_was_kept_before_there_was_a_library_is_pickled_and_copied_as_the_function_of_now() -> None:
    kept = Kernel(function_of_now, {})  # an import kept it, and then a library took its place in its module
    assert pickle.loads(pickle.dumps(kept)) is copy.deepcopy(kept) is function_of_now


def function_of_now() -> int:
    """Be what this module has under this name."""
    return 7


@COMPILED
def test_they_have_names_and_descriptions() -> None:
    assert entry.play.__name__ == "play"
    assert "NOT_LEGAL" in (entry.play.__doc__ or "")
    assert type(entry.play).__name__ == "builtin_function_or_method"
