"""The folder of a run: its settings and its checkpoints."""

from __future__ import annotations

import os
import platform
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

import gymnasium
import numba
import numpy as np
import sb3_contrib
import stable_baselines3
import torch
from sb3_contrib import MaskablePPO

from agents.checkpoint import card_path, load_network, read_card, write_card
from agents.network import NetworkSpec
from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.files import read_json_object, write_json
from training.origin import git_commit
from training.presets import Settings

SETTINGS = "run.json"
FINAL = "policy.zip"
STEP = "step_"
KEEP = 3  # newest periodic checkpoints left in the folder
MAY_CHANGE = ("steps", "checkpoint_every", "evaluation_games", "threads")
"""Settings that may be edited in ``run.json`` while a run is stopped; the others describe what its weights are."""


class RunFolder:
    """A run on disk. Files are written under another name and then renamed, so that a kill leaves no half file.

    Attributes:
        path: The folder.
        settings: The settings of the run.
        command: The command that started it.
        id: Random letters that the run writes into its cards; None in runs of earlier versions.
    """

    def __init__(self, path: Path, settings: Settings, command: str, id: str | None = None) -> None:
        """Stand for an existing folder; use ``create`` or ``reopen`` instead."""
        self.path = path
        self.settings = settings
        self.command = command
        self.id = id

    @classmethod
    def create(cls, path: Path, settings: Settings, command: str) -> RunFolder:
        """Start a run in a new folder, or in one without a run and without checkpoints.

        Raises:
            InvalidOptionError: The folder holds a run or checkpoints, or cannot be made or written.
        """
        run = cls(path, settings, command, secrets.token_hex(8))
        missing: list[Path] = []
        try:
            missing = [folder for folder in (path, *path.parents) if not folder.exists()]
            path.mkdir(parents=True, exist_ok=True)
            run._refuse_other_runs()
            write_json(path / SETTINGS, run._stored())
        except OSError as error:
            for folder in missing:
                with suppress(OSError):
                    folder.rmdir()
            raise InvalidOptionError(
                f"{path} cannot be the folder of a run: {error.strerror or error}; give another --out"
            ) from error
        return run

    def _stored(self) -> dict[str, Any]:
        """Return what ``run.json`` holds."""
        return {"id": self.id, "settings": self.settings.to_dict(), "command": self.command}

    def _refuse_other_runs(self) -> None:
        """Raise InvalidOptionError if the folder holds a run, or checkpoints of one."""
        if (self.path / SETTINGS).exists():
            raise InvalidOptionError(
                f"{self.path} holds a run already: continue it with --resume {self.path}, or give another --out"
            )
        left = sorted(file.name for file in self.path.iterdir() if file.match(f"{STEP}*.*") or file.stem == "policy")
        if left:
            raise InvalidOptionError(
                f"{self.path} holds {left[0]} of another run, but no {SETTINGS}: give another --out"
            )

    @classmethod
    def reopen(cls, path: Path) -> RunFolder:
        """Open the folder of an earlier run; raise InvalidOptionError or CheckpointError if it has no readable run."""
        file = path / SETTINGS
        if not file.exists():
            raise InvalidOptionError(f"{path} holds no run to resume: it has no {SETTINGS}")
        stored = read_json_object(file, "settings", CheckpointError)
        odd = [*(set(stored) - {"id", "settings", "command"}), *({"settings", "command"} - set(stored))]
        if odd:
            raise CheckpointError(f"settings {file} are edited: {sorted(odd)[0][:40]!r} is unknown or missing")
        id, settings, command = stored.get("id"), stored["settings"], stored["command"]
        if not isinstance(settings, dict) or not isinstance(command, str) or not isinstance(id, str | None):
            raise CheckpointError(f"settings {file} are edited: settings must be an object, command and id strings")
        try:
            return cls(path, Settings.from_dict(settings), command, id)
        except InvalidOptionError as error:
            raise CheckpointError(f"settings {file} cannot be used: {error}") from error

    @property
    def tensorboard(self) -> Path:
        """The folder of the curves."""
        return self.path / "tensorboard"

    def checkpoints(self) -> list[Path]:
        """Return the periodic checkpoints, oldest first, those without a card included."""
        return sorted(self.path.glob(f"{STEP}*.zip"), key=lambda path: (len(path.name), path.name))

    def newest_sound(self) -> tuple[Path | None, list[str]]:
        """Return the newest checkpoint that the run can go on from, and what is wrong with each newer one.

        Returns:
            The path, None if the folder has no checkpoints at all; a sentence for each checkpoint passed over.

        Raises:
            CheckpointError: There are checkpoints, but none can be used, or the settings were changed since.
        """
        faults: list[str] = []
        for path in reversed(self.checkpoints()):
            try:
                card = self._read_own(path)
                load_network(path)
            except CheckpointError as error:
                faults.append(str(error))
                continue
            self._check_unchanged(path, card)
            return path, faults
        if faults:
            raise CheckpointError(
                f"no checkpoint in {self.path} can be used: {'; '.join(faults)}. Give another --out for a new run, or "
                "--start-over to begin this one again and keep these files"
            )
        return None, faults

    def _read_own(self, path: Path) -> dict[str, Any]:
        """Return the card of a checkpoint; raise CheckpointError if it is unsound or not of this run."""
        card = read_card(path)
        training = card["training"]
        if training.get("run") != self.id:
            raise CheckpointError(f"checkpoint {path} belongs to another run")
        if type(training.get("steps")) is not int or path.name not in (FINAL, step_name(training["steps"])):
            raise CheckpointError(f"checkpoint {path} has another number of decisions in its card than in its name")
        return card

    def _check_unchanged(self, path: Path, card: dict[str, Any]) -> None:
        """Raise CheckpointError unless ``run.json`` says what it said when a checkpoint was saved."""
        made, command = card["training"].get("settings"), card["training"].get("command")
        try:
            before = Settings.from_dict(made if isinstance(made, dict) else {}).to_dict()
        except InvalidOptionError as error:
            raise CheckpointError(f"the card of checkpoint {path} cannot be used: {error}") from error
        now = self.settings.to_dict()
        changed = [name for name in now if now[name] != before[name] and name not in MAY_CHANGE]
        changed += ["command"] if command != self.command else []
        if changed:
            raise CheckpointError(
                f"{self.path / SETTINGS} was changed after {path.name} was saved: {', '.join(changed)} must stay; put "
                f"back what {card_path(path).name} says, or begin a new run with another --out"
            )

    def start_over(self) -> None:
        """Begin the run again: give it another id, so that its earlier checkpoints are neither used nor deleted."""
        self.id = secrets.token_hex(8)
        write_json(self.path / SETTINGS, self._stored())

    def save(self, model: MaskablePPO, spec: NetworkSpec, steps: int) -> Path:
        """Write a periodic checkpoint with its card, delete the run's older ones but a few, and return the path."""
        path = self.write(model, spec, step_name(steps), steps, [])
        written = [old for old in self.checkpoints() if old.name <= path.name and self._wrote(old)]
        for old in written[:-KEEP]:
            old.unlink()
            card_path(old).unlink()
        return path

    def _wrote(self, path: Path) -> bool:
        """Return whether a checkpoint is of this run, going by its card."""
        try:
            self._read_own(path)
        except CheckpointError:
            return False
        return True

    def write(
        self, model: MaskablePPO, spec: NetworkSpec, name: str, steps: int, results: list[dict[str, Any]]
    ) -> Path:
        """Write a checkpoint and its card; return the path of the zip.

        The card comes first: a card without a zip holds nothing, so a kill in between loses nothing. A checkpoint of
        the same name that is not sound, or not of this run, gets another name.
        """
        target = self.path / name
        if target.exists() and not self._wrote(target):
            set_aside(target)
        partial = target.with_name(f"partial-{name}")
        model.save(partial)
        training = {
            "run": self.id,
            "preset": self.settings.preset,
            "seed": self.settings.seed,
            "steps": steps,
            "command": self.command,
            "settings": self.settings.to_dict(),
            "git_commit": git_commit(),
            "versions": versions(),
        }
        write_card(target, spec, training, results, self.settings.variant, partial)
        os.replace(partial, target)
        return target


def step_name(steps: int) -> str:
    """Return the name of the periodic checkpoint after so many decisions."""
    return f"{STEP}{steps:012d}.zip"


def set_aside(path: Path) -> None:
    """Give a checkpoint, and its card if it has one, the first free name of "kept-1-...", "kept-2-..."."""
    number = 1
    while any(half.with_name(f"kept-{number}-{half.name}").exists() for half in (path, card_path(path))):
        number += 1
    for half in (path, card_path(path)):
        if half.exists():
            half.rename(half.with_name(f"kept-{number}-{half.name}"))


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
