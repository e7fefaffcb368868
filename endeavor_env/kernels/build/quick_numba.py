"""Numba's front end without work that it does again and again: same results, in about half of the time.

Each function here takes the place of one of Numba's and returns the same; which of them took how much of the time was
measured by a profile of the whole package. This changes Numba for the whole process, as ``unlinked`` does.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import inspect
from typing import Any, cast

from numba.core import cpu, event, ir, postproc, targetconfig, transforms, utils
from numba.core.types import npytypes
from numba.core.types.functions import BaseFunction

_LEAVES = frozenset((str, int, float, bool, type(None), ir.Loc))
"""Types of what stands in statements and holds no variables: most of what does."""
SELDOM = 200_000
"""New objects after which garbage is looked for: hardly any of the millions of objects of a translation is any."""


def make_quick() -> None:
    """Change Numba so that it remembers what it found."""
    cast(Any, npytypes.Record).__repr__ = _written_once(npytypes.Record.__repr__)
    cast(Any, BaseFunction).get_call_type = _resolved_once(BaseFunction.get_call_type)
    cast(Any, cpu.CPUContext).load_additional_registries = _imported_once(cpu.CPUContext.load_additional_registries)
    cast(Any, targetconfig.TargetConfig).values = _values
    cast(Any, targetconfig.TargetConfig).__hash__ = _hash_of_names
    cast(Any, ir.Inst)._rec_list_vars = _variables
    cast(Any, postproc.PostProcessor).run = _lifetimes_later(postproc.PostProcessor.run)
    cast(Any, utils).pysignature = functools.cache(inspect.signature)
    for name in ("trigger_event", "install_timer"):
        setattr(event, name, _no_event)
    cast(Any, event).start_event = cast(Any, event).end_event = _tell_nobody
    gc.freeze()
    gc.set_threshold(SELDOM)


def _written_once(write: Any) -> Any:
    """Return a ``__repr__`` that keeps its text: that of a position has a hundred fields, and each pass asks for it."""

    def written(self: Any) -> str:
        text = self.__dict__.get("_text")
        if text is None:
            text = self.__dict__["_text"] = write(self)
        return text

    return written


def _resolved_once(resolve: Any) -> Any:
    """Return what finds the signature of a call, such as of ``+``, once for each combination of types.

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


def _imported_once(load: Any) -> Any:
    """Return what makes new implementations known; the modules with Numba's own are imported in the first call only."""

    def load_again(self: Any) -> None:
        if "_is_loaded" in self.__dict__:
            for registry in list(self._registries):
                self.install_registry(registry)
        else:
            self.__dict__["_is_loaded"] = True
            load(self)

    return load_again


def _values(self: Any) -> dict[str, Any]:
    """Return the values of all options of a compilation."""
    return {name: option.default for name, option in self.options.items()} | self._values


def _hash_of_names(self: Any) -> int:
    """Return the hash of options, which is that of their names in Numba too."""
    return hash(type(self))


def _variables(self: Any, thing: Any) -> list[Any]:
    """Return the variables in a part of a statement, in the order in which they stand."""
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


def _lifetimes_later(run: Any) -> Any:
    """Return what sorts the blocks of a function, and leaves where variables end to be found when somebody asks.

    Numba finds that out after each pass, and only the last one uses it. Generators need it at once.
    """

    def run_later(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        function = self.func_ir
        if function.is_generator:
            run(self, emit_dels, extend_lifetimes)
            return
        function.blocks = transforms.canonicalize_cfg(function.blocks)
        function.variable_lifetime = postproc.VariableLifetime(function.blocks)
        function.generator_info = None
        if emit_dels:
            self._insert_var_dels(extend_lifetimes=extend_lifetimes)

    return run_later


def _tell_nobody(*_arguments: Any, **_named: Any) -> None:
    """Take the place of what starts or ends an event, to which nobody listens here."""


def _no_event(*_arguments: Any, **_named: Any) -> contextlib.nullcontext[None]:
    """Take the place of what goes on during an event."""
    return contextlib.nullcontext()
