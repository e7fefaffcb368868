"""``endeavor train tune-greedy --game solo --minutes 5``: search better weights for the greedy player.

The candidates play whole games inside a compiled kernel on all cores: at tables of three, four and five among automas,
players with the first weights and players with those found on the way, or the solitaire game at every difficulty. The
search is written to a file after each generation. It can be stopped at any time and continued with ``--resume``. At the
end the weights found meet the first ones on set-ups of their own.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.extras import check_libraries
from endeavor_env.agents.terminal import print_line, print_next, print_table, terminal
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.basics.files import check_writable
from endeavor_env.basics.inputs import real_number
from endeavor_env.endeavor.players.greedy import weights as greedy_weights
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.engine.players import read_weights
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.runs.resumption import check_resumption, next_match, stopped
from endeavor_env.training.tune_greedy.search import (
    TuningSettings,
    WeightSearch,
    read_search,
    weight_names,
    write_search,
)
from endeavor_env.training.tune_greedy.trials import OTHERS, SOLO, TABLE, TABLE_SIZES, compare, weights_of_player

CHECK_SEED = 1_000_003
"""Seed of the set-ups of the comparison; those of a search with the seed s are drawn with s and the generation."""


def tune(search: WeightSearch, path: Path, minutes: float, generations: int | None, bar: Progress) -> None:
    """Run generations until the time is over, or until there are so many; write the file after each.

    Args:
        search: The search, changed in place.
        path: Its file.
        minutes: Time for this call; a generation under way is finished.
        generations: The number of all generations of the search, instead of the time.
        bar: Shows how far the search is.
    """
    begun = time.monotonic()
    total = minutes * 60 if generations is None else generations
    task = bar.add_task("", total=total, completed=0 if generations is None else len(search.values))
    while (time.monotonic() - begun if generations is None else len(search.values)) < total:
        results = search.run_generation()
        write_search(search, path)
        done = time.monotonic() - begun if generations is None else len(search.values)
        words = f"generation {len(search.values)}, mean result {sum(results) / len(results):+.3f}"
        bar.update(task, completed=min(done, total), description=words)


def open_search(
    game: str | None,
    seed: int | None,
    population: int | None,
    games: int | None,
    sigma: float | None,
    weights: str | None,
    out: Path | None,
    resume: Path | None,
) -> tuple[WeightSearch, Path]:
    """Return the new search, or the one to resume, and its file, as the command line says."""
    named = {"--game": game, "--seed": seed, "--from": weights, "--out": out}
    check_resumption(resume, named | {"--population": population, "--games": games, "--sigma": sigma})
    if resume is not None:
        check_writable(resume)
        return read_search(resume), resume
    given = {"game": game, "seed": seed, "population": population, "games": games, "sigma": sigma}
    settings: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if weights is not None:
        wanted = settings.get("game", TABLE)
        first = {**weights_of_player(wanted), **given_weights(wanted, weights)}
        settings["start"] = tuple(first[name] for name in weight_names(wanted))
    search = WeightSearch(TuningSettings(**settings))
    path = Path("runs", f"greedy-{search.settings.game}.json") if out is None else out
    if path.exists():
        raise InvalidOptionError(f"{path} exists: continue it with --resume {path}, or give another --out")
    if out is not None:
        check_writable(path)
    return search, path


def given_weights(game: str, text: str) -> dict[str, float]:
    """Return the weights that a text gives for a game."""
    if game not in OTHERS:
        return greedy_weights.read_weights(text, f"greedy:{text}")
    known = weight_names(game)
    return read_weights(text, f"greedy:{text}", known, ", ".join(known))


def check_numbers(search: WeightSearch, minutes: float, generations: int | None, check_games: int) -> None:
    """Raise InvalidOptionError unless these numbers of the command line are possible."""
    if real_number(minutes) is None or minutes <= 0:
        raise InvalidOptionError(f"minutes={minutes} is not possible: give a number above 0")
    if generations is not None and generations < 0:
        raise InvalidOptionError(f"generations={generations} is not possible: give 0 or more")
    multiple = 1 if search.settings.game in (SOLO, *OTHERS) else math.lcm(*TABLE_SIZES)
    if check_games < 2 or check_games % multiple:
        wanted = "at least 2" if multiple == 1 else f"a positive multiple of {multiple}"
        raise InvalidOptionError(f"check_games={check_games} is not possible: give {wanted}")


def results_table(rows: list[dict[str, Any]], game: str) -> Table:
    """Return the comparison as a table to print."""
    table = Table(title=f"{rows[0]['games']} games a row")
    against = "difficulty" if game == SOLO else "against"
    for heading in ("weights", against, "wins", "95 % interval", "lead", "95 %"):
        table.add_column(heading, justify="left" if heading in ("weights", against) else "right", no_wrap=True)
    for row in rows:
        low, high = row["interval"]
        least, most = row["lead_interval"]
        table.add_row(
            row["player"],
            row["against"],
            f"{row['win_rate']:.1%}",
            f"{100 * low:.1f}-{high:.1%}",
            f"{row['mean_lead']:+.1f}",
            f"{least:+.1f} to {most:+.1f}",
        )
    return table


def found_lines(search: WeightSearch) -> Iterator[str]:
    """Yield lines that say what was found, as the settings of an agent and as values for the sources."""
    found = search.found()
    yield f"greedy:{','.join(f'{name}={value:g}' for name, value in found.items())}"
    yield ""
    for name, value in found.items():
        yield f"{name.rpartition('.')[2]}={value!r},"


def finish(search: WeightSearch, path: Path, check_games: int, console: Console) -> None:
    """Compare what was found with the start, add the results to the file, and print both."""
    print_line(f"{len(search.values)} generations; playing the comparison ...", console)
    found = np.array(list({**weights_of_player(search.settings.game), **search.found()}.values()))
    rows = compare(search.settings.game, found, search.start, check_games, CHECK_SEED)
    write_search(search, path, comparison=rows)
    for line in found_lines(search):
        print_line(line, console)
    print_table(results_table(rows, search.settings.game), console)
    print_line(f"Search, weights and comparison: {path}", console)
    game = search.settings.game
    print_next(*next_match(next(found_lines(search)), STANDARD if game == "table" else game, "greedy"), console=console)


def main(
    game: Annotated[
        str | None, typer.Option(help="The weights to tune: table (the default), solo, exploits or merchants.")
    ] = None,
    minutes: Annotated[float, typer.Option(help="Time of the search, without the comparison.")] = 5.0,
    generations: Annotated[
        int | None, typer.Option(help="Generations in all, instead of a time: the same result every time.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the search, 0 unless given.")] = None,
    population: Annotated[int | None, typer.Option(help="Candidates of a generation, 16 unless given.")] = None,
    games: Annotated[int | None, typer.Option(help="Games of a candidate in a generation, 300 unless given.")] = None,
    sigma: Annotated[
        float | None, typer.Option("--sigma", "--step", help="Spread of the first candidates, 1 unless given.")
    ] = None,
    weights: Annotated[
        str | None, typer.Option("--from", help="Weights to start from, as in the agent greedy:disc=0.5,...")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File of the search; default runs/greedy-<game>.json.")] = None,
    resume: Annotated[Path | None, typer.Option(help="File of a search to continue.")] = None,
    check_games: Annotated[int, typer.Option(help="Games of each match of the comparison.")] = 1_200,
    progress: Annotated[bool, typer.Option(help="Show a progress bar.")] = True,
) -> None:
    """Search better weights for the greedy player, and compare them with those it starts from."""
    with command_line():
        check_libraries("train", "cmaes")
        search, path = open_search(game, seed, population, games, sigma, weights, out, resume)
        check_numbers(search, minutes, generations, check_games)
        path.parent.mkdir(exist_ok=True)
        console = terminal()
        columns = (BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        shown = progress and sys.stderr.isatty()
        try:
            with Progress(*columns, console=terminal(stderr=True), transient=True, disable=not shown) as bar:
                tune(search, path, minutes, generations, bar)
            finish(search, path, check_games, console)
        except KeyboardInterrupt as interruption:
            if path.exists():
                raise stopped("endeavor_env.training.tune_greedy", "--resume", str(path)) from interruption
            raise typer.Exit(INTERRUPTED) from interruption


if __name__ == "__main__":
    start(lambda: typer.run(main))
