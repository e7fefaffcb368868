"""The games of a run: the submission alone among copies of a player, in every seating, and the file that keeps them."""

from __future__ import annotations

import base64
import binascii
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import endeavor_env
from endeavor_env.agents.base import Agent, AgentOf
from endeavor_env.agents.forfeits import Faulting, fault_of
from endeavor_env.agents.players.compiled import RandomAgent
from endeavor_env.agents.registry import make_agent
from endeavor_env.agents.runner import (
    AgentPool,
    Hooks,
    Seating,
    Stopped,
    Unit,
    UnitStore,
    append_line,
    check_same,
    complete_lines,
    locked,
    read_units,
    whole_lines,
)
from endeavor_env.basics.files import check_writable, parse_json
from endeavor_env.basics.inputs import SEED_END, derived_seed, real_number, whole_number
from endeavor_env.bench.submissions import LANGUAGE, PLAY_TRACKS, About, about_of, make_submitted, submission_hash
from endeavor_env.bench.version import Task, TrackLimits, Version, config_of, seed_of
from endeavor_env.engine.game import Game, game_for
from endeavor_env.errors import EndeavorError, IllegalActionError

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


# --- The games of a task ----------------------------------------------------------------------------------------------

ILLEGAL, SLOW, LONG = "illegal", "slow", "long"
"""Reasons why a game is lost whatever its scores are: a move that is not legal, a decision over its time, too many
decisions. Agents that are programs of their own have further reasons, the ``kind`` of their ``fault``."""


@dataclass(frozen=True)
class RunOptions:
    """The options that determine the games of a run, besides the tasks."""

    agent: str
    """Name of the submission."""
    play: str
    """The track in which it plays: one of PLAY_TRACKS."""
    seed: int
    """Seeds the submission before each game; the other players have seeds of their own, which never change."""
    hidden: Mapping[tuple[str, str], str]
    """The names of the hidden players, by variant and field, for those who have them."""


@dataclass(frozen=True)
class OneGame:
    """The result of one game."""

    scores: list[int]
    """Glory of the positions at the table, the submission's first; in the solitaire game its own and the Opposition's.
    """
    moves: list[int]
    """Action ids from the first decision to the last."""
    lost: str
    """Why the submission has lost it whatever the scores are; "" if the scores count."""
    decisions: int
    """Decisions of the submission."""
    seconds: float
    """Time that the submission took for them, as ``clock_of`` says."""
    slowest: float
    """The longest of them."""


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
    def of(cls, unit: Unit, games: Sequence[OneGame], repeats: bool | None) -> UnitResult:
        """Return the results of games that were just played, one for each seating."""
        return cls(
            unit=unit,
            scores=np.array([game.scores for game in games], np.int64),
            lost={seating: game.lost for seating, game in enumerate(games) if game.lost},
            moves=tuple(moves_text(game.moves) for game in games),
            repeats=repeats,
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


class Referee(Hooks):
    """The rules of a track in one game: the submission decides until it has lost, and a random player after that.

    Attributes:
        lost: Why the submission has lost the game; "" if it has not.
        decisions: Decisions of the submission.
        seconds: Time that it took for them.
        slowest: The longest of them.
    """

    def __init__(
        self,
        agent: Agent,
        seed: int,
        pace: TrackLimits,
        most_decisions: int,
        clock: Callable[[], float],
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Take the submission, its seed, what may take how long, the clock that says so, and whether to give up."""
        self._agent, self._pace, self._most, self._clock, self._stopped = agent, pace, most_decisions, clock, stopped
        self._random = RandomAgent()
        self._random.reset(seed)
        self.lost, self.decisions, self.seconds, self.slowest = "", 0, 0.0, 0.0

    def before(self, game: Game) -> None:
        """Give the game up if it is to be."""
        if self._stopped():
            raise Stopped

    def decide(self, game: Any, agent: AgentOf[Any]) -> int:
        """Return the action of an agent; a random one for the submission as soon as the game is lost."""
        if agent is not self._agent:
            return agent.act(game_for(agent, game))
        if self.lost:
            return self._random.act(game)
        seen = game.seen_by(game.seat)  # whatever its class says of itself
        start = self._clock()
        action = agent.act(seen)
        spent = self._clock() - start
        self.decisions += 1
        self.seconds += spent
        self.slowest = max(self.slowest, spent)
        self.lost = self._fault(game, action, spent)
        return self._random.act(game) if self.lost else action

    def _fault(self, game: Game, action: int, spent: float) -> str:
        """Return why the decision just made loses the game, "" if it does not."""
        fault = fault_of(self._agent)  # of agents that are programs of their own
        if fault is not None:
            return fault.kind
        if not _is_legal(game, action):
            return ILLEGAL
        if spent > self._pace.slowest:
            return SLOW
        return LONG if self.decisions > self._most else ""


def clock_of(agent: Agent, play: str) -> Callable[[], float]:
    """Return by what the decisions of an agent are timed.

    What decides in this process is timed by the CPU time that it takes, so that a busy machine loses no game. Programs
    of their own and language models, which are elsewhere, are timed by the clock on the wall.
    """
    elsewhere = play == LANGUAGE or isinstance(agent, Faulting)
    return time.perf_counter if elsewhere else time.process_time


def _is_legal(game: Game, action: Any) -> bool:
    """Return whether an action can be played now."""
    try:
        game.clone().apply(action)
    except IllegalActionError:
        return False
    return True


class UnitPlayer:
    """A player of units, which keeps the agents that it has made."""

    def __init__(self, tasks: Sequence[Task], run: RunOptions, stopped: Callable[[], bool] = lambda: False) -> None:
        """Begin without agents.

        Args:
            tasks: The tasks that are played.
            run: What is played.
            stopped: Asked before each decision; the games are given up if it returns True.
        """
        self._tasks = {task.name: task for task in tasks}
        self._run, self._stopped = run, stopped
        self._submitted: Agent | None = None
        self._pool = AgentPool(make_agent)

    def play(self, unit: Unit) -> UnitResult:
        """Play a unit and return its results; raise Stopped if it is given up.

        The first game of a task is played twice, but for language models, of which each game has a price.
        """
        task = self._tasks[unit.table]
        games = [self.play_game(task, unit.field, unit.first, seating) for seating in range(task.seatings)]
        repeats = None
        if (unit.field, unit.first) == (task.fields[0].name, 0) and self._run.play != LANGUAGE:
            repeats = self.play_game(task, unit.field, 0, 0).moves == games[0].moves
        return UnitResult.of(unit, games, repeats)

    def play_game(self, task: Task, field: str, setup: int, seating: int) -> OneGame:
        """Play one game; raise Stopped if it is given up."""
        if self._submitted is None:
            self._submitted = make_submitted(self._run.agent)
        pace, clock = task.pace(self._run.play), clock_of(self._submitted, self._run.play)
        key, order = _key(task, field, setup, seating), tuple(range(task.seatings))
        seeds = tuple(derived_seed(0 if position else self._run.seed, *key, position) for position in order)
        referee = Referee(self._submitted, seeds[0], pace, task.most_decisions, clock, self._stopped)
        planned = Seating(config_of(task, setup), seed_of(task, setup), order, seeds, seating)
        game = planned.config.new_game(planned.setup)
        scores = planned.play([self._submitted, *self._others(task, field)], game, referee)
        return OneGame(
            scores=scores,
            moves=[action for _, action in game.history],
            lost=referee.lost,
            decisions=referee.decisions,
            seconds=referee.seconds,
            slowest=referee.slowest,
        )

    def others(self, task: Task, field: str, setup: int, seating: int) -> list[AgentOf[Any]]:
        """Return who sits at the table besides the submission, from position 1 on, reset for the game."""
        agents = self._others(task, field)
        for position, agent in enumerate(agents, 1):
            agent.reset(derived_seed(0, *_key(task, field, setup, seating), position))
        return agents

    def _others(self, task: Task, field: str) -> list[AgentOf[Any]]:
        """Return the players of the other seats."""
        if task.seatings == 1:
            return []
        player = task.field(field).player or self._run.hidden[task.config.variant, field]
        return self._pool.seat([player] * (task.seatings - 1))


def _key(task: Task, field: str, setup: int, seating: int) -> tuple[int, ...]:
    """Return the numbers from which the seeds of a game follow."""
    return task.number, [one.name for one in task.fields].index(field), setup, seating


# --- The file of a run -----------------------------------------------------------------------------------------------
# A line that says what is played, and one for each unit played, so that a run can go on in it.

FORMAT = "endeavor-bench-run/1"
MOST_DECISIONS = 1 << 53
VARIANTS = ("standard", "exploits", "solo")
"""The variants of the tasks."""


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


class RunFile(UnitStore[UnitResult]):
    """The units of a run that are done.

    Attributes:
        head: What is played.
    """

    def __init__(self, path: Path | None, head: RunHeader, units: Mapping[str, UnitResult]) -> None:
        """Take what the file has; None keeps nothing on disk."""
        super().__init__(path, units)
        self.head = head


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
    check_writable(path)
    if _has_begun(path):  # before anything is written beside a file that is none of ours
        stored = _read_head(complete_lines(path), path).to_dict()
        check_same(stored, head.to_dict(), f"{path} holds a run", "give another file")
    with locked(path.with_name(f".{path.name}.lock"), f"another process plays into {path}"):
        if not _has_begun(path):
            append_line(path, json.dumps(head.to_dict()))
        whole_lines(path)  # cuts off what was not written completely
        yield RunFile(path, head, read_run(path, tasks)[1])


def _has_begun(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def read_run(path: Path, tasks: Mapping[str, Task]) -> tuple[RunHeader, dict[str, UnitResult]]:
    """Return the head of a run and its units by their keys; what is not written completely is left out.

    Raises:
        EndeavorError: The file cannot be read, is no run of the benchmark, or was edited.
    """
    lines = complete_lines(path)
    head = _read_head(lines, path)
    return head, read_units(lines[1:], lambda line: _read_line(line, tasks), path, "run", 2)


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
