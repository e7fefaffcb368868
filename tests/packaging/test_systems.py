"""Libraries for other systems than this one: made of the same module, and as loaders there expect them."""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from endeavor_env.compile import build as builder
from endeavor_env.endeavor.rules import parts as parts
from endeavor_env.kernels.build.elsewhere import PAUSE, adapted
from endeavor_env.kernels.loading import library, linking, making, mapping, processor
from endeavor_env.kernels.loading.systems import SYSTEMS, System, this_system
from endeavor_env.kernels.parts import WHOLE
from endeavor_env.kernels.switches import USES_LIBRARY
from endeavor_env.kernels.table import IMPORTS_SYMBOL, KEY_SYMBOL, PLAIN, TABLE_SYMBOL, TYPES
from tests.kits import toy_part
from tests.kits.shared_libraries import TAKEN, read_library

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = {"linux": set(), "darwin": {"/usr/lib/libSystem.B.dylib"}, "win32": set()}
EACH = [(system, level) for system in SYSTEMS.values() for level in system.levels]
NAMES = [f"{system.name}, {level}" for system, level in EACH]


OTHER_PYTHON = "ENDEAVOR_ENV_OTHER_PYTHON"
"""Names the command of a Python of another system, such as "qemu-aarch64 -L <system> <system>/usr/bin/python3.11"."""


@pytest.fixture(scope="module")
def translated(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], list[str]]:
    """The toy, as the front end writes it, and its symbols."""
    if not USES_LIBRARY:
        pytest.skip("no library is used")
    return making.translate([toy_part.TOY], tmp_path_factory.mktemp("translated"))


@pytest.mark.parametrize(("system", "level"), EACH, ids=NAMES)
def test_a_library_for_another_system_is_complete(
    system: System, level: str, translated: tuple[list[Path], list[str]], tmp_path: Path
) -> None:
    bitcodes, symbols = translated
    thing, out = tmp_path / "toy.o", tmp_path / "toy.library"
    making.wait_for(making.start_back_end(bitcodes, symbols, system.processor(level), thing, system.triple))
    assert mapping.is_object(thing.read_bytes())
    try:
        linking.linker_of(system)
    except linking.BuildError as lacking:
        pytest.skip(str(lacking))
    made = linking.link_for(system, thing, out).read_bytes()
    found, kind = read_library(made), system.machine.partition("-")
    assert not mapping.is_object(made)
    assert found.machine == kind[2]
    codes = {symbol for symbol in symbols if symbol.endswith("toy_code")}
    plain = {f"{symbol}{PLAIN}" for symbol in set(symbols) - codes}
    assert found.shown == {*symbols, *plain, TABLE_SYMBOL, IMPORTS_SYMBOL, KEY_SYMBOL}
    assert found.taken <= TAKEN[kind[0]]
    assert found.libraries == LIBRARIES[kind[0]]
    assert not found.changes_code
    assert found.signed or kind != ("darwin", "-", "aarch64")


MACHINES = {
    "linux_x86_64": ("linux", "x86_64", "3.11.7 (main) [GCC 12.2.0]"),
    "linux_aarch64": ("linux", "aarch64", "3.11.7 (main) [GCC 12.2.0]"),
    "macosx_11_0_arm64": ("darwin", "arm64", "3.12.1 (v3.12.1) [Clang 13.0.0]"),
    "macosx_11_0_x86_64": ("darwin", "x86_64", "3.12.1 (v3.12.1) [Clang 13.0.0]"),
    "win_amd64": ("win32", "ARM64", "3.12.1 (tags) [MSC v.1937 64 bit (AMD64)]"),  # x86's Python on another processor
}
"""What Python says on each system."""


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_a_system_asks_for_is_what_is_made_for_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    system, (system_name, machine, version) = SYSTEMS[name], MACHINES[name]
    made = {library.file_name(WHOLE, level, system.machine) for level in system.levels}
    monkeypatch.setattr(sys, "platform", system_name)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(sys, "version", version)
    assert this_system() is system
    assert processor.all_levels() == system.levels
    assert {library.file_name(WHOLE, level) for level in processor.all_levels()} == made
    assert set(processor.levels()) <= set(system.levels)


def test_a_machine_that_no_release_is_for_has_libraries_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    monkeypatch.setattr(sys, "platform", "linux")
    assert (this_system().machine, this_system().levels, this_system().tags) == ("linux-riscv64", ("generic",), "")


def test_the_pause_of_x86_becomes_that_of_the_machine() -> None:
    text = f'target triple = "x"\ndefine void @f() {{\n  call void @{PAUSE}\n  ret void\n}}\ndeclare void @{PAUSE} #1\n'
    assert adapted(text, "x86_64-unknown-linux-gnu") == text.replace('target triple = "x"', "")
    arm = adapted(text, "aarch64-unknown-linux-gnu")
    assert "  call void @llvm.aarch64.hint(i32 1)\n" in arm
    assert "declare void @llvm.aarch64.hint(i32) #1" in arm
    assert "pause" not in adapted(text, "riscv64-unknown-linux-gnu")


def test_types_whose_numbers_differ_between_systems_are_in_the_table() -> None:
    """C's long has 64 bits here and 32 on Windows, where NumPy therefore numbers these types in another way."""
    longs = {np.dtype(kind).name for kind in "iIlLqQ"}
    assert longs == set(TYPES)


def test_a_missing_linker_is_named_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda word: None)
    monkeypatch.setattr(making, "kept_content", lambda name: None)
    monkeypatch.setattr(making, "translate", lambda *given: pytest.fail("it was translated"))
    other = next(name for name, system in SYSTEMS.items() if not system.is_here() and "linux" not in name)
    assert builder.main(["--platform", other, "--out", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert re.fullmatch(rf"error: a library for {other} needs the linker [\w.-]+, which is not there: .+\n", said)
    assert list(tmp_path.iterdir()) == []


def test_what_a_linker_refuses_is_told(tmp_path: Path) -> None:
    system = SYSTEMS["linux_aarch64"]
    try:
        linking.linker_of(system)
    except linking.BuildError as lacking:
        pytest.skip(str(lacking))
    (tmp_path / "no.o").write_bytes(b"no object file")
    with pytest.raises(linking.BuildError, match="linking for linux_aarch64 failed"):
        linking.link_for(system, tmp_path / "no.o", tmp_path / "out")


def test_an_unknown_platform_is_refused_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        builder.main(["--platform", "beos"])
    said = capsys.readouterr().err
    assert all(name in said for name in SYSTEMS)


def test_the_command_prints_the_tags_of_wheels() -> None:
    command = [sys.executable, "-m", "endeavor_env.compile.build", "--tags", "--platform", "linux_aarch64"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout == "manylinux_2_17_aarch64.manylinux2014_aarch64\n"


@pytest.mark.skipif(OTHER_PYTHON not in os.environ, reason=f"{OTHER_PYTHON} names no Python of another system")
def test_another_system_plays_the_same_games() -> None:
    """Its packages, and the folder with its library, are in variables that the command is run with."""
    script = Path(__file__).with_name("played_digests.py").relative_to(ROOT).as_posix()
    here, there = (
        json.loads(subprocess.run([*command, script, "2"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)
        for command in ([sys.executable], shlex.split(os.environ[OTHER_PYTHON]))
    )
    assert here["library"] != there["library"]
    assert there["compiler"] == []
    assert here["digests"] == there["digests"]
