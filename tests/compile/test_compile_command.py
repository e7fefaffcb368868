"""``python -m endeavor_env.compile`` says what it compiled, that all is ready, or what is wrong."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from endeavor_env.compile import command
from endeavor_env.endeavor import ensure
from endeavor_env.kernels import parts
from endeavor_env.kernels.loading import cache_folder, library, making, once
from endeavor_env.kernels.loading.library import BuildError
from endeavor_env.kernels.loading.processor import all_levels
from endeavor_env.kernels.parts import WHOLE
from endeavor_env.kernels.switches import USES_LIBRARY
from tests.kits import toy_part
from tests.kits.commands import run_command

COMMAND = "endeavor_env.compile"
pytestmark = pytest.mark.skipif(not USES_LIBRARY, reason="no library is used")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of this version in an empty cache, for a package that consists of the toy."""
    monkeypatch.setenv("ENDEAVOR_ENV_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cache_folder, "PACKAGED", tmp_path / "package")
    for name in [name for name in parts.parts if name != toy_part.TOY.name]:
        monkeypatch.delitem(parts.parts, name)
    for module in (making, command):
        monkeypatch.setattr(module, "is_apart", lambda part: False)
    cache_folder.save_folder.cache_clear()
    cache_folder.say_once.cache_clear()
    yield tmp_path / "cache" / cache_folder.version_hash()
    cache_folder.save_folder.cache_clear()
    cache_folder.say_once.cache_clear()


def test_the_first_call_compiles_the_next_say_that_all_is_ready_and_a_damaged_file_is_made_again(folder: Path) -> None:
    first, second = run_command(COMMAND), run_command(COMMAND)
    (file,) = folder.glob("all-*.library")
    assert (first.status, second.status) == (0, 0)
    assert first.out.splitlines()[0].startswith("Compiled in ")
    assert first.out.splitlines()[1] == f"Everything is ready in {file}"
    assert first.err.count("\n") == 2
    assert (second.out, second.err) == (f"Everything is ready in {file}\n", "")
    sound = file.read_bytes()
    file.write_bytes(sound[:-1])
    third = run_command(COMMAND)
    assert third.status == 0
    assert third.out.startswith("Compiled in ")
    assert cache_folder.kept_code(file.name) == file.read_bytes()[: -cache_folder.DIGEST_SIZE]


def test_what_is_translated_is_always_the_same(folder: Path, tmp_path: Path) -> None:
    scratch = [tmp_path / name for name in ("first", "second")]
    for one in scratch:
        one.mkdir()
    first, second = (making.translate([toy_part.TOY], one) for one in scratch)
    assert first[1] == second[1]
    assert [file.read_bytes() for file in first[0]] == [file.read_bytes() for file in second[0]]


def test_for_a_wheel_there_are_libraries_for_each_level_and_no_others(folder: Path) -> None:
    other = cache_folder.PACKAGED / "old.library"
    other.parent.mkdir()
    other.touch()
    done = run_command(COMMAND, "--for-wheel")
    files = {cache_folder.PACKAGED / library.file_name(WHOLE, level) for level in all_levels()}
    assert done.status == 0
    assert set(cache_folder.PACKAGED.iterdir()) == files
    assert all(cache_folder.kept_code(file.name) is not None for file in files)


def test_what_could_not_be_saved_is_a_failure(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "make_once", lambda title, is_there, make: True)
    done = run_command(COMMAND)
    assert done.status == 1
    assert done.err.splitlines()[-1] == "Everything was compiled, but it could not be saved."


def test_ctrl_c_says_so_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "make_once", mock.Mock(side_effect=KeyboardInterrupt))
    done = run_command(COMMAND)
    assert (done.status, done.out) == (130, "")
    assert done.err.strip() == "Stopped; the same command begins anew what was not ready."


def test_who_is_interrupted_while_processes_work_ends_them() -> None:
    started: list[subprocess.Popen[bytes]] = []

    def start(*given: Any, **named: Any) -> subprocess.Popen[bytes]:
        started.append(popen(*given, **named))
        return started[-1]

    popen = subprocess.Popen
    command = ["http.server", "0", "--bind", "127.0.0.1"]  # which says that it serves, and goes on
    with (
        mock.patch.object(subprocess, "Popen", start),
        mock.patch.dict(os.environ, PYTHONUNBUFFERED="1"),
        pytest.raises(KeyboardInterrupt),
    ):
        making.run_together([command, command], mock.Mock(side_effect=KeyboardInterrupt))
    assert [process.returncode not in (None, 0) for process in started] == [True, True]


def test_the_last_words_of_a_process_that_fails_are_told() -> None:
    with pytest.raises(BuildError, match=r"compiling failed: .*No module named no_such_module"):
        making.run_together([["no_such_module"]])


def test_a_failure_is_said_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> bool:
        raise BuildError("no memory")

    monkeypatch.setattr(command, "compile_everything", fail)
    done = run_command(COMMAND)
    assert (done.status, done.out, done.err) == (1, "", "error: no memory\n")


def test_other_versions_are_removed_when_asked_for_and_nothing_else(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "make_once", lambda title, is_there, make: False)
    monkeypatch.setattr(command, "library_files", lambda: [folder / "all.library"])
    folder.mkdir(parents=True)
    old, foreign, named = (folder.parent / name for name in ("0123456789abcdef", "fedcba9876543210", "notes"))
    for other in (old, foreign, named):
        other.mkdir()
        files = (
            "rules-x.library",
            "web.wasm",
            "web.wasm.12.partial",
            "lock",
        )
        for name in files:
            (other / name).write_text("")
    (foreign / "thesis.txt").write_text("")
    assert run_command(COMMAND).status == 0
    assert old.exists()
    done = run_command(COMMAND, "--clear")
    assert done.out.splitlines()[0] == "Folders of other versions removed: 1."
    assert sorted(path.name for path in folder.parent.iterdir()) == sorted([folder.name, foreign.name, named.name])


def test_help_names_the_folder_and_a_wrong_option_is_refused() -> None:
    shown, refused = run_command(COMMAND, "--help"), run_command(COMMAND, "--all")
    assert shown.status == 0
    assert "ENDEAVOR_ENV_CACHE_DIR" in shown.out
    assert refused.status == 2
    assert "--all" in refused.err


def test_where_no_library_is_used_there_is_nothing_to_compile(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "USES_LIBRARY", False)
    assert command.main([]) == 0
    assert "nothing to compile" in capsys.readouterr().out


def test_parts_that_were_made_in_one_go_are_found_by_the_name_of_each(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def make_libraries(wanted: list[parts.Part], levels: list[str], scratch: Path, report: object) -> dict[str, bytes]:
        made.append(" ".join(part.name for part in wanted))
        return {levels[0]: b"code"}

    monkeypatch.setattr(making, "make_libraries", make_libraries)
    wanted = [parts.Part("rules", "the rules", ()), parts.Part("players", "the players", ())]
    with making.make_parts(wanted, making.no_report) as file:
        pass
    assert made == ["rules players"]
    assert file.parent == folder
    assert file.name.startswith("players+rules-")
    assert [list(library._candidates(name)) for name in ("rules", "players", "play")] == [[file], [file], []]
    assert not library.has_whole()


def test_every_part_that_is_made_on_demand_belongs_to_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(once, "ensure_parts", lambda *wanted: asked.extend(part.name for part in wanted))
    for name in ensure.__all__:
        if name.startswith("ensure_") and name.endswith("compiled"):
            getattr(ensure, name)()
    assert set(asked) == {"rules", "single", "exploits", "players", "batch", "learning"} < set(parts.parts)
