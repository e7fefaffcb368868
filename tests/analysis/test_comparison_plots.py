"""Figures that compare show the numbers they are given, with names and labelled axes."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from endeavor_env.analysis import Matrix, Table
from endeavor_env.analysis.board_facts import FACT_COLUMNS, board_facts
from endeavor_env.analysis.comparison_plots import WORST_TO_BEST, facts_figure, groups_figure, parts_figure
from endeavor_env.errors import InvalidOptionError

SHARES = Matrix(("easy", "hard"), ("lost", "never", "won"), np.array([[0.25, 0.0, 0.75], [0.98, 0.0, 0.02]]))
ROWS = Table(
    "boards",
    {
        "player": np.array(["one", "two", "one", "two"], object),
        "board": np.array(["generated_1", "generated_1", "generated_2", "generated_2"], object),
        "wins": np.array([0.3, 0.5, 0.2, 0.6]),
        "low": np.array([0.2, 0.4, 0.1, 0.5]),
        "high": np.array([0.45, 0.65, 0.35, 0.75]),
    },
)


def only_axes(figure: Figure) -> Axes:
    (axes,) = figure.axes
    return axes


def points_of(axes: Axes) -> list[ErrorbarContainer]:
    return [container for container in axes.containers if isinstance(container, ErrorbarContainer)]


def legend(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_the_parts_of_each_bar_follow_each_other() -> None:
    figure = parts_figure(SHARES, "share of the games", colours=WORST_TO_BEST)
    axes = only_axes(figure)
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    found = [(bar.get_x(), bar.get_width()) for bar in bars]
    assert found == [pytest.approx(one) for one in ((0, 0.25), (0, 0.98), (0.25, 0.75), (0.98, 0.02))]
    assert legend(figure) == ["lost", "won"]  # nothing is never
    assert [text.get_text() for text in axes.texts] == ["25%", "98%", "75%"]  # 2 % is too narrow for a number
    assert [label.get_text() for label in axes.get_yticklabels()] == ["easy", "hard"]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first bar is on top
    assert axes.get_xlabel() == "share of the games"


def test_bars_may_have_different_lengths_and_other_units() -> None:
    matrix = Matrix(("round_1", "round_2"), ("a", "b"), np.array([[1.0, 1.0], [3.0, 1.5]]))
    axes = only_axes(parts_figure(matrix, "actions", form=".1f"))
    assert axes.get_xlim() == (0, 4.5)
    assert [text.get_text() for text in axes.texts] == ["1.0", "3.0", "1.0", "1.5"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["round 1", "round 2"]


def test_each_group_has_a_line_and_each_member_a_colour() -> None:
    figure = groups_figure(ROWS, "board", "player", "wins", reference=(0.25, "parity"))
    axes = only_axes(figure)
    assert legend(figure) == ["parity", "one", "two"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["generated 1", "generated 2"]
    one, two = (container.lines[0] for container in points_of(axes))
    assert np.asarray(one.get_xdata()).tolist() == [0.3, 0.2]
    assert np.asarray(two.get_xdata()).tolist() == [0.5, 0.6]
    assert one.get_color() != two.get_color()
    assert one.get_marker() != two.get_marker()
    assert np.abs(np.asarray(one.get_ydata()) - [0, 1]).max() < 0.5
    (bars,) = points_of(axes)[0].lines[2]
    assert [segment[:, 0].tolist() for segment in bars.get_segments()] == [
        pytest.approx([0.2, 0.45]),
        pytest.approx([0.1, 0.35]),
    ]


def test_a_member_may_be_missing_from_a_group() -> None:
    axes = only_axes(groups_figure(ROWS.where(slice(3)), "board", "player", "wins"))
    assert [len(np.asarray(container.lines[0].get_xdata())) for container in points_of(axes)] == [2, 1]


def test_every_fact_has_a_panel_in_which_all_other_boards_are_counted() -> None:
    facts = board_facts([None, *(f"generated_{seed}" for seed in range(12))])
    figure = facts_figure(facts, "endeavor_2009", "2009")
    assert [axes.get_xlabel() for axes in figure.axes] == [column.name.replace("_", " ") for column in FACT_COLUMNS[1:]]
    for axes, column in zip(figure.axes, FACT_COLUMNS[1:], strict=True):
        assert sum(patch.get_height() for patch in axes.patches if isinstance(patch, Rectangle)) == 12
        assert np.asarray(axes.lines[0].get_xdata()).tolist() == [facts[column.name][0]] * 2
    assert legend(figure) == ["generated", "2009"]


def test_figures_of_nothing_or_too_much_are_refused() -> None:
    with pytest.raises(InvalidOptionError, match="a figure of 0 bars of 2 parts is not possible"):
        parts_figure(Matrix((), ("a", "b"), np.zeros((0, 2))), "x")
    with pytest.raises(InvalidOptionError, match="and 1 to 2 parts"):
        parts_figure(SHARES, "x", colours=("red", "blue"))
    with pytest.raises(InvalidOptionError, match="a figure of 0 values of player is not possible"):
        groups_figure(ROWS.where(slice(0)), "board", "player", "wins")
    with pytest.raises(InvalidOptionError, match="needs that board and at least one other"):
        facts_figure(board_facts(["generated_1"]), "generated_1", "one")
    with pytest.raises(InvalidOptionError, match="needs that board and at least one other"):
        facts_figure(board_facts(["generated_1"]), "endeavor_2009", "2009")
