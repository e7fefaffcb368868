"""``endeavor doctor``: whether everything is there, and what to do if it is not."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.table import Table

from endeavor_env.agents.results_file import JsonFile, beside_results, check_results, write_results
from endeavor_env.agents.terminal import print_line, print_table
from endeavor_env.basics.exit_status import MISTAKE
from endeavor_env.cli.health import Finding, advice, findings
from endeavor_env.errors import printable

CANNOT_PLAY = 1

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def findings_table(found: list[Finding]) -> Table:
    """Return a row for each thing that was looked at."""
    table = Table()
    table.add_column("", no_wrap=True)
    table.add_column("found", overflow="fold")
    table.add_column("fault", overflow="fold")
    for one in found:
        table.add_row(one.what, one.value, one.fault)
    return table


@app.command()
def main(
    json_file: JsonFile = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --json if it exists.")] = False,
) -> None:
    """Show versions, extras, compiled code and space, and say what to do next; status 1 if no game can be played."""
    try:
        with beside_results(json_file):
            check_results(json_file, force)
            found = findings()
            can_play, next_step = not any(one.stops for one in found), advice(found)
            rows = [one._asdict() for one in found]
            write_results(json_file, {"can_play": can_play, "advice": next_step, "findings": rows})
            print_table(findings_table(found))
            print_line(next_step)
    except (ValueError, OSError, ImportError) as error:  # nothing that shows errors better can be relied on here
        print(f"error: {printable(str(error))}", file=sys.stderr)
        raise typer.Exit(MISTAKE) from error
    if not can_play:
        raise typer.Exit(CANNOT_PLAY)


if __name__ == "__main__":
    app()
