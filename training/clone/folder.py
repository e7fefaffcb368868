"""The folder of a clone: its settings, its curves, and its checkpoints."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from endeavor_env.agents.checkpoint import card_path, read_card, write_card
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.training.clone.settings import ACTIVATION, CloneSettings
from endeavor_env.training.runs.files import write_state
from endeavor_env.training.runs.policy_settings import spec_of
from endeavor_env.training.runs.running import LOCK
from endeavor_env.training.runs.stored_run import FINAL, SETTINGS, STEP, StoredRun, step_name

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO


DEMONSTRATIONS = "demonstrations"


class CloneFolder(StoredRun[CloneSettings]):
    """The folder of a clone.

    The result is an ordinary checkpoint, ``policy.zip`` with its card. So are those of a clone in the making,
    ``step_<choices>.zip``, with the state ``.pt`` beside them; ``demonstrations_<choices>.npy`` holds what the newest
    learns from.
    """

    settings_type = CloneSettings
    may_change = ("checkpoint_every", "evaluation_games", "threads", "device")
    packages = ("numpy", "numba", "torch", "stable_baselines3", "sb3_contrib")
    trainer = "clone"
    memories = (DEMONSTRATIONS,)
    state_entries = ("model", "optimizer", "student", "portions", "last_parts", "choices", "seconds")

    def __init__(self, path: Path, settings: CloneSettings, command: str, id: str | None = None) -> None:
        """Stand for a folder, which may hold curves of something else."""
        super().__init__(path, settings, command, id)
        self._others_curves = self.tensorboard.exists()

    @property
    def checkpoint(self) -> Path:
        """The result, which is there as soon as all is learned."""
        return self.path / FINAL

    def save(self, model: MaskablePPO, state: Mapping[str, Any], choices: int, seconds: float) -> Path:
        """Write a periodic checkpoint, delete the clone's older ones but a few, and return the path of its zip.

        Args:
            model: The model, whose network is on the CPU.
            state: What the clone needs to go on: tensors and plain values.
            choices: Choices of the teacher that were recorded.
            seconds: Spent on the clone.
        """
        target = self._free_target(step_name(choices))
        write_state(target, state)
        self._write(target.name, self._spec, choices, [], model.save, _hours(seconds))
        self._delete_older(target)
        return target

    def write(self, model: MaskablePPO, choices: int, seconds: float) -> Path:
        """Write the result with its card, which names the seconds as hours; return the path of the zip."""
        return self._write(FINAL, self._spec, choices, [], model.save, _hours(seconds))

    def add_results(self, results: Sequence[Mapping[str, Any]]) -> None:
        """Write the card of the result anew, with results in evaluation games; nothing more is to be learned from."""
        training = read_card(self.checkpoint)["training"]
        write_card(self.checkpoint, self._spec, training, [dict(row) for row in results], self.settings.variant)
        self.delete_memories()

    @property
    def _spec(self) -> NetworkSpec:
        """The shape of the network."""
        return spec_of(self.settings.variant, self.settings.trunk, self.settings.head, ACTIVATION)

    def discard(self) -> None:
        """Delete what a clone without any checkpoint leaves: everything but files that are not its own."""
        if self.checkpoint.exists() or self.checkpoints():
            return
        if not self._others_curves:
            shutil.rmtree(self.tensorboard, ignore_errors=True)
        own = (SETTINGS, LOCK, card_path(self.checkpoint).name)
        self.delete_memories()
        for file in (*(self.path / name for name in own), *self.path.glob("partial-*"), *self.path.glob(f"{STEP}*")):
            with suppress(OSError):
                file.unlink()
        with suppress(OSError):
            self.path.rmdir()


def _hours(seconds: float) -> dict[str, float]:
    """Return what a card says of the time that was spent."""
    return {"hours": round(seconds / 3600, 3)}
