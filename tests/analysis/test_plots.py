"""Figures show the numbers they are given, have labelled axes, and their legends cover nothing."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from endeavor_env import Game, analysis
from endeavor_env.analysis import Matrix, Table, Tables, plots
from endeavor_env.errors import InvalidOptionError, MissingLibraryError
from tests.kits.games import finished

GAMES = (("soloplay_2", 7), ("neutral_2", 0), ("neutral_2", 7))


@functools.cache
def made() -> Tables:
    """Three finished games of two seats."""
    return analysis.tables([finished(name, seed) for name, seed in GAMES])


def with_agents(table: Table) -> Table:
    return analysis.with_agents(table, [["first", "second"]] * len(GAMES))


MATRIX = Matrix(("sail", "occupy"), (1, 2, 3), np.array([[0.0, 1.5, 2.0], [3.0, np.nan, 0.25]]))
LINES = [
    plots.Line("one", [1, 2, 3], [2.0, 4.0, 3.0], [1.0, 3.0, 2.0], [3.0, 5.0, 4.0]),
    plots.Line("two", [1, 3], [1, 1]),
]
ESTIMATES = [plots.Estimate("one", 0.5, 0.3, 0.6), plots.Estimate("two", 0.25, 0.2, 0.4)]
FIGURES: dict[str, Callable[[], Figure]] = {
    "lines": lambda: plots.lines_figure(LINES, "round", "Glory", reference=(2.5, "parity")),
    "lines without markers": lambda: plots.lines_figure(LINES, "round", "share", percent=True, markers=False),
    "intervals": lambda: plots.intervals_figure(ESTIMATES, "wins", reference=(0.25, "parity"), percent=True),
    "heat map": lambda: plots.heat_map_figure(MATRIX, "round", "moves", centre=1.0),
    "heat maps": lambda: plots.heat_map_figure({"a": MATRIX, "b": MATRIX}, "round", "moves", form=".0%"),
    "histogram": lambda: plots.histogram_figure({"a": [1, 2, 2], "b": [3, 4, 8]}, "Glory"),
    "points": lambda: plots.points_figure(analysis.points_by_source(with_agents(made().seats), "agent")),
    "rounds": lambda: plots.rounds_figure(analysis.glory_by_round(with_agents(made().rounds), "agent")),
    "openings": lambda: plots.openings_figure(made().regions),
}
EACH_FIGURE = pytest.mark.parametrize("name", FIGURES)


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def points_of(line: Line2D) -> list[list[float]]:
    return np.asarray(line.get_xydata()).tolist()


@EACH_FIGURE
def test_every_figure_names_its_axes_and_all_texts_are_inside(name: str) -> None:
    figure = FIGURES[name]()
    figure.draw_without_rendering()
    axes = figure.axes
    assert axes[-1].get_xlabel() or axes[-1].get_ylabel()  # the last axes of a heat map are its scale of colours
    assert any(one.get_xlabel() for one in axes)
    width, height = figure.bbox.width, figure.bbox.height
    box = figure.get_tightbbox()
    assert box.x0 >= -0.01
    assert box.y0 >= -0.01
    assert box.x1 <= width / figure.dpi + 0.01
    assert box.y1 <= height / figure.dpi + 0.01


@EACH_FIGURE
def test_legends_cover_no_axes(name: str) -> None:
    figure = FIGURES[name]()
    figure.draw_without_rendering()
    for legend in figure.legends:
        box = legend.get_window_extent()
        assert not any(box.overlaps(axes.get_window_extent()) for axes in figure.axes)
    assert all(axes.get_legend() is None for axes in figure.axes)


def test_lines_have_their_points_bands_and_names() -> None:
    figure = plots.lines_figure(LINES, "round", "Glory", reference=(2.5, "parity"))
    (axes,) = figure.axes
    first, second, reference = axes.lines
    assert points_of(first) == [[1, 2], [2, 4], [3, 3]]
    assert points_of(second) == [[1, 1], [3, 1]]
    assert [y for _, y in points_of(reference)] == [2.5, 2.5]
    assert len(axes.collections) == 1
    assert [text.get_text() for text in figure.legends[0].texts] == ["one", "two", "parity"]
    assert len({line.get_color() for line in axes.lines}) == 3
    assert first.get_marker() != second.get_marker()
    assert not plots.lines_figure(LINES[:1], "round", "Glory").legends


def test_intervals_are_drawn_from_end_to_end_with_the_first_on_top() -> None:
    (axes,) = plots.intervals_figure(ESTIMATES, "wins").axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["one", "two"]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]
    segments = axes.collections[0].get_segments()  # pyright: ignore[reportAttributeAccessIssue]
    assert [[round(float(end[0]), 9) for end in segment] for segment in segments] == [[0.3, 0.6], [0.2, 0.4]]


def test_heat_maps_write_every_number_and_share_their_colours() -> None:
    other = Matrix(("occupy", "draw"), (1, 2, 3), np.full((2, 3), 9.0))
    figure = plots.heat_map_figure({"a": MATRIX, "b": other}, "round", "moves")
    left, right, scale = figure.axes
    assert [text.get_text() for text in left.texts] == ["0", "1.5", "2.0", "3.0", "0.2"]
    assert [label.get_text() for label in left.get_yticklabels()] == ["sail", "occupy", "draw"]
    assert len(right.texts) == other.values.size  # nothing in the row that only the left one has
    assert left.images[0].get_clim() == right.images[0].get_clim() == (0.0, 9.0)
    assert (left.get_title(), right.get_title(), scale.get_ylabel()) == ("a", "b", "moves")


def test_a_centred_scale_reaches_equally_far_to_both_sides() -> None:
    map_axes, scale = plots.heat_map_figure(MATRIX, "round", "moves", y="verb", centre=1.0).axes
    assert map_axes.images[0].get_clim() == (-1.0, 3.0)
    assert scale.get_ylim() == (0.0, 3.0)  # the part with values
    assert map_axes.get_ylabel() == "verb"


def test_shares_are_written_as_percent() -> None:
    (axes,) = plots.intervals_figure(ESTIMATES, "wins", percent=True).axes
    axes.figure.draw_without_rendering()  # pyright: ignore[reportAttributeAccessIssue]
    ticks = {label.get_text() for label in axes.get_xticklabels()}
    assert {"20%", "30%"} <= ticks
    assert not any(".0" in tick for tick in ticks)


def test_histograms_count_every_value() -> None:
    values = [3, 4, 4, 90]
    (axes,) = plots.histogram_figure({"a": values}, "Glory").axes
    assert sum(bar.get_height() for bar in axes.patches) == len(values)  # pyright: ignore[reportAttributeAccessIssue]
    assert len({round(bar.get_width(), 9) for bar in axes.patches}) == 1  # pyright: ignore[reportAttributeAccessIssue]
    assert axes.get_title("left") == "a: mean 25.2"
    assert plots.histogram_figure({"a": [0.5, 0.25]}, "share", bins=4).axes[0].patches


@pytest.mark.parametrize("by", [None, "rank", "agent"])
def test_bars_of_points_add_up_to_the_mean_scores(by: str | None) -> None:
    points = analysis.points_by_source(with_agents(made().seats), by)
    (axes,) = plots.points_figure(points).axes
    groups = [points] if by is None else [points.where(points[by] == one) for one in np.unique(points[by].astype(str))]
    widths = np.array([[bar.get_width() for bar in container] for container in axes.containers])
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == {None: ["all seats"], "rank": ["rank 1", "rank 2"], "agent": ["first", "second"]}[by]
    if by != "rank":
        np.testing.assert_allclose(widths.sum(axis=0), [group["glory"].sum() for group in groups])
    totals = [text.get_text().strip() for text in axes.texts if text.get_text().startswith("  ")]
    assert totals == [f"{total:.1f}" for total in widths.sum(axis=0)]


def test_sources_that_cost_glory_are_left_of_zero() -> None:
    points = Table(
        "points_by_source", {"source": np.array(["cities", "slavery"], object), "glory": np.array([9.0, -4.0])}
    )
    (axes,) = plots.points_figure(points).axes
    cities, slavery = axes.patches
    assert (cities.get_x(), cities.get_width()) == (0, 9)  # pyright: ignore[reportAttributeAccessIssue]
    assert (slavery.get_x(), slavery.get_width()) == (0, -4)  # pyright: ignore[reportAttributeAccessIssue]
    assert "  5" in [text.get_text() for text in axes.texts]


def test_rounds_are_drawn_with_their_means_and_deviations() -> None:
    glory = analysis.glory_by_round(with_agents(made().rounds), "agent")
    (axes,) = plots.rounds_figure(glory).axes
    assert [line.get_label() for line in axes.lines] == ["first", "second"]
    for line in axes.lines:
        assert [y for _, y in points_of(line)] == glory["mean"][glory["agent"] == line.get_label()].tolist()
    assert len(axes.collections) == 2
    alone = plots.rounds_figure(analysis.glory_by_round(made().rounds))
    assert [line.get_label() for line in alone.axes[0].lines] == ["all seats"]


def test_openings_are_shares_of_the_games_by_round() -> None:
    regions = made().regions
    matrix = analysis.opening_rounds(regions)
    np.testing.assert_allclose(matrix.values.sum(axis=1), 1)
    assert matrix.columns[-1] == "never"
    for number, region in enumerate(matrix.rows):
        rows = regions.where(regions["region"] == region)
        assert matrix.values[number, -1] == pytest.approx(1 - rows["opened"].mean())
        for column, opened in enumerate(matrix.columns[:-1]):
            assert matrix.values[number, column] == pytest.approx((rows["round"] == opened).mean())
    assert (np.diff(matrix.values[:, -1]) >= 0).all()
    figure = plots.openings_figure(regions)
    assert len(figure.axes[0].get_yticklabels()) == 6
    assert sum(text.endswith("%") for text in texts(figure)) == np.count_nonzero(matrix.values)


def test_regions_that_never_open_have_one_column() -> None:
    matrix = analysis.opening_rounds(analysis.regions(Game.new(3, seed=1)))
    assert (matrix.columns, matrix.values.tolist()) == (("never",), [[1.0]] * 6)


@pytest.mark.parametrize(
    "draw",
    [
        lambda: plots.lines_figure([], "x", "y"),
        lambda: plots.lines_figure(LINES * 4, "x", "y"),
        lambda: plots.intervals_figure([], "x"),
        lambda: plots.heat_map_figure({}, "x", "value"),
        lambda: plots.heat_map_figure(Matrix((), (), np.zeros((0, 0))), "x", "value"),
        lambda: plots.histogram_figure({"a": []}, "x"),
        lambda: plots.points_figure(made().games),
        lambda: plots.rounds_figure(made().games),
        lambda: plots.openings_figure(made().games),
    ],
)
def test_nothing_to_draw_too_much_and_other_tables_are_refused(draw: Callable[[], Figure]) -> None:
    with pytest.raises(InvalidOptionError, match=r"a figure of \d+ .* is not possible: give|is not in the table"):
        draw()


def test_without_matplotlib_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = builtins.__import__

    def without_matplotlib(name: str, *more: Any, **others: Any) -> Any:
        if name.partition(".")[0] == "matplotlib":
            raise ImportError("no matplotlib")
        return plain(name, *more, **others)

    monkeypatch.setattr(builtins, "__import__", without_matplotlib)
    with pytest.raises(MissingLibraryError, match="pip install matplotlib"):
        plots.lines_figure(LINES, "round", "Glory")
