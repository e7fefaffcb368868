"""Units of work: a field on a few set-ups, played in any process with the same outcome."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from endeavor_env import GameConfig
from endeavor_env.agents.base import AgentOf
from endeavor_env.agents.forfeits import Forfeit
from endeavor_env.agents.matches.match import by_agent, match_of
from endeavor_env.agents.matches.recording import RoundScores, make_folder, record_setup
from endeavor_env.agents.matches.series import Series
from endeavor_env.agents.matches.solo import MIN_GAMES, SoloMatch
from endeavor_env.agents.registry import agents_for
from endeavor_env.agents.tournament.files import field_folder
from endeavor_env.agents.tournament.matchups import Matchup
from endeavor_env.agents.tournament.settings import TournamentSettings
from endeavor_env.engine.game import Game
from endeavor_env.engine.kernels.rules import CHANCE

SETUPS = 5
"""Set-ups of a unit; the last of a field may have fewer."""


@dataclass(frozen=True)
class WorkItem:
    """Some set-ups of one matchup."""

    table: int
    """Index of the table size."""
    field: int
    """Index of the matchup among those of the table size."""
    first: int
    """Number of the first set-up."""
    count: int
    """Number of set-ups."""

    @property
    def key(self) -> str:
        """The text that names the unit in files."""
        return f"{self.table}/{self.field}/{self.first}"


@dataclass(frozen=True)
class WorkItemResult:
    """The results of the games of a work item."""

    unit: WorkItem
    """The unit."""
    scores: list[list[list[int]]]
    """(set-ups, seatings, positions): scores; in the solitaire game that of the agent and of the Opposition."""
    rounds: list[list[list[list[int]]]]
    """(set-ups, seatings, rounds, positions): scores at the end of each round, as if the game ended then."""
    decisions: int
    """Decisions of all its games."""
    seconds: float
    """Time spent playing, in one process."""
    forfeits: tuple[Forfeit, ...] = ()
    """Games that agents lost by faults; an agent is its position in the matchup."""


class Stopped(Exception):
    """The games were given up before their end."""


def all_work_items(settings: TournamentSettings) -> Iterator[WorkItem]:
    """Yield the units of a tournament; all fields come to the same set-ups before any goes on to the next."""
    longest = max(table.setups for table in settings.tables)
    for first in range(0, longest, SETUPS):
        for number, table in enumerate(settings.tables):
            for field in range(len(table.fields)):
                if first < table.setups:
                    yield WorkItem(number, field, first, min(SETUPS, table.setups - first))


class WorkItemPlayer:
    """A player of work items, which keeps the agents that it has made."""

    def __init__(self, settings: TournamentSettings, stopped: Callable[[], bool] = lambda: False) -> None:
        """Begin without agents.

        Args:
            settings: Those of the tournament.
            stopped: Asked after each move; a unit is given up if it returns True.
        """
        self._settings = settings
        self._stopped = stopped
        self._made: dict[int, list[AgentOf[Any]]] = {}

    def play(self, unit: WorkItem) -> WorkItemResult:
        """Play a unit; raise Stopped if it is given up."""
        field = self._settings.tables[unit.table].fields[unit.field]
        series = self._series(field)
        noted = RoundScores()

        def after_move(game: Game) -> None:
            noted(game)
            if self._stopped():
                raise Stopped

        scores: list[list[list[int]]] = []
        decisions, start = 0, time.perf_counter()
        for setup in range(unit.first, unit.first + unit.count):
            games = series.play_setup(setup, after_move)
            scores.append([series.counted(game.scores(), setup, number) for number, game in enumerate(games)])
            decisions += sum(seat != CHANCE for game in games for seat, _ in game.history)
            self._record(unit, setup, games)
        seconds = time.perf_counter() - start
        by_game = iter(noted.games)
        rounds = [
            [[self._by_position(one, seating) for one in next(by_game)] for seating in range(field.players)]
            for _ in scores
        ]
        for at_end, by_round in zip(scores, rounds, strict=True):
            for counted, one in zip(at_end, by_round, strict=True):
                one[-1] = counted  # other than the rounds say where a game was forfeited
        return WorkItemResult(unit, scores, rounds, decisions, seconds, tuple(series.forfeits))

    def _by_position(self, by_seat: list[int], seating: int) -> list[int]:
        """Return scores in the order of the field's agents; in the solitaire game as they are."""
        return by_seat if self._settings.solo else by_agent(by_seat, seating)

    def _series(self, field: Matchup) -> Series[Any, Any, Any]:
        """Return the match whose set-ups are those of the field, which the arena plays with the same agents."""
        chosen, agents = self._settings, self._agents(field)
        if field.difficulty is not None:
            alone = cast(GameConfig, chosen.config)
            match: Series[Any, Any, Any] = SoloMatch(
                agents,
                MIN_GAMES,
                chosen.seed,
                difficulties=[field.difficulty],
                board=alone.board,
                options=alone.options,
            )
        else:
            config = chosen.config.with_players(field.players)
            match = match_of(agents, field.players, chosen.seed, config=config)
        match.texts = [chosen.agents[agent] for agent in field.agents]
        return match

    def _agents(self, field: Matchup) -> list[AgentOf[Any]]:
        """Return an agent object for each position of the field."""
        for agent, seats in field.counts.items():
            made = self._made.setdefault(agent, [])
            while len(made) < seats:
                made += agents_for(self._settings.config, [self._settings.agents[agent]])
        copies = {agent: iter(self._made[agent]) for agent in field.counts}
        return [next(copies[agent]) for agent in field.agents]

    def _record(self, unit: WorkItem, setup: int, games: list[Any]) -> None:
        """Write the records of a set-up's games if they are asked for."""
        if self._settings.records is not None:
            folder = self._settings.records / field_folder(self._settings, unit.table, unit.field)
            make_folder(folder)
            record_setup(folder, setup, games)
