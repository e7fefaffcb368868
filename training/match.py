"""``endeavor train match value greedy``: play one compiled player among copies of another.

The games are played inside the compiled loops, on all cores, on paired set-ups from rotated seats, at every table of a
game: what takes the arena minutes takes seconds here. Agents that are no compiled players can play only in the arena.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.progress import track

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.results_file import JsonFile, write_results
from endeavor_env.agents.terminal import print_table, terminal
from endeavor_env.basics.inputs import positive_number
from endeavor_env.endeavor.board import DEFAULT_BOARD_ID
from endeavor_env.endeavor.ensure import ensure_compiled
from endeavor_env.endeavor.players import check_player
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.training.td.adapter import read_boards
from endeavor_env.training.td.evaluation import Pair, evaluate, results_table
from endeavor_env.training.td.settings import GAMES, GREEDY
from endeavor_env.training.td.workers import ThreadWorkers


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
