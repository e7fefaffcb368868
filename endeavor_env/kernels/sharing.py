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
from functools import partial
from typing import Any, cast

import numpy as np

from endeavor_env.kernels.calls import indirect_call
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.intrinsics import add_word, load_word, pause, store_word, yield_
from endeavor_env.kernels.kernels import Lazy, kernel
from endeavor_env.kernels.kinds import INTEGER, array
from endeavor_env.kernels.switches import JIT_DISABLED

LINE = 8
"""Words of a line of the cache."""
LEFT, DONE, _CODE, _ARGUMENTS, FAILED, SLEEPS = 0, LINE, 2 * LINE, 2 * LINE + 1, 2 * LINE + 2, 3 * LINE
"""Indices of words: the number of parts that nobody has taken yet (none below 1) and of those that are done; the
addresses; whether a part failed; and, one line after the other, whether each thread but the first sleeps or is about
to."""
SPIN_LIMIT = 8000
"""Attempts of a thread to find work before it sleeps: a fifth of a millisecond, more on some processors."""


def words_for(threads: int) -> int:
    """Return the number of words by which so many threads share work, the first one included."""
    return SLEEPS + LINE * threads


# --- doing parts -----------------------------------------------------------------------------------------------------
_run = indirect_call(3)


@kernel
def _do_next_part(words, thread):
    """Do a part that nobody has taken yet; return whether there was one."""
    if load_word(words, LEFT) < 1:
        return False
    part = add_word(words, LEFT, -1) - 1
    if part < 0:  # others were faster
        return False
    if _run(words[_CODE], words[_ARGUMENTS], part, thread) != 0:
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
    attempts = 0
    while load_word(words, DONE) < parts:
        attempts += 1
        if attempts < SPIN_LIMIT:
            pause()
        else:
            yield_()
    if load_word(words, FAILED):
        raise RuntimeError("a kernel failed that several threads share; with threads=1 it says why")


@entry(array(np.int64), INTEGER, INTEGER)
def help_out(words, thread, limit):
    """Do parts of what is published, until there was nothing to do for ``limit`` attempts.

    ``thread`` is the number of the thread that calls, 1 for the second. Return the number of parts done.
    """
    sleeps = SLEEPS + LINE * (thread - 1)
    store_word(words, sleeps, 0)
    attempts = done = np.int64(0)
    while attempts < limit:
        attempts += 1
        if _do_next_part(words, thread):
            attempts, done = np.int64(0), done + 1
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

    return cast(Callable[..., None], Lazy(partial(_share, work)))


def _share(work: Any) -> Any:
    from numba.extending import intrinsic

    from endeavor_env.kernels.llvm.calls import share

    return intrinsic(share(work, _do_all_parts, _CODE, _ARGUMENTS))
