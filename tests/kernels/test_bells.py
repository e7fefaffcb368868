"""Bells and the words behind them: threads that wait hear of work, and of its end, without the interpreter's lock."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from endeavor_env.batch.thread_pool import ThreadPool
from endeavor_env.core._jit import JIT_DISABLED, kernel
from endeavor_env.core.atomics import load_word, pause, store_word
from endeavor_env.core.batch.bells import LINE, NEXT, RUNG, ring, wait_for_end, wait_for_ring

COMPILED = pytest.mark.skipif(JIT_DISABLED, reason="a loop that waits would hold the interpreter's lock")
LONG = 1 << 40  # longer than any test takes


@kernel
def exchange(words, at, value):
    """Write a word and return what was there."""
    before = load_word(words, at)
    store_word(words, at, value)
    pause()
    return before


def test_words_are_read_and_written_where_they_are() -> None:
    words = np.arange(4)
    assert [exchange(words, at, 10 * at - 5) for at in range(4)] == [0, 1, 2, 3]
    assert words.tolist() == [-5, 5, 15, 25]


def test_ringing_names_the_work_under_way() -> None:
    bells = np.zeros(LINE, np.int64)
    bells[NEXT] = 7
    ring(bells)
    assert bells[RUNG] == 7


def test_nobody_waits_longer_than_its_patience() -> None:
    bells = np.zeros(2 * LINE, np.int64)
    assert not wait_for_ring(bells, 1, 0, 10)
    assert not wait_for_end(bells, 1, 3, 10)
    assert wait_for_ring(bells, 1, 3, 10), "the work 0 is no longer the one that thread 1 has ended"
    assert wait_for_end(bells, 1, 3, 10)


@COMPILED
def test_a_thread_that_waits_is_rung_and_says_when_it_has_ended() -> None:
    bells, heard = np.zeros(2 * LINE, np.int64), []

    def serve() -> None:
        for number in range(50):
            heard.append(wait_for_ring(bells, 1, number, LONG))

    server = threading.Thread(target=serve, daemon=True)
    server.start()
    for number in range(50):
        assert wait_for_end(bells, 1, number, LONG)
        bells[NEXT] = number + 1
        ring(bells)
    server.join(60)
    assert heard == [True] * 50


@COMPILED
@pytest.mark.parametrize("rings", [False, True], ids=["work that does not ring", "work that rings"])
def test_a_pool_works_whether_its_kernels_ring_or_not(rings: bool) -> None:
    pool, rows = ThreadPool(3, 1000), np.zeros(1000, np.int64)

    def work(_thread: int, low: int, high: int) -> None:
        if rings:
            ring(pool.bells)
        rows[low:high] += 1

    for turn in range(300):
        pool.run(work, 1000, 100, rings=rings)
        if turn % 100 == 99:
            time.sleep(0.05)  # so that the others fall asleep
    assert (rows == 300).all()
    pool.close()
