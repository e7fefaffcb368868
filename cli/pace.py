"""When the next step of a game is shown: after a while, or when a key asks for it."""

from __future__ import annotations

import time
from collections.abc import Callable

from endeavor_env.cli.keys import Keys

LEAST_DELAY, MOST_DELAY = 0.05, 60.0
FACTOR = 2.0
"""How much faster or slower a key makes it."""


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
