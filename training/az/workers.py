"""Processes of this machine that play the games of a run."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.python_child import workers_without_working_folder
from endeavor_env.endeavor.board import Board
from endeavor_env.errors import Unpicklable
from endeavor_env.training.az.games import Searched, play_searches
from endeavor_env.training.td.games import Seated
from endeavor_env.training.td.workers import Pending

CHUNK = 4
"""Games that are played in one piece; results do not depend on it."""
_boards: list[Board] = []  # of a worker: the board of all games


def _begin(board: Board) -> None:
    """Make a process a worker, which leaves Ctrl-C to the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _boards[:] = [board]


def _play(fixtures: npt.NDArray[np.void], seated: Mapping[int, Seated]) -> Searched:
    """Play games in a worker."""
    return play_searches(_boards[0], fixtures, seated)


class ProcessWorkers(Unpicklable):
    """Processes that play, so that the one that learns has its interpreter for itself."""

    def __init__(self, board: Board, processes: int) -> None:
        """Take the board of all games, and the number of processes; 0 for one on each core."""
        self.processes = processes or os.cpu_count() or 1
        with workers_without_working_folder():
            self._pool = ProcessPoolExecutor(self.processes, get_context("spawn"), _begin, (board,))

    def submit(self, fixtures: npt.NDArray[np.void], seated: Mapping[int, Seated]) -> list[Pending]:
        """Begin to play games; return the chunks of them in order."""
        starts = range(0, fixtures.size, CHUNK)
        with workers_without_working_folder():
            return [self._pool.submit(_play, fixtures[low : low + CHUNK], seated) for low in starts]

    def close(self) -> None:
        """Stop playing: games that have not begun are not played."""
        self._pool.shutdown(wait=True, cancel_futures=True)
