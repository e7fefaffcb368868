"""Networks on disk: arrays as ``.npz``, and a JSON card beside them that says what they are.

Arrays are float32. Where that changes no value, they are stored as whole numbers that are divided by a power of two
when they are read, low bytes and high bytes apart, or as float16: rounded networks take a fraction of the bytes.

Reading one needs no training library and runs no code from the file: the hash in the card is compared first, and every
array must have the shape that the card names. What arrays there are, the kinds of networks of each game say.
"""

from __future__ import annotations

import hashlib
import io
import math
import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.arrays import read_arrays
from endeavor_env.basics.files import read_json_object, read_regular, write_json
from endeavor_env.basics.inputs import whole_number
from endeavor_env.engine.kernels.network import MAX_FIRST, MAX_SECOND, NetworkArrays
from endeavor_env.errors import CheckpointError, CheckpointMismatchError

MOST_BYTES = 1 << 25
"""Size of the largest file of a network that is read."""
STORED = (np.float16, np.float32)
"""The types of arrays in files that hold values as they are."""
FRACTION_BITS, HIGH_BYTES = "_fraction_bits", "_high_bytes"
"""End the names of arrays that belong to one of whole numbers, int8: the power of two by which they are divided, and
how often 256 is added to each, if some do not fit in a byte."""
MOST_FRACTION_BITS = 16
"""Most digits after the binary point of values that are stored as whole numbers."""
MOST_NUMBER = 127 * 256 + 127
"""The largest of these numbers."""
_alive: weakref.WeakValueDictionary[tuple[str, str], npt.NDArray[np.float32]] = weakref.WeakValueDictionary()
"""Arrays that somebody has, by the hash of their file and their name: whoever reads the file again gets the same."""
FIELDS = {"package_version": str, "variants": list, "layouts": dict, "network": dict, "weights": dict, "training": dict}
"""Fields of a card besides ``format`` and ``results``, and their types."""


@dataclass(frozen=True)
class ValueNetwork:
    """A network that values positions for the seat that sees them."""

    arrays: NetworkArrays
    """Its first output is the value for that seat; one with several has those of the seats after it in turn order."""
    variants: tuple[str, ...]
    """The variants that it plays."""
    card: dict[str, Any]
    """Layouts, training and results."""


def value_shapes(inputs: int, first: int, second: int, _variant: str) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the arrays of a value network with one output; the variant does not matter."""
    return shapes_of(inputs, first, second, 1)


def shapes_of(inputs: int, first: int, second: int, outputs: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the arrays of one network by name."""
    shapes = ((inputs, first), (first,), (first, second), (second,), (second, outputs), (outputs,))
    return dict(zip(NetworkArrays._fields, shapes, strict=True))


def array_path(network: str | Path) -> Path:
    """Return the path of the arrays of a network, given that of its arrays or card, or either without its suffix."""
    path = Path(network)
    if not path.name or path.name == "..":
        raise CheckpointError(f"network {str(network)!r} is not possible: give the path of its .npz, or of its card")
    return path.with_name((path.stem if path.suffix in (".npz", ".json") else path.name) + ".npz")


def network_files(network: str | Path) -> tuple[Path, Path]:
    """Return the paths of the arrays and the card of a network, given as for ``array_path``."""
    arrays = array_path(network)
    return arrays, arrays.with_suffix(".json")


def network_outputs(network: NetworkArrays, inputs: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the outputs of a network with two hidden layers, (rows, outputs), for inputs (rows, inputs)."""
    first = np.maximum(inputs @ network.first + network.first_bias, 0.0)
    second = np.maximum(first @ network.second + network.second_bias, 0.0)
    return second @ network.last + network.last_bias


@dataclass(frozen=True)
class NetworkKind:
    """A kind of network."""

    format: str
    """Format that its cards name."""
    what: str
    """Name in messages: "value network"."""
    layouts: Callable[[str], dict[str, str]]
    """Returns the hashes of the layouts that a network of a variant depends on, by name."""
    shapes: Callable[[int, int, int, str], dict[str, tuple[int, ...]]]
    """Returns the shape of every array, given the inputs, the widths of both hidden layers, and the variant."""
    variants: tuple[str, ...]
    """Those that a network of the game can play."""
    most_values: int = 1
    """Most values of a network, whose ``last`` arrays then have so many columns instead of one."""
    locate: Callable[[str | Path], Path] = array_path
    """Returns the path of the arrays, given that of the arrays or card, or what else may stand for it."""

    def write(
        self,
        path: Path,
        arrays: NetworkArrays | Mapping[str, Any],
        variants: Sequence[str],
        training: Mapping[str, Any],
        results: Sequence[Mapping[str, Any]] = (),
        *,
        version: str,
    ) -> Path:
        """Write a network and its card, each in one step; return the path of the arrays.

        Args:
            path: The file of the arrays, with the suffix ``.npz``.
            arrays: The arrays, or arrays by name, float32.
            variants: The variants that it plays, which share one layout.
            training: How it was trained, as JSON values.
            results: Its results in evaluation games, as JSON values.
            version: Of this package.
        """
        stored, named = io.BytesIO(), arrays._asdict() if isinstance(arrays, NetworkArrays) else arrays
        as_stored: dict[str, Any] = {}
        for name, array in named.items():
            as_stored |= _as_stored(name, array)
        np.savez_compressed(stored, **as_stored)
        inputs, first = named["first"].shape
        second, values = named["last"].shape
        several = {"values": values} if self.most_values > 1 and values > 1 else {}
        card = {
            "format": self.format,
            "package_version": version,
            "variants": list(variants),
            "layouts": self.layouts(variants[0]),
            "network": {"inputs": inputs, "first": first, "second": second} | several,
            "weights": {"file": path.name, "sha256": hashlib.sha256(stored.getvalue()).hexdigest()},
            "training": dict(training),
            "results": [dict(result) for result in results],
        }
        partial = path.with_name(f"partial-{path.name}")
        partial.write_bytes(stored.getvalue())
        write_json(path.with_suffix(".json"), card)
        os.replace(partial, path)
        return path

    def read(self, network: str | Path) -> ValueNetwork:
        """Return a value network; arguments and errors are those of ``read_arrays``."""
        arrays, card = self.read_arrays(network)
        return ValueNetwork(NetworkArrays(**arrays), tuple(card["variants"]), card)

    def read_arrays(self, network: str | Path) -> tuple[dict[str, npt.NDArray[np.float32]], dict[str, Any]]:
        """Return the arrays of a network by name, which are read-only, and its card.

        All networks of this process that were read from files of the same content share their arrays.

        Args:
            network: The path of its arrays or its card, or what else ``locate`` takes.

        Raises:
            CheckpointError: Arrays or card are missing, unreadable, cut off or edited.
            CheckpointMismatchError: It was made for other layouts than this version has.
        """
        path = self.locate(network)
        card = _read_card(path, self)
        try:
            content = read_regular(path, MOST_BYTES)
        except ValueError as error:
            raise CheckpointError(f"network {path} {error}") from error
        hashed = hashlib.sha256(content).hexdigest()
        if hashed != card["weights"].get("sha256"):
            raise CheckpointError(f"network {path} is truncated or edited: it does not have the hash its card names")
        shapes = _shapes(path, self, card)
        found = {name: _alive.get((hashed, name)) for name in shapes}
        arrays = {name: array for name, array in found.items() if array is not None and array.shape == shapes[name]}
        if len(arrays) < len(shapes):
            arrays = _read_arrays(path, content, shapes)
            for name, array in arrays.items():
                array.flags.writeable = False
                _alive[hashed, name] = array
        return arrays, card


def text_digest(text: str) -> str:
    """Return 16 hex digits of the SHA-256 of a text that says what a network depends on."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def content_digest(files: Sequence[Path]) -> str:
    """Return the SHA-256 of all bytes of some files in hex, "" for no files; one that cannot be read counts as such."""
    if not files:
        return ""
    digest = hashlib.sha256()
    for file in files:
        try:
            content = read_regular(file, MOST_BYTES)
        except ValueError:  # whoever reads the network says what is wrong with it
            content = b"not readable"
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()


def _as_stored(name: str, array: npt.NDArray[np.float32]) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays that hold another in a file: in the smallest way that changes no value."""
    with np.errstate(over="ignore"):
        if _is_whole(array * np.float32(1 << MOST_FRACTION_BITS)):  # else no lower power makes it so
            bits = next(bits for bits in range(MOST_FRACTION_BITS + 1) if _is_whole(array * np.float32(1 << bits)))
            numbers = array * np.float32(1 << bits)
            if (np.abs(numbers) <= MOST_NUMBER).all():
                return _whole_numbers(name, numbers.astype(np.int32), bits)
        half = np.asarray(array, np.float16)
    return {name: half if (half.astype(np.float32) == array).all() else array}


def _is_whole(numbers: npt.NDArray[np.float32]) -> bool:
    """Return whether all numbers are whole."""
    return bool((numbers == np.rint(numbers)).all())


def _whole_numbers(name: str, numbers: npt.NDArray[np.int32], bits: int) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays that hold whole numbers in a file; most high bytes are 0, which takes next to no room."""
    low = numbers.astype(np.int8)  # the last byte, from -128 to 127
    high = (numbers - low) // 256
    stored = {name: low, name + FRACTION_BITS: np.array(bits, np.int8)}
    return stored | {name + HIGH_BYTES: high.astype(np.int8)} if high.any() else stored


def _read_card(path: Path, kind: NetworkKind) -> dict[str, Any]:
    """Return the checked card of a network."""
    file = path.with_suffix(".json")
    card = read_json_object(file, "card", CheckpointError)
    if card.get("format") != kind.format:
        raise CheckpointError(f"card {file} is not of a {kind.what}: its format must be {kind.format}")
    for field, form in FIELDS.items():
        if not isinstance(card.get(field), form):
            raise CheckpointError(f"card {file} has no usable {field}")
    variants = card["variants"]
    if not variants or any(variant not in kind.variants for variant in variants):
        raise CheckpointMismatchError(f"card {file} names other variants than {', '.join(kind.variants)}")
    for variant in variants:
        for name, have in kind.layouts(variant).items():
            if card["layouts"].get(name) != have:
                raise CheckpointMismatchError(
                    f"network {path} was made for another {name} layout: this version has {have} for {variant!r}; use "
                    f"it with endeavor-env {card['package_version'][:20]}, or train again"
                )
    return card


def _shapes(path: Path, kind: NetworkKind, card: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the arrays that a card describes; raise CheckpointError for impossible ones."""
    inputs, first, second = (whole_number(card["network"].get(name)) or 0 for name in ("inputs", "first", "second"))
    if not (0 < inputs <= 1 << 16 and 0 < first <= MAX_FIRST and 0 < second <= MAX_SECOND):
        raise CheckpointError(
            f"the card of network {path} has no usable shape: first must be 1 to {MAX_FIRST}, second 1 to {MAX_SECOND}"
        )
    shapes, values = kind.shapes(inputs, first, second, card["variants"][0]), card["network"].get("values", 1)
    if values == 1:
        return shapes
    if not 1 < (whole_number(values) or 0) <= kind.most_values:
        raise CheckpointError(f"the card of network {path} has no usable values: give 1 to {kind.most_values}")
    return shapes | {"last": (second, values), "last_bias": (values,)}


def _read_arrays(
    path: Path, content: bytes, shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, npt.NDArray[np.float32]]:
    """Return the arrays in ``content`` as float32; raise CheckpointError unless they are finite and of these shapes."""
    try:
        stored = read_arrays(content, 4 * sum(math.prod(shape) for shape in shapes.values()))
        if missing := [name for name in shapes if name not in stored]:
            raise ValueError(f"it lacks {missing[0]}")
        arrays = {name: _as_read(stored, name) for name in shapes}
    except ValueError as error:
        raise CheckpointError(f"network {path} cannot be read: {error}") from error
    for name, array in arrays.items():
        if array.shape != shapes[name] or array.dtype not in STORED or not np.isfinite(array).all():
            raise CheckpointError(f"network {path} does not hold the finite float32 arrays that its card describes")
    return {name: array.astype(np.float32, copy=False) for name, array in arrays.items()}


def _as_read(stored: Mapping[str, npt.NDArray[Any]], name: str) -> npt.NDArray[Any]:
    """Return the array of a name, as float32 if it is whole numbers; raise ValueError for an impossible power."""
    array = stored[name]
    if array.dtype != np.int8:
        return array
    bits = stored.get(name + FRACTION_BITS, np.float32(0))
    if bits.dtype != np.int8 or bits.shape or not 0 <= bits <= MOST_FRACTION_BITS:
        raise ValueError(f"{name}{FRACTION_BITS} is not a number from 0 to {MOST_FRACTION_BITS}")
    numbers = array.astype(np.float32)
    if (high := stored.get(name + HIGH_BYTES)) is not None:
        if high.dtype != np.int8 or high.shape != array.shape:
            raise ValueError(f"{name}{HIGH_BYTES} does not have a byte for each number")
        numbers += np.float32(256) * high
    return numbers / np.float32(1 << int(bits))
