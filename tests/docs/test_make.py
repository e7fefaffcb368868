"""One command makes what follows from the code and from results, or names what is stale."""

from __future__ import annotations

import types
from pathlib import Path
from typing import Any

import pytest

from tests.kits.scripts import DOCS, load_script

make = load_script("make/__main__.py")


@pytest.fixture(autouse=True)
def scripts_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command finds its parts beside itself."""
    monkeypatch.syspath_prepend(str(DOCS / "make"))


@pytest.fixture
def part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> types.SimpleNamespace:
    """The only part of the command: two files, one of which is there."""
    (tmp_path / "kept.md").write_text("kept", encoding="utf-8")
    part = types.SimpleNamespace(
        files=lambda: {tmp_path / "kept.md": "kept", tmp_path / "new" / "made.md": "made"},
        play_matches=lambda names: played.append(names),
    )
    played: list[Any] = []
    part.played = played
    monkeypatch.setattr(make, "ROOT", tmp_path)
    monkeypatch.setattr(make, "PARTS", {"pages": ("part", "pages"), "ignored": ("part", "pages that git ignores")})
    monkeypatch.setattr(make, "IGNORED", ("ignored",))
    monkeypatch.setattr(make.importlib, "import_module", lambda name: part)
    return part


@pytest.mark.parametrize("name", ["figures", "leaderboard", "how_to_play"])
def test_what_is_committed_is_current(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert make.main([name, "--check"]) == 0, capsys.readouterr().err


def test_check_names_what_is_stale_and_writes_nothing(
    part: types.SimpleNamespace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert make.main(["ignored", "--check"]) == 0
    assert make.main(["--check"]) == 1
    assert capsys.readouterr().err == "new/made.md is stale: run `python docs/make pages`\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.md"]


def test_files_are_written_and_those_that_stay_the_same_are_not_touched(
    part: types.SimpleNamespace, tmp_path: Path
) -> None:
    before = (tmp_path / "kept.md").stat().st_mtime_ns
    assert make.main([]) == 0
    assert (tmp_path / "new" / "made.md").read_text(encoding="utf-8") == "made"
    assert (tmp_path / "kept.md").stat().st_mtime_ns == before
    assert make.main(["--check"]) == 0


def test_what_cannot_be_made_is_named(part: types.SimpleNamespace, capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise ValueError("there is no table none")

    part.files = fail
    assert make.main([]) == 1
    assert capsys.readouterr().err == "there is no table none\n"


def test_matches_are_played_before_their_tables_are_made(part: types.SimpleNamespace) -> None:
    assert make.main(["pages"]) == 0
    assert part.played == []
    assert make.main(["pages", "--play"]) == make.main(["pages", "--play", "a", "b"]) == 0
    assert part.played == [[], ["a", "b"]]


def test_a_part_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        make.main(["maps"])
    assert ended.value.code == 2
    assert "there is no part maps: there are reference, figures, leaderboard, how_to_play" in capsys.readouterr().err
