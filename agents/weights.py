"""Tensors from the files that PyTorch and Stable-Baselines3 write, read without running code from them.

PyTorch's own loader takes the number of values of a tensor from the pickle in the file, not from the bytes that are
there, and skips their checksums. Here every size is compared with the bytes, and all of them with a limit beforehand.
A pickle can also be small and take for ever: it names one list in another again and again, and whoever compares, hashes
or prints the outermost one walks through all of them. Here nothing but tensors and texts is named twice, keys are texts
and numbers of 64 bits, since Python gives as many larger numbers as one likes the same hash, and only the operations
are known that ``torch.save`` uses.
"""

from __future__ import annotations

import io
import math
import pickle
import struct
import zipfile
import zlib
from collections.abc import Callable, Container
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import torch

from endeavor_env.basics.files import is_deep, is_unicode, read_regular
from endeavor_env.basics.inputs import INT64_END
from endeavor_env.errors import CheckpointError, shown

REBUILD = "torch._utils._rebuild_tensor_v2"
FLOATS = "torch.FloatStorage"
STORAGES = {
    FLOATS: "<f4",
    "torch.DoubleStorage": "<f8",
    "torch.LongStorage": "<i8",
    "torch.IntStorage": "<i4",
    "torch.ByteStorage": "u1",
}
"""The types of the values of tensors that are read, as NumPy writes them; weights are of the first."""
MAPPING = "collections.OrderedDict"
OPERATIONS = (
    *(pickle.PROTO, pickle.STOP, pickle.MARK, pickle.GLOBAL, pickle.REDUCE, pickle.BINPERSID),
    *(pickle.BINPUT, pickle.LONG_BINPUT, pickle.BINUNICODE, pickle.NONE, pickle.NEWTRUE, pickle.NEWFALSE),
    *(pickle.BININT, pickle.BININT1, pickle.BININT2, pickle.LONG1, pickle.BINFLOAT),
    *(pickle.EMPTY_DICT, pickle.EMPTY_LIST, pickle.APPEND, pickle.APPENDS),
    *(pickle.EMPTY_TUPLE, pickle.TUPLE, pickle.TUPLE1, pickle.TUPLE2, pickle.TUPLE3),
)
"""The operations of a pickle of ``torch.save`` that are done as Python does them; ``TensorReader`` has the others."""
MOST_PICKLE = 1 << 20
"""Most bytes of the pickle that describes tensors, and so of its operations; those of the presets have some kB."""
MOST_FILES = 1 << 14
"""Most files in a zip."""
ENTRY = b"PK\x01\x02"
"""Begins what the table of contents of a zip says of each file in it."""
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, struct.error, pickle.UnpicklingError, EOFError, OSError, RuntimeError),
    *(LookupError, ArithmeticError, AttributeError, TypeError, ValueError, MemoryError),
)
"""Exceptions that the readers of zips and pickles raise on damaged bytes."""


_OTHER_MEMBERS = 1 << 24
"""Most bytes of what Stable-Baselines3 puts into a zip besides weights and optimizer."""
MOST_AXES = 8


def read_member(path: Path, member: str, most_bytes: int) -> dict[Any, Any]:
    """Return the dictionary that ``torch.save`` wrote into a member of a zip: weights, or the state of an optimizer.

    Args:
        path: The zip.
        member: The name of the member, such as "policy.pth".
        most_bytes: The largest size of the member.

    Returns:
        A dictionary of plain values, dictionaries, lists, tuples and tensors; these share memory if they do so in the
        file.

    Raises:
        CheckpointError: The zip is damaged, lacks the member, or holds a larger one or anything but such values.
    """
    try:
        with _open(read_regular(path, 2 * most_bytes + _OTHER_MEMBERS)) as archive:
            content = _read(archive, member, most_bytes)
        return _dictionary(content, most_bytes, (FLOATS,))
    except _DAMAGED as error:
        raise CheckpointError(f"checkpoint {path} holds no readable {member}: {_first_line(error)}") from error


def saved_in(content: bytes) -> dict[Any, Any]:
    """Return the dictionary in the bytes of a file of ``torch.save``, as ``read_member``, with tensors of all STORAGES.

    Raises:
        ValueError: The bytes are damaged, or hold anything but tensors and plain values.
    """
    try:
        return _dictionary(content, len(content), STORAGES)
    except _DAMAGED as error:
        raise ValueError(_first_line(error)) from error


def _dictionary(content: bytes, most_bytes: int, types: Container[str]) -> dict[Any, Any]:
    """Return the dictionary in the bytes of a file of ``torch.save``."""
    with _open(content) as stored:
        value = TensorReader(stored, most_bytes, types).load()
    if not isinstance(value, dict):
        raise ValueError(f"it holds a {type(value).__name__}, not a dictionary")
    if is_deep(value):
        raise ValueError("its lists and dictionaries are nested too deeply")
    _check_values(value)
    return value


def _check_values(value: dict[Any, Any]) -> None:
    """Raise ValueError for anything inside of a dictionary but tensors, plain values, and lists and such of them."""
    waiting: list[Any] = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += [*one, *one.values()]
        elif isinstance(one, list | tuple):
            waiting += one
        elif isinstance(one, str) and not is_unicode(one):
            raise ValueError("a text in it holds half of a character (a lone surrogate)")
        elif not isinstance(one, torch.Tensor | str | float | None) and not _is_int64(one):
            raise ValueError(
                f"it holds a value of type {type(one).__name__}, not a tensor, a text or a number of 64 bits"
            )


def _is_int64(value: object) -> bool:
    """Return whether a value is a whole number that 64 bits hold."""
    return isinstance(value, int) and -INT64_END <= value < INT64_END


def _open(content: bytes) -> zipfile.ZipFile:
    """Return a zip that is open for reading; raise ValueError for one of too many files."""
    if content.count(ENTRY) > MOST_FILES:
        raise ValueError(f"it has more than {MOST_FILES:,} files")
    return zipfile.ZipFile(io.BytesIO(content))


def _first_line(error: Exception) -> str:
    """Return the first line of an error's message, shortened, or its type if it has none."""
    return (str(error).splitlines() or [""])[0][:200] or type(error).__name__


def _read(archive: zipfile.ZipFile, member: str, most_bytes: int) -> bytes:
    """Return the bytes of a member; raise ValueError for more than ``most_bytes`` or compressed ones."""
    info = archive.getinfo(member)
    if info.compress_type != zipfile.ZIP_STORED:
        raise ValueError(f"{member} is compressed, which neither PyTorch nor Stable-Baselines3 does")
    if info.file_size > most_bytes:
        raise ValueError(f"{member} has {info.file_size:,} bytes, the network of the card at most {most_bytes:,}")
    return archive.read(info)


class _Name:
    """A name that a pickle refers to; it can be called if it is one of the few that weights need."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *args: Any) -> Any:
        if self.name == MAPPING and not args:
            return {}
        if self.name == REBUILD:
            return _tensor(*args)
        raise pickle.UnpicklingError(f"{self.name} is not called for weights")


class TensorReader(pickle._Unpickler):
    """Reads the pickle in a file of ``torch.save``; it knows tensors and plain values.

    It is the unpickler in Python, of which single operations can be left out and replaced.
    """

    stack: list[Any]  # of the base class, as the next
    pop_mark: Callable[[], list[Any]]

    def __init__(self, archive: zipfile.ZipFile, most_bytes: int, types: Container[str]) -> None:
        """Read at most ``most_bytes`` bytes from the file that is open as ``archive``; values are of ``types``."""
        names = [name for name in archive.namelist() if name.endswith("/data.pkl")]
        if len(names) != 1:
            raise ValueError(f"{len(names)} files data.pkl, not 1")
        self._archive = archive
        self._folder = names[0].removesuffix("data.pkl")
        self._left, self._types = most_bytes, types
        self._storages: dict[str, tuple[str, npt.NDArray[Any]]] = {}
        if self._bytes("byteorder") != b"little":
            raise ValueError("the bytes of the weights are not in the order of little-endian machines")
        super().__init__(io.BytesIO(self._bytes("data.pkl", MOST_PICKLE)))

    def _bytes(self, name: str, most: int | None = None) -> bytes:
        """Return the bytes of a file of the archive; together they may not exceed the limit."""
        content = _read(self._archive, self._folder + name, self._left if most is None else min(most, self._left))
        self._left -= len(content)
        return content

    def find_class(self, module: str, name: str) -> _Name:
        """Return a stand-in for ``module.name``; nothing is imported."""
        found = f"{module}.{name}"
        if found not in (REBUILD, MAPPING) and found not in self._types:
            raise pickle.UnpicklingError(f"it names {found[:80]}, weights are float32 tensors and nothing else")
        return _Name(found)

    def persistent_load(self, pid: Any) -> npt.NDArray[Any]:
        """Return the values of a storage, given as ("storage", type, key, device, number of values)."""
        _, kind, key, _, count = pid
        if not isinstance(kind, _Name) or kind.name not in STORAGES or type(key) is not str or type(count) is not int:
            raise pickle.UnpicklingError("a tensor has no values of a known type")
        if key not in self._storages:
            values = np.frombuffer(bytearray(self._bytes(f"data/{key}")), STORAGES[kind.name])
            self._storages[key] = kind.name, values
        name, values = self._storages[key]
        if name != kind.name or len(values) != count:
            raise pickle.UnpicklingError(f"{len(values)} values are stored where {count} are named")
        return values

    def load_binget(self) -> None:
        """Take a value that was named before, by a number of one byte."""
        self._load(pickle.BINGET)

    def load_long_binget(self) -> None:
        """Take a value that was named before, by a number of four bytes."""
        self._load(pickle.LONG_BINGET)

    def _load(self, operation: bytes) -> None:
        """Do what Python does for an operation, and refuse a value that holds others: it stands elsewhere already."""
        pickle._Unpickler.dispatch[operation[0]](self)  # type: ignore[arg-type]
        if isinstance(self.stack[-1], list | tuple | dict):
            raise pickle.UnpicklingError("a list, a tuple or a dictionary stands in it twice")

    def load_setitem(self) -> None:
        """Add an entry to a dictionary."""
        value, key = self.stack.pop(), self.stack.pop()
        self._set(key, value)

    def load_setitems(self) -> None:
        """Add entries to a dictionary."""
        items = self.pop_mark()
        for key, value in zip(items[::2], items[1::2], strict=True):
            self._set(key, value)

    def _set(self, key: Any, value: Any) -> None:
        if not (type(key) is str or _is_int64(key)) or type(self.stack[-1]) is not dict:  # larger ones share hashes
            raise pickle.UnpicklingError("a dictionary has a key that is neither a text nor a whole number of 64 bits")
        self.stack[-1][key] = value

    def load_build(self) -> None:
        """Leave out the attributes of a dictionary, where PyTorch keeps the versions of its layers; refuse others."""
        self.stack.pop()
        if type(self.stack[-1]) is not dict:
            raise pickle.UnpicklingError("something other than a dictionary has attributes")

    dispatch: ClassVar[dict[int, Any]] = {
        **{code[0]: pickle._Unpickler.dispatch[code[0]] for code in OPERATIONS},
        pickle.BINGET[0]: load_binget,
        pickle.LONG_BINGET[0]: load_long_binget,
        pickle.SETITEM[0]: load_setitem,
        pickle.SETITEMS[0]: load_setitems,
        pickle.BUILD[0]: load_build,
    }


def _tensor(values: Any, offset: Any, shape: Any, strides: Any, *_: Any) -> torch.Tensor:
    """Return the tensor of this shape that lies without gaps in ``values``; raise ValueError unless it does."""
    numbers = (offset, *shape, *strides)
    if not isinstance(values, np.ndarray) or not all(type(number) is int and number >= 0 for number in numbers):
        raise ValueError("a tensor without values")
    count = math.prod(shape) if len(shape) <= MOST_AXES else len(values) + 1
    gapless = len(strides) == len(shape) <= MOST_AXES and all(
        length == 1 or strides[axis] == math.prod(shape[axis + 1 :]) for axis, length in enumerate(shape)
    )
    if not gapless or offset + count > len(values):
        raise ValueError(f"a tensor of shape {shown(shape)} does not fit its {len(values)} values")
    return torch.from_numpy(values[offset : offset + count]).reshape(shape)
