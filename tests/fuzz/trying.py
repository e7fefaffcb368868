"""Wrong inputs by the thousand: what Hypothesis tries, and what is asked of an error."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from endeavor_env.errors import EndeavorError

INPUTS = 2000
LONGEST_LINE = 4000


def try_many(attempt: Callable[[random.Random, str], Iterable[str]], inputs: int = INPUTS) -> Counter[str]:
    """Make attempts, each with a generator and a text that names its seed; return how often each outcome occurred.

    There are ``inputs`` of them, or as many as the profile of Hypothesis has examples, if that is more.
    """
    outcomes: Counter[str] = Counter()

    @settings(max_examples=max(inputs, settings().max_examples), phases=(Phase.explicit, Phase.generate))
    @given(st.integers(0, 2**64 - 1))
    def try_one(seed: int) -> None:
        outcomes.update(attempt(random.Random(seed), f"{seed=}"))

    try_one()
    return outcomes


def check_error(error: BaseException, what: str, documented: tuple[type[Exception], ...] = ()) -> str:
    """Return the name of a good error; raise AssertionError, which names the input ``what``, for any other."""
    if not isinstance(error, (EndeavorError, *documented)):
        raise AssertionError(f"{what}: {type(error).__name__}: {error}"[:2000]) from error
    lines = str(error).splitlines()
    assert lines, f"{what}: {type(error).__name__} without a message"
    for line in lines:
        assert len(line) <= LONGEST_LINE, f"{what}: the message has a line of {len(line)} characters"
        assert line.isprintable(), f"{what}: the message is not printable: {ascii(line)[:500]}"
    return type(error).__name__
