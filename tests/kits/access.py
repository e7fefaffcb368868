"""What everybody needs of a page: to reach all of it with the keyboard, to touch it, and to have it read out."""

from __future__ import annotations

import os
from importlib.resources import files

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.kits.browser import REQUIRED, Page

EXTENT = "const root = document.documentElement; return [root.scrollWidth, root.scrollHeight]"
SMALL = (
    "return [...document.querySelectorAll('button, a, select, input:not([type=radio], [type=checkbox])')]"
    ".filter((one) => one.checkVisibility()).map((one) => [one.id || one.textContent, one.getBoundingClientRect()])"
    ".filter(([, box]) => box.width < 44 || box.height < 44).map(([name]) => name)"
)
"""Script that returns what is too small to be touched."""
CUT = (
    "const pen = document.createElement('canvas').getContext('2d');"
    "return [...document.querySelectorAll('select')].filter((one) => one.checkVisibility()).filter((one) => {"
    "  const look = getComputedStyle(one);"
    "  pen.font = look.font;"
    "  const room = one.clientWidth - parseFloat(look.paddingLeft) - parseFloat(look.paddingRight) - 16;"  # the arrow
    "  return pen.measureText(one.selectedOptions[0].text).width > room;"
    "}).map((one) => one.selectedOptions[0].text)"
)
"""Script that returns what is chosen in a list too narrow to show it."""

MODERATE = (
    *("region", "heading-order", "empty-heading", "page-has-heading-one", "landmark-one-main", "landmark-unique"),
    *("landmark-banner-is-top-level", "landmark-main-is-top-level", "landmark-complementary-is-top-level"),
    *("landmark-contentinfo-is-top-level", "landmark-no-duplicate-main", "landmark-no-duplicate-banner"),
)
"""Rules of axe whose findings are never serious, by its documentation, and which take a quarter of its time."""
SERIOUS = (
    "const done = arguments[arguments.length - 1];"
    "const rules = Object.fromEntries(arguments[0].map((one) => [one, {enabled: false}]));"
    "axe.run(document, {resultTypes: ['violations'], rules}).then((found) => done(found.violations"
    ".filter((one) => one.impact === 'serious' || one.impact === 'critical')"
    ".flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target}`))));"
)
"""Script that returns what axe finds serious or critical; what it finds sound would be large to hand over."""


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until something has the focus."""
    for _ in range(80):
        if page.run("return document.activeElement.matches(arguments[0])", selector):
            return
        press(page, Keys.TAB)
    raise AssertionError(f"Tab does not lead to {selector}")


def press(page: Page, key: str) -> None:
    ActionChains(page.chrome).send_keys(key).perform()


def axe_script() -> str:
    """Return the script of axe; skip the test without it, or fail it where browsers are required."""
    try:
        return (files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")
    except ModuleNotFoundError:
        if os.environ.get(REQUIRED) == "1":
            pytest.fail("axe is missing: pip install axe-core-python")
        pytest.skip("axe is not installed: pip install axe-core-python")


def serious(page: Page) -> list[str]:
    """Return what axe finds serious or critical on the page as it is."""
    return page.chrome.execute_async_script(SERIOUS, MODERATE)


def serious_in_both_themes(page: Page) -> list[str]:
    """Return what axe finds serious or critical on the page for play, first in its theme, then in the other one.

    Both in one page: what axe does first in a page takes three times as long as what it does later.
    """
    found, themes = [], set()
    for _ in range(2):
        theme = page.run("return theme()")
        found += [f"{theme}, {one}" for one in serious(page)]
        themes.add(theme)
        page.one("#theme").click()
        page.wait("!busy && theme() !== arguments[0]", "the theme stays", theme)
    assert themes == {"light", "dark"}
    return found
