"""Arrays of others: the one way in which this package reads ``.npy`` and ``.npz``.

NumPy's own reader takes the memory that a file asks for. Here every size is compared with the bytes that are there and
with a limit before memory is taken, and nothing but numbers is read: no objects, which would run code.
"""

from __future__ import annotations

import io
import math
import struct
import tokenize
import zipfile
import zlib
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from endeavor_env.errors import shown

MOST_ARRAYS = 256
_HEADER = 256
"""More than the bytes that NumPy writes before the numbers of an array, a few dozen fields apart."""
_ENTRY = b"PK\x01\x02"
"""Begins what the table of contents of a zip says of each file in it."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, MemoryError),
    *(LookupError, ArithmeticError, AttributeError, TypeError, SyntaxError, tokenize.TokenError),
)
"""Exceptions besides ValueError that the readers of zips and headers raise on damaged bytes."""


def read_arrays(content: bytes, most: int) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays in the bytes of an ``.npz`` file by name.

    Args:
        content: The bytes of the file.
        most: The largest size of all arrays together, in bytes.

    Raises:
        ValueError: The bytes are damaged, or hold more, or anything but arrays of numbers.
    """
    if content.count(_ENTRY) > MOST_ARRAYS:
        raise ValueError(f"it holds more than {MOST_ARRAYS} arrays")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            total = sum(one.file_size for one in members)
            if total > most + _HEADER * len(members):
                raise ValueError(f"its arrays take {total:,} bytes, at most {most:,} are read")
            if any(one.compress_type not in _METHODS for one in members):
                raise ValueError("its arrays are compressed in another way than NumPy's")
            return {one.filename.removesuffix(".npy"): _read_member(archive, one) for one in members}
    except _DAMAGED as error:
        raise _damaged(error) from error


def read_array(file: IO[bytes], most: int) -> npt.NDArray[Any]:
    """Return the next array of an open file of ``.npy`` arrays; the entries can be records of numbers.

    Args:
        file: The file, at the beginning of the array.
        most: The largest size of the array, in bytes.

    Raises:
        ValueError: The bytes are damaged or cut off, or the array is larger, or holds anything but numbers.
    """
    try:
        return _read_next(file, most)
    except _DAMAGED as error:
        raise _damaged(error) from error


def _damaged(error: BaseException) -> ValueError:
    """Return the error for bytes that a reader has stumbled over."""
    return ValueError(f"it is damaged: {str(error)[:200] or type(error).__name__}")


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> npt.NDArray[Any]:
    """Return the array of a file in a zip."""
    with archive.open(member) as file:
        array = _read_next(file, member.file_size)
        if file.read(1):
            raise ValueError(f"the array {member.filename[:40]!r} has more bytes than its shape needs")
    return array


def _read_next(file: IO[bytes], most: int) -> npt.NDArray[Any]:
    """Return the next array of a file, of at most ``most`` bytes."""
    header = _HEADERS.get(np.lib.format.read_magic(file))
    if header is None:
        raise ValueError("an array has another format than NumPy's versions 1 and 2")
    shape, by_columns, kind = header(file)
    size = math.prod(shape) * kind.itemsize
    if kind.hasobject or not kind.itemsize or min(shape, default=0) < 0:
        raise ValueError(f"an array of shape {shown(shape)} and type {shown(kind)} does not hold numbers")
    if size > most:
        raise ValueError(f"an array takes {size:,} bytes, at most {most:,} are read")
    content = bytearray(file.read(size))
    if len(content) < size:
        raise ValueError(f"an array has {len(content):,} of its {size:,} bytes")
    return np.frombuffer(content, kind).reshape(shape, order="F" if by_columns else "C")
