"""Bells: how threads of a pool that wait and threads that compute tell each other that there is work, or an end of it.

A thread that sleeps takes tens of microseconds to wake, longer than many a batch takes for a turn. So a thread without
work first waits here, for a time, without the interpreter's lock. It must be rung when that lock is free, or it would
sleep while it waits for the lock: kernels that share work ring as the first thing they do.

``bells`` is (8 * threads,) int64, a line of the cache for each thread: the number of the work that is under way, the
number that ``ring`` makes it, and at the beginning of the others' lines the number of the last work each has ended.
"""

from __future__ import annotations

from endeavor_env.core._jit import JIT_DISABLED, kernel
from endeavor_env.core.atomics import load_word, pause, store_word

RUNG, NEXT = 0, 1
LINE = 8
"""Words of a line of the cache."""
PATIENCE = 0 if JIT_DISABLED else 8000
"""How often a thread looks for a change before it sleeps: a fifth of a millisecond, more on some processors."""


@kernel
def ring(bells):
    """Call the threads that wait: the work of the number at NEXT is under way."""
    store_word(bells, RUNG, bells[NEXT])


@kernel
def wait_for_ring(bells, thread, number, patience):
    """Say that ``thread`` has ended the work ``number``, and wait for the next; return whether it came in time."""
    store_word(bells, LINE * thread, number)
    for _ in range(patience):
        if load_word(bells, RUNG) != number:
            return True
        pause()
    return False


@kernel
def wait_for_end(bells, thread, number, patience):
    """Wait until ``thread`` has ended the work ``number``; return whether it did in time."""
    for _ in range(patience):
        if load_word(bells, LINE * thread) == number:
            return True
        pause()
    return False
