"""Work that threads share inside a kernel: every part is done once, whoever does it, and errors are told."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import time
from typing import Any, NamedTuple

import numpy as np
import pytest

from endeavor_env.engine.batch.threads import PARTS, SMALL, THINKING, HelpingThreads
from endeavor_env.kernels.intrinsics import add_word, load_word, pause, store_word, yield_
from endeavor_env.kernels.kernels import JIT_DISABLED, kernel
from endeavor_env.kernels.sharing import DONE, LEFT, LINE, SLEEPS, help_out, shared, words_for

COMPILED = pytest.mark.skipif(JIT_DISABLED, reason="nothing is shared where nothing is compiled")


class Counts(NamedTuple):
    """What parts write."""

    done: Any
    by: Any


@kernel
def _count(part, thread, counts, step, size):
    """Add ``step`` in the rows of a part, and note who did it."""
    if step < 0:
        raise ValueError("a step below 0")
    for row in range(part * size, min((part + 1) * size, counts.done.size)):
        counts.done[row] += step
        counts.by[row] = thread


_share_count = shared(_count)


@kernel
def count(done, by, step, size, words, parts):
    """Count in all rows."""
    _share_count(words, parts, (Counts(done, by), step, size))


@kernel
def exchange(words, at, value):
    """Write a word, add 1 to it, and return what was there before and between."""
    before = load_word(words, at)
    store_word(words, at, value)
    pause()
    yield_()
    return before, add_word(words, at, 1)


def test_words_are_read_written_and_added_to_where_they_are() -> None:
    words = np.arange(4)
    assert [exchange(words, at, 10 * at - 5) for at in range(4)] == [(0, -5), (1, 5), (2, 15), (3, 25)]
    assert words.tolist() == [-4, 6, 16, 26]


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_one_thread_does_every_part_once(parts: int) -> None:
    words, done, by = np.zeros(words_for(1), np.int64), np.zeros(7 * 3, np.int64), np.full(7 * 3, -1)
    for _ in range(2):
        count(done, by, 5, 3, words, parts)
    assert done.tolist() == [10] * 3 * parts + [0] * 3 * (7 - parts)
    assert by.tolist() == [0] * 3 * parts + [-1] * 3 * (7 - parts)


@COMPILED
def test_threads_that_wait_do_parts_until_there_have_been_none_for_a_time() -> None:
    words, done, by = np.zeros(words_for(3), np.int64), np.zeros(4000, np.int64), np.zeros(4000, np.int64)
    helped: list[int] = []
    others: list[threading.Thread] = []
    seen, turns = {0}, 0
    while seen == {0}:  # until another thread has begun and come first
        if not any(other.is_alive() for other in others):  # on a busy machine both may have fallen asleep before that
            others = [
                threading.Thread(target=lambda n=n: helped.append(int(help_out(words, n, 1 << 22)))) for n in (1, 2)
            ]
            for other in others:
                other.start()
        count(done, by, 1, 400, words, 10)
        seen |= set(by.tolist())
        turns += 1
        assert words[DONE] == 10
    for other in others:
        other.join(60)
    assert (done == turns).all()
    assert len(helped) >= 2
    assert sum(helped) > 0
    assert seen <= {0, 1, 2}
    assert words[[SLEEPS, SLEEPS + LINE]].tolist() == [1, 1]


def test_nobody_waits_for_work_that_does_not_come() -> None:
    words = np.zeros(words_for(2), np.int64)
    assert help_out(words, 1, 10) == 0
    assert (words[SLEEPS], words[LEFT]) == (1, 0)


@COMPILED
def test_an_error_is_raised_as_it_is_by_one_part_and_named_by_several() -> None:
    words, done = np.zeros(words_for(1), np.int64), np.zeros(12, np.int64)
    with pytest.raises(ValueError, match="a step below 0"):
        count(done, done.copy(), -1, 12, words, 1)
    with pytest.raises(RuntimeError, match="threads=1"):
        count(done, done.copy(), -1, 3, words, 4)
    count(done, done.copy(), 1, 3, words, 4)
    assert done.tolist() == [1] * 12


# --- the threads of a batch ------------------------------------------------------------------------------------------
@COMPILED
def test_helpers_are_woken_and_fall_asleep_again() -> None:
    helpers, done, by = HelpingThreads(3, 4000), np.zeros(4000, np.int64), np.zeros(4000, np.int64)
    for round_ in range(1, 4):
        seen = {0}
        while seen == {0}:  # until another thread has woken and come first
            parts, size = helpers.share(4000, 100)
            count(done, by, 1, size, helpers.words, parts)
            seen |= set(by.tolist())
            assert (done == done[0]).all()
        assert done[0] >= round_
        while helpers.words[[SLEEPS, SLEEPS + LINE]].tolist() != [1, 1]:
            time.sleep(0.01)
    helpers.close()


@COMPILED
@pytest.mark.parametrize("count_of_rows", [1, 255, 256, 1000, 1024, 8192, 100_003])
def test_parts_cover_the_rows(count_of_rows: int) -> None:
    helpers = HelpingThreads(3, count_of_rows)
    parts, size = helpers.share(count_of_rows, SMALL)
    assert (parts - 1) * size < count_of_rows <= parts * size
    assert (parts > 1) == (count_of_rows >= 2 * SMALL)
    assert parts <= PARTS * 3 == len(helpers.found) or helpers.threads < 3
    helpers.close()


def test_there_are_never_more_threads_than_rows_are_worth() -> None:
    assert HelpingThreads(8, THINKING).threads == 1
    assert HelpingThreads(8, 4 * THINKING).threads == 4
    assert HelpingThreads(2, 1000).threads == 2
    assert HelpingThreads(None, 1 << 20).threads >= 1


@COMPILED
def test_copies_and_closed_helpers_start_threads_of_their_own() -> None:
    before, done = set(threading.enumerate()), np.zeros(512, np.int64)
    helpers = HelpingThreads(2, 512)
    for again in (helpers, copy.deepcopy(helpers), pickle.loads(pickle.dumps(helpers)), helpers):
        parts, size = again.share(512, SMALL)
        started = set(threading.enumerate()) - before
        assert len(started) == 1
        count(done, done.copy(), 1, size, again.words, parts)
        again.close()
        wait_for_end(started)
    assert (done == 4).all()


@COMPILED
def test_threads_end_when_nobody_needs_them() -> None:
    before = set(threading.enumerate())
    helpers = HelpingThreads(3, 1000)
    helpers.share(1000, SMALL)
    started = set(threading.enumerate()) - before
    assert len(started) == 2
    del helpers
    gc.collect()
    wait_for_end(started)


def wait_for_end(threads: set[threading.Thread]) -> None:
    """Wait until the threads have ended; fail after a while."""
    for thread in threads:
        thread.join(20)
        assert not thread.is_alive()
