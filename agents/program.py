"""How the user called the program that runs: as ``python -m module``, or as a part of the command ``endeavor``.

Messages, help texts and the settings kept with a run repeat the command, so that it can be typed again.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple


class Program(NamedTuple):
    """A command that runs as a part of ``endeavor``."""

    words: tuple[str, ...]
    """What calls it, such as ("endeavor", "train", "td")."""
    arguments: tuple[str, ...]
    """What the user typed after that."""


_RUNNING: ContextVar[Program | None] = ContextVar("running", default=None)


@contextmanager
def running(program: Program) -> Iterator[None]:
    """Let the functions below speak of ``program`` instead of ``python -m``."""
    token = _RUNNING.set(program)
    try:
        yield
    finally:
        _RUNNING.reset(token)


def mounted() -> Program | None:
    """Return the part of ``endeavor`` that runs; None under ``python -m``."""
    return _RUNNING.get()


def called(module: str, *arguments: str) -> str:
    """Return the text of a command that runs ``module`` with these arguments, in the form that the user chose."""
    program = mounted()
    words = ("python", "-m", module) if program is None else program.words
    return shlex.join([*words, *arguments])


def own_command(module: str) -> str:
    """Return the text of the command that runs now, which runs ``module``."""
    program = mounted()
    return called(module, *(sys.argv[1:] if program is None else program.arguments))
