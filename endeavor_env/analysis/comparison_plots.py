"""Figures that compare: shares of a whole, intervals in groups, and the facts of boards, in the style of ``plots``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from endeavor_env.analysis.drawing import (
    AREAS,
    COLOURS,
    MARKERS,
    WIDTH,
    add_legend,
    as_percent,
    colour_on,
    empty_figure,
    in_words,
    styled,
    whole_ticks,
)
from endeavor_env.analysis.summaries import Matrix
from endeavor_env.analysis.table import Table
from endeavor_env.errors import InvalidOptionError
from endeavor_env.render.scene.theme import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEAST_LABELLED = 0.05
"""Share of the longest bar below which a part has no number."""
WORST_TO_BEST = ("#4d4d4d", "#d0e3f0", "#94c4df", "#4a98c9", "#1764ab", "#08306b")
"""Of ordered results: grey for a defeat, then ever darker blues."""


@styled
def parts_figure(
    parts: Matrix,
    x: str,
    *,
    form: str = ".0%",
    colours: Sequence[str] = AREAS,
    legend_columns: int = 3,
) -> Figure:
    """Return a stacked bar for each row of a matrix, the first one on top.

    Args:
        parts: Rows are bars, columns the parts of each, values at least 0. Columns without any value are left out.
        x: Label of the horizontal axis, with the unit.
        form: How numbers are written, as a format specification; with "%" the axis has percent.
        colours: Of the columns, in their order.
        legend_columns: Names side by side in the legend.

    Raises:
        InvalidOptionError: A matrix without cells, or with more columns than colours.
        MissingLibraryError: matplotlib is not installed.
    """
    if not parts.values.size or len(parts.columns) > len(colours):
        raise InvalidOptionError(
            f"a figure of {len(parts.rows)} bars of {len(parts.columns)} parts is not possible: give at least one bar "
            f"and 1 to {len(colours)} parts"
        )
    figure, (axes,) = empty_figure(WIDTH, 1.1 + 0.3 * len(parts.rows))
    rows, ends = np.arange(len(parts.rows)), parts.values.cumsum(axis=1)
    for number, name in enumerate(parts.columns):
        widths, colour = parts.values[:, number], colours[number]
        if not widths.any():
            continue
        starts = ends[:, number] - widths
        axes.barh(rows, widths, left=starts, height=0.74, label=in_words(name), color=colour, edgecolor="white")
        for row in np.flatnonzero(widths > LEAST_LABELLED * ends[:, -1].max()).tolist():
            at = starts[row] + widths[row] / 2
            axes.text(at, row, f"{widths[row]:{form}}", ha="center", va="center", color=colour_on(colour), fontsize=7)
    axes.set_yticks(rows, [in_words(row) for row in parts.rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, ends[:, -1].max())
    axes.set_xlabel(x)
    axes.tick_params(axis="y", length=0)
    if "%" in form:
        as_percent(axes.xaxis)
    add_legend(figure, axes, columns=legend_columns)
    return figure


@styled
def groups_figure(
    rows: Table,
    group: str,
    member: str,
    x: str,
    *,
    value: str = "wins",
    reference: tuple[float, str] | None = None,
    percent: bool = True,
) -> Figure:
    """Return values with their intervals, a line for each group and a point for each member of it.

    Args:
        rows: A table with the columns ``group``, ``member``, ``value``, and ``low`` and ``high``, the ends of its
            interval.
        group: The column whose values are the lines, in the order in which they occur.
        member: The column whose values are the colours, in the order in which they occur.
        x: Label of the horizontal axis; it says what the intervals are.
        value: The column that is drawn.
        reference: A value to draw as a dashed vertical line, and its name.
        percent: Write values, 0..1, as percent.

    Raises:
        InvalidOptionError: A table without rows or these columns, or with more members than COLOURS.
        MissingLibraryError: matplotlib is not installed.
    """
    groups, members = (list(dict.fromkeys(rows[name].tolist())) for name in (group, member))
    if not 1 <= len(members) <= len(COLOURS):
        raise InvalidOptionError(
            f"a figure of {len(members)} values of {member} is not possible: give 1 to {len(COLOURS)}"
        )
    figure, (axes,) = empty_figure(WIDTH, 1.1 + (0.16 + 0.14 * len(members)) * len(groups))
    for number, name in enumerate(members):
        part = rows.where(rows[member] == name)
        lines = np.array([groups.index(one) for one in part[group].tolist()])
        ends = np.array([part[value] - part["low"], part["high"] - part[value]])
        shift = 0.62 * ((number + 0.5) / len(members) - 0.5)
        look: dict[str, Any] = {"fmt": MARKERS[number], "markersize": 4, "capsize": 2, "linewidth": 1.2}
        axes.errorbar(part[value], lines + shift, xerr=ends, color=COLOURS[number], label=in_words(name), **look)
    if reference is not None:
        axes.axvline(reference[0], color=LIGHT.muted, linestyle="--", linewidth=1, label=reference[1])
    _name_lines(axes, [in_words(one) for one in groups])
    axes.set_xlabel(x)
    axes.grid(axis="x")
    if percent:
        as_percent(axes.xaxis)
    add_legend(figure, axes)
    return figure


def _name_lines(axes: Axes, names: Sequence[str]) -> None:
    """Write the names of the lines, the first one on top, and shade every second line."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    for number in range(0, len(names), 2):
        axes.axhspan(number - 0.5, number + 0.5, color=LIGHT.faint, alpha=0.22, linewidth=0, zorder=0)


@styled
def facts_figure(facts: Table, marked: str, name: str) -> Figure:
    """Return how often each number occurs among boards, a panel for each fact, with one board marked.

    Args:
        facts: The table of ``board_facts``.
        marked: Id of the board that gets a line; it is not counted.
        name: What the marked board is called.

    Raises:
        InvalidOptionError: Another table, or one without that board and others.
        MissingLibraryError: matplotlib is not installed.
    """
    own = facts["board"] == marked
    if not own.any() or own.all():
        raise InvalidOptionError(f"a figure of boards beside {marked} needs that board and at least one other")
    names = [column for column in facts.columns if column != "board"]
    columns = 4
    lines = -(-len(names) // columns)
    figure, _ = empty_figure(WIDTH * 1.25, 0.6 + 1.35 * lines)
    figure.clear()  # panels share no axis
    for number, column in enumerate(names):
        axes = figure.add_subplot(lines, columns, number + 1)
        others, one = facts[column][~own], int(facts[column][own][0])
        edges = _steps(min(one, int(others.min())), max(one, int(others.max())))
        axes.hist(others, edges, color=COLOURS[0], alpha=0.85, edgecolor="white", linewidth=0.3, label="generated")
        axes.axvline(one, color=COLOURS[1], linewidth=1.6, label=name)
        axes.set_xlabel(in_words(column))
        if number % columns == 0:
            axes.set_ylabel("boards")
        axes.grid(axis="y")
        whole_ticks(axes.xaxis)
    add_legend(figure, figure.axes[0])
    return figure


def _steps(least: int, most: int) -> list[float]:
    """Return the edges of at most some twenty intervals, each with equally many whole numbers in its middle."""
    step = -(-(most - least + 1) // 20)
    return np.arange(least - 0.5, most + step + 0.5, step).tolist()
