"""Summaries of tables that notebooks draw: actions by round, sources of points, Glory by round, openings of regions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.analysis.columns import SOURCE_PREFIX
from endeavor_env.analysis.table import Table, column_of
from endeavor_env.basics.inputs import one_of
from endeavor_env.errors import InvalidOptionError

PER = ("game", "round", "total")


class Matrix(NamedTuple):
    """Numbers by two names, as a heat map shows them."""

    rows: tuple[Any, ...]
    """Label of each row."""
    columns: tuple[Any, ...]
    """Label of each column."""
    values: npt.NDArray[np.float64]
    """(rows, columns)."""

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame`` with the rows as its index; raise MissingLibraryError without pandas."""
        frame = Table("matrix", {"": np.array(self.rows, object)}).to_pandas().set_index("")
        for number, column in enumerate(self.columns):
            frame[column] = self.values[:, number]
        return frame


def action_frequencies(decisions: Table, per: str = "game") -> Matrix:
    """Return how often each verb was chosen in each round.

    Args:
        decisions: Rows of the table of decisions.
        per: "game" for the mean number in a game, "round" for the share among the decisions of the round, "total" for
            the number in all games.

    Returns:
        A row for each verb that occurs, the most frequent one first, and a column for each round that occurs; the
        decisions of the set-up have the round 0.

    Raises:
        InvalidOptionError: Another table, or another ``per``.
    """
    one_of("per", per, PER)
    verbs, verb_of = np.unique(_texts(decisions, "verb"), return_inverse=True)
    numbers, round_of = np.unique(decisions["round"], return_inverse=True)
    counts = np.zeros((verbs.size, numbers.size))
    np.add.at(counts, (verb_of, round_of), 1)
    order = np.argsort(-counts.sum(axis=1), kind="stable")
    if per == "game":
        counts /= max(1, np.unique(decisions["game"]).size)
    elif per == "round":
        counts /= counts.sum(axis=0)
    return Matrix(tuple(verbs[order].tolist()), tuple(numbers.tolist()), counts[order])


def points_by_source(seats: Table, by: str | None = None) -> Table:
    """Return where the Glory comes from.

    Args:
        seats: Rows of the table of seats.
        by: A column by whose values the rows are grouped, such as "rank" or "agent"; None for all rows together.

    Returns:
        The table "points_by_source" with the columns ``by`` if given, ``source``, ``glory`` (mean of a seat) and
        ``share`` (of the mean score; negative for what costs Glory, NaN if that score is 0). Sources that bring nothing
        to any row are left out.

    Raises:
        InvalidOptionError: Another table, or no such column.
    """
    names = [name for name in seats.columns if name.startswith(SOURCE_PREFIX) and np.any(seats[name])]
    rows = []
    for group, part in _groups(seats, by):
        score = float(part["score"].mean())
        for name in names:
            glory = float(part[name].mean())
            rows.append((*group, name.removeprefix(SOURCE_PREFIX), glory, glory / score if score else math.nan))
    return _table("points_by_source", (*_key(by), "source", "glory", "share"), rows)


def glory_by_round(rounds: Table, by: str | None = None) -> Table:
    """Return the Glory at the end of each round.

    Args:
        rounds: Rows of the table of rounds.
        by: A column by whose values the rows are grouped, such as "seat" or "agent"; None for all rows together.

    Returns:
        The table "glory_by_round" with the columns ``by`` if given, ``round``, ``mean``, ``sd`` (standard deviation
        over the rows, NaN for a single one) and ``rows`` (their number).

    Raises:
        InvalidOptionError: Another table, or no such column.
    """
    rows = []
    for group, part in _groups(rounds, by):
        for (number,), ended in _groups(part, "round"):
            glory = ended["glory"]
            sd = float(glory.std(ddof=1)) if glory.size > 1 else math.nan
            rows.append((*group, number, float(glory.mean()), sd, glory.size))
    return _table("glory_by_round", (*_key(by), "round", "mean", "sd", "rows"), rows)


def openings(regions: Table) -> Table:
    """Return how often and when regions are opened.

    Args:
        regions: Rows of the table of regions.

    Returns:
        The table "openings" with a row for each region, the one opened most often first: ``region``, ``games``
        (number), ``share`` (of the games in which it is opened), and over these games ``mean_round`` and
        ``mean_order``, NaN if there are none.

    Raises:
        InvalidOptionError: Another table.
    """
    rows = []
    for (region,), part in _groups(regions, "region"):
        opened = part.where(part["opened"])
        means = [float(opened[name].mean()) if len(opened) else math.nan for name in ("round", "order")]
        rows.append((region, len(part), len(opened) / len(part), *means))
    rows.sort(key=lambda row: (-row[2], row[0]))
    return _table("openings", ("region", "games", "share", "mean_round", "mean_order"), rows)


def opening_rounds(regions: Table) -> Matrix:
    """Return in which round regions are opened.

    Args:
        regions: Rows of the table of regions.

    Returns:
        A row for each region, the one opened most often first, and among equals the one opened earlier; a column for
        each round from 1 to the last in which a region was opened, and "never": the share of the games.

    Raises:
        InvalidOptionError: Another table.
    """
    opened = regions["round"]
    last = 0 if np.isnan(opened).all() else int(np.nanmax(opened))
    columns = (*range(1, last + 1), "never")
    shares = {}
    for (region,), part in _groups(regions, "region"):
        rounds = [number if one else last + 1 for number, one in zip(part["round"], part["opened"], strict=True)]
        shares[region] = np.bincount(np.array(rounds, int), minlength=last + 2)[1:] / len(part)
    names = sorted(shares, key=lambda region: (shares[region][-1], shares[region] @ np.arange(last + 1)))
    return Matrix(tuple(names), columns, np.array([shares[name] for name in names]).reshape(len(names), last + 1))


def with_agents(table: Table, agents: Sequence[Sequence[str]]) -> Table:
    """Return a table of decisions, rounds or seats in which ``agent`` says who has the seat, whatever records say.

    Args:
        table: The table; rows of the Opposition get the agent "opposition".
        agents: For each game of the table, by its number, the agents by seat.

    Raises:
        InvalidOptionError: A table without seats, or too few games or agents.
    """
    names = []
    opposition = table["opposition"].tolist() if "opposition" in table else [False] * len(table)
    for game, seat, other in zip(table["game"].tolist(), table["seat"].tolist(), opposition, strict=True):
        if not other and (game >= len(agents) or seat >= len(agents[game])):
            raise InvalidOptionError(f"agents has no entry for seat {seat} of game {game}: give one for each seat")
        names.append("opposition" if other else agents[game][seat])
    return table.with_column("agent", np.array(names, object))


def _groups(table: Table, by: str | None) -> list[tuple[tuple[Any, ...], Table]]:
    """Return the rows of each value of a column, ascending; with None all rows, with an empty key."""
    if by is None:
        return [((), table)] if len(table) else []
    values = _texts(table, by) if table[by].dtype == object else table[by]
    return [((value,), table.where(values == value)) for value in np.unique(values).tolist()]


def _texts(table: Table, column: str) -> npt.NDArray[Any]:
    """Return a column of texts as NumPy's own texts, which can be sorted fast."""
    return table[column].astype(str)


def _key(by: str | None) -> tuple[str, ...]:
    return () if by is None else (by,)


def _table(name: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> Table:
    """Return a summary from its rows; without rows it has empty columns."""
    return Table(name, {column: column_of([row[number] for row in rows]) for number, column in enumerate(columns)})
