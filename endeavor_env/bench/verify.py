"""``endeavor bench verify row.json``: replay the records of a row, play some games again, say whether it is true."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.terminal import print_line, terminal
from endeavor_env.basics.files import read_json_object
from endeavor_env.bench.frozen import check_behaviour, check_weights
from endeavor_env.bench.rows import RowError
from endeavor_env.bench.run import Hidden
from endeavor_env.bench.submissions import hidden_players
from endeavor_env.bench.verifying import Place, Verifier
from endeavor_env.bench.version import version_one
from endeavor_env.endeavor.ensure import ensure_compiled
from endeavor_env.errors import InvalidOptionError

__all__ = ["app"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    row: Annotated[list[Path], typer.Argument(help="Rows, as `endeavor bench score --row` writes them.")],
    agent: Annotated[
        str | None,
        typer.Option(help="Where the submission is, if not where the row says; a row's own code is not run."),
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each task to play again.", min=0)] = 6,
    seed: Annotated[int | None, typer.Option(help="Draws them; left out, others each time.", min=0)] = None,
    task: Annotated[list[str] | None, typer.Option(help="Play games of this task alone; repeatable.")] = None,
    hidden: Hidden = None,
) -> None:
    """Say whether rows are true: status 0 if they are, or 2 and one sentence that says what is not."""
    with command_line():
        version = version_one()
        tasks = [one.name for one in version.chosen(task or ["all"])]
        ensure_compiled()
        check_weights(version)
        check_behaviour(version)
        known = hidden_players(hidden, version.tasks.values())
        for file in row:
            verifier = Verifier(read_json_object(file, "row", RowError), agent, known)
            if not set(tasks) & set(verifier.scores):
                raise InvalidOptionError(f"{file} has no games of {' and '.join(tasks)}")
            records = len(list(_watched(verifier.records(tasks), f"{file.name}: records")))
            why_not = verifier.why_not_again()
            again = 0 if why_not else len(list(_watched(verifier.again(games, seed, tasks), f"{file.name}: games")))
            print_line(f"{file}: true; {records} records replayed, {again} games played again")
            if why_not:
                print_line(why_not)


def _watched(places: Iterator[Place], what: str) -> Iterator[Place]:
    """Yield the places with a progress line on stderr."""
    hidden = not sys.stderr.isatty()
    yield from track(places, what, console=terminal(stderr=True), disable=hidden, transient=True)


if __name__ == "__main__":
    start(app)
