"""The hidden players: files that only the maintainers have, recognised by the hashes in the tasks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from endeavor_env.basics.files import regular_digest
from endeavor_env.bench.version import Task
from endeavor_env.errors import InvalidOptionError

FILES = {"hidden-1": ("value:", "{variant}_1.npz"), "hidden-2": ("search:sims=4,network=", "{variant}_2.npz")}
"""How the name of each hidden player begins, and its file in the folder of the maintainers, with which it goes on."""


def hidden_players(folder: Path | None, tasks: Iterable[Task]) -> dict[tuple[str, str], str]:
    """Return the names of the hidden players of some tasks, by variant and field; none without a folder.

    Raises:
        InvalidOptionError: A file is missing, or is another than the task says.
    """
    if folder is not None and not folder.is_dir():
        raise InvalidOptionError(f"{folder} of the hidden players cannot be read: it is no folder")
    found: dict[tuple[str, str], str] = {}
    for task in tasks if folder is not None else ():
        for field in task.fields:
            if field.hidden and folder is not None:
                begins, name = FILES[field.name]
                file = folder / name.format(variant=task.config.variant)
                _check(file, field.weights, field.name)
                found[task.config.variant, field.name] = f"{begins}{file}"
    return found


def _check(file: Path, expected: str, field: str) -> None:
    """Raise InvalidOptionError unless a file is the one with this hash."""
    try:
        hashed = regular_digest(file)
    except ValueError as error:
        raise InvalidOptionError(f"{file} of {field} {error}") from error
    if hashed != expected:
        raise InvalidOptionError(f"{file} is not {field} of version 1: it has another hash")
