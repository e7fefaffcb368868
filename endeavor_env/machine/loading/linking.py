"""From an object file to a file that the system maps into memory."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

LINKERS = (("ld.lld", "-shared"), ("ld", "-shared"), ("cc", "-shared", "-nostdlib"))
"""The commands that can do it; the first that does is taken."""
OBJECT = b"\x7fELF"
RELOCATABLE = 1
"""What the field of an ELF file says that is an object file; 3 stands for a shared library."""


def link_file(thing: Path, out: Path) -> Path:
    """Return the shared library ``out`` made of an object file; the object file where nothing here can link."""
    for command in LINKERS if os.name == "posix" else ():
        if shutil.which(command[0]) is None:
            continue
        ran = subprocess.run([*command, "-o", str(out), str(thing)], capture_output=True, text=True, check=False)
        if ran.returncode == 0:
            return out
    return thing


def is_object(content: bytes) -> bool:
    """Return whether the contents of a file are those of an object file, which llvmlite has to load."""
    return content[:4] != OBJECT or content[16] == RELOCATABLE
