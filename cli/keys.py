"""Single keys of a terminal, read without waiting for Enter; the terminal is as it was whatever happens."""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import ExitStack, suppress
from types import FrameType, TracebackType

try:
    import termios
    import tty
except ImportError:  # Windows has no such terminals: there are no keys then, and nothing else changes
    termios = tty = None

LONGEST = 64
"""Bytes that are read at once: a key is a few, and what is pasted is no key."""
ENDINGS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""What ends a process without a word, unless somebody listens."""
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
