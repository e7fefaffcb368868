"""Matches of compiled players inside the loops: ``endeavor_env.training.match``."""

from __future__ import annotations

import re
from typing import Any

import pytest
import typer

from endeavor_env.training.match import main


def cells(output: str) -> list[list[str]]:
    """Return the cells of the rows of a printed table."""
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in output.splitlines() if line.startswith("│")]
    assert rows, output
    return rows


@pytest.fixture(autouse=True)
def _wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


def test_a_player_meets_copies_of_another_at_every_table(capsys: pytest.CaptureFixture[str]) -> None:
    main("greedy", "automa", "standard", 30, 2, progress=False)
    rows = cells(capsys.readouterr().out)
    assert [row[:2] for row in rows] == [
        ["standard, 3 seats", "30"],
        ["standard, 4 seats", "32"],
        ["standard, 5 seats", "30"],
    ]
    assert all(float(row[2].rstrip("%")) > 60.0 for row in rows)
    assert [row[4] for row in rows] == ["33.3%", "25.0%", "20.0%"]


@pytest.mark.parametrize(
    ("player", "rival", "wins"), [("greedy", "random", 90.0), ("random", "greedy", 0.0), ("random", "random", 26.0)]
)
def test_random_plays_too(player: str, rival: str, wins: float, capsys: pytest.CaptureFixture[str]) -> None:
    main(player, rival, "standard", 30, 1, progress=False)
    found = [float(row[2].rstrip("%")) for row in cells(capsys.readouterr().out)]
    assert all(abs(one - wins) <= 10.0 for one in found)


def test_players_of_the_same_name_share_the_wins(capsys: pytest.CaptureFixture[str]) -> None:
    main("greedy", "greedy", "variants", 20, 1, progress=False)
    assert [row[2] for row in cells(capsys.readouterr().out)] == ["50.0%", "33.3%", "50.0%"]


def test_the_solitaire_game_is_played_at_every_difficulty(capsys: pytest.CaptureFixture[str]) -> None:
    main("automa", "greedy", "solo", 10, 1, progress=False)
    output = capsys.readouterr().out
    assert "automa against the Opposition" in output
    assert [row[0] for row in cells(output)] == [f"solo, {level}" for level in ("normal", "easier", "harder")]
    assert [row[4] for row in cells(output)] == [""] * 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("greedy", "greedy", "chess", 9), "game 'chess' is unknown: possible are standard, solo, variants"),
        (("gredy", "greedy", "standard", 9), "gredy"),
        (("greedy", "search:ms=5", "standard", 9), "possible as an agent only"),
        (("greedy", "greedy", "standard", 0), "games"),
        (("greedy", "greedy", "standard", 9, 1, "endeavor_2009", 2), "--players 2 is not possible"),
    ],
)
def test_wrong_input_gets_one_sentence(
    given: tuple[Any, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as ended:
        main(*given, progress=False)
    assert ended.value.exit_code == 2
    words = capsys.readouterr().err
    assert re.match(r"error: .", words)
    assert message in words
    assert words.count("\n") == 1
