"""docs/columns.md has the columns as they are, the reference the arrays, and the examples of docs/analysis.md run."""

from __future__ import annotations

import ast
import inspect
import itertools
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from endeavor_env import analysis
from endeavor_env.analysis import merchants
from endeavor_env.training.dataset.reading import ARRAYS, Shard
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


def test_the_reference_says_what_every_array_of_a_shard_holds() -> None:
    (shard,) = ast.parse(textwrap.dedent(inspect.getsource(Shard))).body
    assert isinstance(shard, ast.ClassDef)
    said = {
        field.target.id
        for field, text in itertools.pairwise(shard.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr)
    }
    assert set(ARRAYS) <= said


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, PAGE.name, "exec"), names)
    assert len(blocks) == 6
    assert (tmp_path / "seats.csv").exists()
    assert (names["training"], names["held_out"]) == ([0], [1])
    assert len(names["tables"].games) == 6
    for table in names["second"]:
        (said,) = re.findall(rf"^Columns of ``{table.name}``:(.*?)\n\n", f"{merchants.__doc__}\n", re.M | re.S)
        columns = {column for column in table.columns if not column.startswith("produced_")}
        assert set(re.findall(r"``(\w+)``", said)) == columns
    assert capsys.readouterr().out
