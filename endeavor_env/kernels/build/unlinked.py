"""Numba without its back end: it translates kernels to LLVM modules, and neither optimises nor emits any of them.

Numba optimises and emits each function as a library of its own, although only few entries are ever called; that is
almost all of the time that it takes. Here the modules are kept as they are translated, for ``module`` to link.

This changes Numba for the whole process, so it runs in processes of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, cast

from numba.core import codegen, compiler, cpu, funcdesc

from endeavor_env.kernels.loading import kernel_cache

_PACKAGE = "endeavor_env"


def keep_modules() -> None:
    """Change Numba so that libraries keep what was translated."""
    library = cast(Any, codegen.CPUCodeLibrary)
    library.add_llvm_module = _add_llvm_module
    library.finalize = _finalize
    cast(Any, codegen.JITCodeLibrary).get_pointer_to_function = lambda self, name: 0
    cast(Any, cpu.CPUContext).get_executable = lambda self, library, fndesc, env: object().__sizeof__  # never called
    cache = cast(Any, kernel_cache.KernelCache)
    cache.load_overload = lambda self, sig, context: context.refresh()
    cache.save_overload = lambda self, sig, data: None
    leave_out_wrappers(lambda: True)
    _name_by_content()


def _add_llvm_module(self: Any, module: Any) -> None:
    """Link a module into the library as it is: Numba would optimise its functions here."""
    self._final_module.link_in(module)


def _finalize(self: Any) -> None:
    """Keep the library apart from those that it calls: Numba would link, optimise and emit all of them here."""
    self._finalized = True


def leave_out_wrappers(is_so: Callable[[], bool]) -> None:
    """Let Numba make no functions of Python and of C around kernels whose translation begins while something is so."""
    begin = compiler.CompilerBase.__init__

    def begin_without(self: Any, *arguments: Any, **named: Any) -> None:
        flags: Any = named["flags"] if "flags" in named else arguments[5]
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = is_so()
        begin(self, *arguments, **named)

    cast(Any, compiler.CompilerBase).__init__ = begin_without


def _name_by_content() -> None:
    """Let a kernel of this package have the same name in every process, so that linking leaves one of two equal ones.

    Numba adds a number to each name that counts the functions of the process. For kernels of this package, which are
    told apart by their modules and types, it follows from all of the types; functions inside of Numba may be closures.
    """
    mangle = funcdesc.default_mangler

    def mangle_without(name: str, argtypes: Any, *, abi_tags: Any = (), uid: Any = None) -> str:
        if name.startswith(_PACKAGE):
            uid = int.from_bytes(hashlib.sha256(str(argtypes).encode()).digest()[:6])
        return mangle(name, argtypes, abi_tags=abi_tags, uid=uid)

    cast(Any, funcdesc).default_mangler = mangle_without
