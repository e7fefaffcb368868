"""What kernels need of Numba, imported when the first of them is compiled in this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numba
from numba.core.registry import cpu_target

from endeavor_env.kernels.loading.kernel_cache import KernelCache


def type_of(made: Any) -> Any:
    """Return the type of something that Numba made: a compiled function, or instructions."""
    known = getattr(made, "_numba_type_", None)
    if known is not None:
        return known
    context: Any = cpu_target.typing_context
    context.refresh()  # which makes the newest instructions known
    return context._lookup_global(made)


def dispatcher_of(function: Callable[..., Any], *, inline_always: bool = False, counts_references: bool = False) -> Any:
    """Return what compiles a kernel for the types of its arguments, loads its machine code, and calls it."""
    options = {"nogil": True, "error_model": "numpy", "forceinline": inline_always, "_nrt": counts_references}
    dispatcher: Any = numba.njit(**options)(function)
    dispatcher._cache = KernelCache(function)  # what ``cache=True`` would do with Numba's own cache
    return _compiled_once(dispatcher)


def compiled_alone(function: Callable[..., Any]) -> Any:
    """Return a function of a user compiled as kernels are; its machine code is not saved."""
    return cast(Any, numba.njit(nogil=True, error_model="numpy"))(function)


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


def address_of_function(function: Any, kinds: tuple[Any, ...]) -> int:
    """Return the address of a function compiled by Numba for arguments of these kinds, as C calls it."""
    from endeavor_env.kernels.llvm.numba_types import type_of_kind

    signature = tuple(type_of_kind(kind) for kind in kinds)
    function.compile(signature)
    compiled = function.overloads[signature]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name))
