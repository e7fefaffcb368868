"""The libraries of machine code of this process: found, checked, mapped into memory, and called from Python.

A library is a file of the package, or of the cache folder where one was made on this machine. If anything is wrong with
it, it is named and passed over. A shared library is mapped in a millisecond, and its pages are shared. Without a
linker, as in small container images, a file holds object code: each process imports llvmlite and links anew, which
takes a tenth of a second.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from endeavor_env.kernels.calls import outside_entries
from endeavor_env.kernels.entries import Entry, entries
from endeavor_env.kernels.loading import calling
from endeavor_env.kernels.loading.cache_folder import found_folders, kept_code, key_of, opened, say_once, version_hash
from endeavor_env.kernels.loading.processor import levels, machine_name
from endeavor_env.kernels.parts import WHOLE, Part, part_of, parts
from endeavor_env.kernels.table import SLOT, TABLE_SYMBOL

SUFFIX = ".library"
JOINT = "+"
"""Between the names of parts that were made in one go, in the name of their file."""

OBJECT_FILE = {b"\x7fELF": (16, 1), b"\xcf\xfa\xed\xfe": (12, 1), b"\x64\x86": (0, 0x64)}
"""Beginnings of files on Linux, macOS and Windows: the place and the value of the byte that tells an object file."""
DESCRIPTORS = "/proc/self/fd"
"""Folder with the open files of a process, on Linux."""
_count = itertools.count()

_lock = threading.RLock()
_libraries: dict[Path, Library] = {}  # those that are mapped, by their files
_missing: set[str] = set()  # parts that were looked for and not found


class BuildError(RuntimeError):
    """The machine code could not be made; the message says what went wrong."""


def is_object(content: bytes) -> bool:
    """Return whether the contents of a file are those of an object file, which llvmlite has to load."""
    return any(content.startswith(begin) and content[at] == value for begin, (at, value) in OBJECT_FILE.items())


def _mapped(file: Path, descriptor: int) -> Callable[[str], int]:
    """Map the shared library of an open file; return what finds symbols. All processes share its pages.

    Linux maps what the descriptor stands for. Other systems take a path. Raise OSError if the system does not take it.
    """
    own = f"{DESCRIPTORS}/{'./' * next(_count)}{descriptor}"  # a name that the loader has not seen yet
    code = ctypes.CDLL(own if os.path.exists(own) else str(file))
    return lambda symbol: ctypes.cast(getattr(code, symbol, 0), ctypes.c_void_p).value or 0


def _linked(code: bytes) -> Callable[[str], int]:
    """Link an object file into the memory of this process; return what finds symbols."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine()
    engine: Any = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return lambda symbol: engine.get_function_address(symbol) or engine.get_global_value_address(symbol)


class Library:
    """A library that is mapped into the memory of the process, and stays there.

    Attributes:
        address: Returns the address of a symbol, 0 if there is none.
    """

    def __init__(self, file: Path) -> None:
        """Map a file, checked as it is mapped.

        Raises:
            OSError: It cannot be read, or the system does not take it.
            ValueError: It is damaged, or other users can write it.
        """
        with opened(file) as (descriptor, code):
            self.address = _linked(code) if is_object(code) else _mapped(file, descriptor)
        table = self.address(TABLE_SYMBOL)
        if table:
            calling.fill_table(table, _fill_slot)

    def call_of(self, entry: Entry) -> Any:
        """Return what calls an entry from Python."""
        return calling.built_in(self.address(entry.symbol), entry)


def _fill_slot(slot: int) -> None:
    """Write the address of an entry of another library into a slot, mapped or made now if there is none.

    Machine code that calls the entry just now asks for it, and cannot pass an error on: whoever called the kernel from
    Python gets it (``calling.KernelError``).
    """
    try:
        entry = next(
            entry
            for symbol, entry in outside_entries().items()
            if slot in [library.address(f"{symbol}{SLOT}") for library in list(_libraries.values())]
        )
        ctypes.c_void_p.from_address(slot).value = address_of_symbol(entry)
    except BaseException as problem:
        calling.KernelError.reasons.append(problem)


def file_name(name: str, level: str) -> str:
    """Return the name of the file of a library for a level of instructions.

    Args:
        name: That of a part, ``WHOLE``, or what ``name_of`` returned.
        level: The level of instructions.
    """
    first = name.partition(JOINT)[0]  # all parts of a library have the same key
    key = key_of(parts[first].modules if first in parts else ())
    return f"{name}-{machine_name()}-{level}-{key}{SUFFIX}"


def name_of(wanted: Sequence[Part]) -> str:
    """Return the name of the library that has these parts and no others."""
    return JOINT.join(sorted(part.name for part in wanted))


def is_apart(part: Part) -> bool:
    """Return whether a part has kernels of another package, whose library changes with those."""
    return key_of(part.modules) != version_hash()


def _candidates(part: str) -> Iterator[Path]:
    """Yield the files that may hold a part, the best first: with everything, with it alone, with it and others."""
    for folder in found_folders():
        for level in levels():
            ending = file_name(part, level).removeprefix(part)
            names = {file: file.name.removesuffix(ending).split(JOINT) for file in folder.glob(f"*{ending}")}
            fitting = [file for file, found in names.items() if part in found or WHOLE in found]
            yield from sorted(fitting, key=lambda file: (WHOLE not in names[file], len(names[file]), file))


def find_library(symbol: str) -> bool:
    """Bind an entry to the library that has it, mapped now if there is one; return whether there is."""
    entry, part = entries[symbol], part_of(symbol)
    with _lock:
        library = next((library for library in _libraries.values() if library.address(symbol)), None)
        if library is None and part is not None and part.name not in _missing:
            library = _map_part(part.name, symbol)
        if library is not None and not entry.code:
            entry.bind(library.call_of(entry))
        return library is not None


def _map_part(part: str, symbol: str) -> Library | None:
    """Map the best file with a part and return it; None if no file has this entry."""
    for file in _candidates(part):
        if file in _libraries:
            continue
        try:
            library = Library(file)
        except (OSError, ValueError) as problem:
            say_once(f"{file} is not used, because {problem}; what is in it is compiled again")
            continue
        if library.address(symbol):
            _libraries[file] = library
            return library
    _missing.add(part)
    return None


def has_part(part: Part) -> bool:
    """Return whether a part is mapped, or can be by now."""
    _missing.discard(part.name)
    return all(map(find_library, part.symbols()))


def ensure_library(symbol: str) -> bool:
    """Bind an entry to the library that has it, made first if there is none; return False if it belongs to no part.

    Entries of other parts that its kernels call are found when they are called: an ordinary game needs no Exploits.
    """
    part = part_of(symbol)
    if part is not None and not find_library(symbol):
        from endeavor_env.kernels.loading.once import ensure_parts

        ensure_parts(part)
    return part is not None and find_library(symbol)


def make_missing(wanted: Iterable[Part], report: Callable[[int, int], None]) -> None:
    """Make parts of the machine code unless there are libraries with them: in one go those that change together."""
    groups: dict[str, list[Part]] = {}
    for part in wanted:
        if not has_part(part):
            groups.setdefault(key_of(part.modules), []).append(part)
    for group in groups.values():
        from endeavor_env.kernels.loading.making import make_parts

        with make_parts(group, report) as file, _lock:
            _missing.difference_update(part.name for part in group)
            _libraries[file] = Library(file)


def has_whole() -> bool:
    """Return whether there is a sound library with all parts of the package."""
    return any(kept_code(file.name) is not None for file in _candidates(WHOLE))


def library_files() -> list[Path]:
    """Return the libraries that this process can map, the best first."""
    return list(dict.fromkeys(file for name in (WHOLE, *parts) for file in _candidates(name)))


def address_of_symbol(entry: Entry) -> int | None:
    """Return the address of a code entry; None if it belongs to no part."""
    if not ensure_library(entry.symbol):
        return None
    return next(library.address(entry.symbol) for library in _libraries.values() if library.address(entry.symbol))
