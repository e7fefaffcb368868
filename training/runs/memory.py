"""What a trainer says where the memory of the machine is too small for its settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from endeavor_env.errors import InvalidOptionError


class Sizes(Protocol):
    """The settings that decide how much memory learning takes."""

    @property
    def buffer_size(self) -> int:
        """Rows that are kept to learn from."""
        ...

    @property
    def batch_size(self) -> int:
        """Rows of a gradient step."""
        ...


@contextmanager
def memory_for(settings: Sizes) -> Iterator[None]:
    """Raise InvalidOptionError, which names the settings, where something in this context gets no memory."""
    try:
        yield
    except MemoryError as error:
        size, batch = settings.buffer_size, settings.batch_size
        raise InvalidOptionError(
            f"the memory here does not do for buffer_size={size} and batch_size={batch}: give smaller ones"
        ) from error
