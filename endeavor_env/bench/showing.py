"""Scores of the benchmark as tables to print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table

from endeavor_env.bench import statistics
from endeavor_env.bench.scoring import TaskScore, overall
from endeavor_env.bench.submissions import track_of

THRESHOLDS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Normalised scores of which performance profiles say how many are above."""
WHOLE = 7
"""Tasks of the whole benchmark."""
EXPLAINED = "wins relative to an equal player, the mean of the fields; normalised: 0 is random, 100 the oracle"


def _table(title: str, headings: Sequence[str]) -> Table:
    table = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for heading in headings:
        text = heading in ("task", "field", "name", "method", "training")
        table.add_column(heading, justify="left" if text else "right", overflow="fold", no_wrap=not text)
    return table


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


def _interval(ends: Sequence[float], percent: bool) -> str:
    low, high = ends
    return f"{_percent(low)} to {_percent(high)}" if percent else f"{low:.2f} to {high:.2f}"


def tasks_table(name: str, scores: Sequence[TaskScore]) -> Table:
    """Return a row for each task: its score, the worst field, and the normalised score."""
    table = _table(name, ("task", "score", "95 %", "worst field", "normalised", "95 %"))
    for one in scores:
        field, odds = one.worst
        table.add_row(
            one.task.name,
            f"{one.score:.3f}",
            _interval(one.interval, False),
            f"{odds:.2f} {field}",
            _percent(one.normalised),
            _interval(one.normalised_interval, True),
        )
    mean, interval = overall(scores)
    whole = "all tasks" if len(scores) == WHOLE else f"these {len(scores)} of {WHOLE} tasks"
    table.add_section()
    table.add_row(whole, "", "", "", _percent(mean), _interval(interval, True))
    table.caption = EXPLAINED
    return table


def fields_table(scores: Sequence[TaskScore]) -> Table:
    """Return a row for each field: the share of the wins, parity, and the mean Glory of both."""
    table = _table("by field", ("task", "field", "games", "wins %", "parity %", "Glory", "theirs", "faults"))
    for one in scores:
        for name, games in one.fields.items():
            others = games.scores[..., 1:]
            table.add_row(
                one.task.name,
                name,
                str(games.scores[..., 0].size),
                _percent(one.share(name)),
                "" if one.task.solo else _percent(one.task.parity),
                f"{games.scores[..., 0].mean():.1f}",
                f"{others.mean():.1f}",
                str(len(games.lost) or ""),
            )
    return table


def rows_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return a line for each row: who it is of, and its normalised score."""
    table = _table("rows", ("name", "training", "seed", "play", "tasks", "normalised", "95 %"))
    for row in rows:
        seed, score = row["training"]["seed"], row["score"]
        table.add_row(
            row["name"],
            track_of(row),
            "" if seed is None else str(seed),
            row["play"],
            str(score["tasks"]),
            _percent(score["normalised"]),
            _interval(score["interval"], True),
        )
    return table


def methods_table(rows: Sequence[Mapping[str, Any]]) -> Table | None:
    """Return a line for each method of which there are several rows of the same tasks; None if there is none."""
    groups: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["method"], track_of(row), row["play"], *row["tasks"]), []).append(row)
    several = {key: group for key, group in groups.items() if len(group) > 1}
    if not several:
        return None
    headings = ("method", "training", "rows", "IQM", "95 %", "mean", "gap", "above " + _steps())
    table = _table("over seeds of training", headings)
    for (method, track, *_), group in several.items():
        scores = [[task["normalised"] for task in row["tasks"].values()] for row in group]
        low_high = statistics.stratified_bootstrap(scores, statistics.iqm)
        profile = statistics.performance_profile(scores, THRESHOLDS)
        table.add_row(
            method,
            track,
            str(len(group)),
            _percent(statistics.iqm(scores)),
            _interval(low_high, True),
            _percent(statistics.mean(scores)),
            _percent(statistics.optimality_gap(scores)),
            " / ".join(f"{100 * share:.0f}" for share in profile) + " %",
        )
    return table


def _steps() -> str:
    return " / ".join(f"{100 * threshold:.0f}" for threshold in THRESHOLDS)
