"""The surroundings of a running trainer: sole use of its folder, errors where memory is short, and Ctrl-C."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from rich.console import Console

from endeavor_env.agents.terminal import print_line
from endeavor_env.basics.file_lock import file_lock
from endeavor_env.errors import InvalidOptionError, Unpicklable

# --- The lock on the folder of a run: one process trains in it at a time ---------------------------------------------

LOCK = "run.lock"


@contextmanager
def sole_use(folder: Path) -> Iterator[None]:
    """Hold the lock of ``folder`` in this context; the system releases it when the process dies.

    The empty file ``run.lock`` stays. If the file system has no locks, print a line on stderr and go on without.

    Raises:
        InvalidOptionError: Another process holds the lock, or the folder cannot be written.
    """

    def refuse(_: float) -> None:
        raise InvalidOptionError(
            f"another process is training in {folder}: wait for it, stop it, or give another --out"
        )

    def say(error: OSError) -> None:
        print(f"{folder} cannot be locked ({error.strerror}): start no other run in it", file=sys.stderr)

    try:
        (folder / LOCK).touch()
    except OSError as error:
        raise InvalidOptionError(f"{folder} cannot be written: {error.strerror}") from error
    with file_lock(folder / LOCK, refuse, say):
        yield


# --- Errors where the memory of the machine is too small for the settings --------------------------------------------


@contextmanager
def memory_for(buffer_size: int, batch_size: int) -> Iterator[None]:
    """Raise InvalidOptionError, which names these settings, where something in this context gets no memory.

    Args:
        buffer_size: Rows that are kept to learn from.
        batch_size: Rows of a gradient step.
    """
    try:
        yield
    except MemoryError as error:
        raise InvalidOptionError(
            f"the memory here does not do for buffer_size={buffer_size} and batch_size={batch_size}: give smaller ones"
        ) from error


# --- Ctrl-C during a run whose rounds should not be cut short --------------------------------------------------------


class StopRequest(Unpicklable):
    """Ctrl-C: the first lets the present round end, so that what is saved fits together; the second stops at once."""

    def __init__(self, console: Console) -> None:
        """Say on ``console`` what the first Ctrl-C does."""
        self._console = console
        self.asked = False

    @contextlib.contextmanager
    def heard(self) -> Iterator[StopRequest]:
        """Listen to Ctrl-C inside this context."""
        before = signal.signal(signal.SIGINT, self._on_signal)
        try:
            yield self
        finally:
            signal.signal(signal.SIGINT, before)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        print_line("Stopping after this round; Ctrl-C again stops at once, without a checkpoint.", self._console)
