"""The memory of a player: one array of bytes, so that compiled players can be handed it, and its parts by name."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple, TypeVar, get_type_hints

import numpy as np
import numpy.typing as npt

from endeavor_env.kernels.kernels import reading_kernel

ROUND = 64
"""Every part begins at a multiple of so many bytes."""
Parts = TypeVar("Parts", bound=tuple[Any, ...])


class Part(NamedTuple):
    """What a part of the memory holds: it stands in the annotation of the field that shows the part."""

    kind: Any
    """The type of its entries."""
    shape: tuple[int, ...]
    """() for a last part that has all the rest, and any number of entries."""
    shows: str = ""
    """The part whose bytes it shows as another type; "" if they are its own."""


def rounded(size: int) -> int:
    """Return the bytes that a part of this size takes."""
    return -(-size // ROUND) * ROUND


def taken_apart(name: str, parts: type[Parts]) -> tuple[Callable[[npt.NDArray[np.uint8]], Parts], int]:
    """Return a kernel of this name that takes memory apart, and the bytes of all parts but one that has the rest.

    The kernel is written as it would be by hand: a view for each part, one after the other.

    Args:
        name: That under which the calling module keeps the kernel.
        parts: A NamedTuple, with a ``Part`` in the annotation of each field.
    """
    names: dict[str, Any] = {"__name__": parts.__module__, "parts": parts}
    places: dict[str, str] = {}
    views, at = [], 0
    for field, hint in get_type_hints(parts, include_extras=True).items():
        (part,) = hint.__metadata__
        kind = np.dtype(part.kind)
        size = kind.itemsize * prod(part.shape)
        places[field] = places.get(part.shows) or (f"{at}:{at + size}" if part.shape else f"{at}:")
        at += 0 if part.shows or not part.shape else rounded(size)
        names[f"{field}_kind"] = kind
        shape = f".reshape({part.shape})" if len(part.shape) > 1 else ""
        views.append(f"memory[{places[field]}].view({field}_kind){shape}")
    exec(compile(f"def {name}(memory):\n    return parts({', '.join(views)})", f"<{name}>", "exec"), names)
    return reading_kernel(names[name]), at
