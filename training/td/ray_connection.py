"""The workers of a Ray cluster that a command joins."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.runs.ray_machines import Machines
from endeavor_env.training.td.adapter import AnyBoard
from endeavor_env.training.td.workers import Playing, Workers, play_of_adapter


@contextmanager
def ray_workers(board: AnyBoard, ray: str | None, playing: Playing = play_of_adapter) -> Iterator[Workers | None]:
    """Join a Ray cluster and return its workers; None if ``ray``, the value of the option, is None.

    Args:
        board: The board of all games.
        ray: The word auto or local, or host:port.
        playing: Plays games there.

    Raises:
        InvalidOptionError: There is no such cluster, or Ray is not installed.
    """
    if ray is None:
        yield None
        return
    machines = Machines(None if ray == "local" else ray, env_runners=0)
    machines.check("--ray")
    try:
        from endeavor_env.training.td.ray_workers import RayWorkers
    except ModuleNotFoundError as error:
        raise InvalidOptionError(
            f"--ray needs {error.name}: install it in a virtual environment of its own with pip install "
            "'endeavor-env[rllib]'"
        ) from error
    with machines.connected():
        yield RayWorkers(board, playing)
