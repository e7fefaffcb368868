"""What the commands of all trainers share about runs that go on: their options, what is refused beside them, Ctrl-C."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from endeavor_env.agents.program import called
from endeavor_env.basics.exit_status import INTERRUPTED
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


def stopped(module: str, *arguments: str) -> typer.Exit:
    """Print how to go on with a run that was stopped, and return the end of the command, which the caller raises.

    Args:
        module: The module of the command.
        arguments: Those that go on with the run.
    """
    print(f"stopped; continue with: {called(module, *arguments)}", file=sys.stderr)
    return typer.Exit(INTERRUPTED)
