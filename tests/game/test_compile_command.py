"""``python -m endeavor_env.compile`` says what it compiled, that all is ready, or what is wrong; see ``compile``."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from endeavor_env import compilation, compile, players
from endeavor_env.core import _cache_folder, _kernel_cache
from endeavor_env.core._jit import JIT_DISABLED, kernel
from tests.kits import toy_kernel
from tests.kits.commands import run_command

COMMAND = "endeavor_env.compile"
pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")


def warm_up() -> None:
    """Compile the toy as a new process would."""
    add: Any = toy_kernel.add
    kernel(add.py_func)(1, 2)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of this version in an empty cache, for a package that consists of the toy."""
    monkeypatch.setenv("ENDEAVOR_ENV_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(compilation, "PARTS", (compilation.Part("the toy", warm_up),))
    monkeypatch.setattr(players, "ENTRIES", {})
    monkeypatch.setattr(_kernel_cache, "unsaved", set())
    for function in (_cache_folder.usual_folder, _cache_folder.say_once):
        function.cache_clear()
    yield tmp_path / "cache" / _cache_folder.version_hash()
    for function in (_cache_folder.usual_folder, _cache_folder.say_once):
        function.cache_clear()


def test_the_first_call_compiles_and_the_second_says_that_all_is_ready(folder: Path) -> None:
    first, second = run_command(COMMAND), run_command(COMMAND)
    assert (first.status, second.status) == (0, 0)
    assert first.out.splitlines()[0].startswith("Compiled in ")
    assert first.out.splitlines()[0].endswith(" s: the toy.")
    assert first.out.splitlines()[1] == f"Everything is ready in {folder}"
    assert first.err.count("\n") == 2
    assert (second.out, second.err) == (f"Everything is ready in {folder}\n", "")


def test_a_complete_folder_that_cannot_be_written_is_ready_as_it_is(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_command(COMMAND)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(_cache_folder, "_is_writable", lambda asked: asked != folder)
    _cache_folder.private_folder.cache_clear()
    before = sorted(folder.iterdir())
    done = run_command(COMMAND)
    _cache_folder.private_folder.cache_clear()
    assert (done.status, done.out, done.err) == (0, f"Everything is ready in {folder}\n", "")
    assert sorted(folder.iterdir()) == before


def test_damaged_files_are_found_and_compiled_again(folder: Path) -> None:
    run_command(COMMAND)
    damaged = folder / "twice-0123.kernel"
    damaged.write_bytes(b"garbage")
    done = run_command(COMMAND)
    assert done.status == 0
    assert done.out.startswith("Damaged files removed: 1.\nCompiled in ")
    assert not damaged.exists()


def test_what_could_not_be_saved_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_kernel_cache, "unsaved", {"add-0123.kernel"})
    done = run_command(COMMAND)
    assert (done.status, done.out) == (1, "")
    assert done.err.splitlines()[-1] == "Everything is compiled, but not all of it could be saved."


def test_other_versions_are_removed_when_asked_for_and_nothing_else(folder: Path) -> None:
    run_command(COMMAND)
    old, foreign, named = (folder.parent / name for name in ("0123456789abcdef", "fedcba9876543210", "notes"))
    for other in (old, foreign, named):
        other.mkdir()
        for name in ("step-12.kernel", "step-12.kernel.ab.partial", "compiled the rules", "lock"):
            (other / name).write_text("")
    (foreign / "thesis.txt").write_text("")
    assert run_command(COMMAND).status == 0
    assert old.exists()
    done = run_command(COMMAND, "--clear")
    assert done.out == f"Folders of other versions removed: 1.\nEverything is ready in {folder}\n"
    assert sorted(path.name for path in folder.parent.iterdir()) == sorted([folder.name, foreign.name, named.name])


def test_help_names_the_folder_and_a_wrong_option_is_refused() -> None:
    shown, refused = run_command(COMMAND, "--help"), run_command(COMMAND, "--all")
    assert shown.status == 0
    assert "ENDEAVOR_ENV_CACHE_DIR" in shown.out
    assert refused.status == 2
    assert "--all" in refused.err


def test_every_part_that_is_compiled_on_demand_belongs_to_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    asked = []
    monkeypatch.setattr(compilation, "compile_once", lambda *part: asked.append(part[0]))
    for ensure in (
        compilation.ensure_compiled,
        compilation.ensure_players_compiled,
        compilation.ensure_batch_compiled,
        compilation.ensure_search_compiled,
        compilation.ensure_explaining_compiled,
        compilation.ensure_self_play_compiled,
        compilation.ensure_learning_compiled,
        compilation.ensure_exploits_compiled,
    ):
        ensure.__wrapped__()
    assert set(asked) == {part.what for part in compilation.PARTS}


def test_without_the_jit_there_is_nothing_to_compile(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compile, "JIT_DISABLED", True)
    assert compile.main([]) == 0
    assert "nothing to compile" in capsys.readouterr().out
