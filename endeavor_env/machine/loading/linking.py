"""From an object file to a file that the system maps into memory."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

LINKERS = (("ld.lld", "-shared"), ("ld", "-shared"), ("cc", "-shared", "-nostdlib"))
"""The commands that can do it, the first that is there is taken."""


def link_file(thing: Path, out: Path) -> Path:
    """Return the shared library ``out`` made of an object file."""
    for command in LINKERS:
        if shutil.which(command[0]):
            ran = subprocess.run([*command, "-o", str(out), str(thing)], capture_output=True, text=True, check=False)
            if ran.returncode == 0:
                return out
    raise RuntimeError("there is no linker")
