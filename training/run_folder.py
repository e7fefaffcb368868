"""The folder of a run of MaskablePPO: its settings and its checkpoints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sb3_contrib import MaskablePPO

from agents.network import NetworkSpec
from training.presets import Settings
from training.stored_run import StoredRun, step_name


class RunFolder(StoredRun[Settings]):
    """The folder of a run of MaskablePPO."""

    settings_type = Settings
    may_change = ("steps", "checkpoint_every", "evaluation_games", "threads")
    packages = ("numpy", "numba", "gymnasium", "torch", "stable_baselines3", "sb3_contrib")

    def save(self, model: MaskablePPO, spec: NetworkSpec, steps: int) -> Path:
        """Write a periodic checkpoint with its card, delete the run's older ones but a few, and return the path."""
        path = self.write(model, spec, step_name(steps), steps, [])
        self._delete_older(path)
        return path

    def write(
        self, model: MaskablePPO, spec: NetworkSpec, name: str, steps: int, results: list[dict[str, Any]]
    ) -> Path:
        """Write a checkpoint and its card; return the path of the zip."""
        return self._write(name, spec, steps, results, model.save)
