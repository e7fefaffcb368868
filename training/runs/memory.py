"""What a trainer says where the memory of the machine is too small for its settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from endeavor_env.errors import InvalidOptionError


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
