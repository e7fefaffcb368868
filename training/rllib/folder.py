"""The folder of a run on RLlib: its settings, its checkpoints, and for each the state from which training goes on."""

from __future__ import annotations

import io
import os
import platform
import shutil
import zipfile
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from agents.checkpoint import card_path, read_card, write_card
from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.files import read_json_object, write_json
from training.origin import git_commit
from training.rllib.settings import RLlibSettings

SETTINGS = "run.json"
FINAL = "policy.zip"
TRAINER = "rllib"  # no dot: it is the same in a wheel, where the packages have other names
KEEP = 3  # newest periodic checkpoints left in the folder
_PACKAGES = ("numpy", "numba", "gymnasium", "torch", "ray")


class RLlibRunFolder:
    """A run on disk. Files are written under another name and then renamed, so that a kill leaves no half file.

    A checkpoint is ``step_<decisions>.zip`` with its card ``.json``, which any agent plays, and beside them the folder
    ``step_<decisions>`` in which RLlib keeps optimizer, schedules and counts.
    """

    def __init__(self, path: Path, settings: RLlibSettings, command: str) -> None:
        """Stand for an existing folder; use ``create`` or ``reopen`` instead."""
        self.path = path
        self.settings = settings
        self.command = command

    @classmethod
    def create(cls, path: Path, settings: RLlibSettings, command: str) -> RLlibRunFolder:
        """Start a run in a new folder; raise InvalidOptionError as ``check_free`` does."""
        check_free(path)
        try:
            path.mkdir(parents=True, exist_ok=True)
            write_json(path / SETTINGS, {"trainer": TRAINER, "settings": settings.to_dict(), "command": command})
        except OSError as error:
            raise InvalidOptionError(f"no run can be started in {path}: {error.strerror}") from error
        return cls(path, settings, command)

    @classmethod
    def reopen(cls, path: Path) -> RLlibRunFolder:
        """Open the folder of an earlier run; raise InvalidOptionError or CheckpointError if it has no readable run."""
        if not (path / SETTINGS).exists():
            raise InvalidOptionError(f"{path} holds no run to resume: it has no {SETTINGS}")
        stored = read_json_object(path / SETTINGS, "settings", CheckpointError)
        if stored.get("trainer") != TRAINER:
            raise InvalidOptionError(f"{path} holds a run of another trainer: resume it with the command that began it")
        settings, command = stored.get("settings"), stored.get("command")
        if not isinstance(settings, dict) or not isinstance(command, str):
            raise CheckpointError(f"settings {path / SETTINGS} are damaged: they need the settings and the command")
        return cls(path, RLlibSettings.from_dict(settings), command)

    @property
    def tensorboard(self) -> Path:
        """The folder of the curves."""
        return self.path / "tensorboard"

    def checkpoints(self) -> list[Path]:
        """Return the periodic checkpoints that have a card and a state, oldest first."""
        found = self.path.glob("step_*.zip")
        return sorted(path for path in found if card_path(path).exists() and state_path(path).is_dir())

    def newest_sound(self) -> Path | None:
        """Return the newest undamaged periodic checkpoint; None if there is none at all.

        Raises:
            CheckpointError: There are checkpoints, but all of them are unusable; the message says why.
        """
        why = None
        for path in reversed(self.checkpoints()):
            try:
                read_card(path)
            except CheckpointError as error:
                why = why or error
                continue
            return path
        if why is not None:
            raise CheckpointError(f"no checkpoint in {self.path} is usable, start another run: {why}") from why
        return None

    def save(self, weights: Mapping[str, torch.Tensor], state: Path, steps: int) -> Path:
        """Write a periodic checkpoint, delete all but the newest few, and return the path of its zip.

        Args:
            weights: The policy under the names of SB3.
            state: A folder with RLlib's state, in ``self.path``; it is renamed.
            steps: Decisions trained on.
        """
        target = self.path / f"step_{steps:012d}.zip"
        if not state_path(target).exists():  # a resumed run that learned nothing new
            os.replace(state, state_path(target))
        self.write(weights, target.name, steps, [])
        for old in self.checkpoints()[:-KEEP]:
            card_path(old).unlink()
            old.unlink()
            shutil.rmtree(state_path(old))
        return target

    def write(self, weights: Mapping[str, torch.Tensor], name: str, steps: int, results: list[dict[str, Any]]) -> Path:
        """Write a checkpoint and its card, which any agent plays; return the path of the zip."""
        target = self.path / name
        partial = target.with_name(f"partial-{name}")
        stored = io.BytesIO()
        torch.save(dict(weights), stored)
        with zipfile.ZipFile(partial, "w") as archive:
            archive.writestr("policy.pth", stored.getvalue())
        os.replace(partial, target)
        training = {
            "trainer": TRAINER,
            "preset": self.settings.preset,
            "seed": self.settings.seed,
            "steps": steps,
            "command": self.command,
            "settings": self.settings.to_dict(),
            "git_commit": git_commit(),
            "versions": {"python": platform.python_version(), **{name: version(name) for name in _PACKAGES}},
        }
        write_card(target, self.settings.network, training, results, self.settings.variant)
        return target


def state_path(checkpoint: Path) -> Path:
    """Return the folder with RLlib's state that belongs to the zip of a periodic checkpoint."""
    return checkpoint.with_suffix("")


def steps_of(checkpoint: Path) -> int:
    """Return the decisions that a periodic checkpoint was trained on."""
    return int(checkpoint.stem.removeprefix("step_"))


def check_free(path: Path) -> None:
    """Raise InvalidOptionError unless ``path`` does not exist or is an empty folder."""
    if (path / SETTINGS).exists():
        raise InvalidOptionError(f"{path} holds a run already: continue it with --resume {path}, or give another --out")
    if path.exists() and not path.is_dir():
        raise InvalidOptionError(f"{path} cannot hold a run: it is a file")
    if path.exists() and any(path.iterdir()):
        raise InvalidOptionError(f"{path} is not empty: give another --out")
