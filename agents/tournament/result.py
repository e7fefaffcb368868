"""The result of a tournament: the games of each table size, and the ratings from all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from endeavor_env.agents.forfeits import Forfeit
from endeavor_env.agents.tournament.rating import DEFAULT_RESAMPLES, Rating, rate
from endeavor_env.agents.tournament.seats import SeatResult
from endeavor_env.agents.tournament.settings import TableSize, TournamentSettings
from endeavor_env.agents.tournament.solo import SoloTableResult
from endeavor_env.agents.tournament.work_items import WorkItemResult
from endeavor_env.basics.inputs import positive_number
from endeavor_env.errors import EndeavorError, InvalidOptionError, shown


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
    tables: tuple[SeatResult | SoloTableResult, ...]
    """One for each table size with set-ups that all fields have played; a single AloneResult in the solitaire game."""
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
) -> SeatResult | SoloTableResult | None:
    """Return the games of a table size; None if too few set-ups have been played by all fields."""
    own = sorted((one for one in units if one.unit.table == number), key=lambda one: (one.unit.field, one.unit.first))
    by_field: list[list[WorkItemResult]] = [[] for _ in table.fields]
    for one in own:
        if one.unit.first == sum(before.unit.count for before in by_field[one.unit.field]):
            by_field[one.unit.field].append(one)
    setups = min(sum(one.unit.count for one in field) for field in by_field)
    if setups < (2 if settings.solo else 1):
        return None
    scores = np.array([[setup for one in field for setup in one.scores][:setups] for field in by_field], np.int64)
    rounds = np.array([[setup for one in field for setup in one.rounds][:setups] for field in by_field], np.int64)
    if settings.solo:
        return SoloTableResult(settings.names, table.fields, scores, rounds)
    return SeatResult(settings.names, table.players, table.fields, scores, rounds)
