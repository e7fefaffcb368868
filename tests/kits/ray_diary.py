"""A note of the machines on which games are played; a module of its own, for workers load what a function stands in."""
# pyright: reportMissingImports=false

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from endeavor_env import Board
from endeavor_env.training.td.games import PlayedGames, SeatedPlayer
from endeavor_env.training.td.ray_cluster import play_here

PATIENCE = 120.0
"""Seconds within which a machine must begin to play, however busy the processor is."""


class Diary:
    """Collects the machines on which games were begun, and holds games back until a certain one has begun as well."""

    def __init__(self) -> None:
        self.machines: list[str] = []
        self.missing = ""

    def expect(self, machine: str) -> None:
        """Hold all games back from now on until this machine has begun with some."""
        self.missing = machine

    def note(self, machine: str) -> None:
        self.machines.append(machine)
        if machine == self.missing:
            self.missing = ""

    def expects(self) -> str:
        """Return the machine that has not begun yet, empty for none."""
        return self.missing

    def read(self) -> list[str]:
        return self.machines


def begin_diary(machine: str) -> Any:
    """Return a diary that is kept on a machine, which must not be lost."""
    there = NodeAffinitySchedulingStrategy(machine, soft=False)
    return ray.remote(num_cpus=0)(Diary).options(scheduling_strategy=there).remote()


def play_and_note(
    diary: Any, board: Board, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]
) -> PlayedGames:
    """Play games as the workers do, after a note of where, and once the machine that is expected has begun, too.

    Otherwise a fast machine plays all games before a slow one has a process for them.
    """
    ray.get(diary.note.remote(ray.get_runtime_context().get_node_id()))
    deadline = time.monotonic() + PATIENCE
    while machine := ray.get(diary.expects.remote()):
        assert time.monotonic() < deadline, f"machine {machine} never played"
        time.sleep(0.02)
    return play_here(board, fixtures, seated)


class Noted:
    """The remote function of ``play_and_note`` with its diary, in the place of that of ``play``."""

    def __init__(self, diary: Any) -> None:
        self.diary, self.play = diary, ray.remote(num_cpus=1, max_retries=-1)(play_and_note)

    def remote(self, *arguments: Any) -> Any:
        return self.play.remote(self.diary, *arguments)
