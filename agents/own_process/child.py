"""A program in a process of its own, spoken to in lines; whatever it does, nobody waits longer than agreed.

Nor is more than agreed of what it writes kept: a program that writes without being asked is ended.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO

from endeavor_env.errors import Unpicklable

MOST_UNREAD = 1 << 20
"""Bytes on stdout that wait to be read; one more, and the program is ended. So no line is longer."""
MOST_BESIDE = 1 << 24
"""Bytes on stderr from one line that it is sent to the next; one more, and the program is ended."""
MOST_UNSENT = 1 << 22
"""Bytes that wait until the program reads them; one more, and the program is ended."""
LAST_WRITTEN = 4000
"""Bytes of what it wrote on stderr that are kept."""
LEAVES = 1.0
"""Seconds in which a program that has ended its output ends itself."""
AT_ONCE = 4096
"""Bytes of which a pipe that is ready takes all, on every system."""


class EndedError(Exception):
    """The program has ended, or has closed its output."""


class SilentError(Exception):
    """The program has written no line in time."""


class FloodError(Exception):
    """The program wrote more than it was asked for, or stopped reading, and was ended. The message says which."""


class _Heard:
    """Output of a program that has not been read yet."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.unread = bytearray()
        """Bytes from stdout."""
        self.last = bytearray()
        """Last bytes from stderr."""
        self.beside = self.unsent = 0
        self.ended = False
        """True after the end of stdout."""
        self.flood = ""
        """The limit that the program exceeded, in words; empty while it keeps to all of them."""


class Child(Unpicklable):
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
        self._process = process = subprocess.Popen(
            words, cwd=folder, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
        )
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._to_write: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._heard = heard = _Heard()
        over, make_over = os.pipe()  # what the program has started may outlive it, and keep its streams open
        threads = (
            (_write, process.stdin, heard, self._to_write),
            (_read, process.stdout, heard, process),
            (_keep, process.stderr, heard, process),
        )
        for work, *given in threads:
            threading.Thread(target=work, args=(os.dup(over), *given), daemon=True).start()
        os.close(over)
        self.end = weakref.finalize(self, _end, process, self._to_write, make_over)

    def send(self, line: str) -> None:
        """Send a line; return at once, whether it is read or not."""
        data = f"{line}\n".encode()
        with self._heard.changed:
            self._heard.beside = 0
            self._heard.unsent += len(data)
            too_much = self._heard.unsent > MOST_UNSENT
        if too_much:
            _flooded(self._process, self._heard, f"has not read the last {MOST_UNSENT:,} bytes")
        else:
            self._to_write.put(data)

    def receive(self, seconds: float) -> str:
        """Return the next line.

        Raises:
            SilentError: There was none in so many seconds.
            EndedError: There will be none.
            FloodError: It was ended for all that it wrote.
        """
        heard = self._heard
        with heard.changed:
            heard.changed.wait_for(lambda: heard.flood or heard.ended or b"\n" in heard.unread, seconds)
            if heard.flood:
                raise FloodError(heard.flood)
            end = heard.unread.find(b"\n") + 1
            if not (end or heard.ended):
                raise SilentError
            end = end or len(heard.unread)
            if not end:
                raise EndedError
            line = bytes(heard.unread[:end])
            del heard.unread[:end]
        return line.decode("utf-8", "replace")

    @property
    def flood(self) -> str:
        """The limit that it exceeded, for which it was ended; "" if none."""
        return self._heard.flood

    def last_written(self) -> str:
        """Return the last that it wrote on stderr."""
        return bytes(self._heard.last).decode("utf-8", "replace")

    def how_it_ended(self) -> str:
        """Return a few words about how a program ended that has closed its output."""
        try:
            status = self._process.wait(LEAVES)
        except subprocess.TimeoutExpired:
            return "closed its output"
        time.sleep(0.01)  # for what it wrote last
        return f"ended with status {status}" if status >= 0 else f"was ended by signal {-status}"


@contextlib.contextmanager
def _until(over: int, stream: IO[bytes]) -> Iterator[Callable[[], bool]]:
    """Close both in the end, and give what waits for the stream; that returns False when the program is over.

    Windows cannot wait for two pipes: there the program's own end closes its streams.
    """
    with contextlib.suppress(OSError, ValueError), os.fdopen(over, "rb", buffering=0), stream:
        if sys.platform == "win32":
            yield lambda: True
            return
        waiting = select.poll()
        waiting.register(over, select.POLLIN)
        waiting.register(stream, select.POLLIN if stream.readable() else select.POLLOUT)
        yield lambda: all(ready != over for ready, _ in waiting.poll())


def _write(over: int, stream: IO[bytes], heard: _Heard, lines: queue.SimpleQueue[bytes | None]) -> None:
    """Write lines until there is None, or nobody reads."""
    with _until(over, stream) as goes_on:
        while (line := lines.get()) is not None:
            for start in range(0, len(line), AT_ONCE):
                if not goes_on():
                    return
                stream.write(line[start : start + AT_ONCE])
                stream.flush()
            with heard.changed:
                heard.unsent -= len(line)


def _read(over: int, stream: IO[bytes], heard: _Heard, process: subprocess.Popen[bytes]) -> None:
    """Keep what a program writes on stdout until it is read."""
    with _until(over, stream) as goes_on:
        while goes_on() and not heard.flood and (part := os.read(stream.fileno(), 1 << 16)):
            with heard.changed:
                heard.unread += part
                heard.changed.notify_all()
            if len(heard.unread) > MOST_UNREAD:
                _flooded(process, heard, f"wrote more than {MOST_UNREAD:,} bytes for which nobody asked")
    with heard.changed:
        heard.ended = True
        heard.changed.notify_all()


def _keep(over: int, stream: IO[bytes], heard: _Heard, process: subprocess.Popen[bytes]) -> None:
    """Keep the last that a program writes on stderr."""
    with _until(over, stream) as goes_on:
        while goes_on() and not heard.flood and (part := os.read(stream.fileno(), 1 << 16)):
            with heard.changed:
                heard.beside += len(part)
                heard.last += part
                del heard.last[:-LAST_WRITTEN]
            if heard.beside > MOST_BESIDE:
                _flooded(process, heard, f"wrote more than {MOST_BESIDE:,} bytes on stderr for one decision")


def _flooded(process: subprocess.Popen[bytes], heard: _Heard, what: str) -> None:
    """End a program, and forget what it wrote on stdout."""
    with heard.changed:
        heard.flood = heard.flood or what
        heard.unread.clear()
        heard.changed.notify_all()
    _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program and what it has started, as far as that has not left its group of processes."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes], lines: queue.SimpleQueue[bytes | None], make_over: int) -> None:
    """End a program, and stop listening to what it has started."""
    lines.put(None)
    with contextlib.suppress(OSError):  # all streams are closed: nobody listens any more
        os.write(make_over, b".")
    os.close(make_over)
    _kill(process)
    process.wait()
