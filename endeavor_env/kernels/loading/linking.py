"""From an object file to a file that the system maps into memory."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from endeavor_env.kernels.loading.systems import System

LINKERS = (("ld.lld", "-shared", "-Bsymbolic"), ("ld", "-shared", "-Bsymbolic"), ("cc", "-shared", "-nostdlib"))
"""The commands that can do it; the first that does is taken. Calls from one piece to another go there at once."""
VERSIONS = range(30, 13, -1)
"""Of LLVM's linkers, which some systems add to the names of the commands."""
ELSEWHERE = {
    "linux": ("ld.lld", "-shared", "-s", "--build-id=none"),
    "darwin": ("ld64.lld", "-dylib", "-x", "-install_name", "@rpath/endeavor.library"),
    "win32": ("lld-link", "/dll", "/noentry", "/nodefaultlib", "/machine:x64", "/Brepro"),
}
"""The linkers of LLVM, each for a system that need not be this one, and what they are told."""
_STUB = """--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '/usr/lib/libSystem.B.dylib'
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ _bzero, _exp, _log, _memcpy, _memmove, _memset, _memset_pattern16, dyld_stub_binder ]
  - targets: [ x86_64-macos ]
    symbols: [ ___bzero ]
...
"""
"""What a linker for macOS has to know of the library that every process there has."""


def can_link() -> bool:
    """Return whether this machine has a linker."""
    return os.name == "posix" and any(shutil.which(command[0]) is not None for command in LINKERS)


def link_files(things: Sequence[Path], out: Path) -> bool:
    """Make the shared library ``out`` of object files; return False where nothing here can."""
    for command in LINKERS if can_link() else ():
        if shutil.which(command[0]) is None:
            continue
        ran = subprocess.run([*command, "-o", out, *things], capture_output=True, text=True, check=False)
        if ran.returncode == 0:
            return True
    return False


class BuildError(RuntimeError):
    """The machine code could not be made; the message says what went wrong."""


def link_for(system: System, thing: Path, out: Path) -> Path:
    """Return the shared library ``out`` made of an object file for a kind of machine; raise BuildError if that fails.

    It refers to nothing outside itself, except to a few functions of C on Linux and macOS.
    """
    command, given = [linker_of(system), *ELSEWHERE[_kind(system)][1:]], [thing]
    if system.machine.startswith("darwin"):
        stub = thing.with_suffix(".tbd")
        stub.write_text(_STUB, encoding="utf-8")
        version = system.triple.partition("macosx")[2]
        command += ["-arch", system.triple.partition("-")[0], "-platform_version", "macos", version, version]
        given.append(stub)
    if system.machine.startswith("win32"):
        command += [f"/out:{out}", f"/implib:{thing.with_suffix('.lib')}"]  # which nobody needs
    else:
        command += ["-o", str(out)]
    ran = subprocess.run([*command, *map(str, given)], capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise BuildError(f"linking for {system.name} failed: {ran.stderr[:2000]}")
    return out


def linker_of(system: System) -> str:
    """Return the linker for a kind of machine; raise BuildError if it is not there."""
    name = ELSEWHERE[_kind(system)][0]
    found = find_command(name)
    if found is not None:
        return found
    raise BuildError(f"a library for {system.name} needs the linker {name}, which is not there: install LLVM's lld")


def find_command(name: str) -> str | None:
    """Return the path of one of LLVM's linkers, which some systems name with its version; None without one."""
    paths = (shutil.which(word) for word in (name, *(f"{name}-{version}" for version in VERSIONS)))
    return next((path for path in paths if path is not None), None)


def _kind(system: System) -> str:
    return system.machine.partition("-")[0]
