"""The result of a tournament: figures of each agent and matchup at each table size, and the ratings from all games."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env import Board
from endeavor_env.agents.forfeits import Forfeit
from endeavor_env.agents.matches import MIN_GAMES
from endeavor_env.agents.runner import count_jobs
from endeavor_env.agents.statistics import (
    DEFAULT_RESAMPLES,
    Rating,
    check_choix,
    mean_interval,
    ranks,
    rate,
    wilson_interval,
    win_shares,
)
from endeavor_env.agents.tournament.playing import (
    DEFAULT_GAMES,
    DEFAULT_MIXED,
    Matchup,
    TableSize,
    TournamentSettings,
    WorkItemPlayer,
    WorkItemResult,
    all_work_items,
    open_store,
    read_settings,
    write_fields,
)
from endeavor_env.basics.inputs import positive_number
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.engine.game import GameConfig
from endeavor_env.errors import EndeavorError, InvalidOptionError, shown

# --- Figures of an agent in a matchup, of an agent in all its matchups, and of pairs of agents ------------------------


@dataclass(frozen=True)
class Share:
    """The win rate of an agent in a matchup."""

    agent: int
    """Number of the agent."""
    field: int
    """Index of the field among those of the table size."""
    label: str
    """The field in words."""
    share: float
    """Wins per game of all its seats together, 0..1; k seats that share first place get 1/k each."""
    games: int
    """Number of games."""
    parity: float | None
    """Win rate among equal agents: seats of the agent / players; None in the solitaire game."""

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of ``share``, with the games treated as independent."""
        return wilson_interval(self.share, self.games)

    @property
    def odds(self) -> float:
        """The odds of a win, divided by those at parity: comparable between fields where it has one seat, or several.

        1 is parity; infinite for an agent that always wins. In the solitaire game they are divided by nothing.
        """
        parity = 0.5 if self.parity is None else self.parity
        return math.inf if self.share == 1 else self.share / (1 - self.share) * (1 - parity) / parity

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "agent": self.agent,
            "field": self.field,
            "label": self.label,
            "share": self.share,
            "interval": list(self.interval),
            "games": self.games,
            "parity": self.parity,
        }


@dataclass(frozen=True, eq=False)
class PayoffMatrix:
    """The payoff matrix: how each agent, a row, does against each other, a column. The diagonal is NaN."""

    share: npt.NDArray[np.float64]
    """(agents, agents): win rate of one X among Ys; in the solitaire game the share of the games that X ends with the
    greater lead, equal leads counting half."""
    low: npt.NDArray[np.float64]
    """(agents, agents): lower ends of Wilson's 95 % intervals."""
    high: npt.NDArray[np.float64]
    """(agents, agents): upper ends."""
    parity: float
    """Win rate among equal agents."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values; the diagonal is null."""
        arrays = {"share": self.share, "low": self.low, "high": self.high}
        return {"parity": self.parity, **{name: _without_nan(array) for name, array in arrays.items()}}


def make_matrix(agents: int, cells: dict[tuple[int, int], tuple[float, int]], parity: float) -> PayoffMatrix:
    """Return a matrix, given the share and the number of games of each (row, column)."""
    arrays = np.full((3, agents, agents), np.nan)
    for (row, column), (share, games) in cells.items():
        arrays[:, row, column] = (share, *wilson_interval(share, games))
    return PayoffMatrix(*arrays, parity=parity)


@dataclass(frozen=True)
class Standing:
    """The results of an agent at a table size, over all its seats in all matchups."""

    agent: int
    """Number of the agent."""
    mean_score: float
    """Mean Glory."""
    mean_winning_score: float | None
    """Mean Glory of the games it wins, shared wins included; None if it never wins."""
    mean_rank: float
    """1 is the best; ties get the mean of their ranks. In the solitaire game the rank of its lead among those of all
    agents in the same game."""
    rounds: tuple[float, ...]
    """Mean Glory at the end of each round, as if the game ended then."""
    worst: Share
    """The field with the lowest ``odds`` among those of one of it among others, and mixed tables."""
    best_response: Share | None
    """The best response to this agent: the agent with the highest win rate as the only one among seats of it; None in
    the solitaire game."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "agent": self.agent,
            "mean_score": self.mean_score,
            "mean_winning_score": self.mean_winning_score,
            "mean_rank": self.mean_rank,
            "rounds": list(self.rounds),
            "worst": self.worst.to_dict(),
            "intruder": None if self.best_response is None else self.best_response.to_dict(),
        }


def _without_nan(array: npt.NDArray[np.float64]) -> list[list[float | None]]:
    """Return a table of numbers with None for NaN, which JSON does not have."""
    return [[None if np.isnan(value) else float(value) for value in row] for row in array]


# --- The games of all matchups at one table size ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SeatResult:
    """The games of all fields at one table size."""

    names: tuple[str, ...]
    """Names of all agents."""
    players: int
    """Number of seats."""
    fields: tuple[Matchup, ...]
    """The fields."""
    scores: npt.NDArray[np.int64]
    """(fields, set-ups, seatings, positions): scores. In seating r position i has seat (i + r) modulo ``players``."""
    rounds: npt.NDArray[np.int64]
    """(fields, set-ups, seatings, rounds, positions): scores at the end of each round, as if the game ended then."""

    @property
    def games(self) -> int:
        """Number of games."""
        return int(np.prod(self.scores.shape[:3]))

    @cached_property
    def win_shares(self) -> npt.NDArray[np.float64]:
        """(fields, set-ups, seatings, agents): share of the win, 1/k for each of k who share the first place."""
        return win_shares(self.scores)

    @cached_property
    def _places(self) -> npt.NDArray[np.float64]:
        """(fields, set-ups, seatings, agents): ranks."""
        return ranks(self.scores)

    def _parity(self, seats: int) -> float | None:
        """Return the win rate of an agent with so many seats among equal ones."""
        return seats / self.players

    @cached_property
    def shares(self) -> tuple[Share, ...]:
        """Win rates of the agents of each matchup, by matchup and in the order of its agents."""
        games = self.scores.shape[1] * self.scores.shape[2]
        means = self.win_shares.mean(axis=(1, 2))
        return tuple(
            Share(
                agent=agent,
                field=number,
                label=field.label(self.names),
                share=min(1.0, float(means[number, np.array(field.agents) == agent].sum())),
                games=games,
                parity=self._parity(seats),
            )
            for number, field in enumerate(self.fields)
            for agent, seats in field.counts.items()
        )

    @cached_property
    def matrix(self) -> PayoffMatrix:
        """The payoff matrix of one X among Ys."""
        found = {(share.field, share.agent): (share.share, share.games) for share in self.shares}
        cells = {pair: found[number, pair[0]] for number, field in enumerate(self.fields) for pair in field.pairs}
        return make_matrix(len(self.names), cells, 1 / self.players)

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Standing of each agent, in their order."""
        owners = np.array([field.agents for field in self.fields])
        own_scores, own_rounds = self.scores[..., : self.players], self.rounds[..., : self.players]
        standings = []
        for agent in range(len(self.names)):
            at = owners == agent
            scores, won, places = (
                np.moveaxis(table, 3, 1)[at] for table in (own_scores, self.win_shares, self._places)
            )
            standings.append(
                Standing(
                    agent=agent,
                    mean_score=float(scores.mean()),
                    mean_winning_score=float(scores[won > 0].mean()) if won.any() else None,
                    mean_rank=float(places.mean()),
                    rounds=tuple(np.moveaxis(own_rounds, 4, 1)[at].mean(axis=(0, 1, 2)).tolist()),
                    worst=min(self._challenges(agent), key=lambda share: share.odds),
                    best_response=max(self._responses(agent), key=lambda share: share.share, default=None),
                )
            )
        return tuple(standings)

    def _challenges(self, agent: int) -> list[Share]:
        """Return the shares of an agent in its fields, but not where a single other one is among seats of it."""
        alone = {number for number, field in enumerate(self.fields) for one, _ in field.pairs if one == agent}
        mixed = {number for number, field in enumerate(self.fields) if not field.pairs}
        return [share for share in self.shares if share.agent == agent and share.field in alone | mixed]

    def _responses(self, agent: int) -> list[Share]:
        """Return the win rates of the other agents, each alone among seats of this one."""
        pairs = {
            (number, one) for number, field in enumerate(self.fields) for one, others in field.pairs if others == agent
        }
        return [share for share in self.shares if (share.field, share.agent) in pairs]

    def rankings(self, rng: np.random.Generator) -> list[list[list[int]]]:
        """Return for each set-up the rankings of its games: agents from the best to the worst, equal ones at random."""
        drawn = self.scores + rng.random(self.scores.shape)  # scores are whole, so only equal ones change order
        order = np.argsort(-drawn, axis=-1)
        owners = np.array([field.agents for field in self.fields])[:, None, None, :]
        ranked = np.take_along_axis(np.broadcast_to(owners, order.shape), order, axis=-1)
        setups = self.scores.shape[1]
        return np.moveaxis(ranked, 1, 0).reshape(setups, -1, self.players).tolist()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "players": self.players,
            "setups": self.scores.shape[1],
            "games": self.games,
            "fields": [self._field_to_dict(number, field) for number, field in enumerate(self.fields)],
            "matrix": self.matrix.to_dict(),
            "standings": [standing.to_dict() for standing in self.standings],
            "scores": self.scores.tolist(),
        }

    def _field_to_dict(self, number: int, field: Matchup) -> dict[str, Any]:
        """Return a field as plain JSON values, with the shares of its agents."""
        return {
            "label": field.label(self.names),
            "agents": list(field.agents),
            "difficulty": field.difficulty,
            "shares": [share.to_dict() for share in self.shares if share.field == number],
        }


@dataclass(frozen=True, eq=False)
class SoloTableResult(SeatResult):
    """The solitaire games of all agents at all difficulties: a table of one seat, whose scores are (own, Opposition).

    Its fields are an agent and a difficulty each: agents in their order, each at every difficulty.
    """

    @cached_property
    def leads(self) -> npt.NDArray[np.int64]:
        """(agents, difficulties, set-ups): the agent's Glory minus the Opposition's; 0 or more is a win (S8.3)."""
        leads = self.scores[:, :, 0, 0] - self.scores[:, :, 0, 1]
        return leads.reshape(len(self.names), -1, self.scores.shape[1])

    @cached_property
    def win_shares(self) -> npt.NDArray[np.float64]:
        """(fields, set-ups, 1, 1): 1 for each game that is won."""
        return (self.leads >= 0).astype(float).reshape(*self.scores.shape[:3], 1)

    @cached_property
    def _places(self) -> npt.NDArray[np.float64]:
        """(fields, set-ups, 1, 1): rank of the lead among those of all agents in the same game."""
        places = np.moveaxis(ranks(np.moveaxis(self.leads, 0, -1)), -1, 0)
        return places.reshape(*self.scores.shape[:3], 1)

    def _parity(self, seats: int) -> None:
        """Return None: nobody else sits at the table."""

    @cached_property
    def mean_leads(self) -> tuple[tuple[float, tuple[float, float]], ...]:
        """The mean lead and its 95 % interval of each field."""
        leads = self.leads.reshape(len(self.fields), -1)
        return tuple((float(lead.mean()), mean_interval(lead)) for lead in leads)

    @cached_property
    def matrix(self) -> PayoffMatrix:
        """Share of the games that each agent ends with a greater lead than each other, equal leads counting half."""
        leads = self.leads.reshape(len(self.names), -1)
        cells = {
            (row, column): (float((np.sign(leads[row] - leads[column]) + 1).mean() / 2), leads.shape[1])
            for row in range(len(self.names))
            for column in range(len(self.names))
            if row != column
        }
        return make_matrix(len(self.names), cells, 0.5)

    def rankings(self, rng: np.random.Generator) -> list[list[list[int]]]:
        """Return for each set-up a ranking of the agents' leads at each difficulty, equal ones at random."""
        drawn = np.moveaxis(self.leads, 0, -1) + rng.random((*self.leads.shape[1:], len(self.names)))
        return np.moveaxis(np.argsort(-drawn, axis=-1), 1, 0).tolist()

    def _field_to_dict(self, number: int, field: Matchup) -> dict[str, Any]:
        mean, interval = self.mean_leads[number]
        return {**super()._field_to_dict(number, field), "mean_lead": mean, "lead_interval": list(interval)}


# --- The whole tournament ---------------------------------------------------------------------------------------------


class FieldForfeit(NamedTuple):
    """A game that an agent lost by a fault."""

    table: int
    """Index of the table size."""
    field: int
    """Index of the field among those of the table size."""
    forfeit: Forfeit
    """The game in this field, and the number of the agent among all."""


@dataclass(frozen=True, eq=False)
class TournamentResult:
    """The outcome of a tournament, or of the set-ups that all fields have played so far."""

    settings: TournamentSettings
    """The settings it was played with."""
    tables: tuple[SeatResult, ...]
    """One for each table size with set-ups that all fields have played; a SoloTableResult for the solitaire game."""
    rating: Rating
    """Ratings from the games of all ``tables``."""
    anchor: str | None
    """Name of the agent with the rating 0; None if the mean of all is 0."""
    decisions: int
    """Decisions of all games played."""
    seconds: float
    """Time spent playing, summed over all processes."""
    forfeits: tuple[FieldForfeit, ...] = ()
    """The games that agents lost by faults, of all games played."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the agents."""
        return self.settings.names

    @property
    def games(self) -> int:
        """Number of games in the result."""
        return sum(table.games for table in self.tables)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values; agents are numbered in their order."""
        return {
            **self.settings.to_dict(),
            "names": list(self.names),
            "tables": [table.to_dict() for table in self.tables],
            "rating": {
                "anchor": self.anchor,
                "resamples": len(self.rating.samples),
                "values": self.rating.values.tolist(),
                "low": self.rating.low.tolist(),
                "high": self.rating.high.tolist(),
                "apart": self.rating.apart.tolist(),
            },
            "games_in_result": self.games,
            "decisions": self.decisions,
            "seconds": self.seconds,
            "forfeits": [{"table": one.table, "field": one.field, **one.forfeit.to_dict()} for one in self.forfeits],
        }


def check_report(settings: TournamentSettings, resamples: int, anchor: str | None) -> None:
    """Raise InvalidOptionError unless ``resamples`` is a positive whole number and ``anchor`` an agent or None."""
    positive_number("resamples", resamples)
    _anchor_number(settings, anchor)


def _anchor_number(settings: TournamentSettings, anchor: str | None) -> int | None:
    """Return the number of the agent with this name; raise InvalidOptionError for an unknown one."""
    if anchor is None:
        return None
    for names in (settings.agents, settings.names):
        if anchor in names:
            return names.index(anchor)
    raise InvalidOptionError(f"anchor {shown(anchor)} is not possible: give one of {', '.join(settings.names)}")


def make_result(
    settings: TournamentSettings,
    played: Iterable[WorkItemResult],
    resamples: int = DEFAULT_RESAMPLES,
    anchor: str | None = None,
    on_sample: Callable[[], object] = lambda: None,
) -> TournamentResult:
    """Return the result of the units played, in whatever order they are.

    Args:
        settings: Those of the tournament.
        played: The units. Of each table size the set-ups count that all fields have played.
        resamples: Times the set-ups are drawn for the intervals of the ratings, at least 1.
        anchor: The agent with the rating 0; None makes the mean 0.
        on_sample: Called after each of the ``resamples``.

    Raises:
        InvalidOptionError: Wrong ``resamples`` or ``anchor``, or choix is missing.
        EndeavorError: There is no set-up that all fields have played; in the solitaire game there are not two.
    """
    check_report(settings, resamples, anchor)
    units = list(played)
    tables = [_table_result(settings, number, table, units) for number, table in enumerate(settings.tables)]
    complete = tuple(table for table in tables if table is not None)
    if not complete:
        raise EndeavorError("too few set-ups have been played by all fields: there is no result yet")
    rng = np.random.default_rng([settings.seed, 0])
    rankings = [table.rankings(rng) for table in complete]
    number = _anchor_number(settings, anchor)
    return TournamentResult(
        settings=settings,
        tables=complete,
        rating=rate(rankings, len(settings.agents), resamples, settings.seed, number, on_sample),
        anchor=None if number is None else settings.names[number],
        decisions=sum(unit.decisions for unit in units),
        seconds=sum(unit.seconds for unit in units),
        forfeits=tuple(sorted(one for unit in units for one in _forfeits(settings, unit))),
    )


def _forfeits(settings: TournamentSettings, played: WorkItemResult) -> list[FieldForfeit]:
    """Return who lost games of a unit by faults."""
    table, field = played.unit.table, played.unit.field
    agents = settings.tables[table].fields[field].agents
    return [FieldForfeit(table, field, one._replace(agent=agents[one.agent])) for one in played.forfeits]


def _table_result(
    settings: TournamentSettings, number: int, table: TableSize, units: list[WorkItemResult]
) -> SeatResult | None:
    """Return the games of a table size; None if too few set-ups have been played by all fields."""
    own = sorted((one for one in units if one.unit.table == number), key=lambda one: (one.unit.field, one.unit.first))
    by_field: list[list[WorkItemResult]] = [[] for _ in table.fields]
    for one in own:
        if one.unit.first == sum(before.unit.count for before in by_field[one.unit.field]):
            by_field[one.unit.field].append(one)
    setups = min(sum(one.unit.count for one in field) for field in by_field)
    if setups < (MIN_GAMES if settings.solo else 1):
        return None
    scores = np.array([[setup for one in field for setup in one.scores][:setups] for field in by_field], np.int64)
    rounds = np.array([[setup for one in field for setup in one.rounds][:setups] for field in by_field], np.int64)
    made = SoloTableResult if settings.solo else SeatResult
    return made(settings.names, table.players, table.fields, scores, rounds)


def play_tournament(
    agents: Sequence[str],
    games: int = DEFAULT_GAMES,
    seed: int | None = 0,
    *,
    players: Sequence[int] | None = None,
    mixed: int = DEFAULT_MIXED,
    board: Board | str | Path | None = None,
    variant: str = STANDARD,
    options: Mapping[str, Any] | None = None,
    exploits: Sequence[str] | str | None = None,
    config: GameConfig | None = None,
    records: Path | None = None,
    out: Path | None = None,
    jobs: int | None = 1,
    resamples: int = DEFAULT_RESAMPLES,
    anchor: str | None = None,
) -> TournamentResult:
    """Play every agent against every other in all fields, and return the result.

    Args:
        agents: Names of agents of the game, at least 2, each once.
        games: The least number of games of each field, at least 1, in the solitaire game 2; it is rounded up to whole
            set-ups, each of which is played in as many seatings as there are seats.
        seed: At least 0; None takes one from the operating system. The same seed gives the same games.
        players: Table sizes, each once: some of 3, 4 and 5 in the base game, where None stands for 4.
        mixed: The most mixed tables for each table size, at least 0; a sample is drawn if there are more.
        board: What ``Board.resolve`` takes.
        variant: A name of VARIANT_NAMES.
        options: The variant's options by name, as ``Game.new`` takes them; not ``difficulty`` of the solitaire game,
            which is played at each.
        exploits: The Exploits in play, as ``Game.new`` takes them.
        config: What is played, of any game, in place of board, variant, options and exploits; its number of seats is
            the table size if ``players`` is left out.
        records: A folder for the records of all games; None writes none.
        out: A folder that keeps the games; if it has some of this tournament, only the others are played.
        jobs: Number of processes, None for that of the cores. With more than one, a script must start its work below
            ``if __name__ == "__main__":``, because each process imports it.
        resamples: Times the set-ups are drawn for the intervals of the ratings.
        anchor: The agent with the rating 0; None makes the mean 0.

    Raises:
        InvalidOptionError: Anything that does not fit, a folder that cannot be used, or choix is missing.
        InvalidBoardError: A board file with faults, or a board the variant cannot be played on.
        CheckpointError: A checkpoint that cannot be loaded, or that was trained on another variant.
        EndeavorError: An agent failed, a process died, or the files in ``out`` were edited.
    """
    check_choix()
    count = count_jobs(jobs)
    settings = read_settings(
        agents,
        games,
        seed,
        players=players,
        mixed=mixed,
        board=board,
        variant=variant,
        options=options,
        exploits=exploits,
        config=config,
        records=records,
    )
    check_report(settings, resamples, anchor)
    with open_store(out, settings) as store:
        write_fields(settings)
        for _ in store.play_missing(partial(WorkItemPlayer, settings), all_work_items(settings), count):
            pass
        return make_result(settings, store.units.values(), resamples, anchor)
