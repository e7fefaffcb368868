"""``endeavor train match value greedy``: play one compiled player among copies of another; players on several boards.

The games are played inside the compiled loops, on all cores, on paired set-ups from rotated seats, at every table of a
game: what takes the arena minutes takes seconds here. Agents that are no compiled players can play only in the arena.

from endeavor_env.training.match import compare_on_boards, over_boards

rows = compare_on_boards(["value", "lookahead"], [None, "generated_1", "generated_2"], games=400)
over_boards(rows)          # the mean of each player, with an interval over boards
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.progress import track

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.results_file import JsonFile, write_results
from endeavor_env.agents.terminal import print_table, terminal
from endeavor_env.analysis.table import Table
from endeavor_env.basics.inputs import positive_number
from endeavor_env.endeavor.board import DEFAULT_BOARD_ID, Board
from endeavor_env.endeavor.ensure import ensure_compiled
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.players import check_player
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.training.td.adapter import read_boards
from endeavor_env.training.td.evaluation import Pair, evaluate, results_table
from endeavor_env.training.td.settings import GAMES, GREEDY
from endeavor_env.training.td.workers import ThreadWorkers

# --- The same match on each of several boards -------------------------------------------------------------------------

COMPARISON_COLUMNS = ("player", "board", "games", "wins", "low", "high", "score", "rival_score")
"""Columns of ``compare_on_boards``; wins are a share of the games, low and high the ends of its interval."""


def compare_on_boards(
    players: Sequence[str],
    boards: Sequence[Board | str | Path | None],
    games: int,
    *,
    rival: str = GREEDY,
    seats: int = 4,
    threads: int = 0,
) -> Table:
    """Play each player among copies of a rival on each board, and return the results.

    Every set-up is played once from each seat, and all players meet the same set-ups of a board. The games are played
    inside the compiled loops.

    Args:
        players: Names of compiled players, such as "value:runs/td-quick/value.npz".
        boards: What ``Board.resolve`` takes, each board once.
        games: Games of a player on a board, at least 1, rounded up to whole set-ups.
        rival: The compiled player in the other seats.
        seats: 3 to 5.
        threads: Threads that play; 0 for one on each core.

    Returns:
        The table "boards" with COMPARISON_COLUMNS, a row for each player and board in the order given. ``wins`` has
        Wilson's 95 % interval, ``score`` is the mean Glory of the player, ``rival_score`` that of its rivals.

    Raises:
        InvalidOptionError: An unknown player or board, no players or boards, or a wrong number.
        InvalidBoardError: A board file with faults.
        CheckpointError: The file of a network cannot be used.
    """
    positive_number("games", games)
    on = [Board.resolve(board) for board in boards]
    config = GameConfig(players=seats)
    if not players or not on:
        raise InvalidOptionError("a comparison needs at least one player and one board")
    for name in (*players, rival):
        check_player("player", name, (STANDARD,))
    ensure_compiled()
    rows = [(name, board, _play(name, board, config, games, rival, threads)) for name in players for board in on]
    return _table([(name, board.id, *row) for name, board, row in rows])


def _play(player: str, board: Board, config: GameConfig, games: int, rival: str, threads: int) -> tuple[Any, ...]:
    """Return the columns of a player on a board from ``games`` on."""
    pair, workers = Pair(player, rival), ThreadWorkers(board, threads)
    try:
        (row,) = evaluate(workers, (config,), pair.seats, games, rival, codes=pair.codes)
    finally:
        workers.close()
    return row["games"], row["win_rate"], *row["interval"], row["mean_score"], row["opponents_mean_score"]


def _table(rows: Sequence[tuple[Any, ...]]) -> Table:
    """Return the rows as a table."""
    values = zip(*rows, strict=True)
    kinds = (object, object, int, float, float, float, float, float)
    return Table(
        "boards",
        {name: np.array(one, kind) for name, one, kind in zip(COMPARISON_COLUMNS, values, kinds, strict=True)},
    )


def over_boards(rows: Table) -> Table:
    """Return the mean of each player over boards, with an interval for boards that were not played.

    A board counts as one observation, however many games were played on it: more games on the same boards do not tell
    more about others. The interval is Student's, for boards drawn independently in one way.

    Args:
        rows: Rows of ``compare_on_boards``, at least two boards for each player.

    Returns:
        The table "over_boards" with the columns ``player``, ``boards`` (number), ``wins`` (mean share), ``low`` and
        ``high`` (95 % interval), a row for each player in the order of ``rows``.

    Raises:
        InvalidOptionError: Another table, or a player with fewer than two boards.
    """
    from scipy.stats import t as student  # comes with the extra arena

    names, found = rows["player"], []
    for name in dict.fromkeys(names.tolist()):
        wins = rows.where(names == name)["wins"]
        if wins.size < 2:
            raise InvalidOptionError(f"player {name} was measured on one board: an interval over boards needs two")
        half = float(student.ppf(0.975, wins.size - 1)) * float(wins.std(ddof=1)) / math.sqrt(wins.size)
        mean = float(wins.mean())
        found.append((name, wins.size, mean, max(0.0, mean - half), min(1.0, mean + half)))
    values = zip(*found, strict=True)
    kinds = {"player": object, "boards": int, "wins": float, "low": float, "high": float}
    return Table("over_boards", {name: np.array(one, kinds[name]) for name, one in zip(kinds, values, strict=True)})


# --- The command ------------------------------------------------------------------------------------------------------


def main(
    player: Annotated[str, typer.Argument(help="A compiled player: greedy, lookahead, value, policy, search:sims=15")],
    rival: Annotated[str, typer.Argument(help="Who takes the other seats; the solitaire game has none.")] = GREEDY,
    variant: Annotated[str, typer.Option(help=f"The tables: {', '.join(GAMES)}.")] = "standard",
    games: Annotated[int, typer.Option(help="Games at each table, rounded up to whole set-ups.")] = 1200,
    threads: Annotated[int, typer.Option(help="Threads that play; 0 for one on each core.")] = 0,
    board: Annotated[
        str,
        typer.Option(help=f"{DEFAULT_BOARD_ID}, generated_<seed>, generated_<first>-<last>, or a board file."),
    ] = DEFAULT_BOARD_ID,
    players: Annotated[int | None, typer.Option(help="Number of seats; default every table of the game.")] = None,
    progress: Annotated[bool, typer.Option(help="Show a progress bar.")] = True,
    json_file: JsonFile = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --json if it exists.")] = False,
) -> None:
    """Play PLAYER among copies of RIVAL at every table of a game, and print what it wins."""
    with command_line(json_file, force):
        if variant not in GAMES:
            raise InvalidOptionError(f"game {shown(variant)} is unknown: possible are {', '.join(GAMES)}")
        positive_number("games", games)
        tables = [table for table in GAMES[variant] if players in (None, table.players)]
        if not tables:
            raise InvalidOptionError(f"--players {players} is not possible: {variant} has no such table")
        variants = [table.variant for table in tables]
        on = read_boards(board, variants)
        pair = Pair(player, rival)
        for name in pair:
            check_player("player", name, variants)
        ensure_compiled()
        workers = ThreadWorkers(on, threads)
        rows = []
        hidden, errors = not (progress and sys.stderr.isatty()), terminal(stderr=True)
        try:
            for table in track(tables, "playing", console=errors, disable=hidden, transient=True):
                rows += evaluate(workers, (table,), pair.seats, games, rival, codes=pair.codes)
        finally:
            workers.close()
        write_results(json_file, {"player": player, "rival": rival, "board": on.id, "results": rows})
        among = "against the Opposition" if variant == "solo" else f"among {rival}"
        print_table(results_table(rows, f"{player} {among} on {on.id}", player))


if __name__ == "__main__":
    start(lambda: typer.run(main))
