"""``endeavor train strength search:sims={}``: what a player wins by how long it thinks.

    python -m endeavor_env.training.strength search:sims={} --at 4 --at 16 --at 64 --rival value --players 4

The player is named with a pair of braces, in whose place each of the numbers is put. All of them play on the same
set-ups, from every seat, against the same rivals. The milliseconds are processor time for each of the player's
decisions, those with one legal move included.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer
from rich.table import Table

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.results_file import JsonFile, write_results
from endeavor_env.agents.terminal import print_table
from endeavor_env.basics.inputs import positive_number
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.ensure import ensure_parts
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.players import check_player
from endeavor_env.endeavor.rules.parts import LEARNING, PLAYERS, SEARCHES
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.training.td.evaluation import Pair, evaluate
from endeavor_env.training.td.games import PlayedGames, SeatedPlayer, play
from endeavor_env.training.td.settings import GAMES
from endeavor_env.training.td.workers import ThreadWorkers

PLACE = "{}"
"""Stands in the name of a player for the numbers."""
NUMBERS = (1, 4, 16, 64)


class Clock:
    """Plays games, and counts their decisions and the processor time that they took on whatever thread."""

    def __init__(self) -> None:
        """Begin at 0."""
        self.decisions, self.seconds = 0, 0.0

    def play(self, board: Board, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> PlayedGames:
        """Return what ``play`` does."""
        begun = time.thread_time()
        played = play(board, fixtures, seated)
        self.seconds += time.thread_time() - begun
        self.decisions += played.decisions
        return played


def measure(board: Board, table: GameConfig, player: str, rival: str, games: int, threads: int = 0) -> dict[str, Any]:
    """Return the results of ``player`` among copies of ``rival``, and ``milliseconds`` for each of its decisions.

    What the rivals' decisions take is known from the same games with a rival in every seat.
    """
    row, clock = _play(board, table, player, rival, games, threads)
    usual = 0.0
    if table.players > 1:
        _, of_rivals = _play(board, table, rival, rival, table.players, threads)
        usual = of_rivals.seconds / max(of_rivals.decisions, 1)
    own = clock.decisions / table.players
    seconds = clock.seconds - usual * (clock.decisions - own)
    return {"player": player, **row, "milliseconds": round(1000 * max(seconds, 0.0) / own, 3)}


def _play(
    board: Board, table: GameConfig, player: str, rival: str, games: int, threads: int
) -> tuple[dict[str, Any], Clock]:
    """Play a match; return its results and the clock of its games."""
    clock, pair = Clock(), Pair(player, rival)
    workers = ThreadWorkers(board, threads, clock.play)
    try:
        return evaluate(workers, (table,), pair.seats, games, rival, codes=pair.codes)[0], clock
    finally:
        workers.close()


def _table_of(game: str, players: int | None) -> GameConfig:
    """Return the kind of table to play; raise InvalidOptionError if there is none."""
    if game not in GAMES:
        raise InvalidOptionError(f"game {shown(game)} is unknown: possible are {', '.join(GAMES)}")
    found = [table for table in GAMES[game] if players in (None, table.players)]
    if not found:
        raise InvalidOptionError(f"--players {players} is not possible: {game} has no such table")
    return found[0]


def _print(rows: Sequence[Mapping[str, Any]], title: str) -> None:
    """Print the results as a table."""
    table = Table("player", "ms", "wins", "interval", "Glory", "others' Glory", title=title)
    for row in rows:
        low, high = row["interval"]
        figures = f"{row['milliseconds']:.2f}", f"{row['win_rate']:.1%}", f"{low:.1%}-{high:.1%}"
        table.add_row(row["player"], *figures, f"{row['mean_score']:.1f}", f"{row['opponents_mean_score']:.1f}")
    print_table(table)


def main(
    player: Annotated[str, typer.Argument(help="A compiled player with {} for a number, such as search:sims={}")],
    at: Annotated[
        list[int] | None, typer.Option(help="A number to put in; can be repeated. Default 1, 4, 16, 64.")
    ] = None,
    rival: Annotated[str, typer.Option(help="Who takes the other seats; the solitaire game has none.")] = "value",
    variant: Annotated[str, typer.Option(help=f"The game: {', '.join(GAMES)}.")] = "standard",
    players: Annotated[int | None, typer.Option(help="Number of seats; default the first that the game has.")] = None,
    games: Annotated[int, typer.Option(help="Games of each, rounded up to whole set-ups.")] = 240,
    threads: Annotated[int, typer.Option(help="Threads that play; 0 for one on each core.")] = 0,
    json_file: JsonFile = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --json if it exists.")] = False,
) -> None:
    """Play PLAYER with each number among copies of the rival; print what it wins and the time that it takes."""
    with command_line(json_file, force):
        if PLACE not in player:
            raise InvalidOptionError(f"player {shown(player)} has no {PLACE} in whose place a number could be put")
        positive_number("games", games)
        table, board = _table_of(variant, players), Board.default()
        names = [player.replace(PLACE, str(number)) for number in at or NUMBERS]
        for name in (*names, rival):
            check_player("player", name, (table.variant,))
        ensure_parts(LEARNING, PLAYERS, SEARCHES)
        rows = [measure(board, table, name, rival, games, threads) for name in names]
        write_results(json_file, {"player": player, "rival": rival, "results": rows})
        _print(rows, f"{player} among {rival}" if table.players > 1 else player)


if __name__ == "__main__":
    start(lambda: typer.run(main))
