"""The machine code of the game: in the library of the package, which changes with the sources of every game."""

from __future__ import annotations

from pathlib import Path

import pytest

from endeavor_env.endeavor.rules.parts import RULES
from endeavor_env.kernels.loading import cache_folder, library
from endeavor_env.kernels.loading.processor import levels
from endeavor_env.merchants.rules.parts import MERCHANTS, PLAYERS


def test_the_sources_of_the_game_are_among_those_of_the_package() -> None:
    assert not any(library.is_apart(part) for part in (MERCHANTS, PLAYERS, RULES))
    assert {"merchants/observe", "merchants/players", "merchants/rules"} <= {*cache_folder.kernel_folders()}
    assert f"{cache_folder.PACKAGE}/merchants/rules/decisions.py" in cache_folder.kernel_sources()


def test_a_library_of_several_parts_is_found_for_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / library.file_name(library.name_of([MERCHANTS, PLAYERS]), levels()[0])
    file.write_bytes(b"")
    monkeypatch.setattr(library, "found_folders", lambda: iter([tmp_path / "none", tmp_path]))
    assert [*library._candidates(MERCHANTS.name)] == [*library._candidates(PLAYERS.name)] == [file]
    assert [*library._candidates(RULES.name)] == []
