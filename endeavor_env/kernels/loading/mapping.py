"""Files of machine code in the memory of this process: by the system's loader, or by llvmlite's."""

from __future__ import annotations

import ctypes
import itertools
import os
from pathlib import Path
from typing import Any, Protocol

KINDS = {b"\x7fELF": 16, b"\xcf\xfa\xed\xfe": 12}
"""How files of Linux and of macOS begin, and the place of the byte that says what kind of file it is."""
RELOCATABLE = 1
"""What that byte says of an object file, on both."""
DESCRIPTORS = "/proc/self/fd"
"""Where Linux has the open files of a process as files."""
_count = itertools.count()
PROGRAM = b"MZ"
"""How libraries of Windows begin, and object files do not."""


class Code(Protocol):
    """Machine code in memory, which stays there."""

    def address(self, symbol: str) -> int:
        """Return the address of a symbol, 0 if there is none."""
        ...


class SharedCode:
    """A shared library, whose pages all processes share."""

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
    """An object file that llvmlite linked into the memory of this process."""

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


def map_code(file: Path, descriptor: int, content: bytes) -> Code:
    """Return the code of a file in memory; raise OSError if it cannot be mapped.

    Args:
        file: The file.
        descriptor: The same, opened for reading.
        content: What was read from it and found sound.
    """
    return ObjectCode(content) if is_object(content) else SharedCode(file, descriptor)


def is_object(content: bytes) -> bool:
    """Return whether the contents of a file are those of an object file, which llvmlite has to load."""
    place = KINDS.get(content[:4])
    if place is None:
        return content[:2] != PROGRAM
    return content[place] == RELOCATABLE
