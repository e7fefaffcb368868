"""Budgets are measured with all processes of a run, and no lap is begun that would not fit."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.reference import run as module
from endeavor_env.training.reference.run import Budget, read_track


@pytest.mark.parametrize(
    ("name", "seconds", "decisions"),
    [
        ("cpu-10min", 600.0, None),
        ("cpu-5s", 5.0, None),
        ("decisions-1m", None, 1_000_000),
        ("decisions-20k", None, 20_000),
    ],
)
def test_a_track_is_what_its_name_says(name: str, seconds: float | None, decisions: int | None) -> None:
    assert read_track(name) == (name, seconds, decisions)


@pytest.mark.parametrize("name", ["", "open", "cpu-0s", "cpu-10", "decisions-1", "decisions-1m ", "cpu-10min-x"])
def test_other_tracks_are_refused(name: str) -> None:
    with pytest.raises(InvalidOptionError, match="is not possible: write it as cpu-10min"):
        read_track(name)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The processor time, which the test sets."""
    now = [100.0]
    monkeypatch.setattr(module, "cpu_seconds", lambda: now[0])
    return now


def test_a_lap_fits_if_the_longest_so_far_does(clock: list[float]) -> None:
    budget = Budget(read_track("cpu-10s"))
    assert budget.another_lap()
    clock[0] += 3
    assert budget.another_lap()
    assert budget.laps_left == 2
    clock[0] += 1
    assert budget.another_lap()
    assert budget.laps_left == 6
    clock[0] += 2.8
    assert not budget.another_lap(), "6.8 s are used: another lap of 3 s and a tenth does not fit"
    assert budget.share == pytest.approx(0.68)


def test_what_is_paused_does_not_count(clock: list[float]) -> None:
    budget = Budget(read_track("cpu-10s"))
    with budget.paused():
        clock[0] += 50
    clock[0] += 1
    assert budget.cpu_seconds == pytest.approx(1.0)
    assert budget.to_dict() == {"track": "cpu-10s", "cpu_seconds": 1.0, "decisions": 0}


def test_no_lap_goes_beyond_the_decisions(clock: list[float]) -> None:
    budget = Budget(read_track("decisions-1k"))
    assert not budget.another_lap(1_001)
    for _ in range(3):
        assert budget.another_lap(300)
        budget.decisions += 300
    assert not budget.another_lap(300)
    budget.forget_laps()
    budget.decisions += 50
    assert budget.another_lap(50), "laps of another length follow"
    assert budget.share == 0.95


def _work(seconds: float) -> str:
    return f"import time\nwhile time.process_time() < {seconds}: pass"


def test_the_time_of_other_processes_counts_while_they_live_and_after() -> None:
    budget = Budget(read_track("cpu-10s"))
    subprocess.run([sys.executable, "-c", _work(0.3)], check=True)
    assert budget.cpu_seconds > 0.29
    if not Path("/proc/self/stat").exists():
        pytest.skip("this system has no /proc")
    before = budget.cpu_seconds
    process = subprocess.Popen([sys.executable, "-c", _work(60.0)])
    try:
        until = time.monotonic() + 60
        while budget.cpu_seconds < before + 0.3:
            assert time.monotonic() < until
            time.sleep(0.05)
    finally:
        process.kill()
        process.wait()
