"""The file that a command is asked to write a network to."""

from __future__ import annotations

from pathlib import Path

from endeavor_env.errors import InvalidOptionError


def check_suffix(out: Path) -> None:
    """Raise InvalidOptionError unless the name of a file ends in ``.npz``."""
    if out.suffix != ".npz":
        raise InvalidOptionError(f"--out {out} is not possible: the name of the file must end in .npz")


def check_free(out: Path, force: bool) -> None:
    """Raise InvalidOptionError if a network or its card is there already and may not be replaced."""
    for file in (out, out.with_suffix(".json")):
        if not force and file.exists():
            raise InvalidOptionError(f"{file} exists: give --force to replace it, or another --out")
