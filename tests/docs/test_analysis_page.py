"""docs/analysis.md has the columns and arrays as they are, and its examples run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from endeavor_env import analysis
from tests.kits.scripts import load_script
from training.dataset.shards import ARRAYS

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "analysis.md"


script = load_script("make/analysis_page.py")


def test_the_columns_of_the_page_are_current() -> None:
    assert script.main(["--check"]) == 0
    text = PAGE.read_text(encoding="utf-8")
    for table, columns in analysis.COLUMNS.items():
        part = text.partition(f"<!-- columns of {table} -->")[2].partition("<!-- end of columns -->")[0]
        assert re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE) == [column.name for column in columns]


def test_a_stale_page_is_told_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    stale = tmp_path / "analysis.md"
    stale.write_text(PAGE.read_text(encoding="utf-8").replace("| `move` | integer |", "| `step` | integer |"))
    monkeypatch.setattr(script, "PAGE", stale)
    assert script.main(["--check"]) == 1
    assert "analysis.md is stale: run python docs/make/analysis_page.py" in capsys.readouterr().err
    assert script.main([]) == 0
    assert stale.read_text() == PAGE.read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="it needs one for each of decisions"):
        script.filled("no places")


def test_every_array_of_a_shard_is_on_the_page() -> None:
    part = PAGE.read_text(encoding="utf-8").partition("| array of a shard |")[2].partition("\n\n")[0]
    names = [name for row in part.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert sorted(names) == sorted(ARRAYS)


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, PAGE.name, "exec"), names)
    assert len(blocks) == 5
    assert (tmp_path / "seats.csv").exists()
    assert (names["training"], names["held_out"]) == ([0], [1])
    assert len(names["tables"].games) == 6
    assert capsys.readouterr().out
