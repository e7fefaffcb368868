"""Words that threads share while they compute: reads and writes that the compiler neither leaves out nor moves."""

from __future__ import annotations

import os
import platform
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from endeavor_env.core.instructions import entry, pair

_BYTES = 8  # of a word
_PAUSE = "llvm.x86.sse2.pause" if platform.machine() in ("x86_64", "AMD64") else None
_GIVE_WAY = "sched_yield" if os.name == "posix" else None


def _load_word(builder: Any, words: Any, at: Any) -> Any:
    return builder.load_atomic(entry(builder, words, at), "acquire", _BYTES)


def _store_word(builder: Any, words: Any, at: Any, value: Any) -> None:
    builder.store_atomic(value, entry(builder, words, at), "release", _BYTES)


def _add_word(builder: Any, words: Any, at: Any, value: Any) -> Any:
    return builder.atomic_rmw("add", entry(builder, words, at), value, "acq_rel")


def _pause(builder: Any) -> None:
    if _PAUSE is not None:
        kind = ir.FunctionType(ir.VoidType(), [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, _PAUSE), [])


def _give_way(builder: Any) -> None:
    if _GIVE_WAY is not None:
        kind = ir.FunctionType(ir.IntType(32), [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, _GIVE_WAY), [])


def _python_load_word(words: Any, at: Any) -> Any:
    return words[at]


def _python_store_word(words: Any, at: Any, value: Any) -> None:
    words[at] = value


def _python_add_word(words: Any, at: Any, value: Any) -> Any:
    before = np.int64(words[at])
    words[at] += value
    return before


def _python_pause() -> None:
    pass


load_word = pair(_load_word, _python_load_word, types.int64)
"""``load_word(words, at)``: the word of an int64 array at index ``at``; what is read later is read after it."""
store_word = pair(_store_word, _python_store_word)
"""``store_word(words, at, value)``: write a word; what was written earlier is written before it."""
pause = pair(_pause, _python_pause)
"""``pause()``: to be called in a loop that waits for another thread, so that what shares its core gets on."""
add_word = pair(_add_word, _python_add_word, types.int64)
"""``add_word(words, at, value)``: add to a word at once, for all threads; returns what it was before."""
give_way = pair(_give_way, _python_pause)
"""``give_way()``: let the operating system run another thread, if one waits for this core."""
