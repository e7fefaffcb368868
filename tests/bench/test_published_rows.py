"""Every row of the leaderboard is true: its records are replayed, and a game of each task is played again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.endeavor import endeavor

ROWS = sorted((Path(__file__).resolve().parents[2] / "bench" / "rows").glob("*.json"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.stem)
def test_a_published_row_is_true(row: Path) -> None:
    done = endeavor("bench", "verify", str(row), "--games", "1", "--seed", "0")
    assert done.status == 0, done.err
