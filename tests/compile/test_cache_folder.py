"""Compiled code is kept where nobody else can write, and every environment has a place for it."""

from __future__ import annotations

import hashlib
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

ROOT = Path(__file__).resolve().parents[2]
CACHE = {name: os.environ[name] for name in ("HOME", "XDG_CACHE_HOME") if name in os.environ}
pytestmark = pytest.mark.skipif(os.name == "nt", reason="owners and modes of folders as POSIX has them")


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home and a temporary folder of the test, nothing named in the environment, and nothing decided before."""
    decided = (cache_folder.usual_folder, cache_folder.private_folder, cache_folder.say_once)
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
    assert list(cache_folder.found_folders()) == [cache_folder.save_folder()]
    assert not any((places / "tmp").iterdir())


def test_the_cache_folder_of_the_system_and_a_named_one_come_first(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(places / "xdg"))
    assert cache_folder.save_folder() == leaf(places / "xdg/endeavor_env")
    cache_folder.usual_folder.cache_clear()
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


def test_a_user_without_a_home_gets_a_folder_of_his_own_in_the_temporary_folder(
    places: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HOME")

    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # the user is not in the list of users
    folder = leaf(places / f"tmp/endeavor_env-{os.geteuid()}")
    assert cache_folder.save_folder() == folder
    assert list(cache_folder.found_folders()) == [folder]
    assert [path.stat().st_mode & 0o777 for path in (folder, folder.parent)] == [0o700, 0o700]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("mode", [0o777, 0o775])
def test_a_usual_folder_that_others_can_write_is_not_used(
    places: Path, mode: int, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = leaf(places / "home/.cache/endeavor_env")
    folder.mkdir(parents=True)
    folder.chmod(mode)
    assert cache_folder.save_folder() == leaf(places / f"tmp/endeavor_env-{os.geteuid()}")
    assert "is not used, because the folder can be written by other users" in capsys.readouterr().err


@pytest.mark.parametrize("mode", [0o777, 0o775])
@pytest.mark.parametrize("link", [False, True], ids=["above", "where a link leads"])
def test_a_usual_folder_below_one_that_others_can_write_is_not_used(
    places: Path, mode: int, link: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shared = places / "shared"
    (shared / "mine").mkdir(parents=True)
    shared.chmod(mode)
    (places / "link").symlink_to(shared / "mine")
    monkeypatch.setenv("ENDEAVOR_ENV_CACHE_DIR", str(places / "link" if link else shared / "mine"))
    private = leaf(places / f"tmp/endeavor_env-{os.geteuid()}")
    assert cache_folder.save_folder() == private
    assert list(cache_folder.found_folders()) == [private]
    said = capsys.readouterr().err
    assert f"is not used, because the folder is below {shared}, which can be written by other users: correct" in said
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
        cache_folder.write_in_one_step(folder / "a.library", b"code")
    finally:
        os.umask(before)
    assert folder == leaf(places / "home/.cache/endeavor_env")
    assert [path.stat().st_mode & 0o777 for path in (folder, folder / "a.library")] == [0o755, 0o644]
    assert [path.stat().st_mode & 0o022 for path in (folder.parent, folder.parent.parent)] == [0, 0]
    assert list(folder.iterdir()) == [folder / "a.library"]


def foreign(monkeypatch: pytest.MonkeyPatch, user: int) -> None:
    """Run as another user than the one who owns the folders."""
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user)
    if owner == 0:  # folders of root count as safe: let the folders look like those of an ordinary user
        status = os.lstat
        changed = lambda path: os.stat_result((*status(path)[:4], 12345, *status(path)[5:]))  # noqa: E731
        monkeypatch.setattr(Path, "lstat", changed)


def test_a_usual_folder_of_another_user_is_not_used_and_neither_is_his_temporary_one(
    places: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    foreign(monkeypatch, 4_000_000)
    (places / "tmp/endeavor_env-4000000").mkdir(mode=0o700)
    folder = cache_folder.save_folder()
    assert folder is not None
    assert folder.parent.parent == places / "tmp"
    assert folder.parent.name not in ("endeavor_env-4000000", "endeavor_env-0")
    assert folder.parent.stat().st_mode & 0o777 == 0o700
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert all("belongs to another user" in line for line in told)
    assert "for this process only" in told[1]


@pytest.mark.parametrize("trap", ["link", "writable", "file"])
def test_a_trap_in_the_temporary_folder_is_not_used(
    places: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], trap: str
) -> None:
    monkeypatch.setenv("HOME", "/dev/null")  # below which no folder can be made
    expected = places / f"tmp/endeavor_env-{os.geteuid()}"
    if trap == "link":
        (places / "elsewhere").mkdir()
        expected.symlink_to(places / "elsewhere")
    elif trap == "writable":
        expected.mkdir()
        expected.chmod(0o777)
    else:
        expected.write_text("")
    folder = cache_folder.save_folder()
    assert folder is not None
    assert expected not in folder.parents
    assert folder.parent.parent == places / "tmp"
    assert "for this process only" in capsys.readouterr().err
    assert not (places / "elsewhere").exists() or not any((places / "elsewhere").iterdir())


def test_a_folder_of_one_process_is_removed_when_it_ends_but_not_by_its_forks(places: Path) -> None:
    expected = places / f"tmp/endeavor_env-{os.geteuid()}"
    expected.mkdir()
    expected.chmod(0o777)
    code = (
        "import os, sys\nfrom endeavor_env.kernels.loading import cache_folder\nfolder = cache_folder.save_folder()\n"
        "if os.fork() == 0:\n    sys.exit()\nos.wait()\nassert folder.is_dir()\nprint(folder)\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": "/dev/null", "TMPDIR": str(places / "tmp")}
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert Path(ran.stdout.strip()).parent.parent == places / "tmp"
    assert list((places / "tmp").iterdir()) == [expected]


def test_a_folder_that_cannot_be_written_is_read_and_the_temporary_one_takes_what_it_lacks(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed = leaf(places / "home/.cache/endeavor_env")
    sealed.mkdir(parents=True)
    (sealed / "rules.library").write_text("")
    seal(monkeypatch, sealed)
    assert list(cache_folder.found_folders()) == [sealed]
    assert not any((places / "tmp").iterdir())  # nothing is lacking, nothing is written
    private = cache_folder.save_folder()
    assert private == leaf(places / f"tmp/endeavor_env-{os.geteuid()}")
    assert list(cache_folder.found_folders()) == [sealed, private]
    assert len(list(sealed.iterdir())) == 1


def test_where_nothing_can_be_written_there_is_no_folder_and_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", "/dev/null")
    monkeypatch.setattr(tempfile, "tempdir", "/dev/null")
    assert cache_folder.save_folder() is None
    assert list(cache_folder.found_folders()) == []
    assert list(cache_folder.found_folders()) == []
    assert capsys.readouterr().err.count("\n") == 1


def test_a_named_folder_that_cannot_be_made_is_reported(
    places: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ENDEAVOR_ENV_CACHE_DIR", "/dev/null/cache")
    assert cache_folder.save_folder() == leaf(places / f"tmp/endeavor_env-{os.geteuid()}")
    assert (
        capsys.readouterr().err
        == "endeavor_env: ENDEAVOR_ENV_CACHE_DIR=/dev/null/cache cannot be used: Not a directory\n"
    )


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


def test_the_digest_is_that_of_every_source_but_those_that_only_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = cache_folder.sources_digest.__wrapped__
    monkeypatch.setattr(cache_folder, "PACKAGE", tmp_path)
    monkeypatch.setattr(cache_folder, "kernel_folders", lambda: ["engine/kernels", "kernels", "rules"])
    kernels = ("engine/kernels/f.py", "kernels/d.py", "rules/a/c.py", "rules/a.py", "rules/b.py")
    for name in (*kernels[::-1], "kernels/loading/e.py", "kernels/notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"# {name}\n", encoding="utf-8")
    named = hashlib.sha256()
    for name in kernels:
        named.update(f"{name}# {name}\n".encode())
    assert digest() == named.hexdigest()
    (tmp_path / "kernels/loading/e.py").write_text("changed", encoding="utf-8")
    (tmp_path / "kernels/notes.txt").write_text("changed", encoding="utf-8")
    assert digest() == named.hexdigest()
    (tmp_path / "rules/a/c.py").write_text("changed", encoding="utf-8")
    assert digest() != named.hexdigest()


def test_no_cache_folder_is_looked_at_where_the_package_has_its_library(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> Iterator[Path]:
        pytest.fail("the package has it")
        yield places

    monkeypatch.setattr(library, "PACKAGED", places)
    monkeypatch.setattr(library, "found_folders", refuse)
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
