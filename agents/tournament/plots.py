"""The result of a tournament as pictures, PNG and SVG, drawn by matplotlib."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from endeavor_env.agents.tournament.result import TournamentResult
from endeavor_env.agents.tournament.seats import SeatResult
from endeavor_env.agents.tournament.solo import SoloTableResult
from endeavor_env.errors import InvalidOptionError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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


def matrix_figure(names: Sequence[str], table: SeatResult | SoloTableResult) -> Figure:
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


def rounds_figure(names: Sequence[str], table: SeatResult | SoloTableResult) -> Figure:
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
