"""The games of a task: one set-up of one field in every seating, with the submission alone among copies of a player."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from endeavor_env import Game
from endeavor_env.agents.base import Agent
from endeavor_env.agents.forfeits import Faulting, fault_of
from endeavor_env.agents.matches.match import by_agent
from endeavor_env.agents.players.compiled import RandomAgent
from endeavor_env.agents.registry import make_agent
from endeavor_env.agents.tournament.work_items import Stopped
from endeavor_env.basics.inputs import derived_seed
from endeavor_env.bench.setups import config_of, seed_of
from endeavor_env.bench.submissions import LANGUAGE, make_submitted
from endeavor_env.bench.version import Task, TrackLimits
from endeavor_env.engine.game import game_for, only_reads
from endeavor_env.errors import IllegalActionError

ILLEGAL, SLOW, LONG = "illegal", "slow", "long"
"""Reasons why a game is lost whatever its scores are: a move that is not legal, a decision over its time, too many
decisions. Agents that are programs of their own have further reasons, the ``kind`` of their ``fault``."""


@dataclass(frozen=True)
class Unit:
    """A unit of work: a set-up of a task against an opponent, in every seating."""

    task: str
    field: str
    setup: int

    @property
    def key(self) -> str:
        """The text that names the unit in files."""
        return f"{self.task}/{self.field}/{self.setup}"


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
class UnitGames:
    """The games of a unit, one for each seating."""

    unit: Unit
    games: list[OneGame]
    repeats: bool | None
    """True if the submission made the same moves when the first game was played again; None if it was not."""


@only_reads  # and hands its agent a copy
class Submitted:
    """The submission in one game: its agent decides until the game is lost, and a random player after that."""

    def __init__(self, agent: Agent, pace: TrackLimits, most_decisions: int, clock: Callable[[], float]) -> None:
        """Take the agent, what may take how long, and the clock that says how long it took."""
        self.agent, self._pace, self._most, self._clock = agent, pace, most_decisions, clock
        self._random = RandomAgent()
        self.name = agent.name
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Prepare for a new game."""
        self.agent.reset(seed)
        self._random.reset(seed)
        self.lost, self.decisions, self.seconds, self.slowest = "", 0, 0.0, 0.0

    def act(self, game: Game) -> int:
        """Return the agent's action; a random one as soon as the game is lost."""
        if self.lost:
            return self._random.act(game)
        seen = game.seen_by(game.seat)  # whatever its class says of itself
        start = self._clock()
        action = self.agent.act(seen)
        spent = self._clock() - start
        self.decisions += 1
        self.seconds += spent
        self.slowest = max(self.slowest, spent)
        self.lost = self._fault(game, action, spent)
        return self._random.act(game) if self.lost else action

    def _fault(self, game: Game, action: int, spent: float) -> str:
        """Return why the decision just made loses the game, "" if it does not."""
        fault = fault_of(self.agent)  # of agents that are programs of their own
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
        self._made: dict[str, list[Agent]] = {}

    def play(self, unit: Unit) -> UnitGames:
        """Play a unit and return its games; raise Stopped if it is given up.

        The first game of a task is played twice, but for language models, of which each game has a price.
        """
        task = self._tasks[unit.task]
        games = [self.play_game(task, unit.field, unit.setup, seating) for seating in range(task.seatings)]
        repeats = None
        if (unit.field, unit.setup) == (task.fields[0].name, 0) and self._run.play != LANGUAGE:
            repeats = self.play_game(task, unit.field, 0, 0).moves == games[0].moves
        return UnitGames(unit, games, repeats)

    def play_game(self, task: Task, field: str, setup: int, seating: int) -> OneGame:
        """Play one game; raise Stopped if it is given up."""
        learner, others = self._seated(task, field, setup, seating)
        agents = [learner, *others]
        game = config_of(task, setup).new_game(seed_of(task, setup))
        while (seat := game.seat) >= 0:
            if self._stopped():
                raise Stopped
            agent = agents[(seat - seating) % len(agents)]
            game.apply(agent.act(game_for(agent, game)))
        return OneGame(
            scores=by_position(task, game.scores(), seating),
            moves=[action for _, action in game.history],
            lost=learner.lost,
            decisions=learner.decisions,
            seconds=learner.seconds,
            slowest=learner.slowest,
        )

    def _seated(self, task: Task, field: str, setup: int, seating: int) -> tuple[Submitted, list[Agent]]:
        """Return the submission and who else sits at the table, reset for the game."""
        if self._submitted is None:
            self._submitted = make_submitted(self._run.agent)
        clock = clock_of(self._submitted, self._run.play)
        learner = Submitted(self._submitted, task.pace(self._run.play), task.most_decisions, clock)
        learner.reset(derived_seed(self._run.seed, *_key(task, field, setup, seating), 0))
        return learner, self.others(task, field, setup, seating)

    def others(self, task: Task, field: str, setup: int, seating: int) -> list[Agent]:
        """Return who sits at the table besides the submission, from position 1 on, reset for the game."""
        agents = self._copies(task, field, task.seatings - 1)
        for position, agent in enumerate(agents, 1):
            agent.reset(derived_seed(0, *_key(task, field, setup, seating), position))
        return agents

    def _copies(self, task: Task, field: str, count: int) -> list[Agent]:
        """Return the players of the other seats."""
        if count == 0:
            return []
        player = task.field(field).player or self._run.hidden[task.config.variant, field]
        made = self._made.setdefault(player, [])
        while len(made) < count:
            made.append(make_agent(player))
        return made[:count]


def _key(task: Task, field: str, setup: int, seating: int) -> tuple[int, ...]:
    """Return the numbers from which the seeds of a game follow."""
    return task.number, [one.name for one in task.fields].index(field), setup, seating


def by_position(task: Task, scores: list[int], seating: int) -> list[int]:
    """Return the scores of a game in the order of positions; those of the solitaire game as they are."""
    return scores if task.solo else by_agent(scores, seating)
