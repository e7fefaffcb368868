"""Small runs of the benchmark, each played once for all tests."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from endeavor_env.bench.games import RunFile, RunHeader, RunOptions
from endeavor_env.bench.rows import make_row
from endeavor_env.bench.run import play_missing
from endeavor_env.bench.submissions import About
from endeavor_env.bench.version import version_one

Row = dict[str, Any]


def played(agent: str, play: str, *tasks: str) -> RunFile:
    """Return a run, played now."""
    version = version_one()
    run = RunFile(None, RunHeader.of(RunOptions(agent, play, 0, {}), About(agent, agent), version), {})
    for _ in play_missing(run, version.chosen(tasks), 1):
        pass
    return run


def row_of(run: RunFile) -> dict[str, Any]:
    """Return the row of a run."""
    return make_row(run.head, run.units, version_one())


@pytest.fixture(scope="session")
def language_run() -> RunFile:
    """The games of ``greedy`` in the smallest track: 20 solitaire games, and 40 at a table of 4."""
    return played("greedy", "language", "solo-normal", "table-4")


@pytest.fixture(scope="session")
def solo_run() -> RunFile:
    """The 500 games of ``greedy`` in a solitaire task."""
    return played("greedy", "50ms", "solo-harder")


@pytest.fixture
def language_row(language_run: RunFile) -> dict[str, Any]:
    """A row of two tasks that a test may change."""
    return copy.deepcopy(row_of(language_run))


@pytest.fixture
def solo_row(solo_run: RunFile) -> dict[str, Any]:
    """A row of a solitaire task that a test may change."""
    return copy.deepcopy(row_of(solo_run))
