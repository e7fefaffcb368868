"""The leaderboard, filled with the submitted rows.

``bench/rows/*.json`` are the rows, and ``bench/references/*.json`` what the reference trainers left. The tables stand
in ``docs/leaderboard.md`` between the marks ``<!-- rows KIND -->`` or ``<!-- references -->`` and
``<!-- end of table -->``. A row that is not true, or is of another version of the benchmark, is an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from markdown_tables import aligned

from endeavor_env.agents import statistics
from endeavor_env.bench.rows import read_row
from endeavor_env.bench.submissions import track_of
from endeavor_env.errors import EndeavorError
from endeavor_env.training.reference.methods import TITLES

ROOT = Path(__file__).resolve().parents[2]
PAGE = Path("docs", "leaderboard.md")
ROWS, REFERENCES = Path("bench", "rows"), Path("bench", "references")
ALL_TASKS = 7
NOTHING = "No submissions yet."
_PART = re.compile(r"(<!-- (rows (?:none|trained|language)|references) -->\n).*?(<!-- end of table -->)", re.DOTALL)

Row = Mapping[str, Any]


def percent(value: float) -> str:
    """Return a share in per cent."""
    return f"{100 * value:.1f}"


def interval(ends: Sequence[float]) -> str:
    """Return the ends of an interval in per cent."""
    return f"{percent(ends[0])} to {percent(ends[1])}"


def rows_of(rows: Sequence[Row], kind: str) -> list[Row]:
    """Return the rows of a table: of agents that did not learn, of those that did, or of language models."""

    def kind_of(row: Row) -> str:
        if row["play"] == "language":
            return "language"
        return "none" if track_of(row) == "none" else "trained"

    return [row for row in rows if kind_of(row) == kind]


def rows_table(rows: Sequence[Row], kind: str) -> str:
    """Return the table of rows of a kind: a line for each method, track and pace, the best first."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows_of(rows, kind):
        groups.setdefault((row["method"], track_of(row), row["play"], tuple(row["tasks"])), []).append(row)
    lines = sorted((_line(group) for group in groups.values()), key=lambda line: -line[0])
    if not lines:
        return NOTHING
    head = ("submission", "training", "play", "seeds", "tasks", "score", "95 %", "worst field", "hidden")
    return aligned(head, "lllrrrrlr", [cells for _, cells in lines])


def _line(group: Sequence[Row]) -> tuple[float, list[str]]:
    """Return what the rows of a method are sorted by, and the cells of their line."""
    first = group[0]
    names = list(first["tasks"])
    scores = np.array([[row["tasks"][name]["normalised"] for name in names] for row in group])
    score = statistics.iqm(scores) if len(group) > 1 else float(first["score"]["normalised"])
    several = len(group) > 1
    ends = statistics.stratified_bootstrap(scores, statistics.iqm) if several else first["score"]["interval"]
    worst = min((row["tasks"][name]["worst"] for row in group for name in names), key=lambda one: one["odds"])
    told = [row["tasks"][name]["hidden"] for row in group for name in names]
    hidden = [odds for odds in told if odds is not None]
    tasks = "all" if len(names) == ALL_TASKS else ", ".join(names)
    name = first["name"].replace("|", "\\|")  # which would end the cell
    cells = [name, track_of(first), first["play"], str(len(group)) if several else "", tasks]
    cells += [percent(score), interval(ends), f"{worst['odds']:.2f} `{worst['field']}`"]
    return score, [*cells, f"{np.mean(hidden):.2f}" if hidden else ""]


def references_table(results: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of what the reference trainers reached: a line for each track and method."""
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for result in results:
        groups.setdefault((result["track"], result["method"]), []).append(result)
    if not groups:
        return "No reference has been trained yet."
    lines = []
    for (track, method), group in sorted(groups.items(), key=lambda item: (item[0][0], -_among(item[1], "greedy")[0])):
        cells = [TITLES[method], track, str(len(group))]
        cells += [f"{np.mean([one['decisions'] for one in group]):,.0f}"]
        cells += [f"{np.mean([one['cpu_seconds'] for one in group]):,.0f} s"]
        for rival in ("greedy", "random"):
            middle, ends = _among(group, rival)
            cells.append(f"{percent(middle)} ({interval(ends)})" if len(group) > 1 else percent(middle))
        lines.append(cells)
    head = ("method", "track", "seeds", "decisions", "CPU time", "wins among `greedy`, %", "among `random`, %")
    return aligned(head, "llrrrrr", lines)


def _among(group: Sequence[Mapping[str, Any]], rival: str) -> tuple[float, tuple[float, float]]:
    """Return the interquartile mean over seeds of the wins at the end of training, and its interval."""
    wins = np.array([[result["curve"][-1][rival]] for result in group])
    return statistics.iqm(wins), statistics.stratified_bootstrap(wins, statistics.iqm)


def read_references(folder: Path) -> list[dict[str, Any]]:
    """Return the results of the reference trainers."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.json"))]


def filled(page: str, rows: Sequence[Row], references: Sequence[Mapping[str, Any]]) -> str:
    """Return the text of the page with its tables as rows and references are now."""

    def written(part: re.Match[str]) -> str:
        what, _, kind = part[2].partition(" ")
        text = rows_table(rows, kind) if what == "rows" else references_table(references)
        return f"{part[1]}\n{text}\n\n{part[3]}"

    return _PART.sub(written, page)


def files(root: Path = ROOT) -> dict[Path, str]:
    """Return the text of the page by its path. Raise ValueError if a row is not true."""
    rows = []
    for file in sorted((root / ROWS).glob("*.json")):
        try:
            rows.append(read_row(file))
        except EndeavorError as error:
            raise ValueError(f"{file.relative_to(root)}: {error}") from error
    path = root / PAGE
    return {path: filled(path.read_text(encoding="utf-8"), rows, read_references(root / REFERENCES))}
