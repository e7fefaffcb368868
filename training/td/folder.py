"""The folder of a run of ``endeavor train td``: settings, networks, and the state from which training goes on."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import endeavor_env
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.errors import CheckpointError
from endeavor_env.training.runs.stored_run import StoredRun, step_name, write_state
from endeavor_env.training.td.adapter import AnyBoard, GameAdapter, adapter_named, adapter_of, read_boards
from endeavor_env.training.td.settings import GAMES, TDSettings

FINAL = "value.npz"
REPLAY = "replay"
"""The positions to learn from, a name of ``memories``."""
STATE = ("model", "optimizer", "mean", "iterations", "seconds", "playing", "past")
"""Entries of the state of a checkpoint."""


def board_of(settings: TDSettings) -> AnyBoard:
    """Return the board of a run, or its boards if the setting names a range of generated ones.

    Raises:
        InvalidOptionError: There is no such board, or no network learns the game.
        InvalidBoardError: A board file with faults, or a board that a variant of the run cannot be played on.
    """
    if settings.game in GAMES:
        return read_boards(settings.board, settings.variants)
    return adapter_named(settings.game).read_board(settings.board, settings.variants)


class TDRunFolder(StoredRun[TDSettings]):
    """The folder of a run of ``endeavor train td``.

    A periodic checkpoint is ``step_<iterations>.npz``, a network that any agent plays, with its card ``.json`` and the
    state ``.pt``: optimizer and earlier selves.
    """

    settings_type = TDSettings
    may_change = (
        *("iterations", "checkpoint_every", "evaluate_every", "evaluation_games", "final_games"),
        *("threads", "device"),
    )
    trainer = "td"
    state_entries = STATE
    memories = (REPLAY,)
    packages = ("numpy", "numba", "torch")
    suffix = ".npz"
    final = FINAL

    @functools.cached_property
    def board(self) -> AnyBoard:
        """The board or boards of all games, read once; errors as of ``board_of``."""
        return board_of(self.settings)

    @functools.cached_property
    def adapter(self) -> GameAdapter:
        """Adapter of the game that the run learns."""
        return adapter_of(self.board)

    def save(self, network: NetworkArrays, state: Mapping[str, Any], iterations: int, results: Sequence[Any]) -> Path:
        """Write a periodic checkpoint, delete the run's older ones but a few, and return the path of its network.

        Args:
            network: The network.
            state: What the run needs to go on: tensors and plain values.
            iterations: Iterations done.
            results: Of the last evaluation.
        """
        target = self._free_target(step_name(iterations, self.suffix))
        write_state(target, state)
        self._write_network(target, network, self._training(iterations, {}), results)
        self._delete_older(target)
        return target

    def write_final(self, network: NetworkArrays, iterations: int, seconds: float, results: Sequence[Any]) -> Path:
        """Write the network of a finished run with its results; return its path."""
        target = self._free_target(self.final)
        training = self._training(iterations, {"hours": round(seconds / 3600, 3)})
        return self._write_network(target, network, training, results)

    def _training(self, steps: int, more: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a card says about the training, with the hash of the board."""
        return {**super()._training(steps, more), "board_hash": self.adapter.board_hash}

    def _check_unchanged(self, path: Path, card: dict[str, Any]) -> None:
        """Raise CheckpointError unless settings and board are what they were when a checkpoint was saved."""
        super()._check_unchanged(path, card)
        if card["training"].get("board_hash") != self.adapter.board_hash:
            raise CheckpointError(
                f"board {self.board.id} was changed after {path.name} was saved: put back the file as it was, or begin "
                "a new run with another --out"
            )

    def _write_network(
        self, target: Path, network: NetworkArrays, training: Mapping[str, Any], results: Sequence[Any]
    ) -> Path:
        """Write a network of this run and its card; return its path."""
        variants, version = self.settings.variants, endeavor_env.__version__
        return self.adapter.networks.write(target, network, variants, training, results, version=version)

    def _card(self, checkpoint: Path) -> Path:
        return checkpoint.with_suffix(".json")

    def _read_card(self, path: Path) -> dict[str, Any]:
        return self.adapter.networks.read(path).card

    def _check_weights(self, path: Path) -> None:
        """Raise CheckpointError unless the state of a periodic checkpoint can be read; ``_read_card`` the rest."""
        self._check_state(path)
