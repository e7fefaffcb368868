"""Numba without the machine code that nothing calls: for tests that compile by Numba in a process of their own.

Numba emits each kernel as a library of its own, with all that it calls, and wraps it for Python and for C. Most kernels
are called by other kernels alone, which have its code within their own; the work for the rest is half of the time.
"""

from __future__ import annotations

from typing import Any, cast

from numba.core import codegen, compiler, cpu
from numba.core.dispatcher import Dispatcher, _DispatcherBase
from numba.core.sigutils import normalize_signature

_for_kernels: list[bool] = []
"""Whether a kernel asked for each of the compilations that are going on, the innermost last."""


def emit_called() -> None:
    """Change Numba so that it emits, and wraps, what Python and addresses call."""
    _tell_who_asks()
    _leave_out_wrappers()
    executable = cpu.CPUContext.get_executable
    finish = codegen.CPUCodeLibrary._finalize_final_module

    def executable_of(self: Any, library: Any, fndesc: Any, env: Any) -> Any:
        if not _for_kernels[-1]:
            return executable(self, library, fndesc, env)
        library.is_for_kernels = True
        return object().__sizeof__  # which tells it from others; it is never called

    def finish_library(self: Any) -> None:
        if hasattr(self, "is_for_kernels"):
            self._finalize_dynamic_globals()
            self._finalized = True
        else:
            finish(self)

    cast(Any, cpu.CPUContext).get_executable = executable_of
    cast(Any, codegen.CPUCodeLibrary)._finalize_final_module = finish_library


def _leave_out_wrappers() -> None:
    """Let Numba make no functions of Python and of C around kernels for which a kernel asked."""
    begin = compiler.CompilerBase.__init__

    def begin_without(self: Any, *arguments: Any, **named: Any) -> None:
        flags: Any = named["flags"] if "flags" in named else arguments[5]
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = _for_kernels[-1]
        begin(self, *arguments, **named)

    cast(Any, compiler.CompilerBase).__init__ = begin_without


def _tell_who_asks() -> None:
    """Note whether a kernel asked, which happens while it is compiled itself, or Python or somebody for an address."""
    base, asked = cast(Any, _DispatcherBase), [False]
    ask, make = base.get_call_template, Dispatcher.compile

    def ask_as_kernel(self: Any, args: Any, kws: Any) -> Any:
        asked[0] = True
        return ask(self, args, kws)

    def make_for(self: Any, sig: Any) -> Any:
        for_kernel, asked[0] = asked[0], False
        made = self.overloads.get(tuple(normalize_signature(sig)[0]))
        if made is not None and hasattr(made.library, "is_for_kernels") and not for_kernel:
            raise AssertionError(f"{self.py_func} was made for kernels, and is called by something else")
        _for_kernels.append(for_kernel)
        try:
            return make(self, sig)
        finally:
            _for_kernels.pop()

    base.get_call_template = ask_as_kernel
    cast(Any, Dispatcher).compile = make_for
