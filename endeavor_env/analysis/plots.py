"""Figures of tables and summaries, drawn by matplotlib in one style that suits a journal's column.

    from endeavor_env import analysis
    from endeavor_env.analysis import plots

    plots.points_figure(analysis.points_by_source(seats, by="agent"))
    plots.lines_figure([plots.Line("greedy", rounds, glory)], x="round", y="Glory")

Every function returns a new ``matplotlib.figure.Figure`` that needs no screen: a notebook shows it, and
``figure.savefig("points.pdf")`` writes it. Colours are those of Okabe and Ito, which people with any kind of colour
blindness tell apart; lines differ by their markers too. Legends stand above the axes and cover nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.analysis.drawing import (
    AREAS,
    COLOURS,
    HEIGHT,
    MARKERS,
    WIDTH,
    add_legend,
    as_percent,
    colour_on,
    colour_scale,
    empty_figure,
    in_words,
    styled,
    whole_ticks,
    write_cells,
)
from endeavor_env.analysis.summaries import Matrix, opening_rounds
from endeavor_env.analysis.table import Table
from endeavor_env.endeavor.drawing.scene.theme import LIGHT
from endeavor_env.errors import InvalidOptionError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEAST_LABELLED = 0.045
"""Share of the longest bar below which a part has no number."""


class Line(NamedTuple):
    """A curve with a name."""

    label: str
    x: npt.ArrayLike
    """(points,)."""
    y: npt.ArrayLike
    """(points,); NaN leaves a gap."""
    low: npt.ArrayLike | None = None
    """(points,): lower edge of a band around the curve; None draws no band."""
    high: npt.ArrayLike | None = None
    """(points,): upper edge."""


class Estimate(NamedTuple):
    """An estimated value with its interval."""

    label: str
    value: float
    low: float
    """Lower end of the interval."""
    high: float
    """Upper end of the interval."""


# --- figures of any numbers ------------------------------------------------------------------------------------------
@styled
def lines_figure(
    lines: Sequence[Line],
    x: str,
    y: str,
    *,
    reference: tuple[float, str] | None = None,
    percent: bool = False,
    markers: bool = True,
) -> Figure:
    """Return a plot of curves.

    Args:
        lines: The curves, at least one and at most as many as there are COLOURS.
        x: Label of the horizontal axis, with the unit.
        y: Label of the vertical axis, with the unit.
        reference: A value to draw as a dashed horizontal line, and its name.
        percent: Write values of the vertical axis, 0..1, as percent.
        markers: Mark the points; without markers the lines differ by their dashes.

    Raises:
        InvalidOptionError: No lines, or more than COLOURS.
        MissingLibraryError: matplotlib is not installed.
    """
    _check_count("lines", len(lines), len(COLOURS))
    figure, (axes,) = empty_figure(WIDTH, HEIGHT)
    dashes = ("-", "--", "-.", ":")
    for number, line in enumerate(lines):
        look: dict[str, Any] = (
            {"marker": MARKERS[number], "markersize": 3.5} if markers else {"linestyle": dashes[number % 4]}
        )
        axes.plot(line.x, line.y, label=line.label, color=COLOURS[number], linewidth=1.4, **look)
        if line.low is not None and line.high is not None:
            axes.fill_between(line.x, line.low, line.high, color=COLOURS[number], alpha=0.16, linewidth=0)
    if reference is not None:
        axes.axhline(reference[0], color=LIGHT.muted, linestyle="--", linewidth=1, label=reference[1])
    axes.set(xlabel=x, ylabel=y)
    axes.grid(axis="y")
    if percent:
        as_percent(axes.yaxis)
    if len(lines) > 1 or reference is not None:
        add_legend(figure, axes)
    return figure


@styled
def intervals_figure(
    estimates: Sequence[Estimate],
    x: str,
    *,
    reference: tuple[float, str] | None = None,
    percent: bool = False,
) -> Figure:
    """Return a plot of values with their intervals, a row for each, the first one on top.

    Args:
        estimates: The values, at least one.
        x: Label of the horizontal axis; it says what the intervals are.
        reference: A value to draw as a dashed vertical line, and its name.
        percent: Write values, 0..1, as percent.

    Raises:
        InvalidOptionError: No estimates.
        MissingLibraryError: matplotlib is not installed.
    """
    _check_count("estimates", len(estimates))
    figure, (axes,) = empty_figure(WIDTH, 0.9 + 0.3 * len(estimates))
    values, rows = np.array([one.value for one in estimates]), np.arange(len(estimates))
    ends = np.array([(one.value - one.low, one.high - one.value) for one in estimates]).T
    axes.errorbar(values, rows, xerr=ends, fmt="o", markersize=4.5, capsize=3, color=COLOURS[0], linewidth=1.4)
    if reference is not None:
        axes.axvline(reference[0], color=LIGHT.muted, linestyle="--", linewidth=1, label=reference[1])
        add_legend(figure, axes)
    axes.set_yticks(rows, [one.label for one in estimates])
    axes.set_ylim(len(estimates) - 0.4, -0.6)
    axes.set_xlabel(x)
    axes.grid(axis="x")
    if percent:
        as_percent(axes.xaxis)
    return figure


@styled
def heat_map_figure(
    panels: Matrix | Mapping[str, Matrix],
    x: str,
    value: str,
    *,
    y: str = "",
    form: str = ".1f",
    centre: float | None = None,
) -> Figure:
    """Return heat maps side by side, with a number in each cell and one scale of colours.

    Args:
        panels: A matrix, or several by their titles. Rows that only some have are empty in the others, and so are
            cells with NaN; rows are in the order in which the panels name them first.
        x: Label of the columns.
        value: Label of the scale, with the unit.
        y: Label of the rows, where their names do not say what they are.
        form: How numbers are written, as a format specification such as ".0%".
        centre: The value that is white, with blue above and orange below it; None gives one colour from the least
            value to the greatest.

    Raises:
        InvalidOptionError: No panels, or a matrix without cells.
        MissingLibraryError: matplotlib is not installed.
    """
    named = {"": panels} if isinstance(panels, Matrix) else dict(panels)
    _check_count("panels", len(named))
    _check_count("cells", min(matrix.values.size for matrix in named.values()))
    rows = list(dict.fromkeys(row for matrix in named.values() for row in matrix.rows))
    width = 1.6 + sum(0.3 + 0.42 * len(matrix.columns) for matrix in named.values())
    figure, several = empty_figure(max(width, WIDTH), 1.0 + 0.22 * len(rows), len(named))
    colours, norm, shown = colour_scale(list(named.values()), centre)
    for axes, (title, matrix) in zip(several, named.items(), strict=True):
        picture = axes.imshow(_with_rows(matrix, rows), aspect="auto", cmap=colours, norm=norm)
        write_cells(axes, picture, form)
        axes.set(xlabel=x, title=title)
        axes.set_xticks(range(len(matrix.columns)), [in_words(column) for column in matrix.columns])
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    several[0].set_yticks(range(len(rows)), [in_words(row) for row in rows])
    bar = figure.colorbar(several[0].images[0], ax=several, label=value, fraction=0.05, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.set_ylim(*shown)
    several[0].set_ylabel(y)
    if "%" in form:
        as_percent(bar.ax.yaxis)
    return figure


@styled
def histogram_figure(samples: Mapping[str, npt.ArrayLike], x: str, *, bins: int = 25, count: str = "games") -> Figure:
    """Return the distributions of samples, one above the other, with a line at each mean.

    Args:
        samples: The values by name, at least one sample and at most as many as there are COLOURS.
        x: Label of the horizontal axis, with the unit.
        bins: Number of intervals between the least value and the greatest, all of the same width; of whole numbers
            each interval holds as many.
        count: What is counted.

    Raises:
        InvalidOptionError: No samples, an empty one, or more than COLOURS.
        MissingLibraryError: matplotlib is not installed.
    """
    _check_count("samples", len(samples), len(COLOURS))
    arrays = {name: np.asarray(values, float) for name, values in samples.items()}
    _check_count("values of a sample", min(values.size for values in arrays.values()))
    edges = _edges(np.concatenate(list(arrays.values())), bins)
    figure, several = empty_figure(WIDTH, 0.8 + 0.95 * len(arrays), rows=len(arrays))
    for number, (axes, (name, values)) in enumerate(zip(several, arrays.items(), strict=True)):
        axes.hist(values, edges.tolist(), color=COLOURS[number], alpha=0.85, edgecolor="white", linewidth=0.3)
        axes.axvline(values.mean(), color=LIGHT.ink, linestyle="--", linewidth=1)
        axes.set_title(f"{name}: mean {values.mean():.1f}", loc="left")
        axes.set_ylabel(count)
        whole_ticks(axes.yaxis)
        axes.grid(axis="y")
    several[-1].set_xlabel(x)
    return figure


# --- figures of tables of analysis -----------------------------------------------------------------------------------
@styled
def points_figure(points: Table) -> Figure:
    """Return the table of ``points_by_source`` as stacked bars, one for each group, with the total at its end.

    Sources below 1.5 % of the greatest score in every group are drawn together as "others", and so are those that do
    not fit into AREAS. Sources that cost Glory extend to the left of zero.

    Raises:
        InvalidOptionError: Another table.
        MissingLibraryError: matplotlib is not installed.
    """
    groups, sources, glory = _points(points)
    figure, (axes,) = empty_figure(WIDTH, 1.1 + 0.36 * len(groups))
    rows = np.arange(len(groups))
    longest = float(np.abs(glory).sum(axis=1).max())
    form = ".0f" if (glory == np.round(glory)).all() else ".1f"
    for colour, source, parts in zip(AREAS, sources, glory.T, strict=False):
        before = glory[:, : sources.index(source)]
        left = np.where(parts < 0, np.minimum(before, 0).sum(axis=1), np.maximum(before, 0).sum(axis=1))
        axes.barh(rows, parts, left=left, height=0.72, label=in_words(source), color=colour, edgecolor="white")
        for row in np.flatnonzero(np.abs(parts) > LEAST_LABELLED * longest).tolist():
            at = left[row] + parts[row] / 2
            axes.text(at, row, f"{parts[row]:{form}}", ha="center", va="center", color=colour_on(colour))
    for row, total in enumerate(glory.sum(axis=1)):
        end = np.maximum(glory[row], 0).sum()
        axes.text(end, row, f"  {total:{form}}", ha="left", va="center", fontweight="bold")
    if glory.min() < 0:
        axes.axvline(0, color=LIGHT.muted, linewidth=0.8)
    axes.set_yticks(rows, groups)
    axes.set_ylim(len(groups) - 0.5, -0.5)
    axes.margins(x=0.1)
    axes.set_xlabel("mean Glory of a seat at the end of the game")
    add_legend(figure, axes, columns=5)
    return figure


@styled
def rounds_figure(glory: Table) -> Figure:
    """Return the table of ``glory_by_round`` as curves of the mean, with bands of one standard deviation.

    Raises:
        InvalidOptionError: Another table, or more groups than COLOURS.
        MissingLibraryError: matplotlib is not installed.
    """
    key = None if glory.columns[0] == "round" else glory.columns[0]
    names = ["mean"] if key is None else list(dict.fromkeys(glory[key].tolist()))
    lines = []
    for name in names:
        part = glory if key is None else glory.where(glory[key] == name)
        mean, sd = part["mean"], np.nan_to_num(part["sd"])
        lines.append(Line(_group_name(key, name), part["round"], mean, mean - sd, mean + sd))
    return lines_figure(lines, "round", "Glory at the end of the round\n(mean, band: one standard deviation)")


@styled
def openings_figure(regions: Table) -> Figure:
    """Return when each region of the table of regions opens: the share of the games, by round, and of those never.

    Raises:
        InvalidOptionError: Another table.
        MissingLibraryError: matplotlib is not installed.
    """
    matrix = opening_rounds(regions)
    matrix = matrix._replace(rows=tuple(in_words(region).title() for region in matrix.rows))
    return heat_map_figure(matrix, "round in which the region opens", "share of the games", form=".0%")


# --- their numbers ----------------------------------------------------------------------------------------------------
def _with_rows(matrix: Matrix, rows: Sequence[Any]) -> npt.NDArray[np.float64]:
    """Return the values of a matrix at these rows, (rows, columns), NaN at those that it does not have."""
    values = np.full((len(rows), len(matrix.columns)), np.nan)
    for number, row in enumerate(matrix.rows):
        values[rows.index(row)] = matrix.values[number]
    return values


def _points(points: Table) -> tuple[list[str], list[str], npt.NDArray[np.float64]]:
    """Return the groups, the sources and the Glory, (groups, sources), of a table of ``points_by_source``."""
    found = points["source"]
    key = None if points.columns[0] == "source" else points.columns[0]
    groups = [None] if key is None else list(dict.fromkeys(points[key].tolist()))
    sources = list(dict.fromkeys(found.tolist()))
    glory = points["glory"].reshape(len(groups), len(sources))
    small = (np.abs(glory) < 0.015 * np.abs(glory).sum(axis=1).max()).all(axis=0)
    small[np.flatnonzero(~small)[len(AREAS) - 1 :]] = True
    if small.sum() > 1:
        others = glory[:, small].sum(axis=1, keepdims=True)
        sources = [source for source, less in zip(sources, small, strict=True) if not less] + ["others"]
        glory = np.hstack([glory[:, ~small], others])
    return [_group_name(key, group) for group in groups], sources, glory


def _edges(values: npt.NDArray[np.float64], bins: int) -> npt.NDArray[np.float64]:
    """Return the edges of the intervals of a histogram: of whole numbers each holds equally many."""
    least, most = values.min(), values.max()
    if (values == np.round(values)).all():
        step = max(1, int(np.ceil((most - least + 1) / bins)))
        return np.arange(least - 0.5, most + step + 0.5, step)
    return np.linspace(least, most, bins + 1)


def _group_name(key: str | None, group: Any) -> str:
    """Return what a group is called: "rank 1" for a number, the name itself for a text, and "all seats" without one."""
    if key is None:
        return "all seats"
    return in_words(group) if isinstance(group, str) else f"{in_words(key)} {group}"


def _check_count(what: str, count: int, most: int | None = None) -> None:
    """Raise InvalidOptionError unless there is something to draw, and not too much."""
    if count < 1 or (most is not None and count > most):
        possible = "at least one" if most is None else f"1 to {most}"
        raise InvalidOptionError(f"a figure of {count} {what} is not possible: give {possible}")
