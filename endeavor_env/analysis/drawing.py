"""Common parts of all figures: style, empty axes, legends and colours. Uses matplotlib when it is called."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec

import numpy as np

from endeavor_env.analysis.summaries import Matrix
from endeavor_env.endeavor.drawing.scene.theme import LIGHT, SIDES
from endeavor_env.errors import MissingLibraryError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure

P = ParamSpec("P")
WIDTH = 5.5
"""Inches; text of 8 points stays legible when a figure is printed at a column's 3.5 inches."""
HEIGHT = 2.9
"""Inches, of figures whose number of rows does not set it."""
YELLOW, ORANGE, SKY, GREY = SIDES["3"].fill, "#e69f00", "#56b4e9", "#999999"
COLOURS = (SIDES["0"].fill, SIDES["1"].fill, SIDES["2"].fill, ORANGE, SIDES["4"].fill, SKY, LIGHT.ink)
"""Of lines and points, in order; seats have those of their discs, but orange for the yellow one, which is too light."""
AREAS = (COLOURS[0], SKY, COLOURS[2], YELLOW, ORANGE, COLOURS[1], COLOURS[4], GREY, LIGHT.ink)
"""Of the parts of bars, in order."""
MARKERS = "osD^vPX"
DARK = 0.55
"""Brightness, 0..1, of a background below which text on it is white."""
_STYLE: Any = {
    "font.size": 8.0,
    "axes.titlesize": 8.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": LIGHT.faint,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "savefig.dpi": 200,
    "text.color": LIGHT.ink,
    "axes.labelcolor": LIGHT.ink,
    "axes.edgecolor": LIGHT.muted,
    "xtick.color": LIGHT.ink,
    "ytick.color": LIGHT.ink,
}


def styled(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    """Let a function draw in the style of all figures, and raise MissingLibraryError if matplotlib is missing."""

    @functools.wraps(draw)
    def draw_in_style(*given: P.args, **named: P.kwargs) -> Figure:
        try:
            import matplotlib as mpl
        except ImportError as error:
            raise MissingLibraryError(
                "figures need matplotlib, which is not installed: pip install matplotlib"
            ) from error
        with mpl.rc_context(_STYLE):
            return draw(*given, **named)

    return draw_in_style


def empty_figure(width: float, height: float, columns: int = 1, rows: int = 1) -> tuple[Figure, list[Axes]]:
    """Return an empty figure, in inches, that needs no screen, and its axes, which share scales."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, columns, sharex=rows > 1, sharey=columns > 1, squeeze=False)
    return figure, axes.ravel().tolist()


def add_legend(figure: Figure, axes: Axes, columns: int = 4) -> None:
    """Put the legend of axes above them, outside."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=min(columns, len(labels)), frameon=False)


def whole_ticks(axis: Any) -> None:
    """Give an axis of counts a few ticks at whole numbers."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(3, integer=True))


def as_percent(axis: Any) -> None:
    """Write the ticks of an axis, 0..1, as percent without needless decimals."""
    axis.set_major_formatter(lambda value, _position: f"{100 * value:.6g}%")


def colour_scale(matrices: Sequence[Matrix], centre: float | None) -> tuple[str, Normalize, tuple[float, float]]:
    """Return the colour map that heat maps share, what maps values to it, and the part of its scale to show."""
    from matplotlib.colors import Normalize

    values = np.concatenate([matrix.values.ravel() for matrix in matrices])
    values = values[np.isfinite(values)]
    least, most = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
    if centre is None:
        least = min(0.0, least)
        most = most if most > least else least + 1
        return "Blues", Normalize(least, most), (least, most)
    reach = max(abs(least - centre), abs(most - centre)) or 1.0
    shown = (min(least, centre), max(most, centre)) if most > least else (centre - reach, centre + reach)
    return "PuOr", Normalize(centre - reach, centre + reach), shown


def write_cells(axes: Axes, picture: Any, form: str) -> None:
    """Write its value into each cell of a heat map, white on dark colours; zeros are a faint 0."""
    colours = picture.to_rgba(picture.get_array())
    for (row, column), number in np.ndenumerate(np.ma.filled(picture.get_array(), np.nan)):
        if np.isfinite(number):
            colour = colour_on(colours[row, column]) if number else LIGHT.muted
            text = f"{number:{form}}" if number else "0"
            axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=7)


def colour_on(colour: Any) -> str:
    """Return the colour of text on a background: white where that is dark."""
    from matplotlib.colors import to_rgb

    brightness = float(np.array(to_rgb(colour)) @ np.array([0.299, 0.587, 0.114]))
    return "white" if brightness < DARK else LIGHT.ink


def in_words(name: Any) -> str:
    """Return an id as it is written in text."""
    return str(name).replace("_", " ")
