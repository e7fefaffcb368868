"""``python -m agents.solo_match AGENT ...``: plays the solitaire game with each agent and prints how often it wins."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console, Group
from rich.table import Table

from agents.command_line import INTERRUPTED, check_writable, play_to_the_end, read_options
from agents.matches.solo import DIFFICULTIES, MIN_GAMES, SoloMatch, SoloMatchResult, SoloResult
from agents.registry import NAMES
from endeavor_env.errors import EndeavorError, InvalidOptionError
from endeavor_env.ladder import RUNG_NAMES

__all__ = ["app", "markdown", "results_table"]

DEFAULT_GAMES = 400
ROW = ("agent", "difficulty")
FIGURES = ("wins", "95 %", "lead", "95 %", "score", "theirs")
LADDER = "ladder: " + " / ".join(RUNG_NAMES)
EXPLAINED = "a win is a lead of 0 or more; theirs is the score of the Opposition"

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _figures(result: SoloResult) -> tuple[str, ...]:
    """Returns the cells of a row, one a heading of FIGURES."""
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
    return f"{result.games} solo games a row on {result.board}, seed {result.seed}"


def _table(title: str, headings: Sequence[str], rows: Iterable[tuple[SoloResult, tuple[str, ...]]]) -> Table:
    """Returns a table with a row for each agent and difficulty."""
    table = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column(ROW[0], overflow="fold")
    table.add_column(ROW[1], no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for row, cells in rows:
        table.add_row(row.agent, row.difficulty, *cells)
    return table


def results_table(result: SoloMatchResult) -> Group:
    """Returns the outcome as two tables to print, 80 columns wide: the figures, and the rungs of the ladder."""
    headings = [name.removesuffix(" victory") for name in RUNG_NAMES]
    return Group(
        _table(_title(result), FIGURES, ((row, _figures(row)) for row in result.rows)),
        _table(EXPLAINED, headings, ((row, tuple(f"{share:.1%}" for share in row.ladder)) for row in result.rows)),
    )


def markdown(result: SoloMatchResult) -> str:
    """Returns the outcome as one table in Markdown, with a line below it that explains the columns."""
    headings = (*ROW, *FIGURES, "ladder, %")
    marks = (*(":--" for _ in ROW), *("--:" for _ in headings[len(ROW) :]))
    rows = [headings, marks]
    for row in result.rows:
        rows.append((row.agent, row.difficulty, *_figures(row), "/".join(f"{100 * part:.0f}" for part in row.ladder)))
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    return "\n".join([*lines, "", f"{_title(result)}; {EXPLAINED}; {LADDER}."])


def _play(match: SoloMatch, json_file: Path | None, as_markdown: bool) -> int:
    """Plays, prints and writes; returns the exit status."""
    finished = play_to_the_end(match.play(), match.games)
    if not finished:
        print(f"interrupted after {match.done} of {match.games} set-ups", file=sys.stderr)
        if match.done < MIN_GAMES:
            return INTERRUPTED
    result = match.result()
    if as_markdown:
        print(markdown(result))
    else:
        Console().print(results_table(result))
        games = result.games * len(result.rows)
        print(
            f"{games / result.seconds:.1f} games/s, {result.decisions / result.seconds:.0f} decisions/s, "
            f"{result.decisions / games:.0f} decisions a game"
        )
    if json_file is not None:
        json_file.write_text(json.dumps(result.to_dict()) + "\n", encoding="utf-8")
    return 0 if finished else INTERRUPTED


@app.command()
def main(
    agents: Annotated[list[str], typer.Argument(help=f"Each plays by itself: {', '.join(NAMES)}.")],
    games: Annotated[int, typer.Option(help="Games of each agent at each difficulty.")] = DEFAULT_GAMES,
    seed: Annotated[int, typer.Option(help="Draws the set-ups and seeds the agents.")] = 0,
    board: Annotated[str | None, typer.Option(help="endeavor_2009, generated_<seed>, or a board file.")] = None,
    difficulty: Annotated[
        list[str] | None, typer.Option(help=f"One of {', '.join(DIFFICULTIES)}; repeatable; all if left out.")
    ] = None,
    option: Annotated[list[str] | None, typer.Option(help="Another option, name=value; repeatable.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also writes the result there.")] = None,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Prints the table in Markdown.")] = False,
) -> None:
    """Plays the solitaire game with each agent at each difficulty on the same set-ups, and prints how they did."""
    try:
        if json_file is not None:
            check_writable(json_file)
        options = read_options(option or ())
        if "difficulty" in options:
            raise InvalidOptionError("option difficulty has a switch of its own: give --difficulty, once for each")
        match = SoloMatch(agents, games, seed, difficulties=difficulty or DIFFICULTIES, board=board, options=options)
        status = _play(match, json_file, as_markdown)
    except (EndeavorError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        status = 2
    raise typer.Exit(status)


if __name__ == "__main__":
    app()
