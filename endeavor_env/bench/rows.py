"""Scores of tasks, and rows: what a submission reached, as a JSON object with everything by which it can be checked."""

from __future__ import annotations

import hashlib
import json
import platform
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
import numpy.typing as npt

from endeavor_env.agents.statistics import RESAMPLES, percentile_interval, resampled_means, win_shares
from endeavor_env.basics.files import read_json_object
from endeavor_env.basics.hardware import processor, usable_cores
from endeavor_env.basics.inputs import SEED_END, real_number, whole_number
from endeavor_env.bench.games import (
    MOST_DECISIONS,
    VARIANTS,
    RunHeader,
    UnitResult,
    read_moves,
    read_scores,
    scores_text,
)
from endeavor_env.bench.submissions import PLAY_TRACKS, about_of
from endeavor_env.bench.version import NEVER_CHANGES, Task, Version, version_one
from endeavor_env.errors import EndeavorError, named, shown

# --- Scores: what a submission wins in each field, relative to parity, floor and oracle, with intervals ---------------

SEED = 0
"""Draws set-ups for intervals; the same for all tasks, so that the set-ups of one seed are drawn together."""


@dataclass(frozen=True, eq=False)
class FieldGames:
    """The games of one field."""

    scores: npt.NDArray[np.int64]
    """(set-ups, seatings, positions): Glory, the submission's first."""
    lost: Mapping[tuple[int, int], str]
    """Why games are lost whatever the scores are, by set-up and seating."""

    def shares(self, task: Task) -> npt.NDArray[np.float64]:
        """Return (set-ups, seatings): the submission's share of the win in each game."""
        if task.solo:
            shares = (self.scores[..., 0] >= self.scores[..., 1]).astype(float)  # S8.3
        else:
            shares = win_shares(self.scores)[..., 0]
        for at in self.lost:
            shares[at] = 0.0
        return shares


@dataclass(frozen=True, eq=False)
class TaskScore:
    """The score of a submission in a task."""

    task: Task
    fields: Mapping[str, FieldGames]
    """The games of each field that was played."""

    @cached_property
    def odds(self) -> dict[str, npt.NDArray[np.float64]]:
        """(set-ups,) for each field: the submission's share of the wins relative to parity."""
        task = self.task
        return {name: games.shares(task).mean(axis=1) / task.parity for name, games in self.fields.items()}

    @cached_property
    def public(self) -> tuple[str, ...]:
        """Names of the public fields played."""
        return tuple(name for name in self.fields if not self.task.field(name).hidden)

    @cached_property
    def hidden(self) -> tuple[str, ...]:
        """Names of the hidden fields played."""
        return tuple(name for name in self.fields if self.task.field(name).hidden)

    def share(self, field: str) -> float:
        """Return the share of the wins in a field."""
        return float(self.odds[field].mean() * self.task.parity)

    def mean_odds(self, fields: Sequence[str]) -> float:
        """Return the mean over fields of the share of wins relative to parity."""
        return float(np.mean([self.odds[name].mean() for name in fields]))

    @property
    def score(self) -> float:
        """The score: the mean over the public fields."""
        return self.mean_odds(self.public)

    @property
    def worst(self) -> tuple[str, float]:
        """The public field in which the submission does worst, and its odds there."""
        return min(((name, float(self.odds[name].mean())) for name in self.public), key=lambda one: one[1])

    def samples(self, fields: Sequence[str], resamples: int = RESAMPLES) -> npt.NDArray[np.float64]:
        """Return (resamples,) scores over these fields, each of as many set-ups drawn again."""
        by_setup = np.stack([self.odds[name] for name in fields]).mean(axis=0)
        return resampled_means(by_setup, resamples, SEED)

    @cached_property
    def public_samples(self) -> npt.NDArray[np.float64]:
        """(RESAMPLES,) scores over the public fields."""
        return self.samples(self.public)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score, for set-ups that were not played."""
        return percentile_interval(self.public_samples)

    def normalise(self, score: npt.NDArray[np.float64] | float) -> npt.NDArray[np.float64]:
        """Return scores on the scale on which ``random`` has 0 and the oracle 1."""
        low, high = self.task.floor.score, self.task.oracle.score
        return (np.asarray(score) - low) / (high - low)

    @property
    def normalised(self) -> float:
        """The score on the scale on which ``random`` has 0 and the oracle 1."""
        return float(self.normalise(self.score))

    @property
    def normalised_interval(self) -> tuple[float, float]:
        """The 95 % interval of ``normalised``."""
        return percentile_interval(self.normalise(self.public_samples))


def overall(scores: Sequence[TaskScore]) -> tuple[float, tuple[float, float]]:
    """Return the mean of the normalised scores of tasks, and its 95 % interval."""
    samples = np.mean([one.normalise(one.public_samples) for one in scores], axis=0)
    return float(np.mean([one.normalised for one in scores])), percentile_interval(samples)


def field_names(task: Task, play: str, hidden: bool) -> list[str]:
    """Return the fields that a track plays in a task, with the hidden ones for those who have them."""
    pace = task.pace(play)
    return [field.name for field in task.fields if field.name in pace.fields or (field.hidden and hidden)]


def games_of(task: Task, fields: Sequence[str], setups: int, units: Mapping[str, UnitResult]) -> TaskScore:
    """Return the score of a task from the units played; raise EndeavorError if one is missing."""
    found: dict[str, FieldGames] = {}
    for name in fields:
        keys = [f"{task.name}/{name}/{setup}" for setup in range(setups)]
        missing = sum(key not in units for key in keys)
        if missing:
            raise EndeavorError(
                f"{task.name} is not played to its end: {missing} of {setups} set-ups against {name} are missing; the "
                "same `endeavor bench run` goes on"
            )
        played = [units[key] for key in keys]
        lost = {(setup, seating): why for setup, one in enumerate(played) for seating, why in one.lost.items()}
        found[name] = FieldGames(np.stack([one.scores for one in played]), lost)
    return TaskScore(task, found)


# --- Rows of the leaderboard ------------------------------------------------------------------------------------------

FORMAT = "endeavor-bench-row/1"
SAMPLED = 2
"""Games of each field whose moves stand in a row."""
KEYS = (
    *("format", "version", "benchmark", "package_version", "name", "method", "authors", "notes", "agent", "hashes"),
    *("training", "play", "seed", "repeats", "tasks", "score", "machine", "command", "times", "digest"),
)
TASK_KEYS = (
    *("hash", "setups", "decisions", "fields", "score", "interval", "hidden", "worst", "normalised"),
    *("normalised_interval", "sample"),
)
_MACHINE = ("system", "processor", "cores", "python", "numpy", "numba", "llvmlite")
_TIMES = ("seconds", "mean_ms", "slowest_ms")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_DIGITS = 6


class RowError(EndeavorError):
    """A row is not true; the message says in one sentence what is wrong with it."""


def make_row(
    head: RunHeader, units: Mapping[str, UnitResult], version: Version, hidden: bool = False
) -> dict[str, Any]:
    """Return the row of a run.

    Args:
        head: What was played.
        units: The units played; of tasks of which there is any, all must be there.
        version: The version of the benchmark.
        hidden: Whether the hidden fields were played too.

    Raises:
        EndeavorError: A task is not played to its end, or none is.
    """
    begun = {played.unit.table for played in units.values()}
    tasks = [task for task in version.tasks.values() if task.name in begun]
    if not tasks:
        raise EndeavorError("no task has been played: there is nothing to score")
    scores = [
        games_of(task, field_names(task, head.settings.play, hidden), task.pace(head.settings.play).setups, units)
        for task in tasks
    ]
    played = {one.task.name: [units[key] for key in _keys(one)] for one in scores}
    row: dict[str, Any] = {
        "format": FORMAT,
        "version": version.number,
        "benchmark": head.benchmark,
        "package_version": head.package_version,
        **head.about.to_dict(),
        "agent": head.settings.agent,
        "hashes": dict(head.hashes),
        "play": head.settings.play,
        "seed": head.settings.seed,
        "repeats": _all_repeat([one.repeats for one in units.values()]),
        "tasks": {one.task.name: _task_of_row(one, played[one.task.name], units) for one in scores},
        "score": _overall_of_row(scores),
        "machine": machine(),
        "command": run_command(head, tasks),
        "times": {"tasks": {name: _times(units) for name, units in played.items()}, "written": _now()},
    }
    row["times"]["digest"] = _hash_of_json(row["times"])
    return {**row, "digest": digest_of(row)}


def _all_repeat(said: Sequence[bool | None]) -> bool:
    """Return whether the submission makes the same moves again, as far as the units say it."""
    return True in said and False not in said


def run_command(head: RunHeader, tasks: Sequence[Task]) -> str:
    """Return the command that plays the tasks of a row."""
    named = [word for task in tasks for word in ("--task", task.name)]
    settings = head.settings
    words = ["--agent", settings.agent, *named, "--play", settings.play, "--seed", str(settings.seed)]
    return shlex.join(["endeavor", "bench", "run", *words])


def _keys(score: TaskScore) -> list[str]:
    return [
        f"{score.task.name}/{name}/{setup}"
        for name, games in score.fields.items()
        for setup in range(len(games.scores))
    ]


def _task_of_row(score: TaskScore, played: Sequence[UnitResult], units: Mapping[str, UnitResult]) -> dict[str, Any]:
    """Return what a row says about a task."""
    return {
        "hash": score.task.hash,
        "setups": len(next(iter(score.fields.values())).scores),
        "decisions": sum(one.decisions for one in played),
        "fields": {name: _field_of_row(score, name) for name in score.fields},
        **figures_of(score),
        "sample": [_sampled(score, units, *place) for place in sampled_games(score)],
    }


def _field_of_row(score: TaskScore, name: str) -> dict[str, Any]:
    """Return what a row says about a field."""
    games = score.fields[name]
    return {
        "share": _rounded(score.share(name)),
        "odds": _rounded(score.mean_odds([name])),
        "lost": {f"{setup}.{seating}": why for (setup, seating), why in sorted(games.lost.items())},
        "scores": scores_text(games.scores),
    }


def figures_of(score: TaskScore) -> dict[str, Any]:
    """Return the figures of a task, all of which follow from its games."""
    worst, odds = score.worst
    return {
        "score": _rounded(score.score),
        "interval": [_rounded(end) for end in score.interval],
        "hidden": _rounded(score.mean_odds(score.hidden)) if score.hidden else None,
        "worst": {"field": worst, "odds": _rounded(odds)},
        "normalised": _rounded(score.normalised),
        "normalised_interval": [_rounded(end) for end in score.normalised_interval],
    }


def _overall_of_row(scores: Sequence[TaskScore]) -> dict[str, Any]:
    """Return the one number of a row."""
    mean, interval = overall(scores)
    return {"normalised": _rounded(mean), "interval": [_rounded(end) for end in interval], "tasks": len(scores)}


def sampled_games(score: TaskScore) -> list[tuple[str, int, int]]:
    """Return the field, set-up and seating of the games whose moves stand in a row.

    They follow from the results of all games, so that nobody can choose them.
    """
    total = hashlib.sha256()
    for name, games in score.fields.items():
        total.update(f"{name} {sorted(games.lost.items())} {scores_text(games.scores)}\n".encode())
    rng = np.random.default_rng(list(total.digest()))
    chosen = []
    for name, games in score.fields.items():
        setups, seatings = games.scores.shape[:2]
        numbers = rng.choice(setups * seatings, size=min(SAMPLED, setups * seatings), replace=False)
        chosen += [(name, *divmod(int(number), seatings)) for number in sorted(numbers)]
    return chosen


def _sampled(score: TaskScore, units: Mapping[str, UnitResult], field: str, setup: int, seating: int) -> dict[str, Any]:
    played = units[f"{score.task.name}/{field}/{setup}"]
    return {"field": field, "setup": setup, "seating": seating, "moves": played.moves[seating]}


def _times(units: Sequence[UnitResult]) -> dict[str, float]:
    """Return the time of a task's decisions."""
    seconds, decisions = sum(one.seconds for one in units), sum(one.decisions for one in units)
    return {
        "seconds": round(seconds, 3),
        "mean_ms": round(1000 * seconds / max(1, decisions), 4),
        "slowest_ms": round(1000 * max(one.slowest for one in units), 2),
    }


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _rounded(value: float) -> float:
    return round(value, _DIGITS)


def machine() -> dict[str, Any]:
    """Return what a row says about the machine and the libraries."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": usable_cores(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
    }


def digest_of(row: Mapping[str, Any]) -> str:
    """Return the SHA-256 in hex of everything in a row but the times and the digest itself."""
    return _hash_of_json({key: value for key, value in row.items() if key not in ("times", "digest")})


def _hash_of_json(value: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _same(stored: object, given: object) -> bool:
    """Return whether values are the same but for the last digit of numbers, which machines may round differently."""
    if isinstance(given, dict):
        return (
            isinstance(stored, dict)
            and list(stored) == list(given)
            and all(_same(stored[key], value) for key, value in given.items())
        )
    if isinstance(given, list):
        return isinstance(stored, list) and len(stored) == len(given) and all(map(_same, stored, given))
    if isinstance(given, float):
        number = real_number(stored)
        return number is not None and abs(number - given) < 2 * 10**-_DIGITS
    return type(stored) is type(given) and stored == given


def row_text(row: Mapping[str, Any]) -> str:
    """Return the text of a row's file."""
    return json.dumps(row, indent=1) + "\n"


def read_row(path: str | Path) -> dict[str, Any]:
    """Return the row in a file after ``check_row`` has checked it; raise RowError for one that is not true."""
    row = read_json_object(path, "row", RowError)
    check_row(row)
    return row


def check_row(row: Mapping[str, Any], version: Version | None = None) -> dict[str, TaskScore]:
    """Check that a row agrees with itself and with the version of the benchmark; return the scores of its tasks.

    Raises:
        RowError: Something in it was changed; the message names the first thing.
    """
    version = version_one() if version is None else version
    if row.get("format") != FORMAT:
        raise RowError(f"this is no row of the benchmark: its format is {shown(row.get('format'))}, not {FORMAT!r}")
    if not _same([row.get("version"), row.get("benchmark")], [version.number, version.hash]):
        raise RowError(f"the row is of another version of the benchmark than this one: {NEVER_CHANGES}")
    _check_keys("the row", row, KEYS)
    try:
        scores = _check_content(row, version)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, EndeavorError):
            raise RowError(str(error)) from error
        raise RowError(f"the row is not laid out as rows are: {shown(error)}") from error
    times = {key: value for key, value in row["times"].items() if key != "digest"}
    if row["digest"] != digest_of(row) or row["times"]["digest"] != _hash_of_json(times):
        raise RowError("the row was changed after it was written: its digest is that of another one")
    return scores


def _check_content(row: Mapping[str, Any], version: Version) -> dict[str, TaskScore]:
    """Check everything but the digest; return the scores of the tasks."""
    about = about_of({key: row[key] for key in ("name", "method", "authors", "notes", "training")}, "the row")
    _check_keys("training of the row", row["training"], tuple(about.to_dict()["training"]))
    _check_head(row)
    scores = {name: _check_task(version.task(name), task, row["play"]) for name, task in row["tasks"].items()}
    if list(scores) != [name for name in version.tasks if name in scores] or not scores:
        raise RowError("the row does not have its tasks in the order of the version")
    _check_times(row["times"], list(scores))
    for name, score in scores.items():
        allowed, mean = score.task.pace(row["play"]).seconds, row["times"]["tasks"][name]["mean_ms"] / 1000
        if mean > allowed:
            raise RowError(f"the mean decision of {name} took {mean:.3f} s: {row['play']} allows {allowed} s")
    if not _same(row["score"], _overall_of_row(list(scores.values()))):
        raise RowError("the score of the row is not the one that its games give")
    return scores


def _check_keys(what: str, value: object, keys: Sequence[str]) -> None:
    """Raise RowError unless a value of a row is an object with these keys, in any order."""
    if not isinstance(value, Mapping):
        raise RowError(f"the row is not laid out as rows are: {what} is {shown(value)}, no object")
    missing, unknown = [key for key in keys if key not in value], [key for key in value if key not in keys]
    if missing or unknown:
        raise RowError(f"{what} {'lacks ' + missing[0] if missing else 'has a field too many, ' + named(unknown[0])}")


def _check_value(name: str, value: object, fits: bool, must: str) -> None:
    """Raise RowError unless a value of a row fits."""
    if not fits:
        raise RowError(f"the row has {name} {shown(value)}: it must be {must}")


def _check_head(row: Mapping[str, Any]) -> None:
    """Check the types and ranges of what a row says of the whole run."""
    seed = whole_number(row["seed"])
    if row["play"] not in PLAY_TRACKS:
        raise RowError(f"the row does not say in which track it was played: give one of {', '.join(PLAY_TRACKS)}")
    _check_value("seed", row["seed"], seed is not None and 0 <= seed < SEED_END, "a whole number from 0 to 2**128 - 1")
    _check_value("repeats", row["repeats"], isinstance(row["repeats"], bool), "true or false")
    for key in ("name", "method", "agent", "package_version", "command"):
        _check_value(key, row[key], _is_text(row[key]), "a text")
    _check_keys("hashes of the row", row["hashes"], VARIANTS)
    for variant, digest in row["hashes"].items():
        fits = digest is None or (isinstance(digest, str) and bool(_SHA256.fullmatch(digest)))
        _check_value(f"hashes.{variant}", digest, fits, "the 64 digits of a SHA-256, or null")
    _check_keys("machine of the row", row["machine"], _MACHINE)
    for key, value in row["machine"].items():
        fits = (whole_number(value) or 0) > 0 if key == "cores" else isinstance(value, str)
        _check_value(f"machine.{key}", value, fits, "a whole number above 0" if key == "cores" else "a text")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _check_times(times: Any, tasks: Sequence[str]) -> None:
    """Check the types and ranges of the times in a row."""
    _check_keys("times of the row", times, ("tasks", "written", "digest"))
    _check_value("times.written", times["written"], _is_text(times["written"]), "a text")
    _check_keys("times.tasks of the row", times["tasks"], tasks)
    for name, of_task in times["tasks"].items():
        _check_keys(f"times.tasks.{name} of the row", of_task, _TIMES)
        for key, value in of_task.items():
            number = real_number(value)
            _check_value(f"times.tasks.{name}.{key}", value, number is not None and number >= 0, "a number from 0 on")


def _check_task(task: Task, stored: Mapping[str, Any], play: str) -> TaskScore:
    """Check what a row says about a task against its games; return its score."""
    _check_keys(f"{task.name} of the row", stored, TASK_KEYS)
    decisions = whole_number(stored["decisions"])
    fits = decisions is not None and 0 <= decisions <= MOST_DECISIONS
    _check_value(f"{task.name}.decisions", stored["decisions"], fits, "a whole number from 0 on")
    if stored["hash"] != task.hash:
        raise RowError(f"{task.name} of the row is another task than that of version 1: {NEVER_CHANGES}")
    setups, public = task.pace(play).setups, field_names(task, play, False)
    names = list(stored["fields"])
    if not _same(stored["setups"], setups) or names not in (public, field_names(task, play, True)):
        raise RowError(f"{task.name} of the row has other set-ups or fields than {play} plays")
    fields = {name: _read_field(task, name, one, setups) for name, one in stored["fields"].items()}
    score = TaskScore(task, fields)
    for name in fields:
        if not _same(stored["fields"][name], _field_of_row(score, name)):
            raise RowError(f"the figures of {task.name} against {name} are not those that its games give")
    figures = figures_of(score)
    wrong = [key for key, value in figures.items() if not _same(stored[key], value)]
    if wrong:
        raise RowError(f"the {wrong[0]} of {task.name} is not the one that its games give")
    for one in stored["sample"]:
        _check_keys(f"a record of {task.name}", one, ("field", "setup", "seating", "moves"))
    sampled = [[one["field"], one["setup"], one["seating"]] for one in stored["sample"]]
    chosen = [list(place) for place in sampled_games(score)]
    if not _same(sampled, chosen) or not all(read_moves(one["moves"]) for one in stored["sample"]):
        raise RowError(f"the records of {task.name} are not of the games that its results choose")
    return score


def _read_field(task: Task, name: str, stored: Mapping[str, Any], setups: int) -> FieldGames:
    """Return the games that a row has of a field."""
    try:
        scores = read_scores(stored["scores"], (setups, task.seatings, task.positions))
    except EndeavorError as error:
        raise RowError(f"the games of {task.name} against {name} cannot be read: {error}") from error
    lost = {}
    for key, why in stored["lost"].items():
        setup, _, seating = key.partition(".")
        _check_value(f"{task.name}.fields.{name}.lost.{key}", why, _is_text(why), "a text")
        lost[int(setup), int(seating)] = why
    if not all(0 <= setup < setups and 0 <= seating < task.seatings for setup, seating in lost):
        raise RowError(f"the row says of a game of {task.name} against {name} that was not played that it is lost")
    return FieldGames(scores, lost)
