"""The colours of a page: both themes are defined, and the line of every side can be seen in both."""

from __future__ import annotations

import re

import pytest

from endeavor_env.pages import replay_page
from endeavor_env.pages.look import LEAST_CONTRAST, colour_rules, contrast, line_colour
from endeavor_env.render.scene.theme import DARK, LIGHT, SIDES, VARIABLES
from tests.kits.games import running


def defined() -> dict[str, tuple[str, str]]:
    """The light and the dark colour of each variable."""
    found = re.findall(r"^--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);$", colour_rules(), re.MULTILINE)
    return {name: (light, dark) for name, light, dark in found}


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)  # the usual example: just not 4.5
    assert contrast("#d55e00", "#d55e00") == 1
    assert contrast("#030303", "#ffffff") == contrast("#ffffff", "#030303")


@pytest.mark.parametrize("side", SIDES)
def test_the_line_of_a_side_can_be_told_from_its_panel(side: str) -> None:
    light, dark = defined()[f"side-{side}"]
    assert contrast(light, LIGHT.panel) >= LEAST_CONTRAST == 3
    assert contrast(dark, DARK.panel) >= LEAST_CONTRAST


def test_a_colour_that_can_be_seen_stays_as_it_is() -> None:
    assert line_colour("#d55e00", LIGHT.panel) == "#d55e00" == line_colour("#d55e00", DARK.panel)
    assert line_colour("#ffffff", DARK.panel) == "#ffffff"
    assert contrast(line_colour("#ffffff", "#ffffff"), "#ffffff") == pytest.approx(3, abs=0.3)  # no darker than needed


def test_every_colour_that_a_page_names_is_defined_for_both_themes() -> None:
    page = replay_page(running("solo", 3, 20))
    named = set(re.findall(r"var\(--([\w-]+)\)", page))
    assert {"sea", "highlight", "panel"} <= named <= set(defined())
    for field, variable in zip(VARIABLES._fields, VARIABLES, strict=True):
        assert variable == f"var(--{field})"
        assert defined()[field] == (getattr(LIGHT, field), getattr(DARK, field))
