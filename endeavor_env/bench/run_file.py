"""The file of a run: what is played, and a line for each unit, with scores and moves as short texts."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import endeavor_env
from endeavor_env.agents.lines_file import MOST_BYTES, append_line, whole_lines
from endeavor_env.basics.file_lock import file_lock
from endeavor_env.basics.files import check_writable, parse_json, read_regular
from endeavor_env.basics.inputs import SEED_END, real_number, whole_number
from endeavor_env.bench.games import RunOptions, Unit, UnitGames
from endeavor_env.bench.submissions import PLAY_TRACKS, About, about_of, submission_hash
from endeavor_env.bench.version import Task, Version
from endeavor_env.errors import EndeavorError, InvalidOptionError

# --- Scores and moves of many games as short texts: base64 of their bytes --------------------------------------------

LEAST, MOST = -50, 205
"""The Glory that a byte can hold."""
_MOVE = np.dtype("<u2")


def scores_text(scores: npt.NDArray[np.int64]) -> str:
    """Return scores as one byte each, Glory + 50; raise EndeavorError for one that no byte can hold."""
    if scores.size and not LEAST <= int(scores.min()) <= int(scores.max()) <= MOST:
        raise EndeavorError(f"a score lies outside of {LEAST} to {MOST}: no byte can hold it")
    return base64.b64encode((scores - LEAST).astype(np.uint8).tobytes()).decode()


def read_scores(text: object, shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """Return the scores of a text in this shape; raise EndeavorError if it holds others."""
    content = _decoded(text)
    if len(content) != int(np.prod(shape)):
        raise EndeavorError(f"its scores are {len(content)}, not {' x '.join(map(str, shape))}")
    return np.frombuffer(content, np.uint8).astype(np.int64).reshape(shape) + LEAST


def moves_text(moves: Sequence[int]) -> str:
    """Return action ids as two bytes each, the lower first."""
    return base64.b64encode(np.array(moves, _MOVE).tobytes()).decode()


def read_moves(text: object) -> list[int]:
    """Return the action ids of a text; raise EndeavorError if it is none."""
    content = _decoded(text)
    if len(content) % _MOVE.itemsize:
        raise EndeavorError("its moves are cut off")
    return np.frombuffer(content, _MOVE).tolist()


def _decoded(text: object) -> bytes:
    try:
        return base64.b64decode(text if isinstance(text, str) else "?", validate=True)
    except binascii.Error as error:
        raise EndeavorError("its scores or moves are no base64") from error


# --- The file of a run -----------------------------------------------------------------------------------------------
# A line that says what is played, and one for each unit played, so that a run can go on in it.

FORMAT = "endeavor-bench-run/1"
MOST_DECISIONS = 1 << 53
VARIANTS = ("standard", "exploits", "solo")
"""The variants of the tasks."""


@dataclass(frozen=True)
class UnitResult:
    """The results of a unit; arrays and texts go by seating."""

    unit: Unit
    scores: npt.NDArray[np.int64]
    """(seatings, positions)."""
    lost: Mapping[int, str]
    """Reasons why games are lost whatever their scores, by seating."""
    moves: tuple[str, ...]
    """The moves of each game, as text."""
    repeats: bool | None
    """True if the submission makes the same moves again; None if this unit does not test it."""
    decisions: int
    seconds: float
    slowest: float

    @classmethod
    def of(cls, played: UnitGames) -> UnitResult:
        """Return a unit that was just played."""
        games = played.games
        return cls(
            unit=played.unit,
            scores=np.array([game.scores for game in games], np.int64),
            lost={seating: game.lost for seating, game in enumerate(games) if game.lost},
            moves=tuple(moves_text(game.moves) for game in games),
            repeats=played.repeats,
            decisions=sum(game.decisions for game in games),
            seconds=sum(game.seconds for game in games),
            slowest=max(game.slowest for game in games),
        )

    def to_line(self) -> str:
        """Return the line of the unit."""
        line = {
            "unit": self.unit.key,
            "scores": scores_text(self.scores),
            "lost": {str(seating): why for seating, why in self.lost.items()},
            "moves": list(self.moves),
            "repeats": self.repeats,
            "decisions": self.decisions,
            "seconds": self.seconds,
            "slowest": self.slowest,
        }
        return json.dumps(line, separators=(",", ":"))


@dataclass(frozen=True)
class RunHeader:
    """The first line of a run's file: settings, submission and versions."""

    settings: RunOptions
    about: About
    hashes: Mapping[str, str | None]
    """Hash of the submission's files, by variant."""
    benchmark: str
    """Hash of the version of the benchmark."""
    package_version: str

    @classmethod
    def of(cls, settings: RunOptions, about: About, version: Version) -> RunHeader:
        """Return the head of a run that begins now."""
        hashes = {variant: submission_hash(settings.agent, variant) for variant in VARIANTS}
        return cls(settings, about, hashes, version.hash, endeavor_env.__version__)

    def to_dict(self) -> dict[str, Any]:
        """Return the first line of the file as plain JSON values."""
        return {
            "format": FORMAT,
            "benchmark": self.benchmark,
            "package_version": self.package_version,
            "agent": self.settings.agent,
            "hashes": dict(self.hashes),
            "play": self.settings.play,
            "seed": self.settings.seed,
            "about": self.about.to_dict(),
        }

    @classmethod
    def read(cls, line: Mapping[str, Any], source: str) -> RunHeader:
        """Return the head that a first line says; raise EndeavorError if it is none."""
        try:
            settings = RunOptions(line["agent"], line["play"], line["seed"], {})
            about = about_of(line["about"], source)
            head = cls(settings, about, dict(line["hashes"]), line["benchmark"], line["package_version"])
            known = settings.play in PLAY_TRACKS and type(settings.seed) is int and 0 <= settings.seed < SEED_END
            if known and isinstance(settings.agent, str) and head.to_dict() == dict(line):
                return head
        except (KeyError, TypeError, ValueError):
            pass
        raise EndeavorError(f"{source} is no run of the benchmark: its first line is not what `bench run` writes")


class RunFile:
    """The units of a run that are done.

    Attributes:
        head: What is played.
        units: Each unit done, by its key.
    """

    def __init__(self, path: Path | None, head: RunHeader, units: Mapping[str, UnitResult]) -> None:
        """Take what the file has; None keeps nothing on disk."""
        self._path, self.head, self.units = path, head, dict(units)

    def add(self, played: UnitResult) -> None:
        """Keep a unit; it is on the disk when this returns."""
        if self._path is not None:
            append_line(self._path, played.to_line())
        self.units[played.unit.key] = played


@contextmanager
def open_run(path: Path | None, head: RunHeader, tasks: Mapping[str, Task]) -> Iterator[RunFile]:
    """Hold the file of a run, which is created, or continued if it is one of the same submission.

    Raises:
        InvalidOptionError: The file is of another run, in use by another process, or cannot be written.
        EndeavorError: It was edited.
    """
    if path is None:
        yield RunFile(None, head, {})
        return

    def refuse(_: float) -> None:
        raise InvalidOptionError(f"another process plays into {path}: wait for it, or stop it")

    check_writable(path)
    if _has_begun(path):  # before anything is written beside a file that is none of ours
        _check_same(_read_head(_lines(path), path), head, path)
    with file_lock(path.with_name(f".{path.name}.lock"), refuse):
        if not _has_begun(path):
            append_line(path, json.dumps(head.to_dict()))
        whole_lines(path)  # cuts off what was not written completely
        yield RunFile(path, head, read_run(path, tasks)[1])


def _has_begun(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _check_same(stored: RunHeader, head: RunHeader, path: Path) -> None:
    """Raise InvalidOptionError unless the file holds a run of the same submission."""
    have, wanted = stored.to_dict(), head.to_dict()
    other = [key for key in wanted if have[key] != wanted[key]]
    if other:
        raise InvalidOptionError(
            f"{path} holds a run with {other[0]} {json.dumps(have[other[0]])}, not {json.dumps(wanted[other[0]])}: "
            "give another file"
        )


def read_run(path: Path, tasks: Mapping[str, Task]) -> tuple[RunHeader, dict[str, UnitResult]]:
    """Return the head of a run and its units by their keys; what is not written completely is left out.

    Raises:
        EndeavorError: The file cannot be read, is no run of the benchmark, or was edited.
    """
    lines = _lines(path)
    head = _read_head(lines, path)
    units: dict[str, UnitResult] = {}
    for number, line in enumerate(lines[1:], 2):
        played = _read_line(line, tasks)
        if played is None or played.unit.key in units:
            raise EndeavorError(f"line {number} of {path} was edited: it is no unit of this run")
        units[played.unit.key] = played
    return head, units


def _lines(path: Path) -> list[bytes]:
    """Return the complete lines of a file, which another process may be writing to."""
    try:
        content = read_regular(path, MOST_BYTES)
    except ValueError as error:
        raise EndeavorError(f"{path} {error}") from error
    return content[: content.rfind(b"\n") + 1].splitlines()


def _read_head(lines: list[bytes], path: Path) -> RunHeader:
    """Return the head that the first line says; raise EndeavorError if it is none."""
    try:
        first = parse_json(lines[0]) if lines else {}
    except ValueError:
        first = {}
    return RunHeader.read(first if isinstance(first, dict) else {}, str(path))


def _read_line(line: bytes, tasks: Mapping[str, Task]) -> UnitResult | None:
    """Return the unit of a line; None if it is none."""
    try:
        data: dict[str, Any] = parse_json(line)
        name, field, setup = data["unit"].split("/")
        task, number = tasks[name], int(setup)
        task.field(field)
        shape = task.seatings, task.positions
        scores = read_scores(data["scores"], shape)
        lost = {int(seating): str(why) for seating, why in data["lost"].items()}
        moves, repeats = tuple(data["moves"]), data["repeats"]
        decisions, seconds, slowest = (
            whole_number(data["decisions"]),
            real_number(data["seconds"]),
            real_number(data["slowest"]),
        )
        if len(moves) != task.seatings or not all(read_moves(text) for text in moves):
            return None
        if repeats not in (None, True, False):
            return None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    if (
        decisions is None
        or not 0 <= decisions <= MOST_DECISIONS
        or seconds is None
        or slowest is None
        or not 0 <= number < task.test.count
    ):
        return None
    if not all(0 <= seating < task.seatings and why for seating, why in lost.items()):
        return None
    return UnitResult(Unit(name, field, number), scores, lost, moves, repeats, decisions, seconds, slowest)
