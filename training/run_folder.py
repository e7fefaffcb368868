"""The folder of a run: its settings, its checkpoints, and what a resumed run starts from."""

from __future__ import annotations

import os
import platform
import subprocess
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
from training.presets import Settings

SETTINGS = "run.json"
FINAL = "policy.zip"
KEEP = 3  # newest periodic checkpoints left in the folder


class RunFolder:
    """One run on disk. Every file is written beside its place and moved there, so a kill leaves no half file."""

    def __init__(self, path: Path, settings: Settings, command: str) -> None:
        """Wraps an existing folder; use ``create`` or ``reopen``."""
        self.path = path
        self.settings = settings
        self.command = command

    @classmethod
    def create(cls, path: Path, settings: Settings, command: str) -> RunFolder:
        """Starts a run in a new folder; raises InvalidOptionError if it holds one already."""
        if (path / SETTINGS).exists():
            raise InvalidOptionError(
                f"{path} holds a run already: continue it with --resume {path}, or give another --out"
            )
        path.mkdir(parents=True, exist_ok=True)
        write_json(path / SETTINGS, {"settings": settings.to_dict(), "command": command})
        return cls(path, settings, command)

    @classmethod
    def reopen(cls, path: Path) -> RunFolder:
        """Opens the folder of an earlier run; raises InvalidOptionError or CheckpointError if it is none."""
        if not (path / SETTINGS).exists():
            raise InvalidOptionError(f"{path} holds no run to resume: it has no {SETTINGS}")
        stored = read_json_object(path / SETTINGS, "settings", CheckpointError)
        try:
            return cls(path, Settings.from_dict(stored["settings"]), stored["command"])
        except (KeyError, TypeError, AttributeError) as error:
            raise CheckpointError(f"settings {path / SETTINGS} are damaged: {error!r}") from error

    @property
    def tensorboard(self) -> Path:
        """Where the curves go."""
        return self.path / "tensorboard"

    def checkpoints(self) -> list[Path]:
        """Returns the periodic checkpoints with a card, oldest first."""
        return sorted(zip_ for zip_ in self.path.glob("step_*.zip") if card_path(zip_).exists())

    def newest_sound(self) -> Path | None:
        """Returns the newest checkpoint whose card verifies, None if there is none."""
        for path in reversed(self.checkpoints()):
            try:
                read_card(path)
            except CheckpointError:
                continue
            return path
        return None

    def save(self, model: MaskablePPO, spec: NetworkSpec, steps: int) -> Path:
        """Writes a periodic checkpoint with its card and drops the oldest beyond the newest few."""
        path = self.write(model, spec, f"step_{steps:012d}.zip", steps, [])
        for old in self.checkpoints()[:-KEEP]:
            card_path(old).unlink()
            old.unlink()
        return path

    def write(
        self, model: MaskablePPO, spec: NetworkSpec, name: str, steps: int, results: list[dict[str, Any]]
    ) -> Path:
        """Writes one checkpoint and its card; returns the zip's path."""
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


def git_commit() -> str | None:
    """Returns the commit of the sources, None outside a checkout."""
    try:
        done = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def versions() -> dict[str, str]:
    """Returns the versions that matter to repeat a run."""
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "gymnasium": gymnasium.__version__,
        "torch": torch.__version__,
        "stable_baselines3": stable_baselines3.__version__,
        "sb3_contrib": sb3_contrib.__version__,
    }
