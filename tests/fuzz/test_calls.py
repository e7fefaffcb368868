"""Misuse of public functions: each call is refused by a named error that changes nothing, or is rightly accepted."""

from __future__ import annotations

import contextlib
import io
import os
import random
import tempfile
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.fuzz.calls import OWN, Target
from tests.fuzz.environment_calls import ENVIRONMENTS
from tests.fuzz.trying import INPUTS, check_error, try_many
from tests.fuzz.values import told, value


@pytest.mark.parametrize("targets", [OWN, ENVIRONMENTS], ids=["games, boards, records, observations", "environments"])
def test_wrong_calls_are_refused_by_named_errors_that_change_nothing(targets: tuple[Target, ...]) -> None:
    with _in_an_empty_folder(), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")  # of NumPy, about values such as overflowing casts, raised before a refusal
        outcomes = try_many(lambda rng, what: [_try(rng, rng.choice(targets), what)])
    assert sum(times for outcome, times in outcomes.items() if "Error" in outcome) > INPUTS // 2


@contextlib.contextmanager
def _in_an_empty_folder() -> Iterator[None]:
    """Work in a folder of its own, because some values are names of files."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _try(rng: random.Random, target: Target, what: str) -> str:
    """Call ``target`` with a value of any kind; return the outcome."""
    given = value(rng)
    what = f"{what}, {target.name} with {told(given)}"
    subject = target.prepare(rng)
    before = target.state(subject)
    try:
        target.call(subject, given)
    except Exception as error:
        name = check_error(error, what, target.documented)
        assert target.state(subject) == before, f"{what}: {name} was raised, but something changed"
        _go_on(target.go_on, subject, rng, what)
        return f"{target.group}: {name}"
    _go_on(target.go_on, subject, rng, what)
    return f"{target.group}: accepted"


def _go_on(go_on: Callable[[Any, random.Random], None], subject: Any, rng: random.Random, what: str) -> None:
    """Use the object further, which must be possible after any call."""
    try:
        go_on(subject, rng)
    except Exception as error:
        raise AssertionError(f"{what}: afterwards {type(error).__name__}: {error}"[:2000]) from error
