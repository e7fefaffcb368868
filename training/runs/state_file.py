"""The file beside a checkpoint with what its network alone does not say: the state from which training goes on."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from endeavor_env.basics.files import read_regular
from endeavor_env.errors import CheckpointError

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
