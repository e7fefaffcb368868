"""Damaged, missing and unwritable files of compiled code: nothing but a sentence and another compilation."""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from numba.core.errors import NumbaWarning

from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.loading import addresses, cache_folder, kernel_cache
from endeavor_env.kernels.parts import parts
from endeavor_env.kernels.switches import JIT_DISABLED

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
TABLE = np.arange(500_000)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of this version in an empty cache of the test; what kernels call by symbol is not made in it."""
    addresses.define_outside()
    monkeypatch.setenv("ENDEAVOR_ENV_CACHE_DIR", str(tmp_path))
    for function in (cache_folder.usual_folder, cache_folder.say_once):
        function.cache_clear()
    yield tmp_path / cache_folder.version_hash()
    for function in (cache_folder.usual_folder, cache_folder.say_once):
        function.cache_clear()


def twice(value):
    """Return the double, as a kernel would."""
    return value + value


def run(function: Callable[[Any], Any] = twice, value: Any = 21) -> tuple[Any, str]:
    """Call a kernel as the first call of a process would; return the result, and whether it was compiled or loaded."""
    fresh: Any = kernel(function)
    result = fresh(value)
    return result, "loaded" if fresh.made.stats.cache_hits else "compiled"


def test_a_kernel_is_compiled_once_for_each_type_and_then_loaded(folder: Path) -> None:
    assert [run(), run(), run(value=1.5), run(value=1.5)] == [
        (42, "compiled"),
        (42, "loaded"),
        (3.0, "compiled"),
        (3.0, "loaded"),
    ]
    assert [path.suffix for path in folder.iterdir()] == [".kernel"] * 2  # no file is left from writing them


def first(values):
    """Return the first entry, as a kernel would."""
    return values[0]


def test_arrays_and_records_of_different_kinds_have_files_of_their_own(folder: Path) -> None:
    plain = np.zeros(4, np.int16)
    sealed, record = plain.copy(), np.dtype([("turn", np.int8), ("seat", np.int8)])
    sealed.setflags(write=False)
    swapped = np.dtype([("seat", np.int8), ("turn", np.int8)])
    padded = np.dtype({"names": ["turn", "seat"], "formats": [np.int8, np.int8], "offsets": [0, 2], "itemsize": 4})
    kinds = [
        plain,
        sealed,
        plain[::2],
        *(np.zeros(4, kind) for kind in (np.uint16, record, swapped, padded)),
    ]
    assert [run(first, values)[1] for values in kinds] == ["compiled"] * len(kinds)
    assert [run(first, values)[1] for values in kinds] == ["loaded"] * len(kinds)


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda content: b"",
    "cut in the checksum": lambda content: content[:20],
    "cut after the checksum": lambda content: content[:32],
    "cut in the middle": lambda content: content[: len(content) // 2],
    "without its last byte": lambda content: content[:-1],
    "longer": lambda content: content + b"\0",
    "zeros": lambda content: bytes(len(content)),
    "garbage": lambda content: np.random.default_rng(0).bytes(len(content)),
    "garbage after the checksum": lambda content: content[:32] + np.random.default_rng(0).bytes(len(content) - 32),
    "one bit in the machine code": lambda content: content[:4000] + bytes([content[4000] ^ 1]) + content[4001:],
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_is_compiled_again_with_one_sentence(
    folder: Path, damage: Callable[[bytes], bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    run()
    run(value=1.5)
    for path in folder.glob("*.kernel"):
        path.write_bytes(damage(path.read_bytes()))
    assert [run(), run(value=1.5)] == [(42, "compiled"), (3.0, "compiled")]
    assert capsys.readouterr().err == f"endeavor_env: compiled code in {folder} is damaged and is compiled again\n"
    assert [run(), run(value=1.5)] == [(42, "loaded"), (3.0, "loaded")]


FOREIGN = {
    "a number": pickle.dumps(7),
    "another tuple": pickle.dumps((1, 2, 3)),
    "no pickle": b"no pickle",
    "nothing": b"",
    "a module that is not there": b"cno_such_module\nname\n.",
}


@pytest.mark.parametrize("payload", FOREIGN.values(), ids=FOREIGN)
def test_a_sound_file_with_other_contents_is_compiled_again_with_one_sentence(
    folder: Path, payload: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    run()
    file = next(folder.glob("*.kernel"))
    file.write_bytes(hashlib.sha256(payload).digest() + payload)
    assert kernel_cache.is_sound(file.read_bytes())
    assert run() == (42, "compiled")
    said = capsys.readouterr().err
    assert said.startswith("endeavor_env: compiled code of twice is of another kind and is made again: ")
    assert said.count("\n") == 1
    assert run() == (42, "loaded")


@pytest.mark.skipif(os.name == "nt", reason="owners and modes of files as POSIX has them")
@pytest.mark.parametrize("mode", [0o664, 0o646])
def test_a_pickled_kernel_that_others_can_write_is_not_unpickled(
    folder: Path, mode: int, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run()
    file, marker = next(folder.glob("*.kernel")), tmp_path / "ran"
    payload = pickle.dumps(_Writes(marker))
    file.write_bytes(hashlib.sha256(payload).digest() + payload)
    file.chmod(mode)
    assert [run(), run()] == [(42, "compiled"), (42, "loaded")]
    assert not marker.exists()
    assert file.stat().st_mode & 0o777 == 0o644
    assert capsys.readouterr().err == (
        f"endeavor_env: {file} is not used, because it can be written by other users; what is in it is compiled again\n"
    )


class _Writes:
    """Something that writes a file when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (str(self.marker),)


def test_a_file_that_was_removed_is_compiled_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run()
    next(folder.iterdir()).unlink()
    assert [run(), run()] == [(42, "compiled"), (42, "loaded")]
    assert capsys.readouterr().err == ""


def test_what_cannot_be_written_is_said_once_and_leaves_nothing_behind(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(partial: Path, file: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert [run(), run(value=1.5)] == [(42, "compiled"), (3.0, "compiled")]
    assert capsys.readouterr().err == (
        f"endeavor_env: compiled code cannot be saved in {folder}: No space left on device; going on without\n"
    )
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="limits the size of files")
def test_a_process_on_a_full_disk_goes_on_without_a_cache(tmp_path: Path) -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "from endeavor_env.engine.kernels.masks import count_allowed\nimport numpy as np\n"
        "assert count_allowed(np.array([7])) == 3\n"
    )
    known = next(cache_folder.found_folders())
    folder = tmp_path / known.name
    shutil.copytree(known, folder, ignore=shutil.ignore_patterns("*.kernel", "*.partial"))
    before = sorted(folder.iterdir())
    env = {**os.environ, "PYTHONPATH": str(ROOT), "ENDEAVOR_ENV_CACHE_DIR": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr.count("cannot be saved") == 1
    assert sorted(folder.iterdir()) == before  # nothing half-written


def test_an_edited_source_file_has_files_of_its_own(folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "edited.py"

    def version(text: str) -> FunctionType:
        source.write_text(text, encoding="utf-8")
        names: dict[str, Any] = {}
        exec(compile(text, source, "exec"), names)
        return names["constant"]

    assert run(version("def constant(value):\n    return 1\n")) == (1, "compiled")
    edited = version("def constant(value):\n    return 200\n")
    assert [run(edited), run(edited)] == [(200, "compiled"), (200, "loaded")]


def test_functions_made_by_one_function_have_files_of_their_own(folder: Path) -> None:
    def plus(number: int) -> Callable[[int], int]:
        return lambda value: value + number

    assert [run(plus(1)), run(plus(2)), run(plus(1))] == [(22, "compiled"), (23, "compiled"), (22, "loaded")]


def test_a_function_that_no_file_defines_is_not_saved(folder: Path) -> None:
    names: dict[str, Any] = {}
    exec(compile("def constant(value):\n    return 1\n", "<a prompt>", "exec"), names)
    assert [run(names["constant"]), run(names["constant"])] == [(1, "compiled")] * 2
    assert not list(folder.iterdir())


def test_code_that_refers_to_memory_of_its_process_is_not_saved(folder: Path) -> None:
    def look_up(index):
        return TABLE[index]

    with pytest.warns(NumbaWarning, match="kernel look_up is not saved"):
        assert run(look_up) == (21, "compiled")
    assert not list(folder.glob("*.kernel"))


def test_a_second_checkout_plays_with_what_the_first_one_compiled(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom endeavor_env import Game\nfrom endeavor_env.kernels.loading import cache_folder\n"
        "game = Game.new(seed=7)\ngame.play(game.legal_moves()[0])\n"
        "print(cache_folder.PACKAGE, 'numba' in sys.modules)\n"
    )
    shutil.copytree(ROOT / "endeavor_env", tmp_path / "endeavor_env", ignore=shutil.ignore_patterns("__pycache__"))
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")  # nothing was compiled
    assert ran.stdout.split() == [str(tmp_path / "endeavor_env"), "False"]


def test_every_module_with_machine_code_is_part_of_a_digest_of_sources() -> None:
    modules = {module for part in parts.values() for module in part.modules if module.startswith("endeavor_env.")}
    kernels = tuple(f"endeavor_env.{folder.replace('/', '.')}." for folder in cache_folder.KERNELS)
    others = {module for module in modules if not module.startswith(kernels)}
    assert {cache_folder.game_of(module) for module in others} == {"merchants"}
    assert {cache_folder.game_of(module) for module in modules - others} == {None}
