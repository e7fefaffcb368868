"""Ctrl-C during a run whose rounds should not be cut short."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

from rich.console import Console

from endeavor_env.agents.terminal import print_line
from endeavor_env.errors import Unpicklable


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
