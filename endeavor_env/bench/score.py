"""``endeavor bench score run.jsonl --row row.json``: scores with intervals, of runs of one submission or of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from endeavor_env.agents import statistics
from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.results_file import JsonFile, write_results
from endeavor_env.agents.terminal import print_table
from endeavor_env.basics.files import check_new, write_text
from endeavor_env.bench.games import RunHeader, UnitResult, read_run
from endeavor_env.bench.rows import TaskScore, check_row, make_row, overall, read_row, row_text
from endeavor_env.bench.submissions import track_of
from endeavor_env.bench.version import version_one
from endeavor_env.errors import InvalidOptionError

__all__ = ["app", "row_of_runs"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    files: Annotated[list[Path], typer.Argument(help="Files of runs of one submission (.jsonl), or rows (.json).")],
    row: Annotated[Path | None, typer.Option(help="Write the row of the runs into this file.")] = None,
    json_file: JsonFile = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the files of --row and --json.")] = False,
) -> None:
    """Print scores with intervals, and write the row of a submission."""
    with command_line(json_file, force):
        if row is not None:
            check_new(row, force)
        kinds = {file.suffix == ".jsonl" for file in files}
        if len(kinds) > 1:
            raise InvalidOptionError("runs and rows are given at once: give runs (.jsonl), or rows (.json)")
        if kinds == {True}:
            made = row_of_runs(files)
            if row is not None:
                write_text(row, row_text(made))
            write_results(json_file, made)
            _show_row(made)
        else:
            if row is not None:
                raise InvalidOptionError("--row belongs to runs (.jsonl): rows are written already")
            rows = [read_row(file) for file in files]
            write_results(json_file, {"rows": rows})
            _show_rows(rows)


def row_of_runs(files: list[Path]) -> dict[str, Any]:
    """Return the row of the runs of one submission.

    Raises:
        InvalidOptionError: They are of different submissions.
        EndeavorError: A file cannot be read, or a task is not played to its end.
        RowError: They were played in another version of the benchmark, or took too long.
    """
    version = version_one()
    units: dict[str, UnitResult] = {}
    heads: list[RunHeader] = []
    for file in files:
        head, own = read_run(file, version.tasks)
        heads.append(head)
        units |= own
        if head.to_dict() != heads[0].to_dict():
            raise InvalidOptionError(f"{file} is a run of another submission than {files[0]}: give runs of one")
    hidden = any(version.task(one.unit.table).field(one.unit.field).hidden for one in units.values())
    row = make_row(heads[0], units, version, hidden)
    check_row(row)
    return row


def _show_row(row: Mapping[str, Any]) -> None:
    scores = list(check_row(row).values())
    print_table(fields_table(scores))
    print_table(tasks_table(row["name"], scores))


def _show_rows(rows: list[dict[str, Any]]) -> None:
    if len(rows) == 1:
        _show_row(rows[0])
        return
    print_table(rows_table(rows))
    methods = methods_table(rows)
    if methods is not None:
        print_table(methods)


# --- Scores as tables to print ----------------------------------------------------------------------------------------

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
    whole = "all tasks" if len(scores) == WHOLE else f"{len(scores)} of {WHOLE} tasks"
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


if __name__ == "__main__":
    start(app)
