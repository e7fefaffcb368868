"""The budget of a run: processor time or decisions, measured and enforced.

A run asks after every lap, some thousand decisions with the gradient steps on them, whether another one fits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from endeavor_env.errors import InvalidOptionError, shown

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
