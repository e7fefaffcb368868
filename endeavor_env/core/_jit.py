"""Compilation with Numba: the ``kernel`` and ``inlined`` decorators, their flags and their cache.

The cache is this package's own (``_kernel_cache``) and is set for its kernels alone: the caches of the user's Numba
code stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import config

from endeavor_env.core._kernel_cache import KernelCache

F = TypeVar("F", bound=Callable[..., Any])
JIT_DISABLED = bool(cast(Any, config).DISABLE_JIT)  # Numba fills the module at run time, so its names have no types


def kernel(function: F) -> F:
    """Compile a function without Python objects, which releases the GIL; with the JIT disabled return it unchanged.

    It can neither make nor return arrays: an expression that needs memory does not compile. So Numba need not count
    references to arrays, which would take longer than a decision.
    """
    return _compiled(function)


def referencing_kernel(function: F) -> F:
    """Compile as ``kernel`` does, but with references counted: for the few kernels that make or return arrays."""
    return _compiled(function, counts_references=True)


def inlined(function: F) -> F:
    """Compile as ``kernel`` does, and always inline the code into its callers: for short functions in hot loops."""
    return _compiled(function, inline_always=True)


def _compiled(function: F, *, inline_always: bool = False, counts_references: bool = False) -> F:
    """Return ``function`` compiled and cached; with the JIT disabled return it unchanged."""
    if JIT_DISABLED:
        return function
    options = {"nogil": True, "error_model": "numpy", "forceinline": inline_always, "_nrt": counts_references}
    dispatcher: Any = numba.njit(**options)(function)
    dispatcher._cache = KernelCache(function)  # what ``cache=True`` would do with Numba's own cache
    return cast(F, _compiled_once(dispatcher))


def _compiled_once(dispatcher: Any) -> Any:
    """Make all callers of a kernel share one compiled version, whatever integer types they call it with.

    Numba would compile it again for every constant and every width of integer in a call, which doubled the time of
    the first use. Instead, the caller widens its integer arguments to int64.
    """
    resolve = dispatcher.get_call_template

    def resolve_widened(args: Any, kws: Any) -> Any:
        return resolve(tuple(map(_widened, args)), {name: _widened(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = resolve_widened
    return dispatcher


def _widened(kind: Any) -> Any:
    """Return int64 for the type of a signed integer or integer constant, and any other type unchanged."""
    plain = numba.types.unliteral(kind)
    return numba.types.int64 if getattr(plain, "signed", False) else plain  # only integers have that attribute


def compile_for(function: Callable[..., Any], *arguments: Any) -> None:
    """Compile a kernel for arguments of these types without calling it; with the JIT disabled do nothing."""
    if not JIT_DISABLED:
        dispatcher: Any = function
        dispatcher.compile(tuple(_widened(numba.typeof(argument)) for argument in arguments))
