"""Object files as code in the memory of this process: linked to a shared library, or loaded by llvmlite without one.

A shared library is mapped in a millisecond, and its pages are shared. Without a linker, as in small container images,
each process imports llvmlite and links anew, which takes a tenth of a second.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

LINKERS = {
    "linux": (("ld.lld", "-shared", "-Bsymbolic"), ("ld", "-shared", "-Bsymbolic"), ("cc", "-shared", "-nostdlib")),
    "darwin": (("cc", "-dynamiclib"),),
    "win32": (("clang", "-shared"),),
}
"""Commands that link, by system; the first that works is taken. Calls from one piece to another go there at once."""
VERSIONS = range(30, 13, -1)
"""Versions of LLVM's linkers, which some systems add to the names of the commands."""
OBJECT_FILE = {b"\x7fELF": (16, 1), b"\xcf\xfa\xed\xfe": (12, 1), b"\x64\x86": (0, 0x64)}
"""Beginnings of files on Linux, macOS and Windows: the place and the value of the byte that tells an object file."""
DESCRIPTORS = "/proc/self/fd"
"""Folder with the open files of a process, on Linux."""
_count = itertools.count()


class BuildError(RuntimeError):
    """The machine code could not be made; the message says what went wrong."""


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


def is_object(content: bytes) -> bool:
    """Return whether the contents of a file are those of an object file, which llvmlite has to load."""
    return any(content.startswith(begin) and content[at] == value for begin, (at, value) in OBJECT_FILE.items())


class SharedCode:
    """A shared library in memory, which stays there; all processes share its pages."""

    def __init__(self, file: Path, descriptor: int) -> None:
        """Map an open file; raise OSError if the system does not take it.

        Linux maps what the descriptor stands for. Other systems take a path, above which nobody else can write.
        """
        own = f"{DESCRIPTORS}/{'./' * next(_count)}{descriptor}"  # a name that the loader has not seen yet
        self._code = ctypes.CDLL(own if os.path.exists(own) else str(file))

    def address(self, symbol: str) -> int:
        """Return the address of a symbol, 0 if there is none."""
        try:
            return int(ctypes.cast(getattr(self._code, symbol), ctypes.c_void_p).value or 0)
        except AttributeError:
            return 0


class ObjectCode:
    """An object file that llvmlite linked into the memory of this process, where it stays."""

    def __init__(self, content: bytes) -> None:
        """Link the contents of a file."""
        from llvmlite import binding

        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        machine = binding.Target.from_default_triple().create_target_machine()
        self._engine: Any = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
        self._engine.add_object_file(binding.ObjectFileRef.from_data(content))
        self._engine.finalize_object()

    def address(self, symbol: str) -> int:
        """Return the address of a symbol, 0 if there is none."""
        return int(self._engine.get_function_address(symbol) or self._engine.get_global_value_address(symbol))
