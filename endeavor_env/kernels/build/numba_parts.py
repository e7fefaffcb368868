"""The parts of Numba that the front end replaces, in a process of its own: what each is for, and what it saves.

Numba optimises and emits each function as a library of its own, although only few entries are ever called, and it does
much work again and again. Here kernels become LLVM modules and nothing more, for ``back_end`` to link. Five parts are
replaced, and ``numba_kernels`` has the sixth; ``tests/kernels/test_numba_parts.py`` says what to do when one changes.
Seconds are those of the rules' largest entry, which takes 7 with all of them.
"""

from __future__ import annotations

import contextlib
import gc
from typing import Any, cast

from numba.core import codegen, compiler, event, ir, targetconfig, typed_passes, untyped_passes
from numba.core.compiler_machinery import PassManager
from numba.core.registry import cpu_target
from numba.core.types import npytypes
from numba.core.types.functions import BaseFunction

from endeavor_env.kernels.llvm import calls
from endeavor_env.kernels.numba_kernels import options

SELDOM = 200_000
"""New objects after which garbage is looked for: hardly any of the millions of objects of a translation is any."""
_LEAVES = frozenset((str, int, float, bool, type(None), ir.Loc))
"""Types of what stands in statements and holds no variables: most of what does."""


def translate_alone() -> None:
    """Change Numba for this process, so that it translates kernels and does not compile them."""
    context = cast(Any, cpu_target.target_context)
    context._internal_codegen = TranslatingCodegen("endeavor_env")
    options.update(no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=Pipeline)
    calls.by_symbol[0] = True
    make_quick()


def make_quick() -> None:
    """Change Numba for this process, so that it remembers what it found."""
    cast(Any, npytypes.Record).__repr__ = _written_once(npytypes.Record.__repr__)
    cast(Any, BaseFunction).get_call_type = _resolved_once(BaseFunction.get_call_type)
    cast(Any, ir.Inst)._rec_list_vars = _variables
    cast(Any, event).trigger_event = cast(Any, event).install_timer = _no_event
    gc.freeze()
    gc.set_threshold(SELDOM)


class TranslatedLibrary(codegen.JITCodeLibrary):
    """Part 1, with its codegen: the modules as they are translated. Numba would optimise and emit each, for minutes."""

    def add_llvm_module(self, ll_module: Any) -> None:
        """Link a module into the library as it is: Numba would optimise its functions here."""
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        """Keep the library apart from those that it calls: Numba would link, optimise and emit all of them here."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return no address: nothing is called."""
        return 0

    def modules(self, found: dict[Any, Any]) -> dict[Any, Any]:
        """Add the module of the library, and those of all that it calls, to ``found``; return it."""
        if self not in found:
            found[self] = self._final_module
            for library in self._linking_libraries:
                library.modules(found)
        return found


class TranslatingCodegen(codegen.JITCPUCodegen):
    """Part 1: what makes such libraries."""

    _library_class = TranslatedLibrary

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing: there is no machine code yet that would read it."""


class Pipeline(compiler.CompilerBase):
    """The passes of Numba that kernels need, half of all (1 s): no part is replaced, Numba takes pipelines of users."""

    def define_pipelines(self) -> list[PassManager]:
        """Return the passes."""
        manager = PassManager("kernels")
        for one in (
            *(untyped_passes.TranslateByteCode, untyped_passes.FixupArgs, untyped_passes.IRProcessing),
            *(untyped_passes.RewriteSemanticConstants, untyped_passes.DeadBranchPrune, untyped_passes.GenericRewrites),
            *(untyped_passes.RewriteDynamicRaises, untyped_passes.ReconstructSSA, typed_passes.NopythonTypeInference),
            *(typed_passes.PreLowerStripPhis, typed_passes.NopythonRewrites),
            *(typed_passes.NoPythonSupportedFeatureValidation, typed_passes.IRLegalization),
            *(typed_passes.NativeLowering, typed_passes.NoPythonBackend),
        ):
            manager.add_pass(one, one.__name__)
        manager.finalize()
        return [manager]


def _written_once(write: Any) -> Any:
    """Part 2: the text of a record type, kept: that of a position has a hundred fields, and each pass asks (3 s)."""

    def written(self: Any) -> str:
        text = self.__dict__.get("_text")
        if text is None:
            text = self.__dict__["_text"] = write(self)
        return text

    return written


def _resolved_once(resolve: Any) -> Any:
    """Part 3: the signature of a call, such as of ``+``, found once for each combination of types (2 s).

    Numba tries one template after the other at every call, most of which do not fit.
    """
    found: dict[Any, tuple[Any, Any]] = {}

    def resolved(self: Any, context: Any, args: Any, kws: Any) -> Any:
        key = (self, args, tuple(kws.items()), targetconfig.ConfigStack.top_or_none())
        if key in found:
            signature, code = found[key]
            self._impl_keys[signature.args] = code
        else:
            signature = resolve(self, context, args, kws)
            found[key] = signature, self._impl_keys[signature.args]
        return signature

    return resolved


def _variables(self: Any, thing: Any) -> list[Any]:
    """Part 4: the variables in a part of a statement, without a look at what cannot hold any (1 s)."""
    found: list[Any] = []
    _add_variables((thing,), found)
    return found


def _add_variables(things: Any, found: list[Any]) -> None:
    for thing in things:
        kind = type(thing)
        if kind in _LEAVES:
            continue
        if kind is ir.Var:
            found.append(thing)
        elif isinstance(thing, ir.Inst):
            found.extend(thing.list_vars())
        elif isinstance(thing, list | tuple):
            _add_variables(thing, found)
        elif isinstance(thing, dict):
            _add_variables(thing.values(), found)


def _no_event(*_arguments: Any, **_named: Any) -> contextlib.nullcontext[None]:
    """Part 5: what goes on during an event, to which nobody listens here (1 s)."""
    return contextlib.nullcontext()
