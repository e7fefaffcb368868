"""Shapes as lines of SVG, of which those that were written before are kept."""

from __future__ import annotations

import pytest

from endeavor_env.drawing import svg
from endeavor_env.drawing.shapes import Circle, Line, Rect


@pytest.mark.parametrize(("first", "second"), [(0.0, -0.0), (-0.0, 0.0)])
def test_zero_is_written_alike_whatever_was_drawn_before(first: float, second: float) -> None:
    svg._circle.cache_clear()
    lines = [svg.element(Circle(number, 1.0, 2.0, "#123456")) for number in (first, second)]
    assert lines == ['<circle cx="0" cy="1" r="2" fill="#123456"/>'] * 2


def test_shapes_of_two_kinds_with_equal_fields_are_two() -> None:
    fields = (1.0, 2.0, 3.0, 4.0, "#123456")
    assert [svg.element(kind(*fields)).split()[0] for kind in (Rect, Line, Rect)] == ["<rect", "<line", "<rect"]
