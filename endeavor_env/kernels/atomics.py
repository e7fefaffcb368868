"""Words that threads share while they compute: reads and writes that the compiler neither leaves out nor moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from endeavor_env.kernels.instructions import pair


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


load_word = pair("threads:load_word", _python_load_word)
"""``load_word(words, at)``: the word of an int64 array at index ``at``; what is read later is read after it."""
store_word = pair("threads:store_word", _python_store_word)
"""``store_word(words, at, value)``: write a word; what was written earlier is written before it."""
pause = pair("threads:pause", _python_pause)
"""``pause()``: to be called in a loop that waits for another thread, so that what shares its core gets on."""
add_word = pair("threads:add_word", _python_add_word)
"""``add_word(words, at, value)``: add to a word at once, for all threads; returns what it was before."""
give_way = pair("threads:give_way", _python_pause)
"""``give_way()``: let the operating system run another thread, if one waits for this core."""
