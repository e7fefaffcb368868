"""Functions that stand for instructions of the processor: what Numba emits for them, and Python that does the same.

What is emitted stands in ``kernels.llvm``, which only compiling imports; the Python runs where nothing is compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from endeavor_env.kernels.kernels import Lazy
from endeavor_env.kernels.switches import JIT_DISABLED


def pair(place: str, python: Callable[..., Any], *fixed: Any) -> Any:
    """Return a function that kernels call; where nothing is compiled, ``python``.

    Args:
        place: Where the instructions are emitted, "module:function" inside ``kernels.llvm``. The function gets the
            builder, and then the address of the first entry for an array, and the value of any other argument as
            int64 or float64. It has the type of its result as attribute ``result``, none for nothing.
        python: Does the same; has the same arguments, but for the builder.
        fixed: What the instructions depend on: the function at ``place`` takes this and returns the one that emits.
    """
    return python if JIT_DISABLED else Lazy(partial(_pair, place, python, fixed))


def typed(place: str, python: Callable[..., Any], *fixed: Any) -> Any:
    """Return such a function whose instructions depend on the types of the arguments.

    Args:
        place: As for ``pair``; the function there is what ``numba.extending.intrinsic`` takes.
        python: Does the same where nothing is compiled.
        fixed: As for ``pair``.
    """
    return python if JIT_DISABLED else Lazy(partial(_typed, place, fixed))


def _at(place: str, fixed: tuple[Any, ...]) -> Any:
    """Return what emits the instructions."""
    module, _, name = place.partition(":")
    found = getattr(import_module(f"endeavor_env.kernels.llvm.{module}"), name)
    return found(*fixed) if fixed else found


def _pair(place: str, python: Callable[..., Any], fixed: tuple[Any, ...]) -> Any:
    from endeavor_env.kernels.llvm.parts import instructions_of

    return instructions_of(_at(place, fixed), python)


def _typed(place: str, fixed: tuple[Any, ...]) -> Any:
    from numba.extending import intrinsic

    return intrinsic(_at(place, fixed))
