"""The leaderboard is made from the rows of bench/rows, and nothing in it that is not true."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kits.scripts import load_script

leaderboard = load_script("make/leaderboard.py")


def row(
    method: str,
    normalised: float,
    seed: int | None = None,
    play: str = "forward",
    hidden: bool = False,
    agent: str = "greedy",
    network: str | None = None,
) -> Any:
    """Return what the tables show of a row of one task."""
    task = {"normalised": normalised, "worst": {"field": "value", "odds": normalised}}
    task |= {"hidden": 0.5 if hidden else None}
    track = "none" if seed is None else "cpu-10min"
    return {
        "name": method,
        "method": method,
        "play": play,
        "training": {"track": track, "seed": seed},
        "agent": agent,
        "hashes": {"standard": network},
        "tasks": {"table-4": task},
        "score": {"normalised": normalised, "interval": [normalised - 0.1, normalised + 0.1], "tasks": 1},
    }


def test_rows_without_training_stand_each_for_themselves_and_the_best_first() -> None:
    text = leaderboard.rows_table([row("weak", 0.1), row("strong", 0.7, hidden=True), row("learner", 0.9, 0)], "none")
    lines = text.splitlines()[2:]
    assert [line.split(" | ")[0] for line in lines] == ["| strong", "| weak"]
    assert lines[0].endswith("| 70.0 | 60.0 to 80.0 | 0.70 `value` | 0.50 |")
    assert lines[1].endswith("| table-4 | 10.0 | 0.0 to 20.0 | 0.10 `value` |  |")


def test_the_seeds_of_a_method_are_one_line_with_their_interquartile_mean() -> None:
    rows = [row("ppo", 0.1 * seed, seed) for seed in range(5)]
    (line,) = leaderboard.rows_table(rows, "trained").splitlines()[2:]
    assert "| 5 | table-4 | 20.0 |" in line, "the mean of 0.1, 0.2 and 0.3"
    assert leaderboard.rows_table(rows, "none") == leaderboard.NOTHING
    assert "| a\\|b | cpu-10min |" in leaderboard.rows_table([row("a|b", 0.1, 0)], "trained")
    assert "| model |" in leaderboard.rows_table([row("model", 0.2, play="language")], "language")


def test_networks_of_the_package_stand_among_the_agents_that_learned_on_the_open_track() -> None:
    rows = [
        row("published", 0.5, agent="value", network="ab" * 32),
        row("own", 0.2, agent="mine:Own", network="cd" * 32),
    ]
    (published,) = leaderboard.rows_table(rows, "trained").splitlines()[2:]
    assert published.startswith("| published | open |")
    (own,) = leaderboard.rows_table(rows, "none").splitlines()[2:]
    assert own.startswith("| own | none |"), "a class of its own has the hash of its file, and may have learned nothing"


def test_references_are_compared_at_the_end_of_their_curves() -> None:
    def result(method: str, seed: int, wins: float) -> dict[str, Any]:
        curve = [{"greedy": 0.0, "random": 0.0}, {"greedy": wins, "random": 1.0}]
        return {
            "method": method, "seed": seed, "track": "decisions-1m", "decisions": 999_424, "cpu_seconds": 200.0,
            "curve": curve,
        }  # fmt: skip

    results = [result("td", seed, 0.4) for seed in range(3)] + [result("maskable-ppo", 0, 0.1)]
    lines = leaderboard.references_table(results).splitlines()[2:]
    assert (
        lines[0]
        == "| TD value network | decisions-1m | 3 | 999,424 | 200 s | 40.0 (40.0 to 40.0) | 100.0 (100.0 to 100.0) |"
    )
    assert lines[1] == "| MaskablePPO (sb3-contrib) | decisions-1m | 1 | 999,424 | 200 s | 10.0 | 100.0 |"


def test_a_row_that_is_not_true_is_named(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    page = tmp_path / "docs" / "leaderboard.md"
    page.write_text("<!-- references -->\nold\n<!-- end of table -->\n")
    assert leaderboard.files(tmp_path)[page].startswith("<!-- references -->\n\nNo reference has been trained yet.")
    (tmp_path / "bench" / "rows").mkdir(parents=True)
    (tmp_path / "bench" / "rows" / "made-up.json").write_text(json.dumps({"format": "endeavor-bench-row/1"}))
    with pytest.raises(ValueError, match=r"made-up\.json"):
        leaderboard.files(tmp_path)
