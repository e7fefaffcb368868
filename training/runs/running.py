"""The surroundings of a running trainer: options of resumption, sole use of its folder, short memory, and Ctrl-C."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from endeavor_env.agents.terminal import called, print_line
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.basics.file_lock import file_lock
from endeavor_env.endeavor.options import EXPLOITS
from endeavor_env.endeavor.setups import SOLO, STANDARD
from endeavor_env.engine.games import named_games
from endeavor_env.errors import InvalidOptionError, Unpicklable

# --- The lock on the folder of a run: one process trains in it at a time ---------------------------------------------

LOCK = "run.lock"


@contextmanager
def sole_use(folder: Path) -> Iterator[None]:
    """Hold the lock of ``folder`` in this context; the system releases it when the process dies.

    The empty file ``run.lock`` stays. If the file system has no locks, print a line on stderr and go on without.

    Raises:
        InvalidOptionError: Another process holds the lock, or the folder cannot be written.
    """

    def refuse(_: float) -> None:
        raise InvalidOptionError(
            f"another process is training in {folder}: wait for it, stop it, or give another --out"
        )

    def say(error: OSError) -> None:
        print(f"{folder} cannot be locked ({error.strerror}): start no other run in it", file=sys.stderr)

    try:
        (folder / LOCK).touch()
    except OSError as error:
        raise InvalidOptionError(f"{folder} cannot be written: {error.strerror}") from error
    with file_lock(folder / LOCK, refuse, say):
        yield


# --- Errors where the memory of the machine is too small for the settings --------------------------------------------


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


# --- Ctrl-C during a run whose rounds should not be cut short --------------------------------------------------------


class StopRequest(Unpicklable):
    """Ctrl-C: the first lets the present round end, so that what is saved fits together; the second stops at once."""

    def __init__(self, console: Console) -> None:
        """Say on ``console`` what the first Ctrl-C does."""
        self._console = console
        self.asked = False

    @contextlib.contextmanager
    def heard(self) -> Iterator[StopRequest]:
        """Listen to Ctrl-C inside this context."""
        before = signal.signal(signal.SIGINT, self._on_signal)
        try:
            yield self
        finally:
            signal.signal(signal.SIGINT, before)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        print_line("Stopping after this round; Ctrl-C again stops at once, without a checkpoint.", self._console)


# --- Resumption in the commands of all trainers -----------------------------------------------------------------------

ResumedFolder = Annotated[
    Path | None, typer.Option("--resume", help="Folder of a run to continue, with its own settings.")
]
StartOver = Annotated[
    bool, typer.Option("--start-over", help="With --resume: begin at 0 again; earlier checkpoints are kept unused.")
]
RunSeed = Annotated[int | None, typer.Option("--seed", help="Seed of the run, below 2**32.")]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", help="Any other setting, name=value in JSON, such as threads=1. Can be repeated."),
]
ShowProgress = Annotated[bool, typer.Option(help="Show a progress bar.")]


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


# --- The progress bar -------------------------------------------------------------------------------------------------


def progress_bar(console: Console, shown: bool) -> Progress:
    """Return the progress bar of a run; each task has a ``status``."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[status]}"),
    )
    return Progress(*columns, console=console, disable=not shown)
