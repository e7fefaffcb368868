"""One run under a budget: what it may use and has used, how strong it was on the way, and what it leaves."""

from __future__ import annotations

import json
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import endeavor_env
from endeavor_env.agents.statistics import win_shares
from endeavor_env.basics.files import write_json
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.players.network_file import write_policy_network
from endeavor_env.endeavor.players.policy.player import policy_memory
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.kernels.players import SEAT_RANDOM
from endeavor_env.errors import EndeavorError, InvalidOptionError, shown
from endeavor_env.training.reference.methods import METHODS
from endeavor_env.training.runs.stored_run import git_commit, versions
from endeavor_env.training.td.evaluation import FIRST_SEED
from endeavor_env.training.td.games import LEARNER_CODE, SeatedPlayer, fixtures_of, play

# --- The budget of a run: processor time or decisions, measured and enforced -----------------------------------------
# A run asks after every lap, some thousand decisions with the gradient steps on them, whether another one fits.

MARGIN = 1.1
"""The next lap is taken to be at most so many times as long as the longest one so far."""
_TRACK = re.compile(r"cpu-(\d{1,4})(min|s)|decisions-(\d{1,4})(k|m)")
_UNITS = {"min": 60, "s": 1, "k": 1_000, "m": 1_000_000}


class Track(NamedTuple):
    """The resources that a run may use."""

    name: str
    """As "cpu-10min" or "decisions-1m"."""
    cpu_seconds: float | None
    """Processor time of all processes of the run; None for any."""
    decisions: int | None
    """Decisions that are learned from; None for any."""


def read_track(name: str) -> Track:
    """Return the track of a name; raise InvalidOptionError if it is none."""
    found = _TRACK.fullmatch(name)
    if not found or not int(found[1] or found[3]):
        raise InvalidOptionError(f"track {shown(name)} is not possible: write it as cpu-10min, cpu-30s or decisions-1m")
    cpu, unit, decisions, thousands = found.groups()
    if cpu:
        return Track(name, float(int(cpu) * _UNITS[unit]), None)
    return Track(name, None, int(decisions) * _UNITS[thousands])


class Budget:
    """The resources of its track that a run has used.

    Attributes:
        track: What it may use.
        decisions: Decisions that were learned from; the run keeps the count.
    """

    def __init__(self, track: Track) -> None:
        """Begin to count."""
        self.track, self.decisions = track, 0
        self._begun, self._paused = cpu_seconds(), 0.0
        self._last = self._lap = self._longest = 0.0, 0

    @property
    def cpu_seconds(self) -> float:
        """Processor time used, without that of ``paused``."""
        return cpu_seconds() - self._begun - self._paused

    @property
    def share(self) -> float:
        """The share of the budget that is used, from 0 to 1."""
        track = self.track
        if track.cpu_seconds is not None:
            return min(1.0, self.cpu_seconds / track.cpu_seconds)
        assert track.decisions is not None
        return min(1.0, self.decisions / track.decisions)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Do not count the processor time of what happens inside: evaluations."""
        before = cpu_seconds()
        try:
            yield
        finally:
            self._paused += cpu_seconds() - before

    def another_lap(self, decisions_of_lap: int = 0) -> bool:
        """Return whether a lap as long as the longest so far, and a little more, fits into what is left.

        Args:
            decisions_of_lap: The least number of decisions that it will have, if that is known.
        """
        seconds, decisions = self.cpu_seconds, self.decisions
        self._lap = seconds - self._last[0], decisions - self._last[1]
        self._longest = max(self._longest[0], self._lap[0]), max(self._longest[1], self._lap[1])
        self._last = seconds, decisions
        track = self.track
        if track.cpu_seconds is not None:
            return seconds + MARGIN * self._longest[0] <= track.cpu_seconds
        assert track.decisions is not None
        return decisions + max(self._longest[1], decisions_of_lap) <= track.decisions

    @property
    def laps_left(self) -> int:
        """Number of laps as long as the last one that fit into the rest; 0 before the first."""
        track = self.track
        if track.cpu_seconds is not None:
            lap, left = self._lap[0], track.cpu_seconds - self._last[0]
        else:
            assert track.decisions is not None
            lap, left = self._lap[1], track.decisions - self._last[1]
        return int(left / lap) if lap > 0 else 0

    def forget_laps(self) -> None:
        """Measure the length of laps anew: what comes next has other ones."""
        self._longest = (0.0, 0)

    def to_dict(self) -> dict[str, float | int | str]:
        """Return what was used, as JSON values."""
        return {"track": self.track.name, "cpu_seconds": round(self.cpu_seconds, 2), "decisions": self.decisions}


class BudgetSpentError(Exception):
    """No other lap fits: raised inside of libraries whose loops are not ours, and caught around them."""


def cpu_seconds() -> float:
    """Return the processor time of this process and of all below it, those that ended and were waited for included.

    Living processes below this one are counted where the system has ``/proc``.
    """
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system + _of_living(os.getpid())


def _of_living(process: int) -> float:
    """Return the processor time of all living processes below one."""
    if not _children(process):  # nearly always; the table of all processes is read only if there are any
        return 0.0
    parents: dict[int, tuple[int, int]] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:  # it ended
            continue
        parents[int(file.parent.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    below, ticks = {process}, 0
    while found := {one for one, (parent, _) in parents.items() if parent in below and one not in below}:
        below |= found
        ticks += sum(parents[one][1] for one in found)
    return ticks / os.sysconf("SC_CLK_TCK")


def _children(process: int) -> bool:
    """Return whether a process has living ones below it, as far as the system tells."""
    try:
        return any(file.read_text() for file in Path(f"/proc/{process}/task").glob("*/children"))
    except OSError:
        return Path("/proc").is_dir()


# --- The tasks that references are trained for, and how often a player wins at their tables while it learns ----------

TASKS = {"table-3": 3, "table-4": 4, "table-5": 5}
"""The numbers of seats of the tasks of the benchmark that references are trained for."""
RIVALS = {"random": SEAT_RANDOM, "greedy": LEARNER_CODE + 1}
"""Codes of the players in the other seats of a curve's games."""


def players_of(task: str) -> int:
    """Return the number of seats of a task; raise InvalidOptionError for one that references are not trained for."""
    if task not in TASKS:
        raise InvalidOptionError(f"task {shown(task)} has no references: possible are {', '.join(TASKS)}")
    return TASKS[task]


def seated_policy(logits: NetworkArrays) -> SeatedPlayer:
    """Return a player that plays the most likely move of a policy network of the base game."""
    return SeatedPlayer("policy", policy_memory({c.VARIANT_STANDARD: logits}))


def wins(player: SeatedPlayer, players: int, games: int) -> dict[str, float]:
    """Return the share of games that a player wins among copies of each of RIVALS.

    Every set-up is played once from each seat, the same ones at every call; none is of the benchmark's test set-ups.
    """
    setups, board = -(-games // players), Board.default()
    seeds, own = np.repeat(np.arange(setups) + FIRST_SEED, players), np.tile(np.arange(players), setups)
    rows, kinds = np.arange(seeds.size), np.zeros(seeds.size, np.int64)
    shares = {}
    for rival, code in RIVALS.items():
        codes = np.full((seeds.size, c.MAX_SEATS), code)
        codes[rows, own] = LEARNER_CODE
        seated = {LEARNER_CODE: player, code: SeatedPlayer(rival)}
        played = play(board, fixtures_of((GameConfig(players=players),), kinds, seeds, codes), seated)
        shares[rival] = round(float(win_shares(played.scores[:, :players])[rows, own].mean()), 4)
    return shares


# --- One run under a budget: what it has used, how strong it was on the way, and what it leaves ----------------------

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
