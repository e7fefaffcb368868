"""Work that threads share: a kernel cuts its rows into parts, and threads that wait do some of them.

A thread that sleeps takes tens of microseconds to wake, longer than many a batch takes for a turn; and to call a kernel
from Python it needs the interpreter's lock, which only one thread has. So threads that help wait inside a kernel,
``help_out``, without that lock. A kernel that shares its work (``shared``) publishes the addresses of its machine code
and of its arguments, does parts itself, and goes on when all are done.

``words`` (``words_for(threads)``,) int64 is how threads tell each other, with a line of the cache for each thing.
With the JIT disabled the calling thread does all parts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from endeavor_env.core._jit import JIT_DISABLED, kernel
from endeavor_env.core.atomics import add_word, give_way, load_word, pause, store_word
from endeavor_env.core.instructions import INTEGER, entry, pair

LINE = 8
"""Words of a line of the cache."""
LEFT, DONE, _CODE, _ARGUMENTS, FAILED, SLEEPS = 0, LINE, 2 * LINE, 2 * LINE + 1, 2 * LINE + 2, 3 * LINE
"""Indices of words: the number of parts that nobody has taken yet (none below 1) and of those that are done; the
addresses; whether a part failed; and, one line after the other, whether each thread but the first sleeps or is about
to."""
PATIENCE = 8000
"""How often a thread looks for work before it sleeps: a fifth of a millisecond, more on some processors."""
_PART = ir.FunctionType(INTEGER, [INTEGER, INTEGER, INTEGER])
"""The machine code of a part: (address of the arguments, part, thread) -> whether it failed."""


def words_for(threads: int) -> int:
    """Return the number of words by which so many threads share work, the first one included."""
    return SLEEPS + LINE * threads


# --- doing parts -----------------------------------------------------------------------------------------------------
def _run_part(builder: Any, words: Any, part: Any, thread: Any) -> Any:
    code = builder.inttoptr(builder.load(entry(builder, words, _CODE)), _PART.as_pointer())
    return builder.call(code, [builder.load(entry(builder, words, _ARGUMENTS)), part, thread])


def _python_run_part(words: Any, part: Any, thread: Any) -> Any:
    raise AssertionError("nothing is published where nothing is compiled")


_run = pair(_run_part, _python_run_part, types.int64)
"""``_run(words, part, thread)``: do a part of what is published; returns whether it failed."""


@kernel
def _do_next_part(words, thread):
    """Do a part that nobody has taken yet; return whether there was one."""
    if load_word(words, LEFT) < 1:
        return False
    part = add_word(words, LEFT, -1) - 1
    if part < 0:  # others were faster
        return False
    if _run(words, part, thread):
        store_word(words, FAILED, 1)
    add_word(words, DONE, 1)
    return True


@kernel
def _do_all_parts(words, parts):
    """Do what is published together with the threads that wait; return when all ``parts`` are done."""
    store_word(words, FAILED, 0)
    store_word(words, DONE, 0)
    store_word(words, LEFT, parts)
    while _do_next_part(words, 0):
        pass
    looks = 0
    while load_word(words, DONE) < parts:
        looks += 1
        if looks < PATIENCE:
            pause()
        else:
            give_way()
    if load_word(words, FAILED):
        raise RuntimeError("a kernel failed that several threads share; with threads=1 it says why")


@kernel
def help_out(words, thread, patience):
    """Do parts of what is published, until there was nothing to do for as many looks as ``patience``.

    ``thread`` is the number of the thread that calls, 1 for the second. Return the number of parts done.
    """
    sleeps = SLEEPS + LINE * (thread - 1)
    store_word(words, sleeps, 0)
    looks = done = np.int64(0)
    while looks < patience:
        looks += 1
        if _do_next_part(words, thread):
            looks, done = np.int64(0), done + 1
        else:
            pause()
    store_word(words, sleeps, 1)
    return done


# --- publishing ------------------------------------------------------------------------------------------------------
def shared(work: Callable[..., None]) -> Callable[..., None]:
    """Return a function (words, parts, arguments) by which a kernel lets ``work`` be done, by several threads at once.

    Args:
        work: A kernel (part, thread, *arguments), called once for each part below ``parts``, with the number of the
            thread that does it. If there is only one part, the calling thread, number 0, does it.
    """
    if JIT_DISABLED:

        def do_parts(_words: Any, parts: int, arguments: tuple[Any, ...]) -> None:
            for part in range(parts):
                work(part, 0, *arguments)

        return do_parts

    def share(typing_context: Any, words: Any, parts: Any, arguments: Any) -> Any:
        """Return the signature, and what emits the instructions."""
        resolve = typing_context.resolve_function_type
        of_part = resolve(numba.typeof(work), (types.int64, types.int64, *arguments.types), {})
        of_all = resolve(numba.typeof(_do_all_parts), (words, types.int64), {})

        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            words, parts, given = values
            is_one = builder.icmp_signed("==", parts, ir.Constant(INTEGER, 1))
            with builder.if_else(is_one) as (alone, together):
                with alone:
                    first = ir.Constant(INTEGER, 0)
                    members = cgutils.unpack_tuple(builder, given)
                    context.get_function(numba.typeof(work), of_part)(builder, [first, first, *members])
                with together:
                    place = cgutils.alloca_once_value(builder, given)
                    code = _code_of_part(context, builder.module, work, of_part, place.type)
                    first_word = cgutils.create_struct_proxy(signature.args[0])(context, builder, words).data
                    builder.store(builder.ptrtoint(code, INTEGER), entry(builder, first_word, _CODE))
                    builder.store(builder.ptrtoint(place, INTEGER), entry(builder, first_word, _ARGUMENTS))
                    context.get_function(numba.typeof(_do_all_parts), of_all)(builder, [words, parts])
            return context.get_dummy_value()

        return types.void(words, types.int64, arguments), emit

    return intrinsic(share)


def _code_of_part(context: Any, module: Any, work: Any, signature: Any, given: Any) -> Any:
    """Return machine code of the kind _PART: it calls ``work`` with the tuple at a place, of the type ``given``."""
    name = module.get_unique_name(f"part_of_{work.__name__}")
    code = ir.Function(module, _PART, name)
    code.linkage = "internal"
    builder = ir.IRBuilder(code.append_basic_block())
    place, part, thread = code.args
    members = cgutils.unpack_tuple(builder, builder.load(builder.inttoptr(place, given)))
    compiled = work.overloads[signature.args]
    context.add_linking_libs([compiled.library])
    status, _ = context.call_internal_no_propagate(builder, compiled.fndesc, signature, [part, thread, *members])
    builder.ret(builder.zext(status.is_error, INTEGER))
    return code
