"""Tables of matches have the figures of what was played, and one command plays what is missing."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.kits.scripts import load_script

figures = load_script("make/figures.py")
ORIGIN = {"date": "2026-01-02", "machine": {"processor": "Abacus", "cores": 2}}
OF_MATCH = {
    "results": [
        {"players": players, "games": 1200, "win_rate": 0.5, "interval": [0.4712, 0.529], "mean_score": 50.04}
        | {"opponents_mean_score": 40.0 + players}
        for players in (3, 4)
    ]
}
OF_SOLO = {
    "games": 5,
    "rows": [
        {"agent": "greedy", "difficulty": "normal", "win_rate": 1.0, "interval": [0.5, 1.0], "mean_score": 51.0}
        | {"mean_margin": -0.5, "margin_interval": [-1.25, 0.5], "mean_opposition": 51.5}
        | {"ladder": {"defeat": 0.25, "victory": 0.75}}
    ],
}
OF_ARENA = {
    "players": 3,
    "games": 6,
    "variant": "standard",
    "agents": [
        {"name": "greedy", "win_rate": 1.0, "interval": [0.6, 1.0], "mean_score": 57.8, "score_sd": 10.2},
        {"name": "random", "win_rate": 0.0, "interval": [0.0, 0.4], "mean_score": 18.5, "score_sd": 5.2},
        {"name": "random#2", "win_rate": 0.0, "interval": [0.0, 0.4], "mean_score": 14.8, "score_sd": 1.7},
    ],
}


def table(text: str, folder: Path) -> dict[str, Any]:
    """Return a table with the figures of three results in a folder."""
    (folder / figures.MATCHES).mkdir()
    for name, result in (("match", OF_MATCH), ("solo", OF_SOLO), ("arena", OF_ARENA)):
        (folder / figures.MATCHES / f"{name}.json").write_text(json.dumps(ORIGIN | result), encoding="utf-8")
    played = '[played]\nmatch = "endeavor train match a b"\nsolo = "endeavor solo a"\narena = "endeavor arena a b b"\n'
    return figures.with_matches(tomllib.loads(text + played), folder)


def test_rows_have_the_figures_that_their_columns_show(tmp_path: Path) -> None:
    found = table(
        'measured = "few games"\ncolumns = ["games", "wins", "parity", "score", "theirs"]\nrows = [\n'
        '{ first = ["4 seats", "3 b"], of = "match", players = 4 },\n'
        '{ first = ["alone", ""], of = "solo", difficulty = "normal" },\n'
        '{ first = ["arena", "b"], of = "arena" },\n]\n',
        tmp_path,
    )
    assert found["rows"] == [
        ["4 seats", "3 b", "1,200", "50.0 % (47.1-52.9)", "25 %", "50.0", "44.0"],
        ["alone", "", "5", "100.0 % (50.0-100.0)", "", "51.0", "51.5"],
        ["arena", "b", "6", "100.0 % (60.0-100.0)", "33 %", "57.8", "18.5"],
    ]
    assert found["measured"] == "few games; Abacus with 2 cores, 2026-01-02"
    assert found["commands"] == ["endeavor train match a b", "endeavor solo a", "endeavor arena a b b"]


def test_columns_may_name_entries_and_show_leads_ladders_and_deviations(tmp_path: Path) -> None:
    found = table(
        'columns = [{ show = "wins", players = 3 }, { show = "theirs", players = 4 }]\n'
        'rows = [{ first = ["a"], of = "match" }]\n',
        tmp_path,
    )
    assert found["rows"] == [["a", "50.0 % (47.1-52.9)", "44.0"]]
    shown = {name: figures.SHOWN[name](entry) for entry in OF_SOLO["rows"] for name in ("lead", "ladder")}
    assert shown == {"lead": "-0.5 (-1.2 to +0.5)", "ladder": "25/75"}
    assert figures.SHOWN["score and deviation"](OF_ARENA["agents"][0]) == "57.8 ± 10.2"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('of = "match"', r"\{\} of match names 2 entries: it must name one"),
        ('of = "match", players = 6', r"\{'players': 6\} of match names 0 entries"),
    ],
)
def test_a_row_that_names_no_entry_or_several_is_refused(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        table(f'columns = ["wins"]\nrows = [{{ first = ["a"], {row} }}]\n', tmp_path)


def test_a_match_that_was_not_played_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no file none\.json of results: python docs/make figures --play"):
        figures.with_matches({"played": {"none": "endeavor train match a b"}, "columns": [], "rows": []}, tmp_path)


@pytest.fixture
def two_matches(tmp_path: Path) -> Path:
    """A folder with a table of two matches."""
    (tmp_path / "one.toml").write_text(
        '[[table]]\nname = "a"\n[table.played]\nlong = "endeavor train match greedy automa --games 6"\n'
        'alone = "endeavor solo random --games 2 --difficulty normal"\n',
        encoding="utf-8",
    )
    return tmp_path


def test_what_is_missing_is_played_and_kept(two_matches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figures.play_matches([], two_matches)
    kept = two_matches / "results" / figures.MATCHES
    result = json.loads((kept / "long.json").read_text(encoding="utf-8"))
    assert [row["players"] for row in result["results"]] == [3, 4, 5]
    assert result["command"] == "endeavor train match greedy automa --games 6"
    alone = json.loads((kept / "alone.json").read_text(encoding="utf-8"))
    assert alone["rows"][0]["difficulty"] == "normal"
    assert "scores" not in alone["rows"][0]
    commands: list[str] = []
    monkeypatch.setattr(figures, "play", lambda command: commands.append(command) or {})
    figures.play_matches([], two_matches)
    assert commands == []
    figures.play_matches(["long"], two_matches)
    assert commands == ["endeavor train match greedy automa --games 6"]
    figures.play_matches(["all"], two_matches)
    assert len(commands) == 3


def test_unknown_matches_and_names_with_two_commands_are_refused(two_matches: Path) -> None:
    with pytest.raises(ValueError, match=r"^there is no match short: there are long, alone$"):
        figures.play_matches(["short"], two_matches)
    (two_matches / "two.toml").write_text('[[table]]\nname = "b"\n[table.played]\nlong = "endeavor demo"\n')
    with pytest.raises(ValueError, match="match long is played by two commands"):
        figures.played(two_matches)


def test_every_result_is_named_by_a_table_and_came_of_its_command() -> None:
    commands = figures.played(figures.FIGURES)
    kept = {
        file.stem: json.loads(file.read_text(encoding="utf-8"))
        for file in (figures.FIGURES / "results" / figures.MATCHES).glob("*.json")
    }
    assert {name: result["command"] for name, result in kept.items()} == commands
