"""Switches for the way in which kernels run: variables of the environment when the package is imported."""

from __future__ import annotations

import os

JIT_VARIABLE = "ENDEAVOR_ENV_JIT"
"""Set to 1, kernels are compiled by Numba when they are first called, and no library is used: for comparisons."""
POISON_VARIABLE = "ENDEAVOR_ENV_POISON_STACK"
HEAD = 16
"""Bytes of a Python object before its own fields, as the machine code of libraries expects it."""


def _is_set(name: str) -> bool:
    """Return whether a variable of the environment is set to something else than 0."""
    return os.environ.get(name, "").strip() not in ("", "0")


JIT_DISABLED = _is_set("NUMBA_DISABLE_JIT")
"""Kernels run as Python."""
BOUNDSCHECK = _is_set("NUMBA_BOUNDSCHECK")
"""Every index is checked, in a library for finding faults, over which LLVM makes two passes in place of all. Only with
``JIT_VARIABLE`` is the error that of Numba, which says what was wrong."""
POISON_STACK = _is_set(POISON_VARIABLE)
"""Kernels fill the memory that they have on the stack with one byte before they use it, for tests."""
USES_LIBRARY = not (JIT_DISABLED or _is_set(JIT_VARIABLE)) and object.__basicsize__ == HEAD
"""Entries are called in the library of machine code: not by a Python without the interpreter's lock, or one for
debugging, whose objects are laid out in another way."""
