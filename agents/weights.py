"""Tensors from the zip that Stable-Baselines3 writes, read without running code from it and without trusting its sizes.

PyTorch's own loader takes the number of values of a tensor from the pickle in the file, not from the bytes that are
there, and skips their checksums. Here every size is compared with the bytes, and all of them with a limit beforehand.
"""

from __future__ import annotations

import io
import math
import pickle
import zipfile
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch

from endeavor_env.errors import CheckpointError

REBUILD = "torch._utils._rebuild_tensor_v2"
STORAGE = "torch.FloatStorage"
MAPPING = "collections.OrderedDict"


def read_member(path: Path, member: str, most_bytes: int) -> dict[Any, Any]:
    """Return the dictionary that ``torch.save`` wrote into a member of a zip: weights, or the state of an optimizer.

    Args:
        path: The zip.
        member: The name of the member, such as "policy.pth".
        most_bytes: The largest size of the member.

    Returns:
        A dictionary of plain values, dictionaries, lists, tuples and float32 tensors.

    Raises:
        CheckpointError: The zip is damaged, lacks the member, or holds a larger one or anything but such values.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            content = _read(archive, member, most_bytes)
        with zipfile.ZipFile(io.BytesIO(content)) as stored:
            value = TensorReader(stored, most_bytes).load()
        if not isinstance(value, dict):
            raise ValueError(f"it holds a {type(value).__name__}, not a dictionary")
    except Exception as error:  # damaged bytes make zipfile, pickle and zlib raise whatever they like
        raise CheckpointError(f"checkpoint {path} holds no readable {member}: {_first_line(error)}") from error
    return value


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
    """Reads the pickle in a file of ``torch.save``; it knows float32 tensors and plain values.

    It is the unpickler in Python because the compiled one reserves memory for the largest index that the bytes name.
    """

    stack: list[Any]  # of the base class

    def __init__(self, archive: zipfile.ZipFile, most_bytes: int) -> None:
        """Read from the file that is open as ``archive``, at most ``most_bytes`` bytes."""
        names = [name for name in archive.namelist() if name.endswith("/data.pkl")]
        if len(names) != 1:
            raise ValueError(f"{len(names)} files data.pkl, not 1")
        self._archive = archive
        self._folder = names[0].removesuffix("data.pkl")
        self._left = most_bytes
        self._storages: dict[str, np.ndarray[Any, np.dtype[np.float32]]] = {}
        if self._bytes("byteorder") != b"little":
            raise ValueError("the bytes of the weights are not in the order of little-endian machines")
        super().__init__(io.BytesIO(self._bytes("data.pkl")))

    def _bytes(self, name: str) -> bytes:
        """Return the bytes of a file of the archive; together they may not exceed the limit."""
        content = _read(self._archive, self._folder + name, self._left)
        self._left -= len(content)
        return content

    def find_class(self, module: str, name: str) -> _Name:
        """Return a stand-in for ``module.name``; nothing is imported."""
        found = f"{module}.{name}"
        if found not in (REBUILD, STORAGE, MAPPING):
            raise pickle.UnpicklingError(f"it names {found}, weights are float32 tensors and nothing else")
        return _Name(found)

    def persistent_load(self, pid: Any) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Return the values of a storage, given as ("storage", type, key, device, number of values)."""
        _, kind, key, _, count = pid
        if not isinstance(kind, _Name) or kind.name != STORAGE or not isinstance(key, str):
            raise pickle.UnpicklingError("a tensor has no float32 values")
        if key not in self._storages:
            self._storages[key] = np.frombuffer(self._bytes(f"data/{key}"), "<f4")
        if len(self._storages[key]) != count:
            raise pickle.UnpicklingError(f"{len(self._storages[key])} values are stored where {count!r} are named")
        return self._storages[key]

    def load_build(self) -> None:
        """Leave out the attributes of a dictionary, where PyTorch keeps the versions of its layers; refuse others."""
        self.stack.pop()
        if type(self.stack[-1]) is not dict:
            raise pickle.UnpicklingError("something other than a dictionary has attributes")

    dispatch: ClassVar[dict[int, Any]] = {**pickle._Unpickler.dispatch, pickle.BUILD[0]: load_build}


def _tensor(values: Any, offset: Any, shape: Any, strides: Any, *_: Any) -> torch.Tensor:
    """Return the tensor of this shape that lies without gaps in ``values``; raise ValueError unless it does."""
    numbers = (offset, *shape, *strides)
    if not isinstance(values, np.ndarray) or not all(type(number) is int and number >= 0 for number in numbers):
        raise ValueError("a tensor without values")
    count = math.prod(shape)
    gapless = len(strides) == len(shape) and all(
        length == 1 or strides[axis] == math.prod(shape[axis + 1 :]) for axis, length in enumerate(shape)
    )
    if not gapless or offset + count > len(values):
        raise ValueError(f"a tensor of shape {shape} does not fit its {len(values)} values")
    return torch.from_numpy(values[offset : offset + count].copy()).reshape(shape)
