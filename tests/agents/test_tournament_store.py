"""The folder of a tournament: killed and continued it holds the same games; what is not its own is refused."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.agents.tournament import TournamentResult, play_tournament
from endeavor_env.agents.tournament.playing import (
    SETTINGS_FILE,
    UNITS_FILE,
    TournamentSettings,
    WorkItemPlayer,
    all_work_items,
    open_store,
    read_settings,
)
from endeavor_env.errors import EndeavorError, InvalidOptionError

TWO = ["random", "automa"]
KILLED = """
import os, runpy, signal
from endeavor_env.agents import runner

append, written = runner.append_line, []

def append_and_die(file, line):
    append(file, line)
    written.append(line)
    if len(written) == 3:
        os.kill(os.getpid(), signal.SIGKILL)

runner.append_line = append_and_die
runpy.run_module("endeavor_env.agents.arena", run_name="__main__")
"""
"""A program that plays a tournament, and is killed when it has written the third unit."""


@pytest.fixture
def settings() -> TournamentSettings:
    return read_settings(TWO, games=30, players=[3])


@pytest.fixture
def folder(settings: TournamentSettings, tmp_path: Path) -> Path:
    """Return the folder of a tournament that was stopped after three of its four units."""
    play(settings, tmp_path / "out", 3)
    return tmp_path / "out"


def play(settings: TournamentSettings, folder: Path, units: int) -> None:
    """Play so many units of a tournament."""
    missing, make = all_work_items(settings), partial(WorkItemPlayer, settings)
    with open_store(folder, settings) as store, closing(store.play_missing(make, missing, 1)) as playing:
        for _ in range(units):
            next(playing)


def figures(result: TournamentResult) -> dict[str, Any]:
    """Return everything but the time."""
    return {key: value for key, value in result.to_dict().items() if key != "seconds"}


def unbroken() -> dict[str, Any]:
    """Return what the tournament of the tests brings when it is played at once."""
    return figures(play_tournament(TWO, games=30, players=[3], resamples=2))


def test_a_stopped_tournament_goes_on_to_the_same_result(folder: Path) -> None:
    lines = (folder / UNITS_FILE).read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    result = play_tournament(TWO, games=30, players=[3], resamples=2, out=folder)
    assert figures(result) == unbroken()
    after = (folder / UNITS_FILE).read_text(encoding="utf-8").splitlines()
    assert after[:3] == lines
    assert len(after) == 4


def test_a_finished_tournament_is_not_played_again(folder: Path) -> None:
    first = play_tournament(TWO, games=30, players=[3], resamples=2, out=folder)
    before = (folder / UNITS_FILE).read_bytes()
    again = play_tournament(TWO, games=30, players=[3], resamples=2, out=folder)
    assert again.to_dict() == first.to_dict()
    assert (folder / UNITS_FILE).read_bytes() == before


@pytest.mark.slow
def test_a_tournament_killed_in_the_middle_goes_on_to_the_same_result(tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["--round-robin", *TWO, "--games", "160", "--jobs", "2", "--out", str(out)]
    killed = subprocess.run(  # returns when the worker processes, which have stderr as well, are gone
        [sys.executable, "-c", KILLED, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert len((out / UNITS_FILE).read_bytes().splitlines()) == 3
    result = play_tournament(TWO, games=160, resamples=2, out=out)
    assert figures(result) == figures(play_tournament(TWO, games=160, resamples=2))


@pytest.mark.parametrize("kept", [1, 40, -1])
def test_a_line_that_was_not_written_completely_is_dropped(kept: int, folder: Path) -> None:
    file = folder / UNITS_FILE
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(lines[0] + lines[1] + lines[2][:kept])
    result = play_tournament(TWO, games=30, players=[3], resamples=2, out=folder)
    assert figures(result) == unbroken()
    assert file.read_bytes().splitlines(keepends=True)[:2] == lines[:2]
    assert len(file.read_bytes().splitlines()) == 4


def changed(line: str, field: str, digits: str) -> str:
    """Return a line with another value of its last or last but one field, as it stands in the file."""
    before, _, after = line.partition(f'"{field}":')
    return f'{before}"{field}":{digits}{after[len(re.match("[^,}]*", after)[0]) :]}'  # type: ignore[index]


EDITS = {
    "no JSON": lambda line: "{",
    "no object": lambda line: "[1]",
    "another unit": lambda line: line.replace('"unit":"0/1/0"', '"unit":"0/7/0"'),
    "a unit twice": lambda line: line.replace('"unit":"0/1/0"', '"unit":"0/0/0"'),
    "fewer games": lambda line: json.dumps({**json.loads(line), "scores": json.loads(line)["scores"][1:]}),
    "a score that is none": lambda line: line.replace('"scores":[[[', '"scores":[[["x",'),
    "a time beyond all numbers": lambda line: changed(line, "seconds", "1e999"),
    "a time below 0": lambda line: changed(line, "seconds", "-1.5"),
    "a time that is none": lambda line: changed(line, "seconds", '"1.5"'),
    "a part of a decision": lambda line: changed(line, "decisions", "7.5"),
    "decisions beyond all numbers": lambda line: changed(line, "decisions", "1e999"),
    "deep nesting": lambda line: changed(line, "decisions", "[" * 100_000),
    "scores that do not fit the last round": lambda line: line.replace('"scores":[[[', '"scores":[[[1'),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_line_is_refused_and_left_alone(edit: str, folder: Path, settings: TournamentSettings) -> None:
    file = folder / UNITS_FILE
    lines = file.read_text(encoding="utf-8").splitlines()
    lines[1] = EDITS[edit](lines[1])
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    before = file.read_bytes()
    with pytest.raises(EndeavorError, match=r"line 2 of .* was edited"), open_store(folder, settings):
        pass
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"games": 60}, "holds a tournament with games 30, not 60: give the same settings"),
        ({"seed": 1}, "with seed 0, not 1"),
        ({"players": [4]}, r"with players \[3\], not \[4\]"),
        ({"mixed": 3}, "with mixed 20, not 3"),
        ({"board": "generated_3"}, 'with board "endeavor_2009", not "generated_3"'),
        ({"agents": ["random", "greedy"]}, r'with agents \["random", "automa"\], not \["random", "greedy"\]'),
    ],
    ids=str,
)
def test_other_settings_are_refused(other: dict[str, Any], message: str, folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    arguments = {"agents": TWO, "games": 30, "players": [3], **other}
    with pytest.raises(InvalidOptionError, match=message):
        play_tournament(**arguments, out=folder)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_weights_that_were_trained_on_are_other_settings(folder: Path) -> None:
    stored = json.loads((folder / SETTINGS_FILE).read_text(encoding="utf-8"))
    (folder / SETTINGS_FILE).write_text(json.dumps({**stored, "weights": {"random": "00"}}), encoding="utf-8")
    with pytest.raises(InvalidOptionError, match=r'with weights \{"random": "00"\}, not \{\}'):
        play_tournament(TWO, games=30, players=[3], out=folder)


def test_a_folder_with_something_else_is_refused(tmp_path: Path, settings: TournamentSettings) -> None:
    (tmp_path / "thesis.txt").write_text("text", encoding="utf-8")
    with (
        pytest.raises(InvalidOptionError, match=r"holds thesis\.txt but no tournament"),
        open_store(tmp_path, settings),
    ):
        pass
    with (
        pytest.raises(InvalidOptionError, match="cannot be"),
        open_store(tmp_path / "thesis.txt", settings),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_two_processes_cannot_play_the_same_tournament(folder: Path, settings: TournamentSettings) -> None:
    program = (
        "import sys; from pathlib import Path; from endeavor_env.basics.file_lock import file_lock\n"
        "with file_lock(Path(sys.argv[1]), print):\n    print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(folder / "tournament.lock")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with (
            pytest.raises(InvalidOptionError, match="another process plays the tournament"),
            open_store(folder, settings),
        ):
            pass
        holder.communicate()
    with open_store(folder, settings) as store:
        assert len(store.units) == 3
