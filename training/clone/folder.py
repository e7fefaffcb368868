"""The folder of a clone: its settings, its curves, and its checkpoint."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from endeavor_env.agents.checkpoint import card_path, read_card, write_card
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.training.clone.settings import ACTIVATION, Settings
from endeavor_env.training.runs.folder_lock import LOCK
from endeavor_env.training.runs.policy_settings import spec_of
from endeavor_env.training.runs.stored_run import FINAL, SETTINGS, StoredRun

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO


class CloneFolder(StoredRun[Settings]):
    """The folder of a clone. Its checkpoint is an ordinary one, ``policy.zip`` with its card."""

    settings_type = Settings
    may_change = ("evaluation_games", "threads", "device")
    packages = ("numpy", "numba", "torch", "stable_baselines3", "sb3_contrib")
    trainer = "clone"
    resumes = False

    def __init__(self, path: Path, settings: Settings, command: str, id: str | None = None) -> None:
        """Stand for a folder, which may hold curves of something else."""
        super().__init__(path, settings, command, id)
        self._others_curves = self.tensorboard.exists()

    @property
    def checkpoint(self) -> Path:
        """The checkpoint, which is there as soon as all is learned."""
        return self.path / FINAL

    def write(self, model: MaskablePPO, choices: int, seconds: float) -> Path:
        """Write the checkpoint with its card, which names the seconds as hours; return the path of the zip."""
        more = {"hours": round(seconds / 3600, 3)}
        return self._write(FINAL, self._spec, choices, [], model.save, more)

    def add_results(self, results: Sequence[Mapping[str, Any]]) -> None:
        """Write the card of the checkpoint anew, with results in evaluation games."""
        training = read_card(self.checkpoint)["training"]
        write_card(self.checkpoint, self._spec, training, [dict(row) for row in results], self.settings.variant)

    @property
    def _spec(self) -> NetworkSpec:
        """The shape of the network."""
        return spec_of(self.settings.variant, self.settings.trunk, self.settings.head, ACTIVATION)

    def discard(self) -> None:
        """Delete what a clone without a checkpoint leaves: everything but files that are not its own."""
        if self.checkpoint.exists():
            return
        if not self._others_curves:
            shutil.rmtree(self.tensorboard, ignore_errors=True)
        for name in (SETTINGS, LOCK, f"partial-{FINAL}", card_path(self.checkpoint).name):
            with suppress(OSError):
                (self.path / name).unlink()
        with suppress(OSError):
            self.path.rmdir()
