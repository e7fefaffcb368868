"""Files of a run: its origin, the state beside a checkpoint, and networks that it writes."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from endeavor_env.basics.files import read_regular
from endeavor_env.errors import CheckpointError, InvalidOptionError

# --- What a run was made with: the commit of the sources, and the versions of packages -------------------------------


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


# --- The file that a command is asked to write a network to ----------------------------------------------------------


def check_suffix(out: Path) -> None:
    """Raise InvalidOptionError unless the name of a file ends in ``.npz``."""
    if out.suffix != ".npz":
        raise InvalidOptionError(f"--out {out} is not possible: the name of the file must end in .npz")


def check_free(out: Path, force: bool) -> None:
    """Raise InvalidOptionError if a network or its card is there already and may not be replaced."""
    for file in (out, out.with_suffix(".json")):
        if not force and file.exists():
            raise InvalidOptionError(f"{file} exists: give --force to replace it, or another --out")


# --- The file beside a checkpoint with what its network alone does not say -------------------------------------------
# The state from which training goes on.

MOST_BYTES = 1 << 30
"""Size of the largest file that is read."""


def state_path(checkpoint: Path) -> Path:
    """Return the file with the state that belongs to the network of a periodic checkpoint."""
    return checkpoint.with_suffix(".pt")


def write_state(checkpoint: Path, state: Mapping[str, Any]) -> None:
    """Write the state that belongs to a checkpoint in one step; it holds tensors and plain values."""
    import torch  # a folder is made and looked at where it is not installed

    path = state_path(checkpoint)
    partial = path.with_name(f"partial-{path.name}")
    torch.save(dict(state), partial)
    os.replace(partial, path)


def read_state(checkpoint: Path, entries: Sequence[str]) -> dict[str, Any]:
    """Return the state that belongs to a checkpoint; raise CheckpointError if it cannot be read or lacks an entry."""
    from endeavor_env.agents.weights import saved_in  # needs PyTorch

    path = state_path(checkpoint)
    try:
        content = read_regular(path, MOST_BYTES)
    except ValueError as error:
        raise CheckpointError(f"the state {path} {error}") from error
    try:
        state = saved_in(content)
    except ValueError as error:
        raise CheckpointError(f"the state {path} cannot be read: {error}") from error
    missing = [entry for entry in entries if entry not in state]
    if missing:
        raise CheckpointError(f"the state {path} cannot be used: it lacks {', '.join(missing)}")
    return state
