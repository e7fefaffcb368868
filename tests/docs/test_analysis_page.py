"""docs/columns.md has the columns as they are, docs/analysis.md the arrays, and its examples run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from endeavor_env import analysis
from endeavor_env.training.dataset.shards import ARRAYS
from tests.kits.scripts import load_script

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "analysis.md"


script = load_script("make/columns_page.py")


def test_the_page_of_the_columns_has_every_column_of_every_table() -> None:
    text = script.pages()["columns.md"]
    assert re.findall(r"^## `(\w+)`", text, re.MULTILINE) == list(analysis.COLUMNS)
    for table, columns in analysis.COLUMNS.items():
        part = text.partition(f"## `{table}`\n")[2].partition("\n## ")[0]
        assert re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE) == [column.name for column in columns]


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
