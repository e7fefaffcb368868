"""The figures of matches in tables: a table says what was played, and the results hold what came of it.

A table with ``played``, commands by the name of their result, has rows of this form:

    columns = ["wins", "parity", { show = "wins", players = 3 }]
    rows = [{ first = ["base game, 3 seats", "2 `greedy`"], of = "policy-greedy", players = 3 }]

A row gives its first cells, and each column another: of the one entry of the result ``of`` whose values are those that
column and row name, the row's counting more. An entry is a table size of ``endeavor train match``, an agent and a
difficulty of ``endeavor solo``, or the first agent of ``endeavor arena``, beside the best of the others. A row may also
be a list of cells, with ``commands`` that measured it, where playing takes long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from results import read_result

FOLDER = "matches"
"""The folder of the results of matches, in that of all results."""
MADE_BY = "python docs/make/strength.py plays the match"
NAMED = ("first", "of", "show")


def with_results(table: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
    """Return a table with the figures of what was played, and with what played it; another table as it is.

    Args:
        table: A table of ``docs/figures``.
        folder: The folder of all results.

    Raises:
        ValueError: There is no such result, or it has no such entry or several.
    """
    if "played" not in table:
        return table
    found = {name: read_result(folder / FOLDER / f"{name}.json", MADE_BY) for name in table["played"]}
    rows = [row if isinstance(row, list) else _cells(found, row, table["columns"]) for row in table["rows"]]
    measured = "; ".join(
        part for part in (table.get("measured", ""), *dict.fromkeys(map(_origin, found.values()))) if part
    )
    commands = dict.fromkeys([*table["played"].values(), *table.get("commands", ())])
    return {**table, "rows": rows, "measured": measured, "commands": list(commands)}


def entries(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the entries of a result of any of the commands, with the same names for the same figures."""
    if "results" in result:
        return [{"theirs": row.get("opponents_mean_score"), **row} for row in result["results"]]
    if "rows" in result:
        return [{"theirs": row["mean_opposition"], "games": result["games"], **row} for row in result["rows"]]
    first, *others = result["agents"]
    about = {name: result[name] for name in ("players", "games", "variant")}
    return [{**first, **about, "theirs": max(one["mean_score"] for one in others)}]


def _origin(result: Mapping[str, Any]) -> str:
    """Return the machine and the day of a result."""
    return f"{result['machine']['processor']} with {result['machine']['cores']} cores, {result['date']}"


def _cells(found: Mapping[str, Mapping[str, Any]], row: Mapping[str, Any], columns: Sequence[Any]) -> list[str]:
    """Return the texts of the cells of a row."""
    return [*row["first"], *(_cell(found, row, column) for column in columns)]


def _cell(found: Mapping[str, Mapping[str, Any]], row: Mapping[str, Any], column: str | Mapping[str, Any]) -> str:
    """Return the text of a cell."""
    column = {"show": column} if isinstance(column, str) else column
    named = {**column, **row}
    wanted = {name: value for name, value in named.items() if name not in NAMED}
    ones = [one for one in entries(found[named["of"]]) if all(one.get(name) == value for name, value in wanted.items())]
    if len(ones) != 1:
        raise ValueError(f"{wanted} of {named['of']} names {len(ones)} entries: it must name one")
    return SHOWN[named["show"]](ones[0])


def _between(one: Mapping[str, Any]) -> str:
    return "-".join(f"{100 * bound:.1f}" for bound in one["interval"])


def _lead(one: Mapping[str, Any]) -> str:
    low, high = one["margin_interval"]
    return f"{one['mean_margin']:+.1f} ({low:+.1f} to {high:+.1f})"


SHOWN = {
    "wins": lambda one: f"{100 * one['win_rate']:.1f} % ({_between(one)})",
    "parity": lambda one: f"{100 / one['players']:.0f} %" if one.get("players", 1) > 1 else "",
    "games": lambda one: f"{one['games']:,}",
    "score": lambda one: f"{one['mean_score']:.1f}",
    "score and deviation": lambda one: f"{one['mean_score']:.1f} ± {one['score_sd']:.1f}",
    "theirs": lambda one: f"{one['theirs']:.1f}",
    "lead": _lead,
    "ladder": lambda one: "/".join(f"{100 * share:.0f}" for share in one["ladder"].values()),
}
"""What a column can show, and how it is written."""
