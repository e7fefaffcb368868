"""Bare `pytest` starts workers; a few named files or tests, and `-s`, start none."""

from __future__ import annotations

import os

import pytest


@pytest.mark.parametrize(
    ("arguments", "capture", "parallel"),
    [
        (["tests"], "fd", True),
        (["tests/rules", "tests/board/test_board.py"], "fd", True),
        (["a.py", "b.py", "c.py", "d.py"], "fd", True),
        (["a.py::test_one", "b.py", "c.py"], "fd", False),
        (["tests"], "no", False),
    ],
)
def test_workers_start_for_many_tests_only(
    arguments: list[str], capture: str, parallel: bool, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTEST_XDIST_AUTO_NUM_WORKERS", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(2)), raising=False)
    monkeypatch.setattr(pytestconfig, "args", arguments)
    monkeypatch.setattr(pytestconfig.option, "capture", capture)
    workers = pytestconfig.hook.pytest_xdist_auto_num_workers(config=pytestconfig)
    assert workers == (3 if parallel else 0)  # two cores, and one more
