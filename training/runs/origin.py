"""What a run was made with: the commit of the sources, and the versions of packages."""

from __future__ import annotations

import platform
import subprocess
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def git_commit() -> str | None:
    """Return the commit of the sources; None outside a checkout."""
    folder = Path(__file__).parents[1]  # training/
    command = ["git", "rev-parse", "--show-prefix", "HEAD"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    within, commit = done.stdout.splitlines()
    return commit if within == f"{folder.name}/" else None  # an installed package may lie in somebody's repository


def versions(packages: tuple[str, ...]) -> dict[str, str]:
    """Return the versions of Python and of some packages, without those that are not installed."""
    found = {"python": platform.python_version()}
    for name in packages:
        with suppress(PackageNotFoundError):  # Numba, where machine code was made elsewhere
            found[name] = version(name)
    return found
