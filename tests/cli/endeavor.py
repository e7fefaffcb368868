"""Runs the command ``endeavor`` in this process."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from typer.testing import CliRunner

from cli.app import app
from cli.entries import GROUPS, SINGLE

COMMANDS = [(entry.name,) for entry in SINGLE if entry.is_there()]
COMMANDS += [(name, entry.name) for name, (_, entries) in GROUPS.items() for entry in entries]
"""The words of every command."""


class Outcome(NamedTuple):
    """How a command ended, and what it printed."""

    status: int
    out: str
    err: str


def endeavor(*arguments: str, columns: int = 120) -> Outcome:
    """Run ``endeavor arguments`` in a terminal of so many columns."""
    ran = CliRunner().invoke(app, arguments, env={"COLUMNS": str(columns), "TERM": "dumb"}, catch_exceptions=False)
    return Outcome(ran.exit_code, ran.stdout, ran.stderr)


def contents(folder: Path) -> dict[str, bytes | None]:
    """Return the content of every file below a folder by its path, and None for each folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")
    }
