"""Note which tests reach which lines: a plugin of pytest, and the notes that it leaves.

The tests that reach a changed line are asked first, the shortest first, because most changes are found by one of them.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

NOTES, SOURCES = "MUTATIONS_NOTES", "MUTATIONS_SOURCES"
"""Variables that name the file of the notes and, with os.pathsep between them, the folders whose lines are noted."""

_seconds: dict[str, float] = defaultdict(float)
_coverage: list[coverage.Coverage] = []


def read_notes(file: Path) -> dict[str, dict[int, list[str]]]:
    """Return the tests that reach each line of each file, by its path and number, the shortest test first."""
    return {
        path: {int(line): tests for line, tests in lines.items()}
        for path, lines in json.loads(file.read_text(encoding="utf-8")).items()
    }


def pytest_configure() -> None:
    """Watch from now on, except where these are the tests of this module."""
    if NOTES in os.environ:
        folders = os.environ[SOURCES].split(os.pathsep)
        _coverage.append(coverage.Coverage(data_file=None, source=folders, config_file=False))
        _coverage[0].start()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what happens from here to the end of the test as its own."""
    for watching in _coverage:
        watching.switch_context(item.nodeid)
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up the time of a test."""
    _seconds[report.nodeid] += report.duration


def pytest_unconfigure() -> None:
    """Write the notes."""
    for watching in _coverage:
        watching.stop()
        data, root = watching.get_data(), Path.cwd()
        found = {
            Path(file).relative_to(root).as_posix(): {
                line: sorted((test for test in tests if test in _seconds), key=_seconds.__getitem__)
                for line, tests in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        Path(os.environ[NOTES]).write_text(json.dumps(found), encoding="utf-8")
