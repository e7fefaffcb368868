"""``endeavor doctor``: what it finds, what it advises, and that a broken installation does not break it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from endeavor_env import __version__
from endeavor_env.cli import doctor
from endeavor_env.cli.doctor import Finding, advice, fits
from endeavor_env.kernels.loading import cache_folder, library
from endeavor_env.kernels.loading.processor import levels
from tests.cli.endeavor import endeavor
from tests.cli.test_extras import without_extras


def found(name: str, rows: list[dict[str, str]]) -> dict[str, str]:
    """Return the row of a thing."""
    (row,) = (row for row in rows if row["what"] == name)
    return row


def test_a_sound_installation_can_play() -> None:
    done = endeavor("doctor", "--json", "-")
    assert done.status == 0
    told = json.loads(done.out)
    assert told["can_play"] is True
    rows = told["findings"]
    assert found("package", rows)["value"].startswith(__version__)
    for name in ("gymnasium", "numba", "numpy", "pettingzoo", "rich", "typer"):
        assert found(name, rows)["fault"] == ""
    assert "MB" in found("compiled code", rows)["value"]
    assert "GB" in found("free space", rows)["value"]
    assert told["advice"] in done.err
    assert endeavor("doctor").out.splitlines()[-1] == told["advice"]


def test_without_numpy_no_game_can_be_played_and_the_extras_are_named(tmp_path: Path) -> None:
    lines = [["doctor", "--json", "-"], ["perft", "--depth", "1"], ["doctor", "--json", "no/such/file.json"]]
    doctor, perft, _ = without_extras(lines, tmp_path, "numpy")
    assert doctor[0] == 1
    told = json.loads(doctor[1])
    assert not told["can_play"]
    assert "No module named 'numpy'" in found("package", told["findings"])["fault"]
    assert told["advice"].startswith("package: cannot be imported")
    for extra, lacking in (("train", "torch"), ("play", "uvicorn"), ("render", "pygame")):
        value = found(f"extra {extra}", told["findings"])["value"]
        assert lacking in value
        assert f"pip install 'endeavor-env[{extra}]'" in value
    assert perft[0] == 2
    assert perft[2].startswith("error: numpy is missing: endeavor doctor says more")


def test_without_numba_games_are_played_by_the_library(tmp_path: Path) -> None:
    (perft,) = without_extras([["perft", "--depth", "1"]], tmp_path, "numba")
    assert perft[0] == 0


@pytest.mark.parametrize("has_library", [True, False])
def test_a_missing_compiler_stops_games_only_where_there_is_no_library(
    has_library: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def version(name: str) -> str:
        if name in doctor.COMPILERS:
            raise doctor.PackageNotFoundError(name)
        return "99"

    monkeypatch.setenv("ENDEAVOR_ENV_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache_folder, "PACKAGED", tmp_path)
    monkeypatch.setattr(doctor, "version", version)
    cache_folder.save_folder.cache_clear()
    if has_library:
        (tmp_path / library.file_name("all", levels()[0])).write_text("")
    told = {one.what: one for one in doctor.findings()}
    cache_folder.save_folder.cache_clear()
    names = [name for name in doctor.COMPILERS if name in told]
    assert "numba" in names
    for name in names:
        assert told[name].stops is not has_library
        assert ("and not needed" in told[name].value) is has_library
        assert ("no library with everything for this processor" in told[name].fault) is not has_library
        assert re.search(f"pip install '{name}[<>=]", told[name].value + told[name].remedy)


def test_a_cache_that_cannot_be_written_or_lacks_parts_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ENDEAVOR_ENV_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache_folder, "PACKAGED", tmp_path / "package")
    cache_folder.save_folder.cache_clear()
    told = {one.what: one for one in doctor.findings()}
    assert told["compiled"].value == "nothing yet"
    folder = cache_folder.save_folder()
    assert folder is not None
    (folder / library.file_name("rules", levels()[0])).write_text("")
    told = {one.what: one for one in doctor.findings()}
    assert told["compiled"].value == "rules"
    assert advice(list(told.values())).startswith("endeavor compile ")
    cache_folder.save_folder.cache_clear()
    monkeypatch.setattr(cache_folder, "save_folder", lambda: None)
    assert "ENDEAVOR_ENV_CACHE_DIR" in advice(doctor.findings())


def test_what_stops_games_is_advised_first() -> None:
    low = Finding("free space", "0.1 GB", "little", "free some")
    gone = Finding("numba", "-", "not installed", "pip install 'numba>=0.68'", True)
    assert advice([low, gone]) == "numba: not installed; pip install 'numba>=0.68'"
    assert advice([low]) == "free space: little; free some"
    assert "endeavor demo" in advice([Finding("Python", "3.11")])


@pytest.mark.parametrize(
    ("version", "bounds", "kept"),
    [
        ("2.4.6", "<3,>=2.0", True),
        ("1.26.4", "<3,>=2.0", False),
        ("3.0.0rc1", "<3,>=2.0", False),
        ("1.2.2", "<2,>=1.2.2", True),
        ("1.10", ">=1.9", True),
        ("0.68.1", ">=0.68", True),
        ("13", ">=13.0.0", True),
        ("13.1", "!=13.1", False),
    ],
)
def test_versions_are_compared_number_by_number(version: str, bounds: str, kept: bool) -> None:
    assert fits(version, bounds) == kept
