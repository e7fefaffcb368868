"""What kernels need of Numba, imported when the first of them is compiled in this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numba
import numpy as np
from numba import types
from numba.core.registry import cpu_target

from endeavor_env.kernels.kinds import INTEGER, REAL, Array, Fields, Listed, New, Pointer

options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
"""Options of Numba for every kernel."""


def type_of(made: Any) -> Any:
    """Return the type of something that Numba made: a compiled function, or instructions."""
    context: Any = cpu_target.typing_context
    context.refresh()  # which makes the newest instructions known
    return context.resolve_value_type(made)


def dispatcher_of(function: Callable[..., Any], *, inline_always: bool = False, counts_references: bool = False) -> Any:
    """Return what compiles a kernel for the types of its arguments and calls it; its machine code is not saved."""
    given: dict[str, Any] = {**options, "forceinline": inline_always, "_nrt": counts_references}
    return _compiled_once(numba.njit(**given)(function))


def compiled_alone(function: Callable[..., Any]) -> Any:
    """Return a function of a user compiled as kernels are."""
    return cast(Any, numba.njit(**options)(function))


def _compiled_once(dispatcher: Any) -> Any:
    """Make all callers of a kernel share one compiled version, whatever integer types they call it with.

    Numba would compile it again for every constant and every width of integer in a call, which doubled the time of
    the first use. Instead, the caller widens its integer arguments to int64. It is the first of the five parts of
    Numba that are replaced; the others are in ``build.numba_parts``.
    """
    resolve = dispatcher.get_call_template

    def resolve_widened(args: Any, kws: Any) -> Any:
        return resolve(tuple(map(_widened, args)), {name: _widened(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = resolve_widened
    return dispatcher


def _widened(kind: Any) -> Any:
    """Return int64 for the type of a signed integer or integer constant, and any other type unchanged."""
    plain = types.unliteral(kind)
    return types.int64 if getattr(plain, "signed", False) else plain  # only integers have that attribute


def address_of_function(function: Any, kinds: tuple[Any, ...]) -> int:
    """Return the address of a function compiled by Numba for arguments of these kinds, as C calls it.

    It is never released. Of an entry it is that of its kernel, which takes the same arguments.
    """
    dispatcher, signature = getattr(function, "made", function), tuple(map(type_of_kind, kinds))
    dispatcher.compile(signature)
    compiled = dispatcher.overloads[signature]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name))


def type_of_kind(kind: Any) -> Any:
    """Return the Numba type of an argument of a kind (``kernels.kinds``)."""
    if kind == INTEGER:
        return types.int64
    if kind == REAL:
        return types.float64
    if isinstance(kind, Array):
        return types.Array(numba.from_dtype(kind.dtype), kind.axes, "C")
    if isinstance(kind, New | Listed):
        return types.Array(numba.from_dtype(kind.dtype if isinstance(kind, New) else np.dtype(np.int16)), 1, "C")
    if isinstance(kind, Pointer):
        return types.voidptr if kind.dtype is None else types.CPointer(numba.from_dtype(kind.dtype))
    if isinstance(kind, Fields):
        members = [type_of_kind(member) for member in kind.kinds]
        if len(set(members)) == 1:
            return types.NamedUniTuple(members[0], len(members), kind.make)
        return types.NamedTuple(members, kind.make)
    raise TypeError(f"{kind!r} is no kind of argument")
