"""Compiled code is kept where nobody else can write, and every environment has a place for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from endeavor_env.kernels.loading import cache_folder, library
from endeavor_env.kernels.loading.processor import levels
from endeavor_env.kernels.parts import WHOLE, parts
from endeavor_env.kernels.switches import USES_LIBRARY

ROOT = Path(__file__).resolve().parents[2]
CACHE = {name: os.environ[name] for name in ("HOME", "XDG_CACHE_HOME") if name in os.environ}
pytestmark = pytest.mark.skipif(os.name == "nt", reason="owners and modes of folders as POSIX has them")


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home and a temporary folder of the test, nothing named in the environment, and nothing decided before."""
    decided = (cache_folder.save_folder, cache_folder.say_once)
    for name in ("home", "tmp"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("ENDEAVOR_ENV_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    monkeypatch.chdir(tmp_path)
    for function in decided:
        function.cache_clear()
    yield tmp_path
    for function in decided:
        function.cache_clear()


def leaf(parent: Path) -> Path:
    """The folder of this version below ``parent``."""
    return parent / cache_folder.version_hash()


def seal(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let a folder look as if it could not be written, also to root."""
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: access(path, mode) and not (path == folder and mode & os.W_OK))


def test_the_usual_place_is_the_users_cache_folder(places: Path) -> None:
    assert cache_folder.save_folder() == leaf(places / "home/.cache/endeavor_env")
    assert list(cache_folder.found_folders()) == [cache_folder.PACKAGED, cache_folder.save_folder()]
    assert not any((places / "tmp").iterdir())


def test_the_cache_folder_of_the_system_and_a_named_one_come_first(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(places / "xdg"))
    assert cache_folder.save_folder() == leaf(places / "xdg/endeavor_env")
    cache_folder.save_folder.cache_clear()
    monkeypatch.setenv("ENDEAVOR_ENV_CACHE_DIR", "named")  # from the working directory
    assert cache_folder.save_folder() == leaf(places / "named")


@pytest.mark.parametrize("value", ["", "relative/cache"])
def test_an_empty_or_relative_cache_folder_of_the_system_counts_as_unset(
    places: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", value)
    monkeypatch.setenv("ENDEAVOR_ENV_CACHE_DIR", "")
    assert cache_folder.save_folder() == leaf(places / "home/.cache/endeavor_env")
    assert sorted(path.name for path in places.iterdir()) == ["home", "tmp"]


def test_a_user_without_a_home_keeps_code_for_one_process(
    places: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HOME")

    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # the user is not in the list of users
    assert cache_folder.save_folder() is cache_folder.save_folder() is None
    assert list(cache_folder.found_folders()) == [cache_folder.PACKAGED]
    assert "for this process only, and not in a cache folder, because there is no home" in capsys.readouterr().err
    assert sorted(path.name for path in places.iterdir()) == ["home", "tmp"]


@pytest.mark.parametrize("mode", [0o777, 0o775])
def test_a_folder_that_others_can_write_is_not_used(
    places: Path, mode: int, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = leaf(places / "home/.cache/endeavor_env")
    folder.mkdir(parents=True)
    folder.chmod(mode)
    assert cache_folder.save_folder() is None
    assert list(cache_folder.found_folders()) == [cache_folder.PACKAGED]
    assert f"not in {folder}, because it can be written by other users: correct owner" in capsys.readouterr().err


@pytest.mark.parametrize("mode", [0o777, 0o775])
@pytest.mark.parametrize("link", [False, True], ids=["above", "where a link leads"])
def test_a_folder_below_one_that_others_can_write_is_not_used(
    places: Path, mode: int, link: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shared = places / "shared"
    (shared / "mine").mkdir(parents=True)
    shared.chmod(mode)
    (places / "link").symlink_to(shared / "mine")
    monkeypatch.setenv("ENDEAVOR_ENV_CACHE_DIR", str(places / "link" if link else shared / "mine"))
    assert cache_folder.save_folder() is None
    assert list(cache_folder.found_folders()) == [cache_folder.PACKAGED]
    said = capsys.readouterr().err
    assert f"because {shared}, above it, can be written by other users: correct owner" in said
    assert said.count("\n") == 1


def test_a_folder_that_all_can_write_is_no_danger_if_they_cannot_rename_in_it(
    places: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (places / "sticky").mkdir()
    (places / "sticky").chmod(0o1777)
    monkeypatch.setenv("ENDEAVOR_ENV_CACHE_DIR", str(places / "sticky/mine"))
    assert cache_folder.save_folder() == leaf(places / "sticky/mine")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("umask", [0o002, 0o000, 0o077])
def test_folders_and_files_have_the_same_rights_whatever_the_umask(places: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        folder = cache_folder.save_folder()
        assert folder is not None
        cache_folder.keep(b"code", folder / "a.library")
    finally:
        os.umask(before)
    assert folder == leaf(places / "home/.cache/endeavor_env")
    assert [path.stat().st_mode & 0o777 for path in (folder, folder / "a.library")] == [0o755, 0o644]
    assert [path.stat().st_mode & 0o022 for path in (folder.parent, folder.parent.parent)] == [0, 0]
    assert list(folder.iterdir()) == [folder / "a.library"]


def test_a_folder_of_another_user_is_not_used(
    places: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status = os.lstat
    changed = lambda path: os.stat_result((*status(path)[:4], 12345, *status(path)[5:]))  # noqa: E731
    monkeypatch.setattr(Path, "lstat", changed)
    assert cache_folder.save_folder() is None
    assert "because it belongs to another user: correct owner" in capsys.readouterr().err


@pytest.mark.parametrize("trap", ["link", "file"])
def test_what_is_no_folder_is_not_used(places: Path, capsys: pytest.CaptureFixture[str], trap: str) -> None:
    expected = leaf(places / "home/.cache/endeavor_env")
    expected.parent.mkdir(parents=True)
    (places / "elsewhere").mkdir()
    if trap == "link":
        expected.symlink_to(places / "elsewhere")
    else:
        expected.write_text("")
    assert cache_folder.save_folder() is None
    assert "because it is no folder, or a link" in capsys.readouterr().err
    assert not any((places / "elsewhere").iterdir())


def test_a_folder_that_cannot_be_written_is_read(
    places: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sealed = leaf(places / "home/.cache/endeavor_env")
    sealed.mkdir(parents=True)
    (sealed / "rules.library").write_text("")
    seal(monkeypatch, sealed)
    assert list(cache_folder.found_folders()) == [cache_folder.PACKAGED, sealed]
    assert cache_folder.save_folder() is None
    assert "because it cannot be written" in capsys.readouterr().err
    assert len(list(sealed.iterdir())) == 1


def test_a_named_folder_that_cannot_be_made_is_reported_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ENDEAVOR_ENV_CACHE_DIR", "/dev/null/cache")
    assert cache_folder.save_folder() is None
    assert list(cache_folder.found_folders()) == [cache_folder.PACKAGED]
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"not in {leaf(Path('/dev/null/cache'))}, because it cannot be read: Not a directory" in said


MAKES_THE_TOY = """
from endeavor_env.kernels.loading import library, once
from tests.kits import toy_part
print(once.ensure_parts(toy_part.TOY), toy_part.add(20, 22), *library._libraries)
"""


@pytest.mark.skipif(not USES_LIBRARY, reason="no library is used")
def test_what_cannot_be_kept_is_made_for_one_process_and_leaves_nothing(places: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "ENDEAVOR_ENV_CACHE_DIR": "/dev/null", "TMPDIR": str(places / "tmp")}
    ran = subprocess.run([sys.executable, "-c", MAKES_THE_TOY], env=env, capture_output=True, text=True, check=True)
    made, answer, file = ran.stdout.split()
    assert (made, answer) == ("True", "42")
    assert Path(file).is_relative_to(places / "tmp")
    assert not any((places / "tmp").iterdir())


def test_the_package_is_imported_without_a_home_and_without_writing_anything(places: Path) -> None:
    code = (
        "import os.path\nos.path.expanduser = lambda path: path\n"
        "from endeavor_env import Game\nfrom endeavor_env.endeavor.interface import entry\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": "", "TMPDIR": str(places / "tmp")}
    env.pop("HOME")
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, cwd=places, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert not any((places / "tmp").iterdir())
    assert sorted(path.name for path in places.iterdir()) == ["home", "tmp"]


def test_the_version_is_that_of_every_source_but_those_that_only_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = cache_folder.version_hash.__wrapped__
    monkeypatch.setattr(cache_folder, "PACKAGE", tmp_path)
    monkeypatch.setattr(cache_folder, "kernel_folders", lambda: ["engine/kernels", "kernels", "rules"])
    kernels = ("engine/kernels/f.py", "kernels/d.py", "rules/a.py", "rules/a/c.py", "rules/b.py")
    for name in (*kernels[::-1], "kernels/loading/e.py", "kernels/notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"# {name}\n", encoding="utf-8")
    assert {*cache_folder.kernel_sources()} == {f"{tmp_path}/{name}" for name in kernels}
    first = version()
    (tmp_path / "kernels/loading/e.py").write_text("changed", encoding="utf-8")
    (tmp_path / "kernels/notes.txt").write_text("changed", encoding="utf-8")
    shutil.copytree(tmp_path, tmp_path / "elsewhere")
    assert version() == first
    monkeypatch.setattr(cache_folder, "PACKAGE", tmp_path / "elsewhere")
    assert version() == first
    (tmp_path / "elsewhere/rules/a/c.py").write_text("changed", encoding="utf-8")
    assert version() != first


def test_no_cache_folder_is_looked_at_where_the_package_has_its_library(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> Path | None:
        pytest.fail("the package has it")

    monkeypatch.setattr(cache_folder, "PACKAGED", places)
    monkeypatch.setattr(cache_folder, "_usual_folder", refuse)
    packaged = places / library.file_name(WHOLE, levels()[0])
    packaged.touch()
    assert next(library._candidates("rules")) == packaged


def test_a_second_checkout_plays_with_what_the_first_one_compiled(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom endeavor_env import Game\nfrom endeavor_env.kernels.loading import cache_folder\n"
        "game = Game.new(seed=7)\ngame.play(game.legal_moves()[0])\n"
        "print(cache_folder.PACKAGE, 'numba' in sys.modules)\n"
    )
    shutil.copytree(ROOT / "endeavor_env", tmp_path / "endeavor_env", ignore=shutil.ignore_patterns("__pycache__"))
    env = {**os.environ, "PYTHONPATH": str(tmp_path), **CACHE}
    ran = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")  # nothing was compiled
    assert ran.stdout.split() == [str(tmp_path / "endeavor_env"), "False"]


def test_every_module_with_machine_code_is_part_of_the_digest_of_sources() -> None:
    modules = {module for part in parts.values() for module in part.modules if module.startswith("endeavor_env.")}
    kernels = tuple(f"endeavor_env.{folder.replace('/', '.')}." for folder in cache_folder.kernel_folders())
    assert {module for module in modules if not module.startswith(kernels)} == set()


def test_the_key_of_another_packages_kernels_changes_with_its_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stranger.py").write_text("ROUNDS = 4\n")
    monkeypatch.syspath_prepend(tmp_path)
    before = cache_folder.key_of(["stranger"])
    assert before == cache_folder.key_of(["endeavor_env.kernels.sharing", "stranger"]) != cache_folder.version_hash()
    (tmp_path / "stranger.py").write_text("ROUNDS = 5\n")
    assert cache_folder.key_of(["stranger"]) != before
    assert cache_folder.key_of(["endeavor_env.kernels.sharing"]) == cache_folder.version_hash()
