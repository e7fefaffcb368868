"""``endeavor bench tasks``: what there is to play; with ``--check``, whether it all is what version 1 was made of."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.results_file import JsonFile, write_results
from endeavor_env.agents.terminal import print_line, print_table
from endeavor_env.bench.frozen import check_all
from endeavor_env.bench.version import Task, Version, version_one
from endeavor_env.endeavor.ensure import ensure_compiled

__all__ = ["app"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    check: Annotated[
        bool, typer.Option("--check", help="Also check set-ups, boards, weights, rules and players: half a minute.")
    ] = False,
    json_file: JsonFile = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --json.")] = False,
) -> None:
    """List the tasks of the frozen benchmark."""
    with command_line(json_file, force):
        version = version_one()
        if check:
            ensure_compiled()
            check_all(version, everything=True)
        write_results(json_file, _as_json(version))
        print_table(_table(version))
        print_line(f"version {version.number}: {version.hash}")
        if check:
            print_line("everything is what version 1 was made of")


def _as_json(version: Version) -> dict[str, Any]:
    """Return the version as plain JSON values."""
    return {
        "version": version.number,
        "hash": version.hash,
        "corpus": dict(version.corpus),
        "tasks": {name: _task_as_json(task) for name, task in version.tasks.items()},
    }


def _task_as_json(task: Task) -> dict[str, Any]:
    return {
        "hash": task.hash,
        "game": str(task.config),
        "fields": [field.player or field.name for field in task.fields],
        "setups": {track: pace.setups for track, pace in task.paces.items()},
        "floor": [task.floor.agent, task.floor.score],
        "oracle": [task.oracle.agent, task.oracle.score],
    }


def _table(version: Version) -> Table:
    """Return a row for each task."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for heading in ("task", "game", "fields", "set-ups", "seatings", "floor", "oracle"):
        table.add_column(heading, overflow="fold")
    for name, task in version.tasks.items():
        table.add_row(
            name,
            str(task.config),
            ", ".join(field.name for field in task.fields),
            str(task.pace("50ms").setups),
            str(task.seatings),
            f"{task.floor.score:.3f}",
            f"{task.oracle.score:.3f}",
        )
    return table


if __name__ == "__main__":
    start(app)
