"""Plays units of work, such as those of a tournament, in this process, or in several at once."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import connection
from typing import Any, Protocol, TypeVar

from endeavor_env.basics.inputs import positive_number
from endeavor_env.basics.python_child import workers_without_working_folder
from endeavor_env.errors import EndeavorError, InvalidOptionError

MOST_JOBS = 1024
WAITING = 2
"""Units handed to the processes for each of them: the one it plays, and the next."""

U = TypeVar("U")
U_contra = TypeVar("U_contra", contravariant=True)
P = TypeVar("P")
P_co = TypeVar("P_co", covariant=True)


class Plays(Protocol[U_contra, P_co]):
    """A player of work items."""

    def play(self, unit: U_contra, /) -> P_co:
        """Play a unit and return what it brought."""
        ...


Maker = Callable[[Callable[[], bool]], Plays[U, P]]
"""Returns what plays units; what it is given says whether to give a unit up. Other processes get it by pickling."""

_player: Plays[Any, Any] | None = None
"""Player of the work items of a worker process, set when the process starts."""


def count_jobs(jobs: int | None) -> int:
    """Return the number of processes, that of the cores for None; raise InvalidOptionError unless it is 1 to 1024."""
    if jobs is None:
        affinity = getattr(os, "sched_getaffinity", None)
        return min(MOST_JOBS, len(affinity(0)) if affinity else os.cpu_count() or 1)
    if positive_number("jobs", jobs) > MOST_JOBS:
        raise InvalidOptionError(f"jobs={jobs} is not possible: give 1 to {MOST_JOBS}")
    return int(jobs)


def play_units(make: Maker[U, P], units: Iterable[U], jobs: int) -> Iterator[P]:
    """Play units and yield each when it is done, in any order; what a unit brings does not depend on ``jobs``.

    Args:
        make: Makes what plays them, once in each process.
        units: What to play.
        jobs: Number of processes; 1 plays in this one.

    Raises:
        EndeavorError: An agent failed, or a process died.
    """
    if jobs == 1:
        player = make(lambda: False)
        yield from map(player.play, units)
    else:
        yield from _play_in_processes(make, iter(units), jobs)


def _play_in_processes(make: Maker[U, P], units: Iterator[U], jobs: int) -> Iterator[P]:
    """Play units in worker processes, which stop at the next move when this generator is closed or interrupted."""
    context = multiprocessing.get_context("spawn")
    stop = context.RawValue(ctypes.c_bool, False)
    with workers_without_working_folder():
        pool = ProcessPoolExecutor(jobs, context, initializer=_begin_worker, initargs=(make, stop))
    running: set[Future[P]] = set()
    try:
        while running or not stop.value:
            with _no_interrupts(), workers_without_working_folder():
                running |= {pool.submit(_play, unit) for unit in islice(units, WAITING * jobs - len(running))}
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BrokenProcessPool as error:
        raise EndeavorError(
            "a process that played games died, perhaps for lack of memory: try again, with fewer --jobs"
        ) from error
    finally:
        stop.value = True
        pool.shutdown(cancel_futures=True)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back for a moment; processes started meanwhile never get it, and stop when this one tells them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker(make: Maker[Any, Any], stop: Any) -> None:
    """Prepare a worker process: one thread for the networks of its agents, and no answer to Ctrl-C."""
    global _player
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):  # read when PyTorch is imported, which agents do when made
        os.environ.setdefault(name, "1")
    _player = make(lambda: stop.value)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this worker process when the process that started it has died."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _play(unit: Any) -> Any:
    """Play a unit in a worker process."""
    assert _player is not None
    return _player.play(unit)
