"""Resumption in the commands of all trainers: options, what is refused beside them, and the command that continues."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from endeavor_env.agents.terminal import called
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.endeavor.options import EXPLOITS
from endeavor_env.endeavor.setups import SOLO, STANDARD
from endeavor_env.engine.games import named_games
from endeavor_env.errors import InvalidOptionError

ResumedFolder = Annotated[
    Path | None, typer.Option("--resume", help="Folder of a run to continue, with its own settings.")
]
StartOver = Annotated[
    bool, typer.Option("--start-over", help="With --resume: begin at 0 again; earlier checkpoints are kept unused.")
]


def check_resumption(resume: Path | None, given: Mapping[str, object], *, start_over: bool = False) -> None:
    """Check that a command resumes a run as it is, or begins a new one.

    Args:
        resume: The run to resume; None for a new one.
        given: The options that only a new run takes, each with its value; None, False or nothing for one left out.
        start_over: Whether the run is to begin at 0 again.

    Raises:
        InvalidOptionError: Options of a new run beside one to resume, or a new run that is to start over.
    """
    if resume is None:
        if start_over:
            raise InvalidOptionError("--start-over begins a run with --resume again: a new run starts at 0 anyway")
        return
    if refused := [option for option, value in given.items() if not _is_left_out(value)]:
        *others, last = refused
        listed = f"{', '.join(others)} and {last}" if others else last
        raise InvalidOptionError(f"--resume goes on with the settings that {resume} was begun with: leave out {listed}")


def _is_left_out(value: object) -> bool:
    """Return whether an option has the value of one that was not given; a seed of 0 was given."""
    return value is None or value is False or value == () or value == []


def next_match(agent: str, variant: str, rival: str = "value") -> list[str]:
    """Return the command by which a trained agent meets a rival, the words of ``print_next``.

    Args:
        agent: The agent by name.
        variant: A variant of any game, or a game of ``training.td``.
        rival: Who takes the other seats.
    """
    if variant == SOLO:
        return ["endeavor", "solo", agent, rival]
    for name, game in named_games().items():
        if variant == name or any(one.name == variant for one in game.variants):
            return ["endeavor", "arena", agent, rival, rival, rival, "--game", name]
    if variant not in (STANDARD, EXPLOITS):
        return ["endeavor", "arena", agent, rival, "--variant", "soloplay_2"]
    return ["endeavor", "arena", agent, rival, rival, rival, *(("--exploits", "random") if variant == EXPLOITS else ())]


def stopped(module: str, *arguments: str) -> typer.Exit:
    """Print how to go on with a run that was stopped, and return the end of the command, which the caller raises.

    Args:
        module: The module of the command.
        arguments: Those that go on with the run.
    """
    print(f"stopped; continue with: {called(module, *arguments)}", file=sys.stderr)
    return typer.Exit(INTERRUPTED)
