"""Entries in a library: arguments and results of every kind, with errors for others."""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import BuiltinFunctionType
from typing import Any

import numpy as np
import pytest

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.kernels.calls import outside_entries
from endeavor_env.kernels.entries import Entry, entries
from endeavor_env.kernels.llvm.entry_code import AXES_AT, FLAGS_AT, IS_CONTIGUOUS, SHAPE_AT, TYPE_AT, TYPE_NUMBER_AT
from endeavor_env.kernels.loading import cache_folder, calling, library, making, processor
from endeavor_env.kernels.loading.processor import levels
from endeavor_env.kernels.parts import part_of, parts, reached, shared_out
from endeavor_env.kernels.switches import HEAD, USES_LIBRARY
from endeavor_env.kernels.table import TYPES
from tests.kits import toy_part
from tests.kits.toy_pair import Pair

pytestmark = pytest.mark.skipif(not USES_LIBRARY, reason="no library is used")
WRONG: Any = (np.zeros(3), np.zeros(3, np.int8))
_FEATURES = "endeavor_endeavor_interface_entry_observe_features"
ENTRIES = ("add", "scale", "compare", "halves", "multiples", "filled")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[library.Library]:
    """The toy's library, made in an empty cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENDEAVOR_ENV_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        cache_folder.save_folder.cache_clear()
        patch.setattr(making, "shared_out", with_one_entry_apart)
        library.make_missing([toy_part.TOY], making.no_report)
        assert library.find_library(toy_part.add.symbol)  # type: ignore[attr-defined]
        yield next(found for found in library._libraries.values() if found.address(toy_part.add.symbol))  # type: ignore[attr-defined]
        cache_folder.save_folder.cache_clear()


def with_one_entry_apart(symbols: list[str], processes: int) -> list[list[str]]:
    """Share out the toy's entries so that one calls another in the other piece of the library."""
    asked = toy_part.toy_code.symbol  # type: ignore[attr-defined]
    return [[asked], [symbol for symbol in symbols if symbol != asked]] if processes > 1 else [symbols]


def file_of(mapped: library.Library) -> Path:
    """Return the file of a library that is mapped."""
    return next(file for file, found in library._libraries.items() if found is mapped)


@pytest.fixture
def toy(made: library.Library) -> Any:
    """The toy's entries."""

    class Calls:
        pass

    for name in ENTRIES:
        setattr(Calls, name, staticmethod(made.call_of(getattr(toy_part, name))))
    return Calls


def test_every_kind_of_argument_and_result(toy: Any) -> None:
    assert toy.add(20, np.int64(22)) == 42
    rows = np.arange(6.0).reshape(2, 3)
    assert toy.scale(rows, 2) == 30.0
    assert rows.tolist() == [[0, 2, 4], [6, 8, 10]]
    assert toy.compare(Pair(np.zeros(3, np.int64), np.zeros(3, np.int8))) is True
    assert toy.compare(Pair(np.zeros(3, np.int64), np.zeros(2, np.int8))) is False
    assert toy.halves(7) == (3, 1)
    assert toy.multiples(5) == [5, 10, 15]
    made = toy.filled(7, 4)
    assert (made.dtype, made.tolist(), made.flags.owndata) == (np.float32, [7, 7, 7, 7], True)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda toy: toy.add(1), TypeError, r"add\(\) takes 2 values"),
        (lambda toy: toy.add(1, 2, 3), TypeError, r"add\(\) takes 2 values"),
        (lambda toy: toy.add(1.5, 2), (TypeError, AttributeError), "int|__index__"),
        (lambda toy: toy.add(1 << 70, 2), OverflowError, "big|long"),
        (lambda toy: toy.multiples(5, 5), TypeError, r"multiples\(\) takes 1 values"),
        (lambda toy: toy.scale([[1.0]], 2), TypeError, r"contiguous array of float64 as value 1"),
        (lambda toy: toy.scale(np.zeros(3), 2), TypeError, r"contiguous array of float64 as value 1"),
        (lambda toy: toy.scale(np.zeros((3, 4))[:, ::2], 2), TypeError, r"contiguous array"),
        (lambda toy: toy.scale(np.zeros((3, 4), np.float32), 2), TypeError, r"contiguous array"),
        (lambda toy: toy.compare(Pair(*WRONG)), TypeError, r"array of int64 as value 1"),
        (lambda toy: toy.filled(1, -1), ValueError, "negative"),
    ],
)
def test_other_arguments_are_refused(
    toy: Any, call: Callable[[Any], Any], error: type[Exception] | tuple[type[Exception], ...], message: str
) -> None:
    with pytest.raises(error, match=message):
        call(toy)


def test_an_entry_is_a_built_in_function_with_a_name_and_a_description(made: library.Library) -> None:
    function = made.call_of(toy_part.add)  # type: ignore[arg-type]
    assert isinstance(function, BuiltinFunctionType)
    assert (function.__name__, function.__doc__, function.__module__) == ("add", "Return the sum.", toy_part.__name__)


def test_kernels_of_users_call_code_entries_of_the_library(made: library.Library) -> None:
    states, out = np.zeros(1, STATE), np.zeros(3, np.float32)
    assert toy_part.call_toy(Board.default().array, states, 7, 5, 3, out) == 22
    assert out.tolist() == [7.0, 5.0, 3.0]
    assert states["num_seats"][0] == 3


def test_one_piece_of_a_library_calls_an_entry_of_the_other(made: library.Library) -> None:
    states, out = np.zeros(1, STATE), np.zeros(3, np.float32)
    assert made.call_of(toy_part.ask_outside)(Board.default().array, states, 7, out) == 22  # type: ignore[arg-type]
    assert (out.tolist(), int(states["num_seats"][0])) == ([7.0, 5.0, 3.0], 3)


def test_what_libraries_have_they_say(made: library.Library) -> None:
    assert isinstance(toy_part.add, Entry)
    assert made.address(toy_part.add.symbol)
    assert not made.address("endeavor_nothing")


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda content: content[:-40] + content[-32:], "it is damaged"),
        (lambda content: b"", "it is damaged"),
        (lambda content: content[:-1] + bytes([content[-1] ^ 1]), "it is damaged"),
    ],
)
def test_a_damaged_library_is_named_and_not_mapped(
    made: library.Library, tmp_path: Path, spoil: Callable[[bytes], bytes], why: str
) -> None:
    sound = file_of(made)
    damaged = tmp_path / sound.name
    damaged.write_bytes(spoil(sound.read_bytes()))
    with pytest.raises(ValueError, match=why):
        library.Library(damaged)


@pytest.mark.skipif(os.name == "nt", reason="owners and modes of files as POSIX has them")
@pytest.mark.parametrize("mode", [0o664, 0o646])
def test_a_library_that_others_can_write_is_not_mapped(made: library.Library, tmp_path: Path, mode: int) -> None:
    file = Path(shutil.copy(file_of(made), tmp_path))
    file.chmod(mode)
    with pytest.raises(ValueError, match="it can be written by other users"):
        library.Library(file)


@pytest.mark.skipif(os.name == "nt", reason="owners and modes of files as POSIX has them")
def test_a_library_that_is_a_link_or_of_another_user_is_not_mapped(
    made: library.Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, link = Path(shutil.copy(file_of(made), tmp_path)), tmp_path / "link"
    link.symlink_to(file)
    with pytest.raises(OSError, match="symbolic links"):
        library.Library(link)
    monkeypatch.setattr(os, "fstat", lambda descriptor: os.stat_result((0o100644, 0, 0, 1, 12345, 0, 0, 0, 0, 0)))
    with pytest.raises(ValueError, match="it belongs to another user"):
        library.Library(file)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems map a file by its path")
def test_what_is_mapped_is_what_was_checked_though_the_file_was_exchanged_in_between(
    made: library.Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, fault_of = Path(shutil.copy(file_of(made), tmp_path)), cache_folder._fault_of

    def check_and_exchange(found: os.stat_result) -> str | None:
        other = tmp_path / "other"
        other.write_bytes(b"\x7fELF and other code")
        other.replace(file)
        return fault_of(found)

    monkeypatch.setattr(cache_folder, "_fault_of", check_and_exchange)
    assert library.Library(file).call_of(toy_part.add)(20, 22) == 42  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="damaged"):
        library.Library(file)


def test_two_files_are_two_libraries_though_they_were_opened_under_one_number(
    made: library.Library, tmp_path: Path
) -> None:
    files = [shutil.copy(file_of(made), tmp_path / f"{number}.library") for number in range(3)]
    places = {library.Library(Path(file)).address(toy_part.add.symbol) for file in files}  # type: ignore[attr-defined]
    assert len(places) == 3


def test_where_nothing_can_link_llvmlite_loads_the_object_file(
    made: library.Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "find_linker", lambda: None)
    (code,) = making.make_libraries([toy_part.TOY], levels()[:1], tmp_path, making.no_report).values()
    assert library.is_object(code)
    loaded = library.Library(cache_folder.keep(code, tmp_path / "thing"))
    assert loaded.call_of(toy_part.add)(20, 22) == 42  # type: ignore[arg-type]
    assert not loaded.address("endeavor_nothing")


@pytest.mark.parametrize(
    ("begins", "is_object"),
    [
        (b"\x7fELF" + bytes(12) + b"\x01", True),
        (b"\x7fELF" + bytes(12) + b"\x03", False),
        (b"\xcf\xfa\xed\xfe" + bytes(8) + b"\x01", True),
        (b"\xcf\xfa\xed\xfe" + bytes(8) + b"\x06", False),
        (b"MZ" + bytes(20), False),
        (b"\x64\x86" + bytes(20), True),
    ],
)
def test_object_files_of_every_system_are_known(begins: bytes, is_object: bool) -> None:
    assert library.is_object(begins + bytes(8)) == is_object


CALLS_WHAT_IS_NOT_MAPPED = """
import numpy as np
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.kernels.loading import library, making, once
from tests.kits.toy_caller import CALLER, ask_elsewhere

def ask():
    states, out = np.zeros(1, STATE), np.zeros(3, np.float32)
    return ask_elsewhere(Board.default().array, states, 7, out), out.tolist()

def fail(problem):
    def make(wanted, report):
        raise problem
    return make

once.ensure_parts(CALLER)
make_parts = making.make_parts
for problem in (library.BuildError("no compiler"), KeyboardInterrupt("Ctrl-C")):
    making.make_parts = fail(problem)
    try:
        ask()
    except type(problem) as told:
        print(told)
making.make_parts = make_parts
print(ask(), ask())
"""


def test_a_part_that_is_missing_when_its_code_is_called_is_made_or_the_call_raises_why_not(
    tmp_path: Path,
) -> None:
    environment = {**os.environ, "ENDEAVOR_ENV_CACHE_DIR": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", CALLS_WHAT_IS_NOT_MAPPED],
        env=environment,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    answer = (22, [7.0, 5.0, 3.0])
    assert (ran.returncode, ran.stdout) == (0, f"no compiler\nCtrl-C\n{answer} {answer}\n"), ran.stderr
    assert ran.stderr.count("compiled the toy in") == 1


BELOW_EVERY_LEVEL = """
from types import SimpleNamespace
from endeavor_env.kernels.loading import library, once, processor
from tests.kits.toy_part import TOY, add
processor._multiarray_umath = SimpleNamespace(__cpu_features__={})
once.ensure_parts(TOY)
print(add(20, 22), *processor.levels(), *library._libraries)
"""


def test_a_processor_below_the_least_level_makes_its_machine_code_itself(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-P", "-c", BELOW_EVERY_LEVEL],
        env={**os.environ, "ENDEAVOR_ENV_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    answer, level, file = ran.stdout.split()
    assert (answer, level) == ("42", "generic")
    assert Path(file).name == library.file_name("toy", "generic")


def test_every_entry_that_machine_code_calls_by_symbol_can_be_made_when_it_is_missing() -> None:
    for part in list(parts.values()):
        part.symbols()
    without = {symbol for symbol in outside_entries() if part_of(symbol) is None}
    assert without == set()


def test_an_error_of_a_kernel_has_no_other_reason_than_its_own() -> None:
    calling.KernelError.reasons.append(OSError("no space"))
    with pytest.raises(OSError, match="no space"):
        calling.KernelError("ask() failed")
    assert str(calling.KernelError("ask() failed")) == "ask() failed"


@pytest.mark.parametrize("part", ["rules", "players", "merchants"])
def test_entries_are_shared_out_evenly_and_the_same_way_each_time(part: str) -> None:
    symbols = parts[part].symbols()
    lists = shared_out(symbols, 2)
    assert shared_out(symbols[::-1], 2) == lists
    assert sorted(symbol for one in lists for symbol in one) == sorted(symbols)
    work = [sum(_code_of(one).values()) for one in lists]
    assert max(work) <= max(*(sum(_code_of([symbol]).values()) for symbol in symbols), 0.65 * sum(work))


def _code_of(symbols: list[str]) -> dict[Any, int]:
    """Return the kernels that entries reach, with the bytes of their code."""
    found: dict[Any, int] = {}
    for symbol in symbols:
        reached(entries[symbol].py_func, found)
    return found


def test_entries_that_share_their_code_are_made_by_one_process() -> None:
    (with_features,) = (one for one in shared_out(parts["rules"].symbols(), 2) if _FEATURES in one)
    assert any(symbol.endswith("observe_write_observe_entry") for symbol in with_features)


MACHINES = {
    ("linux", "x86_64", "3.11.7 (main) [GCC 12.2.0]"): ("linux-x86_64", 2),
    ("linux", "aarch64", "3.11.7 (main) [GCC 12.2.0]"): ("linux-aarch64", 1),
    ("linux", "riscv64", "3.11.7 (main) [GCC 12.2.0]"): ("linux-riscv64", 1),
    ("darwin", "arm64", "3.12.1 (v3.12.1) [Clang 13.0.0]"): ("darwin-aarch64", 1),
    ("darwin", "x86_64", "3.12.1 (v3.12.1) [Clang 13.0.0]"): ("darwin-x86_64", 2),
    # x86's Python on another processor
    ("win32", "ARM64", "3.12.1 (tags) [MSC v.1937 64 bit (AMD64)]"): ("win32-x86_64", 2),
}
"""What Python says on each system; what the kind of machine is called, and the number of its levels."""


@pytest.mark.parametrize("said", MACHINES)
def test_every_kind_of_machine_has_a_name_and_levels(
    said: tuple[str, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", said[0])
    monkeypatch.setattr(platform, "machine", lambda: said[1])
    monkeypatch.setattr(sys, "version", said[2])
    assert (processor.machine_name(), len(processor.all_levels())) == MACHINES[said]
    assert set(processor.levels()) <= {*processor.all_levels(), processor.GENERIC}


def test_types_whose_numbers_differ_between_systems_are_in_the_table() -> None:
    """C's long has 64 bits here and 32 on Windows, where NumPy therefore numbers these types in another way."""
    assert {np.dtype(kind).name for kind in "iIlLqQ"} == set(TYPES)


def test_machine_code_finds_the_fields_of_arrays_where_numpy_has_them() -> None:
    """If this fails, NumPy's arrays are laid out anew: correct the places in ``llvm/entry_code.py``."""
    array = np.zeros((2, 3), np.int16)

    def field(at: int, kind: Any) -> Any:
        return kind.from_address(id(array) + at).value

    assert object.__basicsize__ == HEAD
    assert field(HEAD - 8, ctypes.c_void_p) == id(np.ndarray)
    assert field(HEAD, ctypes.c_void_p) == array.ctypes.data
    assert field(AXES_AT, ctypes.c_int) == array.ndim
    assert tuple((ctypes.c_int64 * 2).from_address(field(SHAPE_AT, ctypes.c_void_p))) == array.shape
    assert ctypes.c_int.from_address(field(TYPE_AT, ctypes.c_void_p) + TYPE_NUMBER_AT).value == array.dtype.num
    assert field(FLAGS_AT, ctypes.c_int) & IS_CONTIGUOUS
