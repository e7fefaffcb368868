"""The folder of a clone: its settings, its curves, and its checkpoint."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from endeavor_env.training.clone.settings import Settings
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

    def write(self, model: MaskablePPO, choices: int, seconds: float, results: Sequence[dict[str, Any]]) -> Path:
        """Write the checkpoint with its card, which names the seconds as hours; return the path of the zip."""
        settings = self.settings
        spec = spec_of(settings.variant, settings.trunk, settings.head, "relu")
        more = {"hours": round(seconds / 3600, 3)}
        return self._write(FINAL, spec, choices, list(results), model.save, more)

    def discard(self) -> None:
        """Delete what an interrupted clone leaves: everything but files that are not its own."""
        shutil.rmtree(self.tensorboard, ignore_errors=True)
        for name in (SETTINGS, LOCK, f"partial-{FINAL}"):
            (self.path / name).unlink(missing_ok=True)
        with suppress(OSError):
            self.path.rmdir()
