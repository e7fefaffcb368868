"""The machine code of the game: a library of its own, which changes with its sources, and Endeavor's with others."""

from __future__ import annotations

from pathlib import Path

import pytest

from endeavor_env.endeavor.rules.parts import LEARNING, RULES
from endeavor_env.kernels.loading import cache_folder, library
from endeavor_env.kernels.loading.processor import levels
from endeavor_env.kernels.parts import WHOLE
from endeavor_env.merchants.rules.parts import MERCHANTS, PLAYERS


def test_an_edit_of_the_game_changes_its_library_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    names = (
        MERCHANTS.name,
        library.name_of([PLAYERS, MERCHANTS]),
        RULES.name,
        library.name_of([LEARNING, RULES]),
        WHOLE,
    )
    before = [library.file_name(name, "level") for name in names]
    monkeypatch.setattr(cache_folder, "game_digest", lambda folder: "edited")
    after = [library.file_name(name, "level") for name in names]
    assert [one == other for one, other in zip(before, after, strict=True)] == [False, False, True, True, True]


def test_an_edit_of_what_all_games_share_changes_every_library(monkeypatch: pytest.MonkeyPatch) -> None:
    names = (MERCHANTS.name, RULES.name)
    before = [library.file_name(name, "level") for name in names]
    for module in (cache_folder, library):
        monkeypatch.setattr(module, "version_hash", lambda: "0123456789abcdef")
    assert not {*before} & {library.file_name(name, "level") for name in names}


def test_the_digest_of_the_game_is_that_of_its_sources() -> None:
    game = "merchants"
    assert library.is_apart(MERCHANTS)
    assert library.is_apart(PLAYERS)
    assert not library.is_apart(RULES)
    assert all(cache_folder.game_of(module) == game for module in (*MERCHANTS.modules, *PLAYERS.modules))
    assert cache_folder.game_digest(game) not in ("", cache_folder.sources_digest())
    sources = [name for name in cache_folder._sources_in(f"{game}/rules") if name.endswith("decisions.py")]
    assert sources == [f"{game}/rules/decisions.py"]


def test_all_parts_of_a_game_are_made_into_one_library() -> None:
    assert library.by_game([RULES, MERCHANTS, LEARNING, PLAYERS]) == [[RULES, LEARNING], [MERCHANTS, PLAYERS]]
    assert library.name_of([PLAYERS, MERCHANTS]) == "merchants+merchants_players"


@pytest.mark.parametrize("packaged", [True, False])
def test_a_library_of_several_parts_is_found_for_each(
    packaged: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / library.file_name(library.name_of([MERCHANTS, PLAYERS]), levels()[0])
    file.write_bytes(b"")
    monkeypatch.setattr(library, "PACKAGED", tmp_path if packaged else tmp_path / "none")
    monkeypatch.setattr(library, "found_folders", lambda: iter([] if packaged else [tmp_path]))
    assert [*library._candidates(MERCHANTS.name)] == [*library._candidates(PLAYERS.name)] == [file]
    assert [*library._candidates(RULES.name)] == []
