"""Values that callers hand in by mistake: almost right, of the wrong type, of impossible size, or raising errors."""

from __future__ import annotations

import datetime
import decimal
import fractions
import math
import random
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np


class Raising:
    """A value whose methods raise."""

    __hash__ = None  # type: ignore[assignment]

    def __index__(self) -> int:
        raise KeyError("index")

    def __float__(self) -> float:
        raise KeyError("float")

    def __repr__(self) -> str:
        raise KeyError("repr")

    def __eq__(self, other: object) -> bool:
        raise KeyError("eq")

    def __bool__(self) -> bool:
        raise KeyError("bool")


class Tensor:
    """A scalar of a tensor library, which can serve as an index whatever its type, as those of PyTorch."""

    def __init__(self, dtype: str, ndim: int = 0) -> None:
        self.dtype, self.ndim, self.shape = dtype, ndim, (1,) * ndim

    def __index__(self) -> int:
        return 1


def nested(depth: int, kind: Callable[[Any], Any] = lambda inner: [inner]) -> Any:
    """Return lists in lists, or whatever ``kind`` makes."""
    found: Any = None
    for _ in range(depth):
        found = kind(found)
    return found


WORDS = (
    *("standard", "solo", "soloplay_2", "neutral_2", "features", "compact", "win", "margin", "ladder", "rotate", "all"),
    *("random", "greedy", "automa", "terminate", "raise", "ansi", "human", "bool", "int8", "player", "first", "draw"),
    *("endeavor_2009", "generated_3", "generated_99999999999999999999", "opposition", "difficulty", "first_player"),
    *("checkpoint:.", "greedy:glory=1", "NEXT_STEP", "SAME_STEP", "pass", "done", "build:market", "sail:india"),
)
TEXTS = (
    *(
        "",
        " ",
        ".",
        "..",
        "/",
        "nowhere.toml",
        "\0",
        "a\0.toml",
        "\ud800",
        "\ud800.toml",
        "\u202e",
        "\u00e9",
        "\U0001d518",
        "\n",
    ),
    *("x" * 300, "x" * 100_000, "x" * 300 + ".toml", "1", "-1", "None", "nan", "[" * 5000),
)
NUMBERS = (
    *(0, 1, 2, 3, 4, 5, 6, -1, -2, 47, 255, 256, 2**31 - 1, 2**31, 2**32, 2**53, 2**62, 2**63 - 1, 2**63, 2**64 - 1),
    *(2**64, 2**127, 2**128, 10**30, 10**400, 10**5000, -(10**5000), 0.0, 1.0, -1.0, 0.5, 1e308, 5e-324, math.nan),
    *(math.inf, -math.inf, 1j, decimal.Decimal(1), decimal.Decimal("NaN"), fractions.Fraction(1, 2)),
)
ARRAYS: tuple[Callable[[], Any], ...] = (
    lambda: np.array(1), lambda: np.array(True), lambda: np.array(1.5), lambda: np.array([1]), lambda: np.array([]),
    lambda: np.array([[1, 2], [3, 4]]), lambda: np.zeros(300, np.int8), lambda: np.full(5, np.nan),
    lambda: np.array([1, None], object), lambda: np.array(["a"]), lambda: np.arange(3), lambda: np.int8(1),
    lambda: np.uint64(2**64 - 1), lambda: np.float32(1), lambda: np.True_, lambda: np.str_("solo"),
    lambda: np.datetime64("2009-01-01"), lambda: np.array([10**5000], object), lambda: np.ma.masked,
)  # fmt: skip
OTHERS: tuple[Callable[[], Any], ...] = (
    lambda: None, lambda: True, lambda: False, Raising, lambda: [Raising()], lambda: {"setup": Raising()},
    lambda: Tensor("torch.bool"), lambda: Tensor("torch.int64"), lambda: Tensor("torch.int64", 1), object, lambda: int,
    lambda: b"solo", lambda: bytearray(b"\xff"), lambda: memoryview(b"ab"), lambda: ..., lambda: NotImplemented,
    list, dict, tuple, set, lambda: [1, 2], lambda: [[1, 2], [3]], lambda: [1, True], lambda: (1, 2, 3), lambda: {1, 2},
    lambda: {1: 2}, lambda: {None: None}, lambda: {"seed": 1}, lambda: {"first_player": 1}, lambda: {"setup": {}},
    lambda: {"reset_mask": [True]}, lambda: {"gamma": 1e400}, lambda: {"gamma": 10**400}, lambda: {"random": 1e308},
    lambda: {"difficulty": "harder"}, lambda: {"variant": "solo"}, lambda: [{"variant": "solo"}], lambda: [None] * 4,
    lambda: [10**5000], lambda: {10**5000: 10**5000}, lambda: nested(2000), lambda: nested(50_000),
    lambda: nested(3000, lambda inner: {"a": inner}), lambda: range(3), lambda: range(10**30), lambda: iter([1]),
    lambda: (number for number in (1, 2)), lambda: len, lambda: lambda *given: given, lambda: lambda: None,
    lambda: types.SimpleNamespace(state=1, board=2), lambda: math, lambda: Path("nowhere.toml"), lambda: Path("/"),
    lambda: Path(), lambda: Path("\0"), lambda: datetime.date(2009, 1, 1), lambda: slice(1), lambda: Exception("no"),
)  # fmt: skip


def value(rng: random.Random) -> Any:
    """Return one of the values."""
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice(WORDS)
    if kind == 1:
        return rng.choice(TEXTS)
    if kind == 2:
        return rng.choice(NUMBERS)
    if kind == 3:
        return rng.randrange(-3, 330)
    return rng.choice(ARRAYS if kind == 4 else OTHERS)()


def told(given: object) -> str:
    """Return a short text of a value for the message of a failure."""
    from endeavor_env.errors import shown

    return f"{type(given).__name__} {shown(given)}"
