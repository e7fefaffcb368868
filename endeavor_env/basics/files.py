"""JSON and TOML files: one that cannot be read is one clear error, and no file is left half-written."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Mapping
from io import BufferedReader
from pathlib import Path
from typing import Any, NoReturn

from endeavor_env.errors import EndeavorError, InvalidOptionError, named, shown

MOST_BYTES = 1 << 26
"""Size of the largest file that is read as JSON; the records and cards of this package take some ten thousand bytes."""
MOST_VALUES = 1 << 21
"""Most values of a JSON text: a list takes some sixty bytes of memory for the three that it has in a file."""
MOST_HASHED = 1 << 32
"""Size of the largest file of which a digest is made: weights and programs."""
MOST_DEPTH = 64
"""Most lists and objects inside of each other; what walks through a value may do so by recursion."""
_TOO_DEEP = "its lists and objects are nested too deeply"
MOST_BOARD_BYTES = 1 << 22
"""Size of the largest board file that is read; those of this package have some ten or twenty thousand bytes."""
_DEEP_KEY = re.compile(
    rb"""(?<![\w\\-])(?:(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t]*\.[ \t]*){%d}""" % (MOST_DEPTH + 1)
)
"""A key such as a.b.c of more parts than tables may be nested: tomllib takes the square of their number of steps."""
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def open_regular(path: str | Path) -> BufferedReader:
    """Open a regular file, or a link to one, to read its bytes; others may never end, or wait for somebody.

    Raises:
        ValueError: There is no such file, or it cannot be read; the message goes on after its name.
    """
    try:
        kind = os.stat(path).st_mode
        if stat.S_ISREG(kind):
            return open(path, "rb")
    except (OSError, ValueError) as problem:  # ValueError: a path with a null byte
        raise ValueError(f"cannot be read: {getattr(problem, 'strerror', None) or problem}") from problem
    raise ValueError(f"cannot be read: it is {_KINDS.get(stat.S_IFMT(kind), 'no regular file')}")


def read_regular(path: str | Path, most: int) -> bytes:
    """Return the bytes of a regular file, at most ``most``: the one way in which this package reads files of others.

    Raises:
        ValueError: As ``open_regular``, or the file is larger; the message goes on after its name.
    """
    with open_regular(path) as file:
        try:
            content = file.read(most + 1) if os.fstat(file.fileno()).st_size <= most else None
        except OSError as problem:
            raise ValueError(f"cannot be read: {problem.strerror or problem}") from problem
        if content is None or len(content) > most:
            size = max(os.fstat(file.fileno()).st_size, most + 1)
            raise ValueError(f"has {size:,} bytes: at most {most:,} are read")
    return content


def regular_digest(path: str | Path) -> str:
    """Return the SHA-256 in hex of a regular file; raise ValueError as ``read_regular`` does."""
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > MOST_HASHED:
            raise ValueError(f"has {size:,} bytes: at most {MOST_HASHED:,} are read")
        try:
            return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as problem:
            raise ValueError(f"cannot be read: {problem.strerror or problem}") from problem


def read_json_object(path: str | Path, what: str, error: type[EndeavorError]) -> dict[str, Any]:
    """Return the object that a JSON file holds.

    Args:
        path: The file.
        what: What the file should be, for messages.
        error: The class raised for a file that cannot be read, has more than ``MOST_BYTES`` bytes, is not JSON, names a
            key twice, or holds something other than an object.
    """
    try:
        text = read_regular(path, MOST_BYTES).decode("utf-8")
    except UnicodeDecodeError as problem:
        raise error(f"{what} {named(str(path))} cannot be read: {problem}") from problem
    except ValueError as problem:
        raise error(f"{what} {named(str(path))} {problem}") from problem
    try:
        value = parse_json(text)
    except ValueError as problem:
        raise error(f"{what} {named(str(path))} is not JSON, it may be cut off: {problem}") from problem
    if not isinstance(value, dict):
        raise error(f"{what} {named(str(path))} holds a JSON {type(value).__name__}: it must be an object")
    return value


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text: the one way in which this package reads JSON of others.

    Every number is finite, every text can be written as UTF-8, no object has a key twice, and there are at most
    ``MOST_VALUES`` values. It takes time and memory in proportion to the text.

    Raises:
        ValueError: The text is not JSON, or has one of these faults; the message says which.
    """
    text = text.decode("utf-8") if isinstance(text, bytes) else text
    if sum(map(text.count, "[{,")) >= MOST_VALUES:
        raise ValueError(f"it has more than {MOST_VALUES:,} values")
    try:
        value = json.loads(
            text, object_pairs_hook=_each_key_once, parse_constant=_no_constant, parse_float=_finite_float
        )
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    if is_deep(value):
        raise ValueError(_TOO_DEEP)
    if "\\ud" in text.lower():  # the only way to half a character
        _check_texts(value)
    return value


def is_deep(value: object) -> bool:
    """Return whether lists, tuples and dictionaries are nested more than ``MOST_DEPTH`` deep."""
    level = [value] if isinstance(value, dict | list | tuple) else []
    for _ in range(MOST_DEPTH):
        inside = [one.values() if isinstance(one, dict) else one for one in level]
        level = [one for values in inside for one in values if isinstance(one, dict | list | tuple)]
    return bool(level)


def _finite_float(digits: str) -> float:
    """Return the number of some digits; raise ValueError for one that is larger than floats are."""
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"the number {digits[:40]} is too large")
    return value


def _check_texts(value: Any) -> None:
    """Raise ValueError if a text or key inside of a JSON value holds half a character, which no file takes."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str) and not is_unicode(one):
            raise ValueError(f"the text {named(one)} holds half of a character (a lone surrogate)")
        if isinstance(one, dict):
            waiting += [*one, *one.values()]
        elif isinstance(one, list):
            waiting += one


def is_unicode(text: str) -> bool:
    """Return whether a text can be written as UTF-8, which halves of characters (lone surrogates) cannot."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs as a dictionary; raise ValueError for a key that comes twice, of which one would be ignored."""
    value = dict(pairs)
    if len(value) < len(pairs):
        met: set[str] = set()
        twice = next(key for key, _ in pairs if key in met or met.add(key))
        raise ValueError(f"the key {shown(twice)} comes twice")
    return value


def _no_constant(name: str) -> NoReturn:
    """Raise ValueError for NaN and Infinity, which Python writes and reads although JSON has no such numbers."""
    raise ValueError(f"{name} is no number in JSON")


def read_board_file(path: str | Path) -> bytes:
    """Return the bytes of a file that holds a board of any game.

    Raises:
        ValueError: The file cannot be read or has more than ``MOST_BOARD_BYTES`` bytes; the message is a sentence about
            "the file".
    """
    try:
        return read_regular(path, MOST_BOARD_BYTES)
    except ValueError as problem:
        raise ValueError(f"the file {problem}") from problem


def parse_toml(content: bytes) -> dict[str, Any]:
    """Return the table that the bytes of a TOML file hold.

    Raises:
        ValueError: The bytes are not UTF-8 text or not TOML; the message is a sentence about "the file".
    """
    try:
        if _DEEP_KEY.search(content):
            raise RecursionError
        table = tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as problem:
        raise ValueError(f"the file is not UTF-8 text: {problem.reason} at byte {problem.start}") from problem
    except ValueError as problem:  # tomllib.TOMLDecodeError, or a number too long to read
        raise ValueError(f"the file is not valid TOML: {problem}") from problem
    except RecursionError:
        raise ValueError(f"the file is not valid TOML: {_TOO_DEEP}") from None
    if is_deep(table):
        raise ValueError(f"the file is not valid TOML: {_TOO_DEEP}")
    return table


def check_writable(file: Path) -> None:
    """Raise InvalidOptionError if ``file`` cannot be written: better before hours of work than after them.

    An existing file keeps its content, and a missing one is not left behind.
    """
    try:
        if file.is_dir():
            raise InvalidOptionError(f"{file} cannot be written: it is a folder")
        if not file.parent.is_dir():
            raise InvalidOptionError(f"{file} cannot be written: there is no folder {file.parent}")
        existed = file.exists()
        if existed and not file.is_file():
            return  # a device or a pipe: opening it could already do something
        with file.open("ab"):
            pass
        if not existed:
            file.unlink()
    except OSError as error:
        raise InvalidOptionError(f"{file} cannot be written: {error.strerror or error}") from error


def check_new(file: Path, force: bool) -> None:
    """Raise InvalidOptionError if ``file`` exists, unless ``force`` allows to replace it, or if it cannot be written.

    A device or a pipe keeps nothing that could be lost, and may always be written to.
    """
    if not force and os.path.isfile(file):  # unlike Path.is_file it takes names that no file system takes
        raise InvalidOptionError(f"{file} exists: give --force to replace it, or give another name")
    check_writable(file)


def check_none_exists(folder: Path, patterns: Iterable[str], force: bool) -> None:
    """Raise InvalidOptionError if a folder has files that would be replaced, unless ``force`` allows it.

    Args:
        folder: The folder; it may be missing.
        patterns: The names of the files to be written, as ``Path.glob`` takes them.
        force: Whether files may be replaced.
    """
    found = (file for pattern in patterns for file in folder.glob(pattern))
    first = None if force or not os.path.isdir(folder) else next(found, None)
    if first is not None:
        raise InvalidOptionError(f"{first} exists: give --force to replace such files, or give another folder")


def write_json(path: Path, value: Mapping[str, Any], indent: int | None = 1) -> None:
    """Write ``value`` to ``path`` in one step, as ``write_text`` does.

    Args:
        path: The file.
        value: What to write.
        indent: Spaces a level; None writes everything in one line.
    """
    write_text(path, json.dumps(value, indent=indent) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write ``text`` to ``path`` in one step, as ``write_bytes`` does."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write ``content`` to ``path`` in one step: readers see either the old content or the new.

    A link is followed; a device or a pipe is written to directly.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        target.write_bytes(content)
        return
    partial = target.with_name(f"{target.name}.partial")
    try:
        partial.write_bytes(content)
        os.replace(partial, target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
