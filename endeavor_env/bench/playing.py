"""Plays what a run still lacks, on several processes; closing it ends them all."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial

from endeavor_env.agents.tournament.processes import play_units
from endeavor_env.bench.games import Unit, UnitPlayer
from endeavor_env.bench.run_file import Played, RunFile
from endeavor_env.bench.scoring import field_names
from endeavor_env.bench.version import Task


def all_units(tasks: Sequence[Task], play: str, hidden: bool) -> list[Unit]:
    """Return the units of some tasks; all fields of a task come to the same set-ups before any goes on."""
    return [
        Unit(task.name, field, setup)
        for task in tasks
        for setup in range(task.pace(play).setups)
        for field in field_names(task, play, hidden)
    ]


def play_missing(run: RunFile, tasks: Sequence[Task], jobs: int) -> Generator[Played, None, None]:
    """Play the units that a run lacks; keep each, and yield it. Closing the generator ends all processes."""
    settings = run.head.settings
    units = all_units(tasks, settings.play, bool(settings.hidden))
    missing = [unit for unit in units if unit.key not in run.units]
    for games in play_units(partial(UnitPlayer, list(tasks), settings), missing, jobs):
        played = Played.of(games)
        run.add(played)
        yield played
