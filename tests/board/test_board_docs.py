"""docs/board.md says about boards what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.board.loading import find_faults

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "board.md").read_text(encoding="utf-8")


def test_the_faults_shown_are_those_reported(board: Board) -> None:
    data = board.to_dict()
    data["connections"].pop()
    data["connections"][0]["cities"] = ["london", "oslo"]
    for number, fault in enumerate(find_faults(data)[1], 1):
        assert f"  {number}. {fault}\n" in TEXT


def test_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my_board.toml").write_text(Board.default().to_toml(), encoding="utf-8")
    example = re.search(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert example is not None
    found: dict[str, object] = {}
    exec(example[1], found)
    assert found["random_board"] == Board.generate(7)
    assert found["mine"] == found["board"]
