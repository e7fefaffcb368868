"""Where the sources of a run come from."""

from __future__ import annotations

import subprocess
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
