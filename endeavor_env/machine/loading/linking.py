"""From an object file to a file that the system maps into memory."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

LINKERS = (("ld.lld", "-shared"), ("ld", "-shared"), ("cc", "-shared", "-nostdlib"))
"""The commands that can do it; the first that does is taken."""
KINDS = {b"\x7fELF": 16, b"\xcf\xfa\xed\xfe": 12}
"""How files of Linux and of macOS begin, and the place of the byte that says what kind of file it is."""
RELOCATABLE = 1
"""What that byte says of an object file, on both."""
PROGRAM = b"MZ"
"""How libraries of Windows begin, and object files do not."""


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
    place = KINDS.get(content[:4])
    if place is None:
        return content[:2] != PROGRAM
    return content[place] == RELOCATABLE
