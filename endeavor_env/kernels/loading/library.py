"""The libraries of machine code of this process: found, checked, mapped into memory, and called from Python.

A library is a file of the package, or of the cache folder where one was made on this machine. It carries a digest, and
what it was made from: if anything is wrong with it, it is named and passed over. A shared library is mapped in a
millisecond, and its pages are shared. Without a linker, as in small container images, a file holds object code: each
process imports llvmlite and links anew, which takes a tenth of a second.
"""

from __future__ import annotations

import ctypes
import hashlib
import itertools
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from endeavor_env.kernels.calls import outside_entries
from endeavor_env.kernels.entries import Entry, entries
from endeavor_env.kernels.loading import calling
from endeavor_env.kernels.loading.cache_folder import (
    found_folders,
    key_of,
    opened,
    read_opened,
    say_once,
    version_hash,
)
from endeavor_env.kernels.loading.processor import levels, machine_name
from endeavor_env.kernels.parts import WHOLE, Part, part_of, parts
from endeavor_env.kernels.table import SLOT, TABLE_SYMBOL

PACKAGED = Path(__file__).resolve().parents[1] / "libraries"
"""The libraries that came with the package."""
KEY_SIZE, DIGEST_SIZE = 16, 32  # bytes: every file ends in ``version_hash``, and the SHA-256 of all before
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


class Library:
    """A library that is mapped into the memory of the process, and stays there."""

    def __init__(self, file: Path) -> None:
        """Map a file, checked as it is mapped.

        Raises:
            OSError: It cannot be read, or the system does not take it.
            ValueError: It is damaged or another library, or other users can write it.
        """
        with opened(file, of_package=file.parent == PACKAGED) as descriptor:
            content = _sound(read_opened(descriptor))
            self._code = ObjectCode(content) if is_object(content) else SharedCode(file, descriptor)
        table = self.address(TABLE_SYMBOL)
        if table:
            calling.fill_table(table, _fill_slot)

    def has(self, symbol: str) -> bool:
        """Return whether an entry is in the library."""
        return self._code.address(symbol) != 0

    def address(self, symbol: str) -> int:
        """Return the address of a symbol, 0 if there is none."""
        return self._code.address(symbol)

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


def by_key(wanted: Iterable[Part]) -> list[list[Part]]:
    """Return parts in groups that can be one library: those of this package, and those that change together."""
    groups: dict[str, list[Part]] = {}
    for part in wanted:
        groups.setdefault(key_of(part.modules), []).append(part)
    return list(groups.values())


def _candidates(part: str) -> Iterator[Path]:
    """Yield the files that may hold a part, the best first: with everything, with it alone, with it and others."""
    for folder in _folders():
        for level in levels():
            ending = file_name(part, level).removeprefix(part)
            names = {file: file.name.removesuffix(ending).split(JOINT) for file in folder.glob(f"*{ending}")}
            fitting = [file for file, found in names.items() if part in found or WHOLE in found]
            yield from sorted(fitting, key=lambda file: (WHOLE not in names[file], len(names[file]), file))


def _folders() -> Iterator[Path]:
    """Yield the folders with libraries, one after the other: most often the first has what is looked for."""
    yield PACKAGED
    yield from found_folders()


def find_library(symbol: str) -> bool:
    """Bind an entry to the library that has it, mapped now if there is one; return whether there is."""
    entry, part = entries[symbol], part_of(symbol)
    with _lock:
        library = next((library for library in _libraries.values() if library.has(symbol)), None)
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
        if library.has(symbol):
            _libraries[file] = library
            return library
    _missing.add(part)
    return None


def with_trailer(code: bytes) -> bytes:
    """Return the content of a file of machine code: what it was made from follows, and a digest."""
    content = code + version_hash().encode()
    return content + hashlib.sha256(content).digest()


def code_of(content: bytes) -> bytes:
    """Return the machine code in the contents of a file."""
    return content[: -KEY_SIZE - DIGEST_SIZE]


def sound_content(file: Path) -> bytes | None:
    """Return the contents of a file; None if they are damaged, or of other sources, or others can write the file."""
    try:
        with opened(file, of_package=file.parent == PACKAGED) as descriptor:
            return _sound(read_opened(descriptor))
    except (OSError, ValueError):
        return None


def _sound(content: bytes) -> bytes:
    """Return the contents of a file; raise ValueError unless they are as they were once written, for these sources."""
    if hashlib.sha256(memoryview(content)[:-DIGEST_SIZE]).digest() != content[-DIGEST_SIZE:]:
        raise ValueError("it is damaged")
    if content[-KEY_SIZE - DIGEST_SIZE : -DIGEST_SIZE] != version_hash().encode():
        raise ValueError("it was made from other sources")
    return content


def has_part(name: str) -> bool:
    """Return whether a part is mapped, or can be by now."""
    _missing.discard(name)
    symbols = parts[name].symbols()
    return all(find_library(symbol) for symbol in symbols)


def ensure_library(symbol: str) -> bool:
    """Bind an entry to the library that has it, made first if there is none; return False if it belongs to no part.

    Entries of other parts that its kernels call are found when they are called: an ordinary game needs no Exploits.
    """
    if find_library(symbol):
        return True
    part = part_of(symbol)
    if part is None:
        return False
    from endeavor_env.kernels.loading.once import compile_once

    compile_once(part)
    return find_library(symbol)


def ensure_parts(names: Iterable[str], report: Callable[[int, int], None] | None = None) -> bool:
    """Make parts of the machine code, in one go, unless there are libraries with them; return whether any was made."""
    lacking = [name for name in names if not has_part(name)]
    if not lacking:
        return False
    from endeavor_env.kernels.loading.making import make_parts, no_report

    for group in by_key(parts[name] for name in lacking):
        file = make_parts(group, report or no_report)
        with _lock:
            _missing.difference_update(part.name for part in group)
            try:
                _libraries[file] = Library(file)
            except (OSError, ValueError) as problem:
                raise BuildError(f"{file} was made just now and cannot be used, because {problem}") from problem
    return True


def has_file(name: str) -> bool:
    """Return whether there is a sound library with exactly this part."""
    return any(sound_content(file) is not None for file in _candidates(name) if file.name.startswith(f"{name}-"))


def library_files() -> list[Path]:
    """Return the libraries that this process can map, the best first."""
    return list(dict.fromkeys(file for name in (WHOLE, *parts) for file in _candidates(name)))


def address_of_symbol(entry: Entry) -> int | None:
    """Return the address of a code entry; None if it belongs to no part."""
    if not ensure_library(entry.symbol):
        return None
    return next(library.address(entry.symbol) for library in _libraries.values() if library.has(entry.symbol))
