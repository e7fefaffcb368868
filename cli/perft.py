"""``endeavor perft``: count the sequences of legal decisions from a position."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import track
from rich.table import Table

from endeavor_env.agents.command_line import command_line, read_any_config
from endeavor_env.agents.results_file import JsonFile, write_results
from endeavor_env.agents.terminal import print_line, print_table, terminal
from endeavor_env.cli.choices import BoardName, Exploits, Force, GameText, Move, OptionTexts, Seed, Variant
from endeavor_env.cli.views import replay_any
from endeavor_env.engine.game import GameConfig
from endeavor_env.errors import InvalidOptionError
from endeavor_env.testing import perft

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
MOST_DEPTH = 12
"""There are too many sequences of thirteen decisions to count in a day."""


def count(game: Any, depth: int) -> tuple[list[int], dict[str, int]]:
    """Count with a progress bar.

    Returns:
        The number of sequences of 1, 2, ... ``depth`` decisions, and that of the longest by their first move.
    """
    totals, split = [0] * depth, {}
    moves = game.legal_moves()
    hidden = not sys.stderr.isatty()
    for move in track(moves, "first moves", console=terminal(stderr=True), disable=hidden, transient=True):
        after = game.clone()
        after.play(move, draws=False)  # and draws nothing: what chance decides next is counted as well
        counts = [1, *perft(after, depth - 1)]
        totals = [total + more for total, more in zip(totals, counts, strict=True)]
        split[move] = counts[-1]
    return totals, split


def position_of(
    record: Path | None, move: int | None, seed: int, board: str | None, new: Callable[[], GameConfig]
) -> Any:
    """Return the position to count from: a new game, or one of a record."""
    if record is None:
        if move is not None:
            raise InvalidOptionError("--move belongs to a record: give its file, or leave --move out")
        return new().new_game(seed)
    game = replay_any(record, board)
    return game if move is None else game.at_move(move)


def results_table(totals: list[int]) -> Table:
    """Return the counts by depth."""
    table = Table()
    for heading in ("decisions", "sequences"):
        table.add_column(heading, justify="right", no_wrap=True)
    for number, total in enumerate(totals, start=1):
        table.add_row(str(number), f"{total:,}")
    return table


def divide_table(split: dict[str, int], depth: int) -> Table:
    """Return the counts of the longest sequences by their first move."""
    table = Table(title=f"sequences of {depth} decisions by the first")
    table.add_column("move", no_wrap=True)
    table.add_column("sequences", justify="right", no_wrap=True)
    for move, total in split.items():
        table.add_row(move, f"{total:,}")
    return table


@app.command()
def main(
    record: Annotated[Path | None, typer.Argument(help="The record of a game; a new game if left out.")] = None,
    depth: Annotated[int, typer.Option(min=1, max=MOST_DEPTH, help="Decisions of the longest sequences.")] = 4,
    move: Move = None,
    players: Annotated[int | None, typer.Option(help="Seats of a new game.")] = None,
    variant: Variant = "standard",
    seed: Seed = 0,
    board: BoardName = None,
    exploits: Exploits = None,
    option: OptionTexts = None,
    game_text: GameText = None,
    divide: Annotated[bool, typer.Option("--divide", help="Show the counts by first move as well.")] = False,
    json_file: JsonFile = None,
    force: Force = False,
) -> None:
    """Count the sequences of legal decisions from a position: the standard test of another implementation.

    Where chance is to move, as it is before a roll of dice, each possible outcome counts as a decision of its own.
    """
    with command_line(json_file, force):
        new = partial(read_any_config, variant, players, board, option, exploits, game_text)
        game = position_of(record, move, seed, board, new)
        perft(game, 1)  # loads the machine code, before the clock starts
        begun = time.perf_counter()
        totals, split = count(game, depth)
        seconds = time.perf_counter() - begun
        results = {"position": game.record(), "counts": totals, "divide": split, "seconds": seconds}
        write_results(json_file, results)
        print_line(repr(game).strip("<>"))
        print_table(results_table(totals))
        if divide:
            print_table(divide_table(split, depth))
        print_line(f"{sum(totals) / max(seconds, 1e-9):,.0f} positions/s")
