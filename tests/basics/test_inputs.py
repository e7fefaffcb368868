"""Checks of arguments: whatever is given, the answer is a value that can be used or one named error in one sentence."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from endeavor_env.basics.inputs import (
    INT64_END,
    SEED_END,
    action_array,
    check_reset_options,
    check_seed,
    check_seeds,
    derived_seed,
    finite_number,
    one_of,
    positive_number,
    positive_weight,
    seat_number,
    spread_seeds,
    true_or_false,
    whole_number,
)
from endeavor_env.errors import EndeavorError, IllegalActionError, InvalidOptionError, shown


class Raising:
    """A value whose every method raises."""

    __hash__ = None  # type: ignore[assignment]

    def __index__(self) -> int:
        raise KeyError("index")

    def __repr__(self) -> str:
        raise KeyError("repr")

    def __eq__(self, other: object) -> bool:
        raise KeyError("eq")

    @property
    def dtype(self) -> Any:
        raise KeyError("dtype")


class Tensor:
    """A number of a tensor library: it can serve as an index, whatever its type, as PyTorch's tensors of one entry."""

    def __init__(self, dtype: str, ndim: int = 0) -> None:
        self.dtype, self.ndim = dtype, ndim

    def __index__(self) -> int:
        return 1


class Word(str):
    """A text that says it equals nothing."""

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        raise KeyError("eq")


def nested(depth: int) -> list[Any]:
    """Return lists in lists."""
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


NO_NUMBERS = [
    None, True, np.True_, np.array(True), 1.0, math.nan, np.float32(1), "1", b"1", [1], (1,), {}, {1}, nested(10_000),
    np.array([1]), np.array([[1]]), np.array([]), np.array("1"), object(), int, Raising(), "\ud800", "x" * 10**6,
    Tensor("torch.bool"), Tensor("<dtype: 'bool'>"), Tensor("torch.int64", 1),
]  # fmt: skip
HUGE = [10**400, 10**5000, -(10**400), -(10**5000)]
CHECKS: dict[str, Any] = {
    "positive_number": lambda value: positive_number("copies", value),
    "seat_number": lambda value: seat_number("seat", value, 4, "rotate"),
    "action_array": lambda value: action_array([0, value], 2),
}
REFUSED: list[tuple[str, Any, list[Any]]] = [
    *((name, check, [*NO_NUMBERS, *HUGE]) for name, check in CHECKS.items()),
    ("check_seed", check_seed, [value for value in NO_NUMBERS if value is not None] + HUGE),
    ("finite_number", lambda value: finite_number("reward", value), [math.inf, -math.inf, math.nan, "1", None, True,
     np.float32("nan"), Raising(), *HUGE]),
    ("positive_weight", lambda value: positive_weight("weight", value), [math.inf, math.nan, 0, -1.0, 1e308, 1e16,
     "1", None, True, np.True_, Raising(), *HUGE]),
    ("one_of", lambda value: one_of("kind", value, ("a", "b")), [None, 1, Raising(), Word("c"), "\ud800", ["a"],
     *HUGE]),
    ("true_or_false", lambda value: true_or_false("copy", value), [None, 1, 0, "True", np.int64(1), Raising(), *HUGE]),
    ("reset options", lambda value: check_reset_options(value, ("setup",), strict=True), [1, "setup", ["setup"],
     {"colour": 1}, {None: 1}, {10**5000: 1}, {Word("x"): 1}, Raising(), *HUGE]),
]  # fmt: skip


@pytest.mark.parametrize("row", range(len(REFUSED)), ids=[row[0] for row in REFUSED])
def test_what_a_check_refuses_is_one_short_sentence(row: int) -> None:
    _, check, values = REFUSED[row]
    for value in values:
        with pytest.raises(EndeavorError) as caught:
            check(value)
        message = str(caught.value)
        assert len(message) < 300
        assert message.isprintable()


def test_numbers_of_other_libraries_are_numbers() -> None:
    for value in (1, np.int8(1), np.uint64(1), np.array(1), Tensor("torch.int64")):
        assert whole_number(value) == 1
        assert type(whole_number(value)) is int
    assert finite_number("reward", np.float32(0.5)) == 0.5
    assert positive_weight("weight", np.int64(3)) == 3.0
    assert one_of("kind", Word("a"), ("a", "b")) == "a"


def test_the_limits_of_numbers() -> None:
    assert positive_number("copies", INT64_END - 1) == INT64_END - 1
    assert check_seed(SEED_END - 1) == SEED_END - 1
    with pytest.raises(InvalidOptionError, match=r"give a positive whole number below 2\*\*63"):
        positive_number("copies", INT64_END)
    with pytest.raises(InvalidOptionError, match=r"non-negative whole number below 2\*\*128"):
        check_seed(SEED_END)


SEEDS = [
    [[1], 2], [1, [2]], [1], [1, 2, 3], "12", b"12", bytearray(2), range(10**30), np.array([[1, 2]]),
    np.array([1.0, 2.0]),
    {1: 2}, {1, 2}, [1, -1], [1, True], [INT64_END, 0], [10**5000, 0], [Raising(), 0], 10**5000, SEED_END,
]  # fmt: skip


def test_seeds_that_are_ragged_too_few_or_too_large() -> None:
    for seed in SEEDS:
        with pytest.raises(InvalidOptionError):
            check_seeds(seed, 2)


def test_very_many_games_without_seeds_take_no_memory() -> None:
    unseeded, first = check_seeds(None, 10**12)
    assert (len(unseeded), unseeded[10**12 - 1], first) == (10**12, None, None)
    with pytest.raises(IndexError):
        unseeded[10**12]


def test_near_seeds_share_no_row_and_no_part() -> None:
    """The seeds s + 0, s + 1, ... of the rows would be shared by all but one row of the seeds s and s + 1."""
    rows = [spread_seeds(seed, 1000) for seed in range(100)]
    parts = [derived_seed(seed, part) for seed in range(100) for part in range(10)]
    drawn = [*np.concatenate(rows).tolist(), *parts]
    assert len(set(drawn)) == len(drawn) == 101_000
    assert 0 <= min(drawn) < max(drawn) < 1 << 53
    assert np.concatenate(rows).mean() == pytest.approx(1 << 52, rel=0.02)


def test_the_seeds_of_rows_follow_from_the_seed_whatever_their_number() -> None:
    assert spread_seeds(7, 3).tolist() == spread_seeds(7, 500)[:3].tolist() == check_seeds(7, 3)[0]
    assert spread_seeds(SEED_END - 1, 2).tolist() == check_seeds(SEED_END - 1, 2)[0]
    assert check_seeds([5, 6, None], 3) == ([5, 6, None], None)


@pytest.mark.parametrize(
    "actions", [[[1, 2], [3]], [1, True], [np.array([1]), np.array([2])], None, 5, "12", Raising()]
)
def test_actions_that_are_no_row_of_numbers(actions: Any) -> None:
    with pytest.raises(IllegalActionError, match="give 2 whole numbers"):
        action_array(actions, 2)


@pytest.mark.parametrize("actions", [[1, 2], (1, np.int8(2)), np.array([1, 2], np.uint8), range(1, 3)])
def test_actions_that_are_a_row_of_numbers(actions: Any) -> None:
    assert action_array(actions, 2).tolist() == [1, 2]


def test_a_message_shows_any_value_on_one_short_line() -> None:
    assert shown("ansi") == "'ansi'"
    assert shown(10**30) == str(10**30)
    assert shown({"a": [1, 2.5, None, True]}) == "{'a': [1, 2.5, None, True]}"
    assert shown([10**5000]) == "[<a number of about 5,001 digits>]"
    assert shown(Raising()) == "<Raising>"
    for value in (np.eye(300), "\n" * 10**6, b"\xff" * 10**6, nested(10**5), {key: key for key in range(10**5)}):
        assert len(shown(value)) <= 120
        assert "\n" not in shown(value)
