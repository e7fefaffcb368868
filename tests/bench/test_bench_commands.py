"""``endeavor bench``: a task is played, its row is written, and it is found true or not."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from endeavor_env.bench import verify
from endeavor_env.bench.rows import row_text
from tests.bench.conftest import Row
from tests.cli.endeavor import endeavor

RUN = ("bench", "run", "--agent", "greedy", "--task", "solo-normal", "--play", "language", "--jobs", "1")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(verify, "check_behaviour", lambda version: None)  # test_version.py checks it
    return tmp_path


def test_a_run_becomes_a_row_that_is_true(folder: Path) -> None:
    (folder / "about.toml").write_text('name = "Gierig"\nmethod = "greedy"\n')
    for _ in range(2):  # the second one has nothing left to play
        done = endeavor(*RUN, "--out", "run.jsonl", "--about", "about.toml")
        assert done.status == 0, done.err
        assert done.out.splitlines()[-1] == "Next: endeavor bench score run.jsonl --row run.json"
    scored = endeavor("bench", "score", "run.jsonl", "--row", "run.json", "--json", "-")
    assert scored.status == 0, scored.err
    row = json.loads(scored.out)
    assert row == json.loads((folder / "run.json").read_text())
    command = "endeavor bench run --agent greedy --task solo-normal --play language --seed 0"
    assert (row["name"], row["command"]) == ("Gierig", command)
    assert "1 of 7 tasks" in " ".join(scored.err.split())
    verified = endeavor("bench", "verify", "run.json")
    assert verified.status == 0, verified.err
    assert "run.json: true; 2 records replayed, 0 games played again" in verified.out


def test_the_command_that_writes_the_row_can_be_typed_as_it_is_printed(folder: Path) -> None:
    (folder / "b d").mkdir()
    done = endeavor(*RUN, "--out", "b d/my run.jsonl")
    assert done.status == 0, done.err
    _, following, command = done.out.splitlines()[-1].partition("Next: ")
    assert following
    program, *words = shlex.split(command)
    assert program == "endeavor"
    assert endeavor(*words).status == 0
    assert (folder / "my run.json").exists()


@pytest.mark.parametrize("name", ["run.txt", "run.json", "run"])
def test_a_run_is_not_played_into_a_file_that_score_takes_for_a_row(name: str, folder: Path) -> None:
    refused = endeavor(*RUN, "--out", name)
    sentence = f"error: --out '{name}' is not possible for a run: its name must end in .jsonl\n"
    assert (refused.status, refused.out, refused.err) == (2, "", sentence)
    assert list(folder.iterdir()) == []


def test_verify_plays_games_again_and_refuses_what_was_changed(folder: Path, solo_row: Row) -> None:
    (folder / "row.json").write_text(row_text(solo_row))
    verified = endeavor("bench", "verify", "row.json", "--games", "3", "--seed", "1")
    assert (verified.status, verified.err) == (0, "")
    assert "3 games played again" in verified.out
    one = endeavor("bench", "verify", "row.json", "--games", "2", "--task", "solo-harder")
    assert (one.status, "2 games played again" in one.out) == (0, True)
    none = endeavor("bench", "verify", "row.json", "--task", "table-4", "--task", "table-5")
    assert (none.status, none.err) == (2, "error: row.json has no games of table-4 and table-5\n")
    solo_row["score"]["normalised"] += 0.01
    (folder / "row.json").write_text(row_text(solo_row))
    refused = endeavor("bench", "verify", "row.json")
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == "error: the score of the row is not the one that its games give\n"


def test_rows_of_one_method_are_summed_up_over_seeds(folder: Path, solo_row: Row, language_row: Row) -> None:
    for name, row in (("a", solo_row), ("b", solo_row), ("c", language_row)):
        (folder / f"{name}.json").write_text(row_text(row))
    done = endeavor("bench", "score", "a.json", "b.json", "c.json", columns=120)
    assert done.status == 0, done.err
    assert done.out.count("greedy") == 4  # three rows, and the method of two
    assert "IQM" in done.out
    one = endeavor("bench", "score", "a.json", columns=120)
    assert "solo-harder" in one.out


def test_runs_of_different_submissions_make_no_row(folder: Path) -> None:
    for agent, file in (("greedy", "a.jsonl"), ("automa", "b.jsonl")):
        words = [agent if word == "greedy" else word for word in RUN]
        assert endeavor(*words, "--out", file).status == 0
    refused = endeavor("bench", "score", "a.jsonl", "b.jsonl")
    assert (refused.status, refused.out) == (2, "")
    assert "b.jsonl is a run of another submission than a.jsonl" in refused.err


def test_the_tasks_are_listed(folder: Path) -> None:
    listed = endeavor("bench", "tasks", "--json", "-")
    tasks = json.loads(listed.out)["tasks"]
    assert tasks["table-4"]["setups"] == {"forward": 100, "50ms": 100, "1s": 20, "language": 5}
    assert "boards-4" in listed.err


def test_a_run_of_another_version_makes_no_row(folder: Path) -> None:
    assert endeavor(*RUN, "--out", "run.jsonl").status == 0
    lines = (folder / "run.jsonl").read_text().splitlines()
    head = json.loads(lines[0])
    head["benchmark"] = "0" * 64
    (folder / "run.jsonl").write_text("\n".join([json.dumps(head), *lines[1:], ""]))
    refused = endeavor("bench", "score", "run.jsonl", "--row", "row.json")
    assert refused.status == 2
    assert "of another version of the benchmark" in refused.err
    assert not (folder / "row.json").exists()
