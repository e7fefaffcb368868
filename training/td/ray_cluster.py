"""Games on a Ray cluster: chunks are tasks, which Ray begins again elsewhere if a machine is lost."""

from __future__ import annotations

import logging
import os
import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
import ray

from endeavor_env.errors import InvalidOptionError, Unpicklable
from endeavor_env.training.td.adapter import AnyBoard
from endeavor_env.training.td.games import SeatedPlayer
from endeavor_env.training.td.workers import CHUNK, Pending, play_of_adapter

_ANSWER = 10.0  # seconds in which a cluster must answer


@contextmanager
def connected(where: str) -> Iterator[None]:
    """Join a cluster or start Ray on this machine; leave or stop it at the end.

    Args:
        where: A cluster, "auto" or host:port; or "local", for a Ray of all CPUs of this machine.

    Raises:
        InvalidOptionError: There is no such cluster, or it has no CPU.
    """
    if where not in ("auto", "local") and not re.fullmatch(r"[^\s:/]+:[0-9]{1,5}", where):
        raise InvalidOptionError(f"--ray {where!r} is not possible: give auto, local, or host:port")
    # Ray's core prints lines about arguments that are kept alive; errors reach Python anyway.
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if where == "local":
        options |= {"num_cpus": os.cpu_count() or 1, "include_dashboard": False}
    try:
        if where not in ("auto", "local"):  # Ray itself would try for many minutes
            host, _, port = where.rpartition(":")
            socket.create_connection((host, int(port)), timeout=_ANSWER).close()
        ray.init(address=where, **options)
    except (OSError, OverflowError, ValueError, RuntimeError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        if where == "local":
            raise InvalidOptionError(f"Ray cannot be started on this machine: {reason}") from error
        raise InvalidOptionError(
            f"no Ray cluster can be joined at {where}: {reason}; does it run, with the versions and the RAY_AUTH_MODE "
            "of this process?"
        ) from error
    try:
        if ray.cluster_resources().get("CPU", 0.0) < 1:  # Ray would wait for one, and say nothing
            raise InvalidOptionError(f"--ray {where} is not possible: this cluster has no CPU to play on")
        yield
    finally:
        ray.shutdown()


def play_here(board: AnyBoard, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> Any:
    """Play games with copies of the arrays.

    Ray hands over arrays that are read-only. Kernels take these for another type, and each worker would compile all of
    them once more.
    """
    own = {code: one if one.memory is None else one._replace(memory=one.memory.copy()) for code, one in seated.items()}
    return play_of_adapter(board, fixtures.copy(), own)


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

    def __init__(self, board: AnyBoard) -> None:
        """Send the board to the cluster."""
        self._board = ray.put(board)
        # A task that a lost machine was working on begins again, as often as that happens.
        self._play: Any = ray.remote(num_cpus=1, max_retries=-1)(play_here)
        self._begun: list[Any] = []

    def submit(self, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> list[Pending]:
        """Begin to play games; return the chunks of them in order."""
        players = ray.put(dict(seated))
        starts = range(0, fixtures.size, CHUNK)
        self._begun = [self._play.remote(self._board, fixtures[low : low + CHUNK], players) for low in starts]
        return [RayChunk(reference) for reference in self._begun]

    def close(self) -> None:
        """Stop playing: games that have not begun are not played."""
        for reference in self._begun:
            ray.cancel(reference, force=False)
