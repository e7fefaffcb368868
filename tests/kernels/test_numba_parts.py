"""The five parts of Numba that are replaced or reached into: a test for each says what changed and what to do.

One that fails after an update of Numba names the part. What the others bring is speed of the front end alone, so that
leaving one out of ``make_quick`` is always right; the first two are needed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import codegen, compiler, cpu, event, typed_passes
from numba.core.dispatcher import Dispatcher
from numba.core.types import npytypes
from numba.core.types.functions import BaseFunction

from endeavor_env.kernels.build import numba_parts
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.switches import JIT_DISABLED

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")


def arguments_of(function: Callable[..., Any]) -> list[str]:
    """Return the names of the arguments of a function of Numba."""
    return list(inspect.signature(function).parameters)


def test_part_1_the_library_and_the_codegen_that_translate_and_do_not_compile() -> None:
    """If this fails: Numba's libraries have other methods; ``TranslatedLibrary`` has to override what compiles now."""
    assert codegen.JITCPUCodegen._library_class is codegen.JITCodeLibrary
    assert "_internal_codegen" in inspect.getsource(cpu.CPUContext.codegen)
    for name in ("add_llvm_module", "finalize", "get_pointer_to_function"):
        ours, theirs = (getattr(kind, name) for kind in (numba_parts.TranslatedLibrary, codegen.JITCodeLibrary))
        assert len(arguments_of(ours)) == len(arguments_of(theirs)), name
    assert arguments_of(codegen.JITCPUCodegen.set_env) == ["self", "env_name", "env"]
    library = codegen.JITCPUCodegen("test").create_library("test")
    assert library._linking_libraries == []
    assert library._final_module.name == "test"


@kernel
def _double(number):
    return number + number


@kernel
def _doubles(number):
    return _double(1) + _double(np.int8(2)) + _double(number)


def test_part_2_callers_of_a_kernel_share_one_version_for_all_integers() -> None:
    """If this fails: Numba resolves calls of dispatchers elsewhere; ``numba_kernels._compiled_once`` has to follow it.

    Without it everything is right and takes twice the time to compile.
    """
    assert arguments_of(Dispatcher.get_call_template) == ["self", "args", "kws"]
    assert _doubles(np.int64(4)) == 14
    assert list(_double.made.overloads) == [(numba.types.int64,)]  # type: ignore[attr-defined]


def test_part_3_the_text_of_a_record_type() -> None:
    """If this fails: take ``Record.__repr__`` out of ``make_quick``, or mend ``_written_once``."""
    record: Any = numba.from_dtype(np.dtype([("turn", np.int8), ("seat", np.int16)]))
    assert "__repr__" in vars(npytypes.Record)
    assert numba_parts._written_once(npytypes.Record.__repr__)(record) == repr(record)
    assert record.__dict__["_text"] == repr(record)


def test_part_4_the_signature_of_a_call() -> None:
    """If this fails: take ``BaseFunction.get_call_type`` out of ``make_quick``, or mend ``_resolved_once``."""
    assert arguments_of(BaseFunction.get_call_type) == ["self", "context", "args", "kws"]
    assert "_impl_keys[sig.args]" in inspect.getsource(BaseFunction.get_call_type)


def test_part_5_events_to_which_nobody_listens() -> None:
    """If this fails: take ``trigger_event`` or ``install_timer`` out of ``make_quick``."""
    with event.trigger_event("test"), event.install_timer("test", lambda seconds: None), numba_parts._no_event("test"):
        pass
    assert "ev.trigger_event(" in inspect.getsource(compiler) + inspect.getsource(Dispatcher)


def test_the_passes_of_kernels_are_passes_of_numba() -> None:
    """No part is replaced here: ``pipeline_class`` is public. A pass that Numba renames is renamed in ``Pipeline``."""
    state = compiler.DefaultPassBuilder.define_nopython_lowering_pipeline
    assert typed_passes.NativeLowering.__name__ in inspect.getsource(state)
    compiled = numba.njit(pipeline_class=numba_parts.Pipeline)(lambda number: number if number > 3 else 2 * number)
    assert [compiled(number) for number in (2, 4)] == [4, 4]
