"""The folder of a run of ``endeavor train az``: settings, networks, and the state from which training goes on."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import endeavor_env
from endeavor_env.endeavor.players.network_file import POLICY_FILE, VALUE_FILE, VALUE_NETWORKS, write_policy_network
from endeavor_env.training.az.games import Networks
from endeavor_env.training.az.settings import AZSettings
from endeavor_env.training.td.folder import ValueRunFolder

NEWEST = "newest"
"""The folder with the networks of the newest checkpoint, which a search can be given as its network."""


class AZRunFolder(ValueRunFolder[AZSettings]):
    """The folder of a run; its final networks are ``value.npz`` and ``policy.npz``."""

    settings_type = AZSettings
    may_change = (
        *("iterations", "checkpoint_every", "evaluate_every", "evaluation_games", "final_games"),
        *("workers", "device"),
    )
    trainer = "az"
    memories = ("decisions", "ends")
    state_entries = ("model", "optimizer", "mean", "iterations", "seconds", "playing")

    def save_networks(
        self, networks: Networks, state: Mapping[str, Any], iterations: int, results: Sequence[Mapping[str, Any]]
    ) -> Path:
        """Write a periodic checkpoint and the networks of NEWEST; return the path of the checkpoint's network."""
        newest, partial = self.path / NEWEST, self.path / f"partial-{NEWEST}"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir()
        self._write_both(partial, networks, self._training(iterations, {}), results)
        target = self.save(networks.value, state, iterations, results)
        shutil.rmtree(newest, ignore_errors=True)  # a folder cannot replace another: better none than one of each
        partial.rename(newest)
        return target

    def write_final_networks(
        self, networks: Networks, iterations: int, seconds: float, results: Sequence[Mapping[str, Any]]
    ) -> Path:
        """Write the networks of a finished run with its results; return the path of the folder, which players take."""
        self._free_target(self.final)
        training = self._training(iterations, {"hours": round(seconds / 3600, 3)})
        self._write_both(self.path, networks, training, results)
        return self.path

    def _write_both(
        self, folder: Path, networks: Networks, training: Mapping[str, Any], results: Sequence[Mapping[str, Any]]
    ) -> None:
        """Write both networks with their cards, last that of the values: where it is, a run is finished."""
        about = training, results
        version, variants = endeavor_env.__version__, self.settings.variants
        policy = networks.logits, networks.own_value, self.settings.variant
        write_policy_network(folder / POLICY_FILE, *policy, *about, version=version)
        VALUE_NETWORKS.write(folder / VALUE_FILE, networks.value, variants, *about, version=version)
