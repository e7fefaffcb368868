"""The colours of a page: both themes are defined, and the line of every side can be seen in both."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from endeavor_env.endeavor.drawing.scene.theme import DARK, LIGHT, SIDES, VARIABLES
from endeavor_env.web import replay_page
from endeavor_env.web.look import LEAST_CONTRAST, colour_rules, contrast, line_colour
from tests.kits.games import running

ROOT = Path(__file__).resolve().parents[2]
LIGHT_RULE = ":root {"
DARK_RULES = (
    '@media screen and (prefers-color-scheme: dark) {\n:root:not([data-theme="light"]) {',
    '@media screen {\n:root[data-theme="dark"] {',
)


def colours(rule: str) -> dict[str, str]:
    """The variables of the rule that begins so."""
    assert colour_rules().count(f"{rule}\n") == 1
    declarations = colour_rules().partition(f"{rule}\n")[2].partition("}")[0]
    found = re.findall(r"^--([\w-]+): (#\w{6});$", declarations, re.MULTILINE)
    assert len(found) == len(dict(found)) == declarations.count(";")
    return dict(found)


def defined() -> dict[str, tuple[str, str]]:
    """The light and the dark colour of each variable."""
    light, dark = colours(LIGHT_RULE), colours(DARK_RULES[0])
    assert list(light) == list(dark)
    return {name: (light[name], dark[name]) for name in light}


def test_who_asks_for_the_dark_theme_gets_the_same_as_whose_system_is_dark() -> None:
    assert colours(DARK_RULES[0]) == colours(DARK_RULES[1])


def test_no_page_needs_a_browser_that_knows_light_dark() -> None:
    """Older ones take it for the value of a variable, so that a plain value before it is lost."""
    known = re.compile(r"@supports \([^{]*light-dark")
    pages = [path for kind in ("css", "html", "js") for path in ROOT.glob(f"*/**/*.{kind}")]
    pages = [path for path in pages if not {"node_modules", "dist", "_build", "build"} & set(path.parts)]
    assert len(pages) > 6
    texts = {str(path): path.read_text(encoding="utf-8") for path in pages}
    texts["the replay page"] = replay_page(running("solo", 3, 20))
    wrong = [name for name, text in texts.items() if "light-dark(" in known.split(text)[0]]
    assert wrong == []


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
