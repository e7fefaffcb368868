"""``endeavor bench score run.jsonl --row row.json``: scores with intervals, of runs of one submission or of rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.results_file import JsonFile, write_results
from endeavor_env.agents.terminal import print_table
from endeavor_env.basics.files import check_new, write_text
from endeavor_env.bench.rows import check_row, make_row, read_row, row_text
from endeavor_env.bench.run_file import RunHeader, UnitResult, read_run
from endeavor_env.bench.showing import fields_table, methods_table, rows_table, tasks_table
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
    hidden = any(version.task(one.unit.task).field(one.unit.field).hidden for one in units.values())
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


if __name__ == "__main__":
    start(app)
