"""The file of a run: it goes on where it was stopped, and is refused when it is another one or was edited."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from endeavor_env.bench.games import RunFile, RunHeader, RunOptions, open_run, read_run
from endeavor_env.bench.rows import make_row
from endeavor_env.bench.run import all_units, play_missing
from endeavor_env.bench.submissions import About, read_about
from endeavor_env.bench.version import version_one
from endeavor_env.errors import EndeavorError, InvalidOptionError

VERSION = version_one()
SOLO = VERSION.chosen(["solo-normal"])


def head(agent: str = "greedy", seed: int = 0) -> RunHeader:
    return RunHeader.of(RunOptions(agent, "language", seed, {}), About(agent, agent), VERSION)


def play(file: Path, units: int) -> int:
    """Play at most so many units into a file; return how many it has then."""
    with open_run(file, head(), VERSION.tasks) as run:
        for _, _ in zip(range(units), play_missing(run, SOLO, 1), strict=False):
            pass
        return len(run.units)


@pytest.fixture
def file(tmp_path: Path, language_run: RunFile) -> Path:
    """The file of a run that was stopped after six of its twenty units."""
    path = tmp_path / "run.jsonl"
    units = [unit for key, unit in language_run.units.items() if key.startswith("solo")]
    with open_run(path, head(), VERSION.tasks) as run:
        for unit in units[:6]:
            run.add(unit)
    return path


def test_a_run_goes_on_where_it_was_stopped(file: Path, language_run: RunFile) -> None:
    assert play(file, 3) == 9
    assert play(file, 100) == 20
    _, units = read_run(file, VERSION.tasks)
    for key, unit in units.items():
        assert unit.moves == language_run.units[key].moves


def test_what_was_not_written_completely_is_played_again(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[:-30])
    assert len(read_run(file, VERSION.tasks)[1]) == 5
    assert play(file, 1) == 6


def test_a_run_of_something_else_is_refused(file: Path) -> None:
    for other, words in ((head("automa"), 'agent "greedy", not "automa"'), (head(seed=1), "seed 0, not 1")):
        with pytest.raises(InvalidOptionError, match=words), open_run(file, other, VERSION.tasks):
            pass


@pytest.mark.parametrize(
    ("number", "change", "words"),
    [
        (0, '"seed": 0', "no run of the benchmark: its first line"),
        (0, "{", "no run of the benchmark: its first line"),
        (0, '"about": {', "no run of the benchmark: its first line"),
        (0, '"seed": ', "no run of the benchmark: its first line"),
        (2, '"scores":"', "line 3 of .* was edited"),
        (2, "solo-normal/opposition/1", "line 3 of .* was edited"),
        (3, '"moves":["', "line 4 of .* was edited"),
        (4, '"decisions":', "line 5 of .* was edited"),
    ],
)
def test_an_edited_file_is_refused(file: Path, number: int, change: str, words: str) -> None:
    lines = file.read_text().splitlines()
    new = {
        '"seed": 0': '"seed": "none"',
        "solo-normal/opposition/1": "solo-normal/opposition/0",
        '"moves":["': '"moves":["A',
        "{": "[",
        '"about": {': '"about": "all of it", "told": {',
        '"seed": ': '"seed": -1',
    }
    lines[number] = lines[number].replace(change, new.get(change, change + "-"), 1)
    file.write_text("\n".join(lines) + "\n")
    with pytest.raises(EndeavorError, match=words):
        read_run(file, VERSION.tasks)


def test_a_task_that_is_not_played_to_its_end_has_no_row(file: Path) -> None:
    stored, units = read_run(file, VERSION.tasks)
    with pytest.raises(EndeavorError, match="solo-normal is not played to its end: 14 of 20 set-ups"):
        make_row(stored, units, VERSION)
    with pytest.raises(EndeavorError, match="no task has been played"):
        make_row(stored, {}, VERSION)


def test_all_fields_come_to_the_same_setups() -> None:
    units = [unit.key for unit in all_units(VERSION.chosen(["table-4"]), "language", False)]
    assert units[:3] == ["table-4/greedy/0", "table-4/value/0", "table-4/greedy/1"]
    assert len(units) == 10


def test_what_is_said_about_a_submission_is_kept(tmp_path: Path) -> None:
    toml = 'name = "PPO"\nmethod = "ppo"\n[training]\ntrack = "cpu-10min"\nseed = 3\ncpu_seconds = 598.5\n'
    (tmp_path / "about.toml").write_text(toml)
    about = read_about(tmp_path / "about.toml", "greedy")
    assert about.to_dict()["training"] == {
        "track": "cpu-10min",
        "seed": 3,
        "cpu_seconds": 598.5,
        "decisions": None,
        "command": None,
        "teachers": None,
    }
    (tmp_path / "about.json").write_text(json.dumps({"name": "Größe", "notes": "one\n\ttwo"}))
    assert read_about(tmp_path / "about.json", "greedy") == About("Größe", "Größe", notes="one\n\ttwo")
    (tmp_path / "about.json").write_text(json.dumps({"name": "PPO", "method": "ppo"}))
    assert read_about(tmp_path / "about.json", "greedy") == About("PPO", "ppo")
    assert read_about(None, "greedy") == About("greedy", "greedy")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("colour = 1", "says 'colour': possible are name, method"),
        ("name = 1", "has name 1: give at most"),
        ('name = "a\\u001b[31m"', "has name 'a\\x1b[31m': give only characters that can be printed"),
        ('authors = "a\\nb"', "has authors 'a\\nb': give only characters that can be printed"),
        ('notes = "a\\rb"', "has notes 'a\\rb': give only characters that can be printed"),
        ("[training]\nseed = 1", "needs a training track: give one of none, cpu-10min"),
        ('[training]\ntrack = "open"\nyears = 1', "says training.years: possible are track"),
        ('[training]\ntrack = "open"\nseed = -1', "has training.seed -1: give a int"),
        ('[training]\ntrack = "open"\nteachers = 1', "has training.teachers 1"),
        ("name =", "cannot be read"),
    ],
)
def test_what_cannot_be_said_about_a_submission(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "about.toml").write_text(text)
    with pytest.raises(InvalidOptionError, match=re.escape(words)):
        read_about(tmp_path / "about.toml", "greedy")
