"""What ends a run early: Ctrl-C, too little memory, a network without numbers."""

from __future__ import annotations

import contextlib
import math
import signal
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType

import torch
from rich.console import Console

from endeavor_env.agents.terminal import print_line
from endeavor_env.errors import EndeavorError, InvalidOptionError, Unpicklable

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


# --- What a trainer says where the memory of the machine is too small for its settings -------------------------------


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


# --- Whether a network that learns still consists of numbers: one that does not loses all its games, or none ---------


class DivergedError(EndeavorError):
    """Learning has come to weights or losses that are not finite; nothing was written of them."""


def check_finite(losses: Mapping[str, float], parameters: Iterable[torch.Tensor], rate: float) -> None:
    """Raise DivergedError unless losses and parameters are finite.

    Args:
        losses: By name, of the steps since this was asked last.
        parameters: Of the network after these steps, on one device.
        rate: The learning rate of the steps.
    """
    what = next((f"its {name} is {loss}" for name, loss in losses.items() if not math.isfinite(loss)), None)
    if what is None and not torch.stack([one.detach().isfinite().all() for one in parameters]).all():
        what = "its weights are not finite"
    if what is not None:
        raise DivergedError(
            f"the network diverged at a learning rate of {rate:.2g}: {what}, and it is not written; begin a new run "
            "with a lower learning_rate"
        )
