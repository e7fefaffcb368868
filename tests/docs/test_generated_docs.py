"""The generated pages are current, complete, and their examples run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from endeavor_env import docgen, notation
from endeavor_env.board import Board
from endeavor_env.core.actions import BLOCKS, NUM_ACTIONS, layout_hash
from endeavor_env.observation import LAYOUT

PAGES = ("observation.md", "actions.md")


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """The pages as they lie in the repository."""
    return {name: (docgen.DOCS / name).read_text(encoding="utf-8") for name in PAGES}


def test_pages_are_current() -> None:
    assert set(docgen.pages()) == set(PAGES)
    assert docgen.stale(docgen.DOCS) == [], f"run `{docgen.COMMAND}`"


def test_check_as_a_command() -> None:
    command = [sys.executable, "-m", "endeavor_env.docgen", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_check_names_a_stale_page_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert docgen.main(["--folder", str(tmp_path)]) == 0
    assert docgen.main(["--folder", str(tmp_path), "--check"]) == 0
    assert capsys.readouterr().err == ""
    edited = tmp_path / "actions.md"
    edited.write_text(edited.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert docgen.main(["--folder", str(tmp_path), "--check"]) == 1
    error = capsys.readouterr().err
    assert error == f"{edited} is stale: it differs from the layouts in the code; run `{docgen.COMMAND}`\n"
    (tmp_path / "observation.md").unlink()
    assert docgen.main(["--folder", str(tmp_path), "--check"]) == 1
    assert "observation.md is stale" in capsys.readouterr().err
    assert not (tmp_path / "observation.md").exists()
    assert docgen.main(["--folder", str(tmp_path)]) == 0
    assert docgen.stale(tmp_path) == []


def test_missing_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["--check"]):
        assert docgen.main(["--folder", str(tmp_path / "none"), *arguments]) == 1
        assert "none does not exist: name the folder of the pages with --folder" in capsys.readouterr().err


def test_observation_page_lists_every_slice(texts: dict[str, str]) -> None:
    page = texts["observation.md"]
    for layout in LAYOUT:
        section = page[page.index(f"## `{layout.name}`") :].partition("\n## ")[0]
        lines = [line for line in section.splitlines() if line.startswith("| ")]
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
        listed = {row[1]: row for row in cells}
        assert list(listed) == [f"`{part.name}`" for part in layout]
        for part in layout:
            row = listed[f"`{part.name}`"]
            assert row[0].partition("-")[0] == str(part.offset)
            assert row[-2:] == [part.meaning, part.clause]
        assert f"| `{layout.name}` | {layout.size} | {layout.dtype} |" in page
        assert f"`{layout.hash}`" in page


def test_actions_page_lists_every_id_once(texts: dict[str, str]) -> None:
    page, board = texts["actions.md"], Board.default()
    body = page[page.index("## Ids on the default board") :]
    listed: list[int] = []
    for first, last, move in re.findall(r"^\| (\d+)(?:-(\d+))? \| (?:`([^`]+)`)? \|", body, re.MULTILINE):
        numbers = range(int(first), int(last or first) + 1)
        listed += numbers
        if move:
            assert notation.to_action(board, move) == int(first)
        else:
            assert all(action not in named(board) for action in numbers), "a dead row hides a move"
    assert listed == list(range(NUM_ACTIONS))
    assert f"hash `{layout_hash()}`" in page
    for block in BLOCKS:
        assert f"| {docgen.ids(block.offset, block.size)} | {block.name} | {block.size} |" in page


def named(board: Board) -> set[int]:
    """Returns the ids that name something on ``board``."""
    return {block.offset + index for block in BLOCKS for index in range(len(notation.targets(board, block)))}


def test_never_legal_ids_are_those_the_rules_cannot_offer(texts: dict[str, str]) -> None:
    marked = re.findall(r"`([a-z_:]+)` \| [^|]+ \| \*never legal\*", texts["actions.md"])
    without_space = ("workshop", "bank", "theater", "university")
    assert marked == [
        "build:colonial_house",
        *(f"activate:{building}" for building in without_space),
        "sail:europe",
        *(f"pay:{building}" for building in without_space),
    ]


@pytest.mark.parametrize("name", PAGES)
def test_examples_run(name: str, texts: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", texts[name], re.DOTALL)
    assert len(blocks) == 1
    exec(compile(blocks[0], name, "exec"), {})
    printed = capsys.readouterr().out
    assert ("decision: build" in printed) == (name == "observation.md")
