"""A program in a process of its own, spoken to in lines; whatever it does, nobody waits longer than agreed."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from typing import IO

LONGEST_LINE = 1 << 20
"""Characters of a line that is read."""
LAST_WRITTEN = 4000
"""Characters of what it wrote on stderr that are kept."""
LEAVES = 1.0
"""Seconds in which a program that has ended its output ends itself."""


class EndedError(Exception):
    """The program has ended, or has closed its output."""


class SilentError(Exception):
    """The program has written no line in time."""


class Child:
    """A program that runs until ``end``, until this object is gone, or until this process ends."""

    def __init__(
        self, words: Sequence[str], folder: str | None = None, environment: Mapping[str, str] | None = None
    ) -> None:
        """Start it; raise OSError if that is not possible.

        Args:
            words: The program and its arguments.
            folder: Where it runs; None for here.
            environment: Its environment; None for that of this process.
        """
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            words, cwd=folder, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._to_write: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._written = bytearray()
        threads = (
            (_write, self._process.stdin, self._to_write),
            (_read, self._process.stdout, self._lines),
            (_keep, self._process.stderr, self._written),
        )
        for work, *given in threads:
            threading.Thread(target=work, args=given, daemon=True).start()
        self.end = weakref.finalize(self, _end, self._process, self._to_write)

    def send(self, line: str) -> None:
        """Send a line; return at once, whether it is read or not."""
        self._to_write.put(line)

    def receive(self, seconds: float) -> str:
        """Return the next line.

        Raises:
            SilentError: There was none in so many seconds.
            EndedError: There will be none.
        """
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise SilentError from None
        if line is None:
            self._lines.put(None)
            raise EndedError
        return line.decode("utf-8", "replace")

    def last_written(self) -> str:
        """Return the last that it wrote on stderr."""
        return bytes(self._written).decode("utf-8", "replace")

    def how_it_ended(self) -> str:
        """Return a few words about how a program ended that has closed its output."""
        try:
            status = self._process.wait(LEAVES)
        except subprocess.TimeoutExpired:
            return "closed its output"
        time.sleep(0.01)  # for what it wrote last
        return f"ended with status {status}" if status >= 0 else f"was ended by signal {-status}"


def _write(stream: IO[bytes], lines: queue.SimpleQueue[str | None]) -> None:
    """Write lines until there is None, or nobody reads."""
    with contextlib.suppress(OSError, ValueError), stream:
        while (line := lines.get()) is not None:
            stream.write(f"{line}\n".encode())
            stream.flush()


def _read(stream: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    """Read lines until the end, then None; a line that is too long comes in parts."""
    with contextlib.suppress(OSError, ValueError), stream:
        while line := stream.readline(LONGEST_LINE):
            lines.put(line)
    lines.put(None)


def _keep(stream: IO[bytes], written: bytearray) -> None:
    """Keep the last that is written."""
    with contextlib.suppress(OSError, ValueError), stream:
        while part := os.read(stream.fileno(), 1 << 16):
            written += part
            del written[:-LAST_WRITTEN]


def _end(process: subprocess.Popen[bytes], lines: queue.SimpleQueue[str | None]) -> None:
    """End a program and what it has started."""
    lines.put(None)
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
