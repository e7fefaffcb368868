"""Runs the command ``endeavor`` in this process."""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from typer.main import get_command

from endeavor_env.cli.app import app
from endeavor_env.cli.entries import GROUPS, SINGLE

COMMAND = get_command(app)
COMMANDS = [(entry.name,) for entry in SINGLE]
COMMANDS += [(name, entry.name) for name, (_, entries) in GROUPS.items() for entry in entries]
"""The words of every command."""


class Outcome(NamedTuple):
    """How a command ended, and what it printed."""

    status: int
    out: str
    err: str


def endeavor(*arguments: str, columns: int = 120) -> Outcome:
    """Run ``endeavor arguments`` in a terminal of so many columns."""
    out, err = io.StringIO(), io.StringIO()
    terminal = mock.patch.dict(os.environ, {"COLUMNS": str(columns), "TERM": "dumb"})
    status = 0
    with terminal, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            COMMAND.main(list(arguments))
        except SystemExit as ended:
            status = int(ended.code or 0)
    return Outcome(status, out.getvalue(), err.getvalue())


def contents(folder: Path) -> dict[str, bytes | None]:
    """Return the content of every file below a folder by its path, and None for each folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")
    }
