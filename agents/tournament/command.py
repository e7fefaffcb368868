"""Plays a tournament for the command line: progress, Ctrl-C, tables and plots of the result."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich import box
from rich.table import Table

from endeavor_env.agents.command_line import progress
from endeavor_env.agents.forfeits import forfeits_in_words
from endeavor_env.agents.results_file import check_results, write_results
from endeavor_env.agents.runner import UnitStore, count_jobs, make_folder
from endeavor_env.agents.statistics import DEFAULT_RESAMPLES, check_choix
from endeavor_env.agents.terminal import print_line, print_table
from endeavor_env.agents.tournament.playing import (
    TournamentSettings,
    WorkItemPlayer,
    WorkItemResult,
    all_work_items,
    open_store,
    write_fields,
)
from endeavor_env.agents.tournament.result import (
    SeatResult,
    Share,
    SoloTableResult,
    TournamentResult,
    check_report,
    make_result,
)
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.basics.files import check_none_exists
from endeavor_env.engine.games import game_of
from endeavor_env.errors import EndeavorError, InvalidOptionError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# --- ``endeavor arena --round-robin``: play, or go on, and report -----------------------------------------------------


@dataclass(frozen=True)
class Report:
    """Options of the report on the games."""

    resamples: int = DEFAULT_RESAMPLES
    """Number of bootstrap samples of the set-ups for the intervals of the ratings."""
    anchor: str | None = None
    """Agent whose rating is 0; None makes the mean 0."""
    json_file: Path | None = None
    """File to write the result to; None writes none."""
    plots: Path | None = None
    """Folder for plots; None draws none."""
    force: bool = False
    """True to replace existing files."""

    def check(self) -> None:
        """Raise InvalidOptionError for files that cannot be written or exist, and for libraries that are missing."""
        check_choix()
        if self.plots is not None:
            check_matplotlib()
            check_none_exists(self.plots, PICTURES, self.force)
        check_results(self.json_file, self.force)


def play_and_report(settings: TournamentSettings, out: Path | None, jobs: int | None, report: Report) -> int:
    """Play a tournament or the rest of it, report the result, and return the exit status.

    Ctrl-C keeps the games in ``out`` and says how to go on; without such a folder it reports the set-ups that all
    fields have played.

    Args:
        settings: Those of the tournament.
        out: The folder that keeps the games; None keeps none.
        jobs: Number of processes; None for that of the cores.
        report: What to make of the games; ``report.check`` has been called.

    Raises:
        EndeavorError: See ``play_tournament``.
    """
    count = count_jobs(jobs)
    check_report(settings, report.resamples, report.anchor)
    with open_store(out, settings) as store:
        if report.plots is not None:
            make_folder(report.plots)
        finished = _play(settings, store, count)
        if not finished:
            done = _games(settings, store.units.values())
            how = "nothing is kept without --out" if out is None else "the same command goes on from there"
            print(f"interrupted after {done} of {settings.total_games} games: {how}", file=sys.stderr)
            if out is not None:
                return INTERRUPTED
        try:
            result = _result(settings, store, report)
        except EndeavorError:
            if finished:
                raise
            return INTERRUPTED
    _show(result, report)
    if finished:
        print_line(_what_next(out, report))
    return 0 if finished else INTERRUPTED


def _what_next(out: Path | None, report: Report) -> str:
    """Return the last line of a tournament: what the same command can still make of its games."""
    more = (("--out FOLDER keeps the games", out), ("--plots FOLDER draws the results", report.plots))
    left = [text for text, given in (*more, ("--json FILE writes every figure", report.json_file)) if given is None]
    return f"Next: the same command with {', '.join(left)}" if left else f"Next: the pictures in {report.plots}"


def _games(settings: TournamentSettings, units: Iterable[WorkItemResult]) -> int:
    """Return the number of games of units."""
    return sum(played.unit.count * settings.tables[played.unit.table].players for played in units)


def _play(settings: TournamentSettings, store: UnitStore[WorkItemResult], jobs: int) -> bool:
    """Play what is missing with a progress bar; return False if Ctrl-C interrupted it."""
    write_fields(settings)
    missing = store.play_missing(partial(WorkItemPlayer, settings), all_work_items(settings), jobs)
    done = _games(settings, store.units.values())
    try:
        with progress("games", settings.total_games, done) as advance, closing(missing) as playing:
            for played in playing:
                advance(_games(settings, [played]))
    except KeyboardInterrupt:
        return False
    return True


def _result(settings: TournamentSettings, store: UnitStore[WorkItemResult], report: Report) -> TournamentResult:
    """Return the result of the units done, with a progress bar for the intervals of the ratings."""
    with progress("resampled set-ups", report.resamples) as advance:
        return make_result(settings, store.units.values(), report.resamples, report.anchor, advance)


def _show(result: TournamentResult, report: Report) -> None:
    """Write the files of the report and print the tables, which are printed even if a file cannot be written."""
    try:
        write_results(report.json_file, result.to_dict(), indent=None)
        if report.plots is not None:
            write_plots(result, report.plots)
    finally:
        for table in result_tables(result):
            print_table(table)
        if any(name != given for name, given in zip(result.names, result.settings.agents, strict=True)):
            for name, given in zip(result.names, result.settings.agents, strict=True):
                print_line(f"{name}: {given}")
        for line in forfeits_in_words([one.forfeit for one in result.forfeits], result.names):
            print_line(line)
        print_line(f"{result.games} games, {result.decisions} decisions, {result.seconds:.0f} s in all processes")


# --- The result as tables to print ------------------------------------------------------------------------------------

APART = "* the games give only a bound: it is never ahead of some others, or never behind them"


def result_tables(result: TournamentResult) -> Iterator[Table]:
    """Yield the tables of each table size, then the ratings."""
    for table in result.tables:
        yield _matrix(result, table)
        if isinstance(table, SoloTableResult):
            yield _difficulties(result.names, table)
        else:
            yield _standings(result.names, table)
        if result.settings.rounds > 1:
            yield _rounds(result.names, table)
    yield _ratings(result)


def _interval(low: float, high: float) -> str:
    """Return an interval of shares as text."""
    return f"{100 * low:.1f}-{high:.1%}"


def _share(share: Share) -> str:
    """Return a share with its interval as text."""
    return f"{share.share:.1%} ({_interval(*share.interval)})"


def _table(title: str, names: Sequence[str], columns: Sequence[tuple[str, Sequence[str]]], caption: str = "") -> Table:
    """Return a table with a row for each name."""
    table = Table(title=title, caption=caption or None, box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("agent", overflow="fold")
    for heading, _ in columns:
        table.add_column(heading, justify="right", overflow="fold")
    for row, name in enumerate(names):
        table.add_row(name, *(cells[row] for _, cells in columns))
    return table


def _matrix(result: TournamentResult, table: SeatResult) -> Table:
    """Return the payoff matrix."""
    matrix, names = table.matrix, result.names
    fields, setups = len(table.fields), table.scores.shape[1]
    config = result.settings.config
    game, board = game_of(config.rules).headline_parts(config)
    where = f"{board}, {fields} fields of {setups} set-ups"
    if isinstance(table, SoloTableResult):
        title = f"{table.games} solo games{where}, seed {result.settings.seed}"
        caption = "how often the row's lead is greater than the column's in the same game, and the 95 % interval"
    else:
        title = f"{table.games} games{game} at {table.players} seats{where}, seed {result.settings.seed}"
        others = "column agents" if table.players > 2 else "column agent"
        caption = f"wins of one row agent among {table.players - 1} {others}, and the 95 % interval"
    columns = []
    for column, name in enumerate(names):
        cells = [
            "" if row == column else f"{share:.1%} ({_interval(low, high)})"
            for row, (share, low, high) in enumerate(
                zip(matrix.share[:, column], matrix.low[:, column], matrix.high[:, column], strict=True)
            )
        ]
        columns.append((f"among {name}" if table.players > 1 else f"before {name}", cells))
    return _table(title, names, columns, f"{caption}; parity is {matrix.parity:.1%}")


def _standings(names: Sequence[str], table: SeatResult) -> Table:
    """Return what each agent reaches, its worst field, and who does best among seats of it."""
    standings = table.standings
    winning = [standing.mean_winning_score for standing in standings]
    responses = [standing.best_response for standing in standings if standing.best_response is not None]
    columns = [
        ("score", [f"{standing.mean_score:.1f}" for standing in standings]),
        ("when it wins", ["" if score is None else f"{score:.1f}" for score in winning]),
        ("rank", [f"{standing.mean_rank:.2f}" for standing in standings]),
        ("worst field", [standing.worst.label for standing in standings]),
        ("wins there", [_share(standing.worst) for standing in standings]),
        ("parity", [f"{standing.worst.parity:.1%}" for standing in standings]),
        ("best response", [f"{names[share.agent]} {_share(share)}" for share in responses]),
    ]
    return _table(f"standings at {table.players} seats", names, columns)


def _difficulties(names: Sequence[str], table: SoloTableResult) -> Table:
    """Return how each agent does at each difficulty of the solitaire game."""
    rows = list(zip(table.shares, table.mean_leads, table.scores.mean(axis=(1, 2)), strict=True))
    columns = [
        ("difficulty", [str(field.difficulty) for field in table.fields]),
        ("wins", [_share(share) for share, _, _ in rows]),
        ("lead", [f"{mean:+.1f} ({low:+.1f} to {high:+.1f})" for _, (mean, (low, high)), _ in rows]),
        ("score", [f"{own:.1f}" for _, _, (own, _) in rows]),
        ("theirs", [f"{theirs:.1f}" for _, _, (_, theirs) in rows]),
    ]
    caption = "a win is a lead of 0 or more; in brackets 95 % intervals; theirs is the score of the Opposition"
    return _table("every agent alone", [names[share.agent] for share in table.shares], columns, caption)


def _rounds(names: Sequence[str], table: SeatResult) -> Table:
    """Return the mean scores at the end of each round."""
    rounds = [standing.rounds for standing in table.standings]
    columns = [(str(number), [f"{own[number - 1]:.1f}" for own in rounds]) for number in range(1, len(rounds[0]) + 1)]
    seats = f" at {table.players} seats" if table.players > 1 else ""
    return _table(f"mean Glory after each round{seats}, as if the game ended then", names, columns)


def _ratings(result: TournamentResult) -> Table:
    """Return the ratings, the best first."""
    rating = result.rating
    order = sorted(range(len(result.names)), key=lambda agent: -rating.values[agent])
    zero = "their mean is 0" if result.anchor is None else f"{result.anchor} is 0"
    columns = [
        ("rating", [f"{rating.values[agent]:+.0f}{'*' if rating.apart[agent] else ''}" for agent in order]),
        ("95 % interval", [f"{rating.low[agent]:+.0f} to {rating.high[agent]:+.0f}" for agent in order]),
    ]
    title = f"Plackett-Luce ratings in Elo points, {zero}"
    return _table(title, [result.names[agent] for agent in order], columns, APART if rating.apart.any() else "")


# --- The result as pictures, PNG and SVG, drawn by matplotlib ---------------------------------------------------------

FORMATS = ("png", "svg")
PICTURES = tuple(f"{name}.{kind}" for name in ("ratings", "matrix_*", "rounds_*") for kind in FORMATS)
"""Patterns of the names of the pictures."""
DARK = 0.35
"""Distance from parity, of the widest possible, beyond which a cell's text is white."""


def check_matplotlib() -> None:
    """Raise InvalidOptionError, which says what to install, if matplotlib is missing."""
    if importlib.util.find_spec("matplotlib") is None:
        raise InvalidOptionError("plots need matplotlib: install it with pip install 'endeavor-env[arena]'")


def write_plots(result: TournamentResult, folder: Path) -> list[Path]:
    """Draw the ratings, and for each table size the matrix and any scores by round; return the files written.

    Args:
        result: The result.
        folder: An existing folder; files of the same names are replaced.

    Raises:
        InvalidOptionError: matplotlib is missing.
        OSError: A file cannot be written.
    """
    check_matplotlib()
    figures = {"ratings": ratings_figure(result)}
    for table in result.tables:
        figures[f"matrix_{table.players}"] = matrix_figure(result.names, table)
        if result.settings.rounds > 1:
            figures[f"rounds_{table.players}"] = rounds_figure(result.names, table)
    files = []
    for name, figure in figures.items():
        for kind in FORMATS:
            files.append(folder / f"{name}.{kind}")
            figure.savefig(files[-1], dpi=150)
    return files


def ratings_figure(result: TournamentResult) -> Figure:
    """Return a plot of the ratings with their intervals, the best on top."""
    rating, names = result.rating, result.names
    order = np.argsort(rating.values)
    figure = _figure(6, 1 + 0.35 * len(names))
    axes = figure.add_subplot()
    values = rating.values[order]
    errors = np.array([values - rating.low[order], rating.high[order] - values])
    axes.errorbar(values, range(len(names)), xerr=errors, fmt="o", capsize=3)
    axes.set_yticks(range(len(names)), [names[agent] for agent in order])
    axes.set_xlabel("Plackett-Luce rating in Elo points, with 95 % intervals")
    axes.grid(axis="x", alpha=0.3)
    return figure


def matrix_figure(names: Sequence[str], table: SeatResult) -> Figure:
    """Return a heat map of the payoff matrix, white at parity."""
    matrix = table.matrix
    from matplotlib.colors import TwoSlopeNorm

    figure = _figure(2.5 + 0.9 * len(names), 1.5 + 0.6 * len(names))
    axes = figure.add_subplot()
    norm = TwoSlopeNorm(matrix.parity, 0.0, 1.0)
    picture = axes.imshow(matrix.share, norm=norm, cmap="RdBu", aspect="auto")
    for (row, column), share in np.ndenumerate(matrix.share):
        if row != column:
            color = "white" if abs(float(norm(share)) - 0.5) > DARK else "black"
            low, high = matrix.low[row, column], matrix.high[row, column]
            text = f"{100 * share:.0f} %\n{100 * low:.0f}-{100 * high:.0f}"
            axes.text(column, row, text, ha="center", va="center", color=color, fontsize=8)
    axes.set_xticks(range(len(names)), list(names), rotation=30, ha="right")
    axes.set_yticks(range(len(names)), list(names))
    if isinstance(table, SoloTableResult):
        axes.set_title("greater lead of the row than of the column")
    else:
        axes.set_title(f"wins of one row agent among {table.players - 1} of the column")
    figure.colorbar(picture, ax=axes, label=f"share; parity is {matrix.parity:.0%}")
    return figure


def rounds_figure(names: Sequence[str], table: SeatResult) -> Figure:
    """Return a plot of the mean scores by round."""
    figure = _figure(6, 4)
    axes = figure.add_subplot()
    for name, standing in zip(names, table.standings, strict=True):
        axes.plot(range(1, len(standing.rounds) + 1), standing.rounds, marker="o", markersize=3, label=name)
    axes.set_xlabel("round")
    axes.set_ylabel("mean Glory, as if the game ended")
    axes.grid(alpha=0.3)
    axes.legend()
    return figure


def _figure(width: float, height: float) -> Figure:
    """Return an empty figure, in inches, that needs no screen."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure
