"""The folder of a run of MaskablePPO: its settings and its checkpoints."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from endeavor_env.agents.checkpoint import read_card
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.basics.files import write_json
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.ppo.settings import PPOSettings
from endeavor_env.training.runs.stored_run import SETTINGS, StoredRun, step_name

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO


class RunFolder(StoredRun[PPOSettings]):
    """The folder of a run of MaskablePPO."""

    settings_type = PPOSettings
    may_change = ("steps", "checkpoint_every", "evaluation_games", "threads", "precision")
    packages = ("numpy", "numba", "gymnasium", "torch", "stable_baselines3", "sb3_contrib")

    _seconds, _begun = 0.0, 0.0

    def start_clock(self, checkpoint: Path | None) -> None:
        """Begin to count the hours that cards name, from those of the checkpoint that the run goes on from, if any."""
        hours = read_card(checkpoint)["training"].get("hours") if checkpoint else None
        self._seconds = 3600.0 * hours if isinstance(hours, float) else 0.0
        self._begun = time.monotonic()

    def lengthen(self, steps: int) -> None:
        """Give a run more decisions, in ``run.json`` too; raise InvalidOptionError if these are no more than it has."""
        if steps <= (now := self.settings.steps):
            raise InvalidOptionError(f"--steps {steps} is not possible: the run has {now} decisions, give more or none")
        self.settings = self.settings.replace(steps=steps)
        write_json(self.path / SETTINGS, self._stored())

    def finished(self) -> Path | None:
        """Return the network of the end of training, None if there is none, or the run has more decisions by now.

        Raises:
            CheckpointError: The settings were changed since.
        """
        card = self.finished_card()
        return None if card is None or card["training"]["steps"] < self.settings.steps else self.path / self.final

    def save(self, model: MaskablePPO, spec: NetworkSpec, steps: int) -> Path:
        """Write a periodic checkpoint with its card, delete the run's older ones but a few, and return the path."""
        path = self.write(model, spec, step_name(steps), steps, [])
        self._delete_older(path)
        return path

    def write(
        self, model: MaskablePPO, spec: NetworkSpec, name: str, steps: int, results: list[dict[str, Any]]
    ) -> Path:
        """Write a checkpoint and its card, which names the hours since ``start_clock``; return the path of the zip."""
        seconds = self._seconds + (time.monotonic() - self._begun if self._begun else 0.0)
        return self._write(name, spec, steps, results, model.save, {"hours": round(seconds / 3600, 4)})
