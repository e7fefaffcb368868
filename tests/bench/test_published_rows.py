"""Every row of the leaderboard is true: its figures are computed again, and games of some of its tasks played again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from endeavor_env.bench import verify
from tests.cli.endeavor import endeavor

ROWS = sorted((Path(__file__).resolve().parents[2] / "bench" / "rows").glob("*.json"))


@pytest.mark.parametrize("number", range(len(ROWS)), ids=lambda number: ROWS[number].stem)
def test_a_published_row_is_true(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows take turns with the tasks: all games of all rows would take minutes."""
    monkeypatch.setattr(verify, "check_behaviour", lambda version: None)  # test_version.py checks it
    tasks = list(json.loads(ROWS[number].read_text())["tasks"])
    task = tasks[number % len(tasks)]
    done = endeavor("bench", "verify", str(ROWS[number]), "--task", task, "--games", "1", "--seed", "0")
    assert done.status == 0, done.err
