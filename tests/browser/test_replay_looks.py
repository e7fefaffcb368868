"""The page of a game for everybody: its charts, on a phone, in the dark, read out, on paper."""

from __future__ import annotations

import base64
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from endeavor_env.endeavor.drawing.scene.theme import THEMES
from endeavor_env.endeavor.game import Game
from endeavor_env.web import Film, write_replay_page
from endeavor_env.web.look import LEAST_CONTRAST, contrast
from tests.kits.access import EXTENT, SMALL, axe_script, press, serious, tab_to
from tests.kits.browser import Page
from tests.kits.replay_page import SIZES, colour, load, look, shown

pytestmark = [
    pytest.mark.timeout(900),  # on a new machine the first test compiles all kernels
    pytest.mark.usefixtures("usual_looks"),
]


def texts(page: Page, selector: str) -> list[str]:
    """The texts of parts of the page."""
    return page.run("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", selector)


def test_a_chart_has_axes_and_a_scale_and_tells_the_value_under_the_pointer(game: Game, file: Path, page: Page) -> None:
    load(page, file, "#move=30")
    most = max(max(row["scores"]) for row in Film.of(game).part()["rows"])
    for figure, unit in (("scores", "Glory"), ("statuses", "icons"), ("expected", "reward")):
        words = texts(page, f"#{figure} text")
        assert words[0] == unit
        assert "moves" in words
        assert sorted(words[-4:]) == ["0", "1", "2", "3"]  # a letter at the end of each line
    scale = [int(text) for text in texts(page, "#scores text.y")]
    steps = {after - before for before, after in pairwise(scale)}
    assert len(steps) == 1
    assert len(scale) >= 3
    assert scale[0] == 0
    assert scale[-1] <= most < scale[-1] + steps.pop()
    moves = [int(text) for text in texts(page, "#scores text.x")]
    assert len(moves) >= 3
    assert moves[0] == 0
    assert moves[-1] <= len(game.history) < moves[-1] + moves[1]
    plot = page.one("#scores .plot")
    ActionChains(page.chrome).move_to_element_with_offset(plot, 60, 5).perform()
    pointed = page.run("return charts[0].pointed")
    assert pointed > 30
    assert page.one("#scores figcaption").text == f"Glory after {pointed} moves"
    told = [item.text for item in page.all("#scores .values li")]
    scores = game.at_move(pointed).scores()
    assert told == [f"{seat} Seat {seat}: {score}" for seat, score in enumerate(scores)]
    assert shown(page) == 30  # to look is not to go
    ActionChains(page.chrome).click().perform()
    assert shown(page) == pointed
    ActionChains(page.chrome).move_to_element(page.one("h1")).perform()
    press(page, Keys.HOME)
    assert page.one("#scores figcaption").text == "Glory after 0 moves"


def test_a_chart_tells_its_values_to_a_screen_reader(game: Game, file: Path, page: Page) -> None:
    load(page, file)
    tab_to(page, "#scores .plot")
    press(page, Keys.ARROW_RIGHT)
    plot = page.one("#scores .plot")
    names = ("role", "aria-label", "aria-valuemin", "aria-valuemax", "aria-valuenow")
    said = [plot.get_attribute(name) for name in names]
    assert said == ["slider", "Glory over the moves", "0", str(len(game.history)), "1"]
    scores = [f"Seat {seat} {score}" for seat, score in enumerate(game.at_move(1).scores())]
    assert plot.get_attribute("aria-valuetext") == f"after 1 move: {', '.join(scores)}"


@pytest.mark.parametrize("scheme", THEMES)
def test_lines_can_be_seen_and_told_apart_without_colours(scheme: str, file: Path, page: Page) -> None:
    look(page, scheme)
    load(page, file)
    ground = colour(page, "return getComputedStyle(document.querySelector('figure')).backgroundColor")
    assert ground == THEMES[scheme].panel
    drawn = "#scores polyline, #scores .axis, #scores .reading line"
    for number in range(page.run("return document.querySelectorAll(arguments[0]).length", drawn)):
        line = f"return getComputedStyle(document.querySelectorAll('{drawn}')[{number}]).stroke"
        assert contrast(colour(page, line), ground) >= LEAST_CONTRAST, number
    dashes = page.run(
        "return [...document.querySelectorAll('#scores polyline')].map((one) => one.getAttribute('stroke-dasharray'))"
    )
    assert len(set(dashes)) == 4


def test_charts_fit_the_window_after_it_has_changed(file: Path, page: Page) -> None:
    load(page, file)
    load_width = page.run("return document.querySelector('#scores svg').getBoundingClientRect().width")
    size = {"width": 400, "height": 860, "deviceScaleFactor": 1, "mobile": False}
    page.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    ends = "charts[0].xOf(count()) - document.querySelector('#scores .plot').clientWidth"
    page.wait(f"-30 < {ends} && {ends} < 0", "the lines do not end at the edge")
    assert load_width != page.run("return document.querySelector('#scores svg').getBoundingClientRect().width")


# --- themes, notes, phones, readers, paper ----------------------------------------------------------------------------

BOARD = "return getComputedStyle(document.querySelector('#board svg > rect')).fill"
BODY = "return getComputedStyle(document.body).backgroundColor"


def test_page_and_board_follow_the_system_until_the_button_is_pressed(file: Path, page: Page) -> None:
    look(page, "dark")
    load(page, file)
    dark, light = THEMES["dark"].background, THEMES["light"].background
    assert (colour(page, BODY), colour(page, BOARD), page.one("#theme").text) == (dark, dark, "Light")
    look(page, "light")
    page.wait("document.querySelector('#theme').textContent === 'Dark'", "the page does not follow the system")
    assert (colour(page, BODY), colour(page, BOARD)) == (light, light)
    page.one("#theme").click()
    assert (colour(page, BODY), colour(page, BOARD), page.one("#theme").text) == (dark, dark, "Light")
    look(page, "light")
    assert colour(page, BOARD) == dark


@pytest.mark.parametrize("theme", THEMES)
def test_a_page_with_a_theme_of_its_own_asks_no_system(theme: str, game: Game, page: Page, tmp_path: Path) -> None:
    look(page, "light" if theme == "dark" else "dark")
    load(page, write_replay_page(game, tmp_path / "game.html", theme=theme))
    assert (colour(page, BODY), colour(page, BOARD)) == (THEMES[theme].background,) * 2
    assert page.run("return getComputedStyle(document.querySelector('#board svg text')).fill") != page.run(BOARD)


def test_notes_say_of_what_they_expect_something(file: Path, page: Page) -> None:
    load(page, file, "#move=40")
    assert page.one("#notes-by").text == "What policy expects"
    assert "For each seat: reward that its value network expects" in page.one("#noted-values").text
    assert "probability that it plays the move" in page.one("#noted-choices").text
    assert page.one("#expected figcaption").text == "Expected by policy after 40 moves"
    assert [item.text.split(" ")[0] for item in page.all("#values p")] == ["Seat"] * 4


LISTED = """
const at = (selector) => document.querySelector(selector).getBoundingClientRect();
const [list, item] = [at('#moves'), at('[aria-selected=true]')];
return Math.abs(item.top + item.bottom - list.top - list.bottom) / 2 / list.height
"""
"""Script that returns how far the move that is shown stands from the middle of the list, as a part of its height."""


def test_the_move_that_is_shown_stands_in_the_middle_of_the_list_under_its_note(file: Path, page: Page) -> None:
    for number in (120, 119, 60):
        load(page, file, f"#move={number}")
        assert page.all("#notes")
        assert page.run(LISTED) < 0.2, number


@pytest.mark.parametrize(("width", "height"), [(400, 860), (320, 640)])
def test_on_a_phone_everything_fits_and_can_be_touched(width: int, height: int, file: Path, page: Page) -> None:
    load(page, file, "#move=60", width, height)
    assert page.run(EXTENT)[0] <= width
    assert page.run(SMALL) == []
    assert (
        page.run("return Math.min(...[...document.querySelectorAll('[role=option]')].map((one) => one.offsetHeight))")
        >= 44
    )
    cut = page.run(
        "return [...document.querySelectorAll('button, select, figcaption, li, h1, h2, [role=option]')]"
        ".filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML)"
    )
    assert cut == []
    assert page.run("return document.querySelector('#board svg').getBoundingClientRect().width") > 1200
    page.run("document.querySelector('#board').focus()")
    press(page, Keys.ARROW_RIGHT)
    page.wait("document.querySelector('#board').scrollLeft > 0", "the board does not move")
    assert shown(page) == 60
    page.run("show(61)")
    assert page.run("return document.querySelector('#board').scrollLeft") > 0, "a move scrolls the board back"
    page.one("#whole").click()
    assert page.run("return document.querySelector('#board svg').getBoundingClientRect().width") < width
    assert page.run("return document.querySelector('#board').tabIndex") == -1


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_axe_finds_nothing_serious(width: int, height: int, file: Path, page: Page) -> None:
    axe = axe_script()
    load(page, file, "#move=60", width, height)
    page.chrome.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})
    for is_whole in (False, True) if width < 800 else (False,):
        if is_whole:
            page.one("#whole").click()
        for scheme in THEMES:
            look(page, scheme)
            page.wait("isDark() === (arguments[0] === 'dark')", "the page is in other colours", scheme)
            assert serious(page) == [], (scheme, is_whole)


def test_paper_shows_the_board_and_the_moves_in_light_colours(game: Game, page: Page, tmp_path: Path) -> None:
    look(page, "dark", "print")
    load(page, write_replay_page(game, tmp_path / "game.html", theme="dark"), "#move=60")
    assert colour(page, BOARD) == THEMES["light"].background
    visible = "return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility()).length"
    assert page.run(visible, "button, select, input, figure, #notes") == 0
    assert page.run(visible, "#board svg, h1, #now") == 3
    assert page.run(visible, "[role=option]") == len(game.history) + 1
    assert page.run(
        "return document.querySelector('#moves').scrollHeight <= document.querySelector('#moves').clientHeight"
    )
    look(page, "dark")
    printed: dict[str, Any] = page.chrome.execute_cdp_cmd("Page.printToPDF", {})
    pages = base64.b64decode(printed["data"]).count(b"/Type /Page\n")
    assert 2 <= pages <= 4
