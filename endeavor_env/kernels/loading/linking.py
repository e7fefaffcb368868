"""Object files linked to a shared library by a linker of this machine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

LINKERS = {
    "linux": (("ld.lld", "-shared", "-Bsymbolic"), ("ld", "-shared", "-Bsymbolic"), ("cc", "-shared", "-nostdlib")),
    "darwin": (("cc", "-dynamiclib"),),
    "win32": (("clang", "-shared"),),
}
"""Commands that link, by system; the first that works is taken. Calls from one piece to another go there at once."""
VERSIONS = range(30, 13, -1)
"""Versions of LLVM's linkers, which some systems add to the names of the commands."""


def _linkers() -> list[tuple[str, ...]]:
    """Return the commands of this machine that link."""
    return [command for command in LINKERS.get(sys.platform, ()) if shutil.which(command[0]) is not None]


def can_link() -> bool:
    """Return whether this machine has a linker."""
    return bool(_linkers())


def link_files(things: Sequence[Path], out: Path) -> bool:
    """Make the shared library ``out`` of object files; return False where nothing here can."""
    commands = ([*linker, "-o", str(out), *map(str, things)] for linker in _linkers())
    return any(subprocess.run(command, capture_output=True, check=False).returncode == 0 for command in commands)


def find_command(name: str) -> str | None:
    """Return the path of one of LLVM's linkers, which some systems name with its version; None without one."""
    paths = (shutil.which(word) for word in (name, *(f"{name}-{version}" for version in VERSIONS)))
    return next((path for path in paths if path is not None), None)
