"""Bare `pytest` starts workers, leaves tests of machine code out, and keeps tests to a core each."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

CONFTEST = Path(__file__).with_name("conftest.py")


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
    assert workers == (3 if parallel else 0)  # one more than cores


@pytest.mark.parametrize(
    ("source", "marks", "left_out"),
    [("TESTPATHS", "", True), ("TESTPATHS", "machine_code", False), ("ARGS", "", False), ("ARGS", "not slow", False)],
)
def test_tests_of_machine_code_are_left_out_unless_something_is_asked_for(
    source: str, marks: str, left_out: bool, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pytestconfig, "args_source", pytestconfig.ArgsSource[source])
    monkeypatch.setattr(pytestconfig.option, "markexpr", marks)
    conftest: Any = pytestconfig.pluginmanager.get_plugin(str(CONFTEST))
    assert conftest.leaves_machine_code_out(pytestconfig) is left_out
    monkeypatch.setattr(pytestconfig.option, "markexpr", "not machine_code" if left_out else marks)
    assert ("left out" in conftest.pytest_report_header(pytestconfig)) is left_out


def test_threads_of_pytorch_that_a_test_started_do_not_outlast_it(pytestconfig: pytest.Config) -> None:
    torch = pytest.importorskip("torch")
    torch.set_num_threads(2)
    conftest: Any = pytestconfig.pluginmanager.get_plugin(str(CONFTEST))
    conftest.pytest_runtest_setup()
    assert torch.get_num_threads() == 1
