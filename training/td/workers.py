"""Workers: they play the games of an iteration in chunks, on the threads of this process."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from endeavor_env.errors import InvalidOptionError, Unpicklable
from endeavor_env.training.td.adapter import AnyBoard, adapter_of
from endeavor_env.training.td.games import SeatedPlayer

CHUNK = 20
"""Games that are played in one piece; results do not depend on it."""


def play_of_adapter(board: AnyBoard, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> Any:
    """Play games to their ends as the game of the board plays them; return what its ``GameAdapter.play`` does."""
    return adapter_of(board).play(fixtures, seated)


class Pending(Protocol):
    """Games that are being played somewhere."""

    def result(self) -> Any:
        """Wait for the games and return them."""
        ...

    def cancel(self) -> object:
        """Give the games up if they have not begun."""
        ...


class Workers(Protocol):
    """A player of games that works while this thread does other things."""

    def submit(self, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> list[Pending]:
        """Begin to play games; return the chunks of them in order."""
        ...

    def close(self) -> None:
        """Stop playing: games that have not begun are not played."""
        ...


class ThreadWorkers(Unpicklable):
    """Threads of this process, on which the kernels run side by side."""

    def __init__(self, board: AnyBoard, threads: int) -> None:
        """Take the board of all games, and the number of threads, 0 for one on each core."""
        self._board = board
        self._pool = ThreadPoolExecutor(threads or os.cpu_count() or 1, "games")

    def submit(self, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> list[Pending]:
        """Begin to play games; return the chunks of them in order."""
        starts = range(0, fixtures.size, CHUNK)
        return [self._pool.submit(play_of_adapter, self._board, fixtures[low : low + CHUNK], seated) for low in starts]

    def close(self) -> None:
        """Stop playing: games that have not begun are not played."""
        self._pool.shutdown(cancel_futures=True)


@contextmanager
def ray_workers(board: AnyBoard, ray: str | None) -> Iterator[Workers | None]:
    """Join a Ray cluster and return its workers; None if ``ray``, the value of the option, is None.

    Args:
        board: The board of all games.
        ray: The word auto or local, or host:port.

    Raises:
        InvalidOptionError: There is no such cluster, or Ray is not installed.
    """
    if ray is None:
        yield None
        return
    try:
        from endeavor_env.training.td.ray_cluster import RayWorkers, connected
    except ModuleNotFoundError as error:
        raise InvalidOptionError(
            f"--ray needs {error.name}: install it in a virtual environment of its own with pip install "
            "'endeavor-env[rllib]'"
        ) from error
    with connected(ray):
        yield RayWorkers(board)
