"""Settings shared by every test."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from endeavor_env.compile.command import compile_everything
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.ensure import ensure_players_compiled

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # windows of render_mode="human" open nowhere
os.environ.setdefault("OMP_NUM_THREADS", "1")  # PyTorch's threads burn time waiting: the cores are full of workers

settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("many", deadline=None, max_examples=100_000)
settings.load_profile("repeatable")

MOST_WORKERS = 8  # each holds PyTorch and the kernels: more need much memory
MACHINE_CODE = "machine_code"
"""The mark of tests that make or run machine code in another way than a user does, which take a third of all time."""
LONGEST = ("test_jit_parity.py", "test_wheel.py", "test_node.py", "test_benchmarks.py")
"""Files of tests that compile much: by Numba one by one, with checks, for a wheel, for the web, for measurements."""
WAITING = "browser"
"""The folder of tests that wait for a browser most of their time."""
GARBAGE = (20_000, 20, 20)
"""After how many new objects, and after how many such looks, garbage is looked for: Python's 700, 10 and 10 took a
sixth of the time of tests of pictures and pages."""
FEW_FILES = 3  # so few named files or tests end before workers have started


@pytest.fixture(scope="session")
def board() -> Board:
    """The default board."""
    return Board.default()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Compile before the workers of pytest-xdist start, and outside the time limit of any test.

    Workers are for many tests, which need everything; in one go that takes less time than part by part.
    """
    is_worker, has_workers = hasattr(config, "workerinput"), config.getoption("dist", "no") != "no"
    if leaves_machine_code_out(config):  # a worker is given the same arguments
        config.option.markexpr = f"not {MACHINE_CODE}"
    if is_worker or has_workers:
        config.option.benchmark_disable = (
            True  # pytest-benchmark does so itself, with a warning, which is an error here
        )
    if has_workers and not is_worker:
        compile_everything()  # the other games' too: workers that link a kernel would each make what is missing
    if not is_worker:
        ensure_players_compiled()


def leaves_machine_code_out(config: pytest.Config) -> bool:
    """Return whether neither tests nor marks were asked for: those marked ``machine_code`` are then left to ``-m``."""
    return config.args_source is config.ArgsSource.TESTPATHS and not config.option.markexpr


def pytest_report_header(config: pytest.Config) -> str:
    """Return what is left out."""
    left_out = config.option.markexpr == f"not {MACHINE_CODE}"
    return f"marked {MACHINE_CODE}: left out, pytest -m {MACHINE_CODE} runs them" if left_out else ""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage while there are only new tests, a quarter of the time; later seldom, and not among them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(*GARBAGE)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let one worker begin with the longest tests, and each other one with some of those that wait for a browser.

    So no worker is left alone with one of them at the end, and a core is free for what a browser draws. With
    ``--dist worksteal`` each worker gets as many tests as any other, in their order, and takes from others' ends later.
    """
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    begins: list[list[pytest.Item]] = [[] for _ in range(workers)]
    files: dict[Path, int] = {}
    rest = []
    for item in items:
        if item.path.name in LONGEST:
            begins[0].append(item)
        elif item.path.parent.name == WAITING:
            others = max(1, workers - 1)
            begins[-1 - files.setdefault(item.path, len(files)) % others].append(item)
        else:
            rest.append(item)
    share = len(items) // workers
    items.clear()
    for begin in begins:
        items += begin + rest[: max(0, share - len(begin))]
        del rest[: max(0, share - len(begin))]
    items += rest


def pytest_runtest_setup() -> None:
    """Give PyTorch one thread, whatever a test or a library before chose: waiting threads take the workers' time."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.get_num_threads() > 1:
        torch.set_num_threads(1)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many workers `-n auto` starts: one more than cores, none for a few named files or with `-s`.

    Tests of browsers, servers and processes wait a fifth of the time: the one more works meanwhile.
    """
    asked = os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS")
    if asked:
        return int(asked)
    named = all(".py" in argument for argument in config.args)
    if (named and len(config.args) <= FEW_FILES) or config.getoption("capture") == "no":
        return 0
    return min(_usable_cores() + 1, MOST_WORKERS)


def _usable_cores() -> int:
    """Return the number of cores that this process may use; hyperthreads count, as most tests run Python alone."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
