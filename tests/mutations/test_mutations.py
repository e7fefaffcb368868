"""The command that changes rules finds what a toy suite finds, and goes on where it was stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.mutations.__main__ import main
from tests.mutations.changes import changes_of, choose_places
from tests.mutations.reached import read_notes


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A project of two functions, of which its only test watches one."""
    root = tmp_path / "toy"
    (root / "source").mkdir(parents=True)
    (root / "source" / "rules.py").write_text("def seen(x):\n    return x < 3\n\n\ndef unseen(x):\n    return not x\n")
    (root / "test_toy.py").write_text(
        "from source.rules import seen\n\n\ndef test_seen():\n    assert [seen(2), seen(3)] == [1, 0]\n"
    )
    return root


def test_a_change_that_a_test_sees_is_killed_and_one_that_none_sees_survives(
    toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results.jsonl"
    command = ["--root", str(toy), "--source", "source", "--suite", "test_toy.py", "--results", str(results)]
    before = (toy / "source" / "rules.py").read_text()
    assert main(command) == 0
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert {line["change"][1]: line["verdict"] for line in lines[1:]} == {2: "killed", 6: "survived"}
    assert (toy / "source" / "rules.py").read_text() == before
    assert "survived: source/rules.py:6: return not x  ->  return (x)" in capsys.readouterr().out
    notes = read_notes(results.with_suffix(".reached.json"))
    assert notes == {"source/rules.py": {2: ["test_toy.py::test_seen"], 1: [], 5: []}}

    results.write_text("".join(json.dumps(line) + "\n" for line in lines[:2]))
    assert main(command) == 0
    assert [json.loads(line) for line in results.read_text().splitlines()] == lines

    assert main([*command, "--seed", "2"]) == 2
    assert "holds another run" in capsys.readouterr().err


def test_every_kind_of_change_is_made_on_its_line() -> None:
    source = "def f(a, b):\n    if a and not b:\n        g(a + 1)\n    return a >= b - 2\n"
    changed = {change.apply(source).splitlines()[change.line - 1].strip() for change in changes_of("f.py", source)}
    assert changed == {
        "if (a or not b):",
        "if a and (b):",
        "if not (a and (not b)):",
        "g((a - 1))",
        "g(a + 2)",
        "pass",
        "return a > b - 2",
        "return a >= (b + 2)",
        "return a >= b - 3",
    }


def test_a_seed_chooses_the_same_places_again(toy: Path) -> None:
    assert choose_places(toy, ["source"], 1, 1) == choose_places(toy, ["source"], 1, 1)
    assert len({change.line for change in choose_places(toy, ["source"], 60, 1)}) == 2
