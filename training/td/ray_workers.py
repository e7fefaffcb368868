"""Games on a Ray cluster: chunks are tasks, which Ray begins again elsewhere if a machine is lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import ray

from endeavor_env.errors import Unpicklable
from endeavor_env.training.td.adapter import AnyBoard
from endeavor_env.training.td.games import SeatedPlayer
from endeavor_env.training.td.workers import CHUNK, Pending, Playing, play_of_adapter


def play_here(
    playing: Playing, board: AnyBoard, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]
) -> Any:
    """Play games by ``playing``, with copies of the arrays.

    Ray hands over arrays that are read-only. Kernels take these for another type, and each worker would compile all of
    them once more.
    """
    own = {code: one if one.memory is None else one._replace(memory=one.memory.copy()) for code, one in seated.items()}
    return playing(board, fixtures.copy(), own)


class RayChunk:
    """Games that are being played somewhere in the cluster."""

    def __init__(self, reference: Any) -> None:
        """Take Ray's reference to the games."""
        self.reference = reference

    def result(self) -> Any:
        """Wait for the games and return them; they stay where they were played until then."""
        return ray.get(self.reference)

    def cancel(self) -> None:
        """Give the games up if they have not begun."""
        ray.cancel(self.reference, force=False)


class RayWorkers(Unpicklable):
    """The CPUs of a Ray cluster that this process has joined.

    Results are those of ``ThreadWorkers``: they depend neither on the machines nor on which of them are lost.
    """

    def __init__(self, board: AnyBoard, playing: Playing = play_of_adapter) -> None:
        """Send the board to the cluster; ``playing`` plays the games there."""
        self._board, self._playing = ray.put(board), playing
        # A task that a lost machine was working on begins again, as often as that happens.
        self._play: Any = ray.remote(num_cpus=1, max_retries=-1)(play_here)
        self._begun: list[Any] = []

    def submit(self, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> list[Pending]:
        """Begin to play games; return the chunks of them in order."""
        players = ray.put(dict(seated))
        starts = range(0, fixtures.size, CHUNK)
        self._begun = [
            self._play.remote(self._playing, self._board, fixtures[low : low + CHUNK], players) for low in starts
        ]
        return [RayChunk(reference) for reference in self._begun]

    def close(self) -> None:
        """Stop playing: games that have not begun are not played."""
        for reference in self._begun:
            ray.cancel(reference, force=False)
