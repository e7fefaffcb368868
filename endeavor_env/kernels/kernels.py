"""The decorators of kernels: functions that Numba compiles, when something needs their machine code.

A compiled kernel is a ``Kernel``, which costs nothing until it is called or until a function that is being compiled
refers to it. Where nothing is compiled (``NUMBA_DISABLE_JIT=1``) the decorators return the function unchanged.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, TypeVar, cast

from endeavor_env.kernels.switches import JIT_DISABLED

F = TypeVar("F", bound=Callable[..., Any])


class Lazy:
    """Something that only Numba can make, made when it first asks: it knows this object by the type of what is made."""

    def __init__(self, make: Callable[[], Any]) -> None:
        """Remember how it is made: ``make`` returns an object whose type Numba knows."""
        self._make = make

    @functools.cached_property
    def made(self) -> Any:
        """The object that Numba made."""
        return self._make()

    @functools.cached_property
    def _numba_type_(self) -> Any:
        """The type as which compiled code knows this object; Numba asks for it by this name."""
        from endeavor_env.kernels.numba_kernels import type_of

        return type_of(self.made)


def intrinsic(place: str, python: Callable[..., Any], *fixed: Any) -> Any:
    """Return a function that kernels call and that stands for instructions; where nothing is compiled, ``python``.

    Args:
        place: Where the instructions are emitted, "module:function" inside ``kernels.llvm``, which only compiling
            imports. The function there is what ``numba.extending.intrinsic`` takes.
        python: Does the same; has the same arguments.
        fixed: What the instructions depend on: the function at ``place`` takes this and returns the one for Numba.
    """
    return python if JIT_DISABLED else Lazy(functools.partial(_emitted, place, fixed))


def _emitted(place: str, fixed: tuple[Any, ...]) -> Any:
    from numba.extending import intrinsic

    module, _, name = place.partition(":")
    found = getattr(importlib.import_module(f"endeavor_env.kernels.llvm.{module}"), name)
    return intrinsic(found(*fixed) if fixed else found)


class Kernel(Lazy):
    """A function that is compiled by Numba when it is first called, or when a function that calls it is compiled.

    Attributes:
        py_func: The function in Python.
        options: What Numba is told of it.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, bool]) -> None:
        """Compile nothing yet."""
        self.py_func, self.options = function, options
        super().__init__(self._dispatcher)
        functools.update_wrapper(self, function)

    def _dispatcher(self) -> Any:
        from endeavor_env.kernels.numba_kernels import dispatcher_of

        return dispatcher_of(self.py_func, **self.options)

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel, compiled for the types of the arguments."""
        return self.made(*arguments)

    def __reduce__(self) -> tuple[Callable[[str, str], Any], tuple[str, str]]:
        """Stand for what its module has under its name: a built-in function by then, if a library was made since."""
        return _named, (self.py_func.__module__, self.py_func.__qualname__)

    def __repr__(self) -> str:
        return f"<kernel {self.py_func.__module__}.{self.py_func.__qualname__}>"


def _named(module: str, name: str) -> Any:
    """Return what a module has under a name."""
    return getattr(importlib.import_module(module), name)


class ReadingKernel(Kernel):
    """A kernel that only takes apart what it is given, such as memory into arrays: called from Python it is Python."""

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel as Python."""
        return self.py_func(*arguments)


def kernel(function: F) -> F:
    """Compile a function without Python objects, which releases the GIL; with the JIT disabled return it unchanged.

    It can neither make nor return arrays: an expression that needs memory does not compile. So Numba need not count
    references to arrays, which would take longer than a decision.
    """
    return _kernel(Kernel, function)


def referencing_kernel(function: F) -> F:
    """Compile as ``kernel`` does, but with references counted: for the few kernels that make or return arrays."""
    return _kernel(Kernel, function, counts_references=True)


def reading_kernel(function: F) -> F:
    """Compile as ``referencing_kernel`` does; Python runs it as Python, so it may only make views of what it gets."""
    return _kernel(ReadingKernel, function, counts_references=True)


def inlined(function: F) -> F:
    """Compile as ``kernel`` does, and always inline the code into its callers: for short functions in hot loops."""
    return _kernel(Kernel, function, inline_always=True)


def _kernel(kind: type[Kernel], function: F, **options: bool) -> F:
    return function if JIT_DISABLED else cast(F, kind(function, options))


def constants(prefix: str, numbers: Mapping[str, int]) -> ModuleType:
    """Return a namespace with every number as a plain int: ``constants("at", {"round": 3}).round`` is 3.

    The namespace is a module because Numba compiles the attributes of a module that is a global of a kernel into it as
    constants. Numba tells modules apart by their names, so the name is made of the numbers.
    """
    digest = hashlib.sha256(repr(dict(numbers)).encode()).hexdigest()[:16]
    namespace = ModuleType(f"{prefix}_{digest}")
    vars(namespace).update(numbers)
    return namespace
