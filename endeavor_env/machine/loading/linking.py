"""From an object file to a file that the system maps into memory."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

LINKERS = (("ld.lld", "-shared"), ("ld", "-shared"), ("cc", "-shared", "-nostdlib"))
"""The commands that can do it; the first that does is taken."""


def link_file(thing: Path, out: Path) -> Path:
    """Return the shared library ``out`` made of an object file; the object file where nothing here can link."""
    for command in LINKERS if os.name == "posix" else ():
        if shutil.which(command[0]) is None:
            continue
        ran = subprocess.run([*command, "-o", str(out), str(thing)], capture_output=True, text=True, check=False)
        if ran.returncode == 0:
            return out
    return thing
