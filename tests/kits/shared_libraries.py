"""What a shared library of Linux says of itself: what it shows, and what it takes from others."""

from __future__ import annotations

import struct
from typing import NamedTuple

TAKEN = {"exp", "log", "memcpy", "memmove", "memset", "sched_yield"}
"""The symbols that libraries of this package may take from the system: functions of C that every process has."""
_NEEDED, _SYMBOLS, _TEXT_RELOCATIONS, _FLAGS = 1, 11, 22, 30  # kinds of entries of the dynamic section


class Contents(NamedTuple):
    """What was read."""

    shown: set[str]
    """Symbols that whoever loads it finds."""
    taken: set[str]
    """Symbols that it takes from other libraries."""
    libraries: set[str]
    """The libraries that it names."""
    changes_code: bool
    """Whether loading it would write into its code, so that processes could not share it."""


def _text(content: bytes, at: int) -> str:
    return content[at : content.index(b"\0", at)].decode()


def read_library(content: bytes) -> Contents:
    """Return what a shared library says; raise ValueError if it is none."""
    (kind,) = struct.unpack_from("<H", content, 16)
    if content[:4] != b"\x7fELF" or kind != 3:
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
    return Contents(shown, taken, libraries, changes_code)
