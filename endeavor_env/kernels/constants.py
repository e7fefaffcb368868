"""Numbers by name that kernels read as constants."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from types import ModuleType


def constants(prefix: str, numbers: Mapping[str, int]) -> ModuleType:
    """Return a namespace with every number as a plain int: ``constants("at", {"round": 3}).round`` is 3.

    The namespace is a module because Numba compiles the attributes of a module that is a global of a kernel into it as
    constants. Numba tells modules apart by their names, so the name is made of the numbers.
    """
    digest = hashlib.sha256(repr(dict(numbers)).encode()).hexdigest()[:16]
    namespace = ModuleType(f"{prefix}_{digest}")
    vars(namespace).update(numbers)
    return namespace
