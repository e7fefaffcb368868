"""The libraries of machine code of this process: found, checked, mapped into memory, and called from Python.

A library is a file of the package, or of the cache folder where one was made on this machine. It carries a digest, and
what it was made from: if anything is wrong with it, it is named and passed over.
"""

from __future__ import annotations

import ctypes
import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

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
from endeavor_env.kernels.loading.linking import BuildError, ObjectCode, SharedCode, is_object
from endeavor_env.kernels.loading.processor import levels, machine_name
from endeavor_env.kernels.parts import WHOLE, Part, part_of, parts
from endeavor_env.kernels.table import IMPORTS_SYMBOL, KEY_SYMBOL, TABLE_SYMBOL, of_piece

PACKAGED = Path(__file__).resolve().parents[1] / "libraries"
"""The libraries that came with the package."""
DIGEST_SIZE = 32  # bytes: every file ends in the SHA-256 of the rest
SUFFIX = ".library"
JOINT = "+"
"""Between the names of parts that were made in one go, in the name of their file."""

_lock = threading.RLock()
_libraries: dict[Path, Library] = {}  # those that are mapped, by their files
_missing: set[str] = set()  # parts that were looked for and not found


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
        self.outside: list[list[str]] = []
        """The entries in other libraries that each piece of this one calls."""
        while place := self.address(of_piece(KEY_SYMBOL, len(self.outside))):
            key, *outside = ctypes.string_at(place).decode().split("\n")
            if key != version_hash():
                break
            calling.fill_table(self.address(of_piece(TABLE_SYMBOL, len(self.outside))), _find_missing)
            self.outside.append(outside)
        if place or not self.outside:
            raise ValueError("it was made from other sources")

    def has(self, symbol: str) -> bool:
        """Return whether an entry is in the library."""
        return self._code.address(symbol) != 0

    def address(self, symbol: str) -> int:
        """Return the address of a symbol."""
        return self._code.address(symbol)

    def call_of(self, entry: Entry) -> Any:
        """Return what calls an entry from Python."""
        return calling.built_in(self.address(entry.symbol), entry)

    def find_outside(self) -> None:
        """Write the addresses of entries that are in other libraries; 0 where none is mapped, see ``_find_missing``."""
        for piece, outside in enumerate(self.outside):
            imports = self.address(of_piece(IMPORTS_SYMBOL, piece))
            table = (ctypes.c_void_p * max(1, len(outside))).from_address(imports)
            for place, symbol in enumerate(outside):
                library = next((library for library in _libraries.values() if library.has(symbol)), None)
                table[place] = library.address(symbol) if library else 0


def _find_missing(imports: int, place: int) -> None:
    """Map or make the part with an entry that machine code calls just now and that no library here has.

    Machine code cannot pass an error on: whoever called the kernel from Python gets it (``calling.KernelError``).

    Args:
        imports: The address of the table of imports of the library that calls.
        place: That of the entry in the table.
    """
    try:
        ensure_library(_symbol_at(imports, place))
    except BaseException as problem:
        calling.KernelError.reasons.append(problem)


def _symbol_at(imports: int, place: int) -> str:
    """Return the symbol of an entry at a place of a table of imports, after importing its module."""
    symbol = next(
        outside[place]
        for library in list(_libraries.values())
        for piece, outside in enumerate(library.outside)
        if library.address(of_piece(IMPORTS_SYMBOL, piece)) == imports
    )
    if symbol not in entries:
        for part in parts.values():
            part.symbols()
    return symbol


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
            _keep(file, library)
            return library
    _missing.add(part)
    return None


def _keep(file: Path, library: Library) -> None:
    """Keep a library, and tell all libraries of this process where they find what is in others."""
    _libraries[file] = library
    for one in _libraries.values():
        one.find_outside()


def sound_content(file: Path) -> bytes | None:
    """Return the contents of a file with their digest; None if they are damaged or others can write the file."""
    try:
        with opened(file, of_package=file.parent == PACKAGED) as descriptor:
            return _sound(read_opened(descriptor))
    except (OSError, ValueError):
        return None


def _sound(content: bytes) -> bytes:
    """Return the contents of a file; raise ValueError unless they end in the digest of what stands before."""
    if hashlib.sha256(memoryview(content)[:-DIGEST_SIZE]).digest() != content[-DIGEST_SIZE:]:
        raise ValueError("it is damaged")
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
                _keep(file, Library(file))
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
