"""``python -m agents.arena AGENT AGENT AGENT``: plays agents against each other and prints how they did."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from agents.match import AgentResult, Match, MatchResult, play_game, play_match
from agents.registry import NAMES
from endeavor_env.errors import EndeavorError, InvalidOptionError

__all__ = ["AgentResult", "Match", "MatchResult", "app", "play_game", "play_match", "results_table"]

DEFAULT_GAMES = 400
INTERRUPTED = 130  # what a shell reports for a program ended by Ctrl-C

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def results_table(result: MatchResult) -> Table:
    """Returns the outcome as a table to print."""
    table = Table(
        title=f"{result.games} games on {result.board}, {result.scores.shape[0]} set-ups in "
        f"{len(result.agents)} seatings each, seed {result.seed}",
        caption=f"parity is {1 / len(result.agents):.1%}",
    )
    table.add_column("agent", overflow="fold")
    for heading in ("wins", "95 % interval", "mean score", "mean rank"):
        table.add_column(heading, justify="right", no_wrap=True)
    for agent in result.agents:
        low, high = agent.interval
        table.add_row(
            agent.name,
            f"{agent.win_rate:.1%}",
            f"{low:.1%} to {high:.1%}",
            f"{agent.mean_score:.1f} ± {agent.score_sd:.1f}",
            f"{agent.mean_rank:.2f}",
        )
    return table


@contextmanager
def _progress(match: Match) -> Iterator[Iterator[int]]:
    """Gives the set-ups of ``match`` as they are played, with a bar on stderr when that is a terminal."""
    columns = (TextColumn("set-ups"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("", total=match.setups)

        def played() -> Iterator[int]:
            for done in match.play():
                progress.update(task, completed=done)
                yield done

        yield played()


def _play(match: Match) -> bool:
    """Plays the match; returns whether it was not broken off."""
    try:
        with _progress(match) as played:
            for _ in played:
                pass
    except KeyboardInterrupt:
        return False
    return True


def _check_writable(file: Path) -> None:
    """Raises InvalidOptionError now rather than after the match if ``file`` has no place."""
    if file.is_dir():
        raise InvalidOptionError(f"{file} cannot be written: it is a folder")
    if not file.parent.is_dir():
        raise InvalidOptionError(f"{file} cannot be written: there is no folder {file.parent}")


def _arena(agents: list[str], games: int | None, seed: int, board: str | None, json_file: Path | None) -> int:
    """Plays, prints and writes; returns the exit status."""
    if json_file is not None:
        _check_writable(json_file)
    count = max(len(agents), 1)
    match = Match(agents, -(-DEFAULT_GAMES // count) * count if games is None else games, seed, board=board)
    finished = _play(match)
    if not finished:
        print(f"interrupted after {match.done} of {match.setups} set-ups", file=sys.stderr)
        if not match.done:
            return INTERRUPTED
    result = match.result()
    Console().print(results_table(result))
    print(
        f"{result.games / result.seconds:.1f} games/s, {result.decisions / result.seconds:.0f} decisions/s, "
        f"{result.decisions / result.games:.0f} decisions a game"
    )
    if json_file is not None:
        json_file.write_text(json.dumps(result.to_dict()) + "\n", encoding="utf-8")
    return 0 if finished else INTERRUPTED


@app.command()
def main(
    agents: Annotated[list[str], typer.Argument(help=f"3 to 5 agents, one a seat: {', '.join(NAMES)}.")],
    games: Annotated[
        int | None,
        typer.Option(help=f"A multiple of the number of agents; {DEFAULT_GAMES}, or the next multiple above."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Draws the set-ups and seeds the agents.")] = 0,
    board: Annotated[str | None, typer.Option(help="endeavor_2009, generated_<seed>, or a board file.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also writes the result there.")] = None,
) -> None:
    """Plays agents against each other, every set-up once in every seating, and prints how they did."""
    try:
        status = _arena(agents, games, seed, board, json_file)
    except (EndeavorError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        status = 2
    raise typer.Exit(status)


if __name__ == "__main__":
    app()
