"""The settings of a run on RLlib, and its folder with checkpoints."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import model_validator

from endeavor_env.agents.checkpoint import WEIGHTS
from endeavor_env.basics.files import regular_digest
from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.training.ppo.settings import OUTCOME, preset
from endeavor_env.training.runs.policy_settings import PolicySettings
from endeavor_env.training.runs.settings import Opponents, Rows, impossible
from endeavor_env.training.runs.stored_run import FINAL, StoredRun, set_aside, step_name

if TYPE_CHECKING:
    import torch


# --- The settings of a run on RLlib ----------------------------------------------------------------------------------

LEARNER = "learner"
"""In ``RLlibSettings.opponents``: the policy that learns."""
GAMES = 32
"""Games that a runner plays side by side at most."""


class RLlibSettings(PolicySettings):
    """Everything that determines what a run learns; where its processes run does not belong to it.

    Agents are looked up where they are made.
    """

    nobody: ClassVar[Opponents] = ((LEARNER, 1.0),)

    opponents: Opponents = ((LEARNER, 1.0),)
    """Players of the seats with their weights: "learner" or the name of an agent. One seat of each game always
    learns."""
    num_envs_per_env_runner: Rows
    """Games that each environment runner plays side by side."""
    train_batch_size: Rows
    """Decisions between updates."""

    @model_validator(mode="after")
    def _check_batches(self) -> Self:
        """Check what depends on the number of decisions between updates."""
        if self.batch_size > self.train_batch_size:
            most = self.train_batch_size
            raise impossible("batch_size", self.batch_size, f"it should be at most train_batch_size, {most}")
        return self

    def tables(self) -> list[tuple[int, str | None]]:
        """Return the tables that games draw from: number of seats, and the difficulty in the solitaire game."""
        return [(players, difficulty) for players in self.players for difficulty in self.difficulties or (None,)]


def rllib_preset(name: str, variant: str) -> RLlibSettings:
    """Return a preset of ``endeavor train ppo`` for RLlib; raise InvalidOptionError for an unknown name or variant.

    All seats are played by the policy that learns, so there are no copies of it.
    """
    base = preset(name, variant)
    if base.reward == OUTCOME:
        raise InvalidOptionError(f"preset {name!r} is for endeavor_env.training.ppo --from: give smoke, quick or long")
    shared = {field: getattr(base, field) for field in PolicySettings.model_fields if field != "opponents"}
    games, rows = min(GAMES, base.num_envs // 2), base.num_envs * base.n_steps
    return RLlibSettings(**shared, num_envs_per_env_runner=games, train_batch_size=rows)


# --- The folder of a run on RLlib ------------------------------------------------------------------------------------
# Its settings, its checkpoints, and for each the state from which training goes on.


class RLlibRunFolder(StoredRun[RLlibSettings]):
    """The folder of a run on RLlib.

    A periodic checkpoint is ``step_<decisions>.zip`` with its card ``.json``, which any agent plays, and beside them
    the folder ``step_<decisions>`` in which RLlib keeps optimizer, schedules and counts. The card has its hash.
    """

    settings_type = RLlibSettings
    may_change = ("steps", "checkpoint_every", "evaluation_games")
    packages = ("numpy", "numba", "gymnasium", "torch", "ray")
    trainer = "rllib"  # no dot: it is the same in a wheel, where the packages have other names

    @property
    def partial_state(self) -> Path:
        """Folder for RLlib's state before it is put beside a checkpoint; no other run has this folder."""
        return self.path / f"partial-{self.id}"

    def save(self, weights: Mapping[str, torch.Tensor], state: Path, steps: int) -> Path:
        """Write a periodic checkpoint, delete the run's older ones but a few, and return the path of its zip.

        The state is put in place first: without a zip it holds nothing. Whatever has one of the names that the
        checkpoint takes gets another.

        Args:
            weights: The policy under the names of SB3.
            state: A folder with RLlib's state, in ``self.path``; it is renamed.
            steps: Decisions trained on.
        """
        target = self.path / step_name(steps)
        if any(part.exists() for part in self._parts(target)):
            set_aside(self._parts(target))
        more = {"state": folder_hash(state)}
        os.replace(state, state_path(target))
        self.write(weights, target.name, steps, more)
        self._delete_older(target)
        return target

    def write(
        self, weights: Mapping[str, torch.Tensor], name: str, steps: int, more: Mapping[str, Any] | None = None
    ) -> Path:
        """Write a checkpoint and its card, which any agent plays; return the path of the zip.

        Args:
            weights: The policy under the names of SB3.
            name: The name of the zip.
            steps: Decisions trained on.
            more: What else the card says about the training.
        """
        return self._write(name, self.settings.network, steps, [], lambda path: _write_zip(path, weights), more)

    def _parts(self, checkpoint: Path) -> list[Path]:
        parts = super()._parts(checkpoint)
        return parts if checkpoint.name == FINAL else [*parts, state_path(checkpoint)]

    def _read_own(self, path: Path) -> dict[str, Any]:
        card = super()._read_own(path)
        if path.name == FINAL:
            return card
        state = state_path(path)
        try:
            hashed = folder_hash(state) if state.is_dir() else None
        except (OSError, ValueError) as error:
            raise CheckpointError(f"the state {state} cannot be read: {error}") from error
        if hashed is None or hashed != card["training"].get("state"):
            fault = "is missing" if hashed is None else "is damaged: it does not have the hash its card names"
            raise CheckpointError(f"the state {state} of checkpoint {path.name} {fault}")
        return card


def state_path(checkpoint: Path) -> Path:
    """Return the folder with RLlib's state that belongs to the zip of a periodic checkpoint."""
    return checkpoint.with_suffix("")


def folder_hash(folder: Path) -> str:
    """Return a SHA-256 in hex of the names and contents of all files in a folder."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{file.relative_to(folder).as_posix()} {regular_digest(file)}\n".encode())
    return digest.hexdigest()


def _write_zip(path: Path, weights: Mapping[str, torch.Tensor]) -> None:
    """Write weights to a zip as SB3 does."""
    import torch  # a folder is made and looked at where it is not installed

    stored = io.BytesIO()
    torch.save(dict(weights), stored)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(WEIGHTS, stored.getvalue())
