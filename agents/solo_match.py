"""``endeavor solo AGENT ...``: play the solitaire game with each agent and print how often it wins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

import typer
from rich import box
from rich.table import Table

from endeavor_env.agents.command_line import (
    BoardName,
    Exploits,
    GameText,
    MatchSeed,
    command_line,
    play_and_report,
    print_forfeits,
    print_speed,
    read_config,
    sets_difficulty,
    start,
)
from endeavor_env.agents.matches import DIFFICULTIES, MIN_GAMES, SoloMatch, SoloMatchResult, SoloResult
from endeavor_env.agents.registry import NAMES
from endeavor_env.agents.results_file import JsonFile
from endeavor_env.agents.terminal import print_table
from endeavor_env.endeavor.results import RUNG_NAMES
from endeavor_env.endeavor.setups import SOLO, STANDARD
from endeavor_env.errors import InvalidOptionError, printable

__all__ = ["app", "markdown", "results_tables"]

DEFAULT_GAMES = 400
ROW = ("agent", "difficulty")
FIGURES = ("wins", "95 %", "lead", "95 %", "score", "theirs")
LADDER = "ladder: " + " / ".join(RUNG_NAMES)
EXPLAINED = "a win is a lead of 0 or more; theirs is the score of the Opposition"

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _figures(result: SoloResult) -> tuple[str, ...]:
    """Return the cells of a row, one for each heading of FIGURES."""
    low, high = result.interval
    least, most = result.margin_interval
    return (
        f"{result.win_rate:.1%}",
        f"{100 * low:.1f}-{high:.1%}",
        f"{result.mean_margin:+.1f}",
        f"{least:+.1f} to {most:+.1f}",
        f"{result.mean_score:.1f}",
        f"{result.mean_opposition:.1f}",
    )


def _title(result: SoloMatchResult) -> str:
    """Return one line that says what was played."""
    return f"{result.games} solo games a row on {result.config.board.id}, seed {result.seed}"


def _table(title: str, headings: Sequence[str], rows: Iterable[tuple[SoloResult, tuple[str, ...]]]) -> Table:
    """Return a table with a row for each agent and difficulty."""
    table = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column(ROW[0], overflow="fold")
    table.add_column(ROW[1], no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for row, cells in rows:
        table.add_row(row.agent, row.difficulty, *cells)
    return table


def results_tables(result: SoloMatchResult) -> tuple[Table, Table]:
    """Return the outcome as two tables to print, 80 columns wide: the figures, and the rungs of the ladder."""
    headings = [name.removesuffix(" victory") for name in RUNG_NAMES]
    return (
        _table(_title(result), FIGURES, ((row, _figures(row)) for row in result.rows)),
        _table(EXPLAINED, headings, ((row, tuple(f"{share:.1%}" for share in row.ladder)) for row in result.rows)),
    )


def markdown(result: SoloMatchResult) -> str:
    """Return the outcome as one table in Markdown, with a line below it that explains the columns."""
    headings = (*ROW, *FIGURES, "ladder, %")
    marks = (*(":--" for _ in ROW), *("--:" for _ in headings[len(ROW) :]))
    rows = [headings, marks]
    for row in result.rows:
        rows.append((row.agent, row.difficulty, *_figures(row), "/".join(f"{100 * part:.0f}" for part in row.ladder)))
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    return "\n".join([*lines, "", f"{_title(result)}; {EXPLAINED}; {LADDER}."])


def _show(result: SoloMatchResult) -> None:
    """Print a result as tables, and its speed."""
    for table in results_tables(result):
        print_table(table)
    print_forfeits(result.forfeits, result.names)
    print_speed(result, result.games * len(result.rows))


def _show_markdown(result: SoloMatchResult) -> None:
    """Print a result in Markdown."""
    print(printable(markdown(result)))


@app.command()
def main(
    agents: Annotated[list[str], typer.Argument(help=f"Each plays its own games: {', '.join(NAMES)}.")],
    games: Annotated[int, typer.Option(help="Games of each agent at each difficulty.")] = DEFAULT_GAMES,
    seed: MatchSeed = 0,
    board: BoardName = None,
    difficulty: Annotated[
        list[str] | None, typer.Option(help=f"One of {', '.join(DIFFICULTIES)}; repeatable; all if left out.")
    ] = None,
    exploits: Exploits = None,
    option: Annotated[list[str] | None, typer.Option(help="Another option, name=value; repeatable.")] = None,
    game: GameText = None,
    json_file: JsonFile = None,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print one table in Markdown.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --json if it exists.")] = False,
) -> None:
    """Play the solitaire game with each agent at each difficulty on the same set-ups, and print the results."""
    with command_line(json_file, force):
        if sets_difficulty(option, game):
            raise InvalidOptionError("option difficulty has a switch of its own: give --difficulty, once for each")
        config = read_config(SOLO if game is None else STANDARD, None, board, option, exploits, game)
        match = SoloMatch(agents, games, seed, difficulties=difficulty or DIFFICULTIES, config=config)
        status = play_and_report(match, MIN_GAMES, _show_markdown if as_markdown else _show, json_file)
    raise typer.Exit(status)


if __name__ == "__main__":
    start(app)
