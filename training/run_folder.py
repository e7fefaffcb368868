"""The folder of a run: its settings and its checkpoints."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

import gymnasium
import numba
import numpy as np
import sb3_contrib
import stable_baselines3
import torch
from sb3_contrib import MaskablePPO

from agents.checkpoint import card_path, read_card, write_card
from agents.network import NetworkSpec
from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.files import read_json_object, write_json
from training.origin import git_commit
from training.presets import Settings

SETTINGS = "run.json"
FINAL = "policy.zip"
KEEP = 3  # newest periodic checkpoints left in the folder


class RunFolder:
    """A run on disk. Files are written under another name and then renamed, so that a kill leaves no half file."""

    def __init__(self, path: Path, settings: Settings, command: str) -> None:
        """Stand for an existing folder; use ``create`` or ``reopen`` instead."""
        self.path = path
        self.settings = settings
        self.command = command

    @classmethod
    def create(cls, path: Path, settings: Settings, command: str) -> RunFolder:
        """Start a run in a new folder; raise InvalidOptionError if the folder holds a run already."""
        if (path / SETTINGS).exists():
            raise InvalidOptionError(
                f"{path} holds a run already: continue it with --resume {path}, or give another --out"
            )
        path.mkdir(parents=True, exist_ok=True)
        write_json(path / SETTINGS, {"settings": settings.to_dict(), "command": command})
        return cls(path, settings, command)

    @classmethod
    def reopen(cls, path: Path) -> RunFolder:
        """Open the folder of an earlier run; raise InvalidOptionError or CheckpointError if it has no readable run."""
        if not (path / SETTINGS).exists():
            raise InvalidOptionError(f"{path} holds no run to resume: it has no {SETTINGS}")
        stored = read_json_object(path / SETTINGS, "settings", CheckpointError)
        try:
            return cls(path, Settings.from_dict(stored["settings"]), stored["command"])
        except (KeyError, TypeError, AttributeError) as error:
            raise CheckpointError(f"settings {path / SETTINGS} are damaged: {error!r}") from error

    @property
    def tensorboard(self) -> Path:
        """The folder of the curves."""
        return self.path / "tensorboard"

    def checkpoints(self) -> list[Path]:
        """Return the periodic checkpoints that have a card, oldest first."""
        return sorted(zip_ for zip_ in self.path.glob("step_*.zip") if card_path(zip_).exists())

    def newest_sound(self) -> Path | None:
        """Return the newest undamaged periodic checkpoint; None if there is none."""
        for path in reversed(self.checkpoints()):
            try:
                read_card(path)
            except CheckpointError:
                continue
            return path
        return None

    def save(self, model: MaskablePPO, spec: NetworkSpec, steps: int) -> Path:
        """Write a periodic checkpoint with its card, delete all but the newest few, and return the path."""
        path = self.write(model, spec, f"step_{steps:012d}.zip", steps, [])
        for old in self.checkpoints()[:-KEEP]:
            card_path(old).unlink()
            old.unlink()
        return path

    def write(
        self, model: MaskablePPO, spec: NetworkSpec, name: str, steps: int, results: list[dict[str, Any]]
    ) -> Path:
        """Write a checkpoint and its card; return the path of the zip."""
        target = self.path / name
        partial = target.with_name(f"partial-{name}")
        model.save(partial)
        os.replace(partial, target)
        training = {
            "preset": self.settings.preset,
            "seed": self.settings.seed,
            "steps": steps,
            "command": self.command,
            "settings": self.settings.to_dict(),
            "git_commit": git_commit(),
            "versions": versions(),
        }
        write_card(target, spec, training, results, self.settings.variant)
        return target


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that determine a run."""
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "gymnasium": gymnasium.__version__,
        "torch": torch.__version__,
        "stable_baselines3": stable_baselines3.__version__,
        "sb3_contrib": sb3_contrib.__version__,
    }
