"""One run under a budget: what it has used, how strong it was on the way, and what it leaves."""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import endeavor_env
from endeavor_env.basics.files import write_json
from endeavor_env.endeavor.players.network_file import write_policy_network
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.errors import EndeavorError
from endeavor_env.training.reference.budget import Budget, Track
from endeavor_env.training.reference.methods import METHODS
from endeavor_env.training.reference.tables import players_of, seated_policy, wins
from endeavor_env.training.runs.files import git_commit, versions
from endeavor_env.training.td.games import SeatedPlayer

RESULT, ABOUT, LOG = "reference.json", "about.toml", "log.txt"
POLICY, RUN = "policy.npz", "run"
"""Further outputs of a run: its policy, or for value networks the folder of an ``endeavor train td`` run."""
FORMAT = "endeavor-reference/1"
TRACKS = ("cpu-10min", "decisions-1m")
"""The tracks that the benchmark has; a run of another budget is one of the track "open"."""
LAST_FACTOR = 4
"""Factor by which the last point of a curve is measured with more games."""
PACKAGES = ("numpy", "numba", "torch", "gymnasium", "stable_baselines3", "sb3_contrib", "ray", "tianshou")


class Reference:
    """A run of one method, seed and track.

    Attributes:
        folder: Where it leaves its network, ``reference.json`` and ``about.toml``.
        method: The name of the method.
        task: The task of the benchmark it learns for.
        players: Seats of its tables.
        seed: Of everything that is drawn.
        budget: What it has used; the clock begins with the run.
        command: The command that began it.
    """

    def __init__(
        self, folder: Path, method: str, task: str, seed: int, track: Track, command: str, points: int, games: int
    ) -> None:
        """Begin a run.

        Args:
            folder: An empty folder, or one that is made.
            method: The name of the method.
            task: A name of ``tables.TASKS``.
            seed: Below 2**32.
            track: What may be used.
            command: The command line.
            points: How often the player is measured on the way, after equal shares of the budget.
            games: Games of each measurement among copies of each rival; the last one has more.
        """
        self.folder, self.method, self.task, self.seed, self.command = folder, method, task, seed, command
        self.players = players_of(task)
        self._step, self._games, self._curve = 1.0 / points, games, list[dict[str, Any]]()
        self._measured = 0.0  # the share of the budget at the newest point
        self._started = time.monotonic()
        folder.mkdir(parents=True, exist_ok=True)
        self.budget = Budget(track)

    def watch(self, player: Callable[[], SeatedPlayer]) -> None:
        """Measure the player as it is now if the next point of the curve is due; that is not counted."""
        if self.budget.share >= len(self._curve) * self._step:
            self._measure(player, self._games)

    def _measure(self, player: Callable[[], SeatedPlayer], games: int) -> None:
        """Add a point to the curve; it takes the place of one of the same decisions less than half a step before."""
        share = self.budget.share
        soon = share - self._measured < self._step / 2
        if soon and self._curve and self._curve[-1]["decisions"] == self.budget.decisions:
            self._curve.pop()
        self._measured = share
        with self.budget.paused():
            point = {"cpu_seconds": round(self.budget.cpu_seconds, 2), "decisions": self.budget.decisions}
            self._curve.append(point | {"games": games} | wins(player(), self.players, games))
            print(f"{self.method} {self.seed}: {self._curve[-1]}", file=sys.stderr, flush=True)

    def write_policy(
        self, logits: NetworkArrays, value: NetworkArrays, settings: Mapping[str, Any], teachers: str = ""
    ) -> Path:
        """Measure a policy network of the base game at the end of its training, write it, and return its path."""
        used = self.budget.to_dict()
        self.check_finite(logits, value)
        self._measure(lambda: seated_policy(logits), LAST_FACTOR * self._games)
        path = self.folder / POLICY
        training = self.training(used, settings)
        write_policy_network(path, logits, value, STANDARD, training, version=endeavor_env.__version__)
        self._finish("policy", path, used, settings, teachers)
        return path

    def check_finite(self, *networks: NetworkArrays) -> None:
        """Raise EndeavorError if a weight of the networks that a run has learned is not finite."""
        if not all(np.isfinite(array).all() for network in networks for array in network):
            raise EndeavorError(
                f"{self.method} with seed {self.seed} ended with weights that are not finite, after "
                f"{self.budget.decisions:,} decisions: it leaves no result"
            )

    def finish_value(self, path: Path, player: Callable[[], SeatedPlayer], settings: Mapping[str, Any]) -> None:
        """Measure a value network that was written to a path at the end of its training."""
        used = self.budget.to_dict()
        self._measure(player, LAST_FACTOR * self._games)
        self._finish("value", path, used, settings, "greedy")

    def training(self, used: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the card of a network says about its training."""
        made = {"trainer": f"reference-{self.method}", "seed": self.seed, "task": self.task, "command": self.command}
        return {
            **made,
            "steps": used["decisions"],
            "cpu_seconds": used["cpu_seconds"],
            "settings": dict(settings),
            "git_commit": git_commit(),
            "versions": versions(PACKAGES),
        }

    def _finish(
        self, player: str, path: Path, used: Mapping[str, Any], settings: Mapping[str, Any], teachers: str
    ) -> None:
        """Write the result, and what a row of the benchmark says about the training."""
        result = {
            "format": FORMAT,
            "method": self.method,
            "task": self.task,
            "seed": self.seed,
            "track": used["track"],
            "cpu_seconds": used["cpu_seconds"],
            "decisions": used["decisions"],
            "seconds": round(time.monotonic() - self._started, 1),
            "agent": f"{player}:{path.relative_to(self.folder).as_posix()}",
            "teachers": teachers,
            "curve": self._curve,
            "settings": dict(settings),
            "package_version": endeavor_env.__version__,
            "git_commit": git_commit(),
            "versions": versions(PACKAGES),
            "machine": f"{platform.system()} {platform.machine()}",
            "command": self.command,
        }
        (self.folder / ABOUT).write_text(_about(result), encoding="utf-8")
        write_json(self.folder / RESULT, result)


def _about(result: Mapping[str, Any]) -> str:
    """Return the text that ``endeavor bench run --about`` takes."""
    track = result["track"] if result["track"] in TRACKS else "open"
    rows = {
        "track": _toml_text(track),
        "seed": result["seed"],
        "cpu_seconds": result["cpu_seconds"],
        "decisions": result["decisions"],
        "command": _toml_text(result["command"]),
        "teachers": _toml_text(result["teachers"]),
    }
    method = result["method"]
    lines = [f"name = {_toml_text(METHODS[method].title)}", f"method = {_toml_text(method)}", "", "[training]"]
    return "\n".join([*lines, *(f"{name} = {value}" for name, value in rows.items()), ""])


def _toml_text(text: str) -> str:
    """Return a text as TOML takes it: as in JSON, but without halves of characters, and DEL is escaped."""
    whole = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return json.dumps(whole, ensure_ascii=False).replace("\x7f", "\\u007f")
