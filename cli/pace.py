"""When the next step of a game is shown: after a while, or when a key asks for it."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from types import FrameType, TracebackType

# --- Single keys of a terminal, read without waiting for Enter; the terminal is as it was whatever happens -----------

try:
    import termios
    import tty
except ImportError:  # Windows has no such terminals: there are no keys then, and nothing else changes
    termios = tty = None

LONGEST = 64
"""Bytes that are read at once: a key is a few, and what is pasted is no key."""
ENDINGS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that end a process without a word, unless somebody listens."""
NAMES = {" ": "space", "\r": "enter", "\n": "enter", "\x1b[C": "right", "\x1bOC": "right"}


class Keys:
    """The keys that are pressed while this context is open; none if stdin is no terminal."""

    def __init__(self) -> None:
        """Do not change anything yet."""
        self._stdin: int | None = None
        self._left = ExitStack()

    def __enter__(self) -> Keys:
        """Let the terminal hand over each key at once and show none of them."""
        if termios is None or tty is None or not sys.stdin.isatty():
            return self
        stdin = sys.stdin.fileno()
        before = termios.tcgetattr(stdin)
        self._left.callback(termios.tcsetattr, stdin, termios.TCSADRAIN, before)
        for ending in ENDINGS:
            with suppress(ValueError):  # only the main thread listens
                self._left.callback(signal.signal, ending, signal.signal(ending, _end))
        tty.setcbreak(stdin)  # Ctrl-C goes on to interrupt
        self._stdin = stdin
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was."""
        self._stdin = None
        self._left.close()

    @property
    def there(self) -> bool:
        """Whether keys can be read."""
        return self._stdin is not None

    def read(self, seconds: float | None) -> str:
        """Return the next key: its character in lower case, "space", "enter" or "right".

        Args:
            seconds: How long to wait for it; after that return "". None waits until there is one.
        """
        assert self._stdin is not None
        ready, _, _ = select.select([self._stdin], [], [], seconds)
        if not ready:
            return ""
        typed = os.read(self._stdin, LONGEST).decode("utf-8", "replace")
        if not typed:  # the terminal is gone
            raise KeyboardInterrupt
        return NAMES.get(typed) or NAMES.get(typed[0]) or typed[0].lower()


def _end(number: int, frame: FrameType | None) -> None:
    """End the program as a signal would, but with its contexts closed."""
    sys.exit(128 + number)


# --- When the next step of a game is shown: after a while, or when a key asks for it ---------------------------------

LEAST_DELAY, MOST_DELAY = 0.05, 60.0
FACTOR = 2.0
"""Change of the pace by a key."""


class StoppedError(Exception):
    """A key said that the rest is not wanted."""


class Pace:
    """The time between two steps, and the keys that change it."""

    def __init__(self, keys: Keys, delay: float) -> None:
        """Begin with so many seconds between two steps."""
        self._keys, self.delay = keys, delay
        self.paused = False

    def words(self) -> str:
        """Return what the keys do, and what they did; "" where there are none."""
        if not self._keys.there:
            return ""
        now = "paused" if self.paused else f"{self.delay:g} s a step"
        return f"{now}; space {'goes on' if self.paused else 'pauses'}, n steps, + faster, - slower, q quits"

    def wait(self, show: Callable[[], None]) -> None:
        """Return when the next step is due; ``show`` is called after each key that changes ``words``.

        Raises:
            StoppedError: The user pressed q.
        """
        if not self._keys.there:
            time.sleep(self.delay)
            return
        due = time.monotonic() + self.delay
        while (key := self._keys.read(None if self.paused else max(0.0, due - time.monotonic()))) != "":
            if key == "q":
                raise StoppedError
            if key in ("n", "right", "enter"):
                self.paused = True
                return
            if key == "space":
                self.paused = not self.paused
            elif key in ("+", "="):
                self.delay = max(self.delay / FACTOR, LEAST_DELAY)
            elif key in ("-", "_"):
                self.delay = min(max(self.delay, LEAST_DELAY) * FACTOR, MOST_DELAY)
            due = time.monotonic() + self.delay
            show()
