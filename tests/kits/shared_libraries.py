"""What a shared library of Linux, macOS or Windows says of itself: for which machine it is, what it shows and takes."""

from __future__ import annotations

import struct
from typing import NamedTuple

ELF_MACHINES = {62: "x86_64", 183: "aarch64"}
MACH_MACHINES = {0x01000007: "x86_64", 0x0100000C: "aarch64"}
PE_MACHINES = {0x8664: "x86_64"}
_NEEDED, _SYMBOLS, _TEXT_RELOCATIONS, _FLAGS = 1, 11, 22, 30  # kinds of entries of the dynamic section of ELF
_SYMBOL_TABLE, _LOADED, _SIGNATURE = 0x2, 0xC, 0x1D  # kinds of commands of Mach-O


_OF_C = {"exp", "log", "memcpy", "memmove", "memset"}
TAKEN = {"linux": _OF_C, "darwin": {*_OF_C, "bzero", "__bzero", "memset_pattern16", "dyld_stub_binder"}, "win32": set()}
"""What libraries of this package may take from the system, by its name."""


class Contents(NamedTuple):
    """What was read."""

    machine: str
    shown: set[str]
    """Symbols that whoever loads it finds."""
    taken: set[str]
    """Symbols that it takes from other libraries."""
    libraries: set[str]
    """The libraries that it names."""
    signed: bool = False
    """Whether it has a signature of macOS."""
    changes_code: bool = False
    """Whether loading it would write into its code, so that processes could not share it."""


def read_library(content: bytes) -> Contents:
    """Return what a shared library says; raise ValueError if it is none."""
    if content[:4] == b"\x7fELF":
        return _read_elf(content)
    if content[:4] == b"\xcf\xfa\xed\xfe":
        return _read_mach(content)
    if content[:2] == b"MZ":
        return _read_pe(content)
    raise ValueError("this is no shared library")


def _text(content: bytes, at: int) -> str:
    return content[at : content.index(b"\0", at)].decode()


def _read_elf(content: bytes) -> Contents:
    kind, machine = struct.unpack_from("<HH", content, 16)
    if kind != 3:
        raise ValueError("this is no shared library")
    (sections,) = struct.unpack_from("<Q", content, 40)
    (number,) = struct.unpack_from("<H", content, 60)
    shown, taken, libraries, changes_code = set(), set(), set(), False
    table = [struct.unpack_from("<IIQQQQIIQQ", content, sections + 64 * place) for place in range(number)]
    for _, section, _, _, at, size, link, *_ in table:
        names = table[link][4]
        if section == _SYMBOLS:
            for place in range(at + 24, at + size, 24):
                name, _, _, defined = struct.unpack_from("<IBBH", content, place)
                (shown if defined else taken).add(_text(content, names + name))
        if section == 6:  # the dynamic section
            for tag, value in struct.iter_unpack("<QQ", content[at : at + size]):
                if tag == _NEEDED:
                    libraries.add(_text(content, names + value))
                changes_code |= tag == _TEXT_RELOCATIONS or (tag == _FLAGS and bool(value & 4))
    return Contents(ELF_MACHINES[machine], shown, taken, libraries, changes_code=changes_code)


def _read_mach(content: bytes) -> Contents:
    machine, _, kind, number = struct.unpack_from("<IIII", content, 4)
    if kind != 6:
        raise ValueError("this is no shared library")
    shown, taken, libraries, signed, at = set(), set(), set(), False, 32
    for _ in range(number):
        command, size = struct.unpack_from("<II", content, at)
        if command == _SYMBOL_TABLE:
            symbols, count, names, _ = struct.unpack_from("<IIII", content, at + 8)
            for place in range(symbols, symbols + 16 * count, 16):
                name, how = struct.unpack_from("<IB", content, place)
                if how & 1:  # for others to see
                    (shown if how & 14 else taken).add(_text(content, names + name).removeprefix("_"))
        if command == _LOADED:
            libraries.add(_text(content, at + struct.unpack_from("<I", content, at + 8)[0]))
        signed |= command == _SIGNATURE
        at += size
    return Contents(MACH_MACHINES[machine], shown, taken, libraries, signed)


def _read_pe(content: bytes) -> Contents:
    (head,) = struct.unpack_from("<I", content, 60)
    machine, number = struct.unpack_from("<HH", content, head + 4)
    optional_size, characteristics = struct.unpack_from("<HH", content, head + 20)
    if not characteristics & 0x2000:
        raise ValueError("this is no shared library")
    optional = head + 24
    sections = [
        struct.unpack_from("<8sIIII", content, optional + optional_size + 40 * place) for place in range(number)
    ]

    def place_of(address: int) -> int:
        for _, size, first, _, at in sections:
            if first <= address < first + size:
                return address - first + at
        raise ValueError(f"nothing is at {address:#x}")

    exports, _, imports, imports_size = struct.unpack_from("<IIII", content, optional + 112)
    count, _, names = struct.unpack_from("<III", content, place_of(exports) + 24)
    addresses = struct.unpack_from(f"<{count}I", content, place_of(names))
    shown = {_text(content, place_of(address)) for address in addresses}
    return Contents(PE_MACHINES[machine], shown, {"imports"} if imports or imports_size else set(), set())
