"""The page of a game for everybody: by address, by keyboard alone, on a phone, in the dark, read out, on paper."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from agents.matches.notes import noted_record, noting_agent
from agents.registry import make_agent
from endeavor_env.game import Game
from endeavor_env.pages import Film, write_replay_page
from endeavor_env.pages.look import LEAST_CONTRAST, contrast
from endeavor_env.render.scene.theme import THEMES
from tests.kits.access import EXTENT, SMALL, axe_script, press, serious, tab_to
from tests.kits.browser import Page

pytestmark = pytest.mark.timeout(900)  # on a new machine the first test compiles all kernels
SIZES = [(1280, 800), (400, 860)]
STOPS = ("#first", "#back", "#play", "#next", "#last", "#slider", "#rounds", "#events", "#theme")
READINGS = ("#notes", "#moves", "#scores .plot", "#statuses .plot", "#expected .plot")
"""What Tab leads to, in this order; on a small screen also #large."""


@pytest.fixture(scope="module")
def game() -> Game:
    """A whole game of four seats."""
    game, greedy = Game.new(4, seed=5), make_agent("greedy")
    while not game.over:
        game.apply(greedy.act(game))
    return game


@pytest.fixture(scope="module")
def file(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the game, with notes."""
    record = noted_record(game, noting_agent("policy"))
    return write_replay_page(record, tmp_path_factory.mktemp("replay") / "game.html")


@pytest.fixture(autouse=True)
def usual_looks(page: Page) -> Iterator[None]:
    """Leave the browser as it was for other tests."""
    yield
    page.chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    look(page)


def look(page: Page, scheme: str = "", media: str = "") -> None:
    """Let the browser prefer dark or light, or show the page as it would print it."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})


def load(page: Page, file: Path, fragment: str = "", width: int = 1280, height: int = 800) -> None:
    """Load the page in a window of a size."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    page.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    page.chrome.get("about:blank")  # else an address that differs after the # only is not loaded again
    page.chrome.get(file.as_uri() + fragment)
    page.until(lambda: page.run("return document.querySelectorAll('#board svg').length") == 1, "no picture")


def shown(page: Page) -> int:
    """The number of moves made in the picture that is shown."""
    return int(page.run("return at"))


def fragment(page: Page) -> str:
    return page.run("return location.hash")


def colour(page: Page, script: str) -> str:
    """A colour that the browser computes, such as "#d55e00"."""
    channels = page.run(
        "const pixel = new OffscreenCanvas(1, 1).getContext('2d'); pixel.fillStyle = (() => {" + script + "})();"
        "pixel.fillRect(0, 0, 1, 1); return [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3)"
    )
    return "#" + bytes(channels).hex()


# --- the address ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "at"),
    [
        *(("#move=40", 40), ("#move=0", 0), ("#move=99999", -1), ("#move=-3", 0), ("#move=7.4", 7), ("#move=", 0)),
        *(("#move=no", 0), ("#move=Infinity", 0), ("#move=%3Cb%3E", 0), ("#other=40", 0)),
    ],
)
def test_an_address_shows_its_move_or_the_nearest(given: str, at: int, game: Game, file: Path, page: Page) -> None:
    load(page, file, given)
    wanted = len(game.history) if at == -1 else at
    assert shown(page) == wanted
    assert page.run("return document.querySelectorAll('[aria-selected=\"true\"]')[0].id") == f"move-{wanted}"
    assert page.errors() == []


def test_the_address_follows_the_position_and_back_leaves_the_page(file: Path, page: Page) -> None:
    load(page, file)
    entries = page.run("return history.length")
    assert fragment(page) == ""
    for _ in range(3):
        press(page, Keys.ARROW_RIGHT)
    page.until(lambda: fragment(page) == "#move=3", "the address does not follow")
    press(page, Keys.END)
    page.until(lambda: fragment(page) == f"#move={shown(page)}", "the address does not follow to the end")
    assert page.run("return history.length") == entries
    page.chrome.refresh()
    page.until(lambda: page.run("return document.querySelectorAll('#board svg').length") == 1, "no picture")
    assert shown(page) > 3
    page.chrome.back()
    assert page.chrome.current_url == "about:blank"


def test_an_address_changed_by_hand_moves(file: Path, page: Page) -> None:
    load(page, file, "#move=5")
    page.run("location.hash = '#move=40'")
    page.until(lambda: shown(page) == 40, "the page does not go where its address says")
    page.run("location.hash = '#move=nowhere'")
    page.until(lambda: fragment(page) == "#move=40", "a bad address is not put right")
    assert shown(page) == 40
    assert page.errors() == []


def test_the_address_is_written_when_the_page_rests(file: Path, page: Page) -> None:
    load(page, file)
    page.chrome.execute_async_script(
        "const write = history.replaceState.bind(history); window.writes = 0;"
        "history.replaceState = (...all) => { writes += 1; write(...all); };"
        "const walk = (left) => { show(at + 1); setTimeout(left ? () => walk(left - 1) : arguments[0], 5, left); };"
        "walk(89)"
    )
    page.until(lambda: fragment(page) == "#move=90", "the address is lost")
    assert page.run("return writes") < 30  # browsers refuse more than 200 in 10 seconds, and one more than 100 in 30


# --- the keyboard -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_everything_is_reached_with_the_keyboard_and_its_focus_is_seen(
    width: int, height: int, file: Path, page: Page
) -> None:
    load(page, file, "", width, height)
    stops = [*STOPS, *(["#large"] if width < 800 else []), *READINGS]
    for selector in stops:
        press(page, Keys.TAB)
        assert page.run("return document.activeElement.matches(arguments[0])", selector), selector
        seen = page.run(
            "const look = getComputedStyle(document.activeElement);"
            "return [look.outlineStyle, look.outlineWidth, document.activeElement.checkVisibility()]"
        )
        assert seen == ["solid", "3px", True], selector
        box = page.run("const box = document.activeElement.getBoundingClientRect(); return [box.top, box.bottom]")
        assert box[0] < height, f"{selector} is not scrolled into the window"
        assert box[1] > 0, f"{selector} is scrolled out of the window"
    assert page.errors() == []


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_game_is_walked_through_with_the_keyboard_alone(
    width: int, height: int, game: Game, file: Path, page: Page
) -> None:
    load(page, file, "", width, height)
    last = len(game.history)
    tab_to(page, "#next")
    for key, at in ((" ", 1), (Keys.ENTER, 2), (Keys.ARROW_RIGHT, 3), (Keys.END, last), (Keys.HOME, 0), (" ", 1)):
        press(page, key)
        assert shown(page) == at
    assert page.one("#play").text == "Play"  # space has pressed the button only
    tab_to(page, "#slider")
    for key, at in (
        (Keys.ARROW_RIGHT, 2),
        (Keys.ARROW_UP, 3),
        (Keys.HOME, 0),
        (Keys.END, last),
        (Keys.ARROW_LEFT, last - 1),
    ):
        press(page, key)
        assert shown(page) == at
    press(page, " ")
    assert page.one("#play").text == "Play"
    assert str(page.one("#slider").get_attribute("aria-valuetext")).startswith(f"{last - 1} of {last}: Seat ")
    tab_to(page, "#rounds")
    press(page, Keys.HOME)
    assert shown(page) == 0
    press(page, Keys.ARROW_DOWN)
    assert page.run("return film.rows[at + 1].move.round") == 2
    tab_to(page, "#moves")
    before = shown(page)
    for key, step in ((Keys.ARROW_DOWN, 1), (Keys.PAGE_DOWN, 11), (Keys.ARROW_UP, 10), (Keys.PAGE_UP, 0)):
        press(page, key)
        assert shown(page) == before + step
        active = page.run("return document.activeElement.getAttribute('aria-activedescendant')")
        assert active == f"move-{before + step}"
        assert inside(page, f"#{active}", "#moves")
    press(page, " ")
    assert (shown(page), page.one("#play").text) == (before, "Play")
    tab_to(page, "#scores .plot")
    for key, step in ((Keys.ARROW_UP, 1), (Keys.PAGE_UP, 11), (Keys.ARROW_LEFT, 10), (Keys.ARROW_DOWN, 9)):
        press(page, key)
        assert shown(page) == before + step
    assert page.errors() == []


def inside(page: Page, selector: str, box: str) -> bool:
    """Whether something lies inside of the part of a box that is seen."""
    return page.run(
        "const [one, box] = [...arguments].map((name) => document.querySelector(name).getBoundingClientRect());"
        "return one.top >= box.top - 1 && one.bottom <= box.bottom + 1",
        selector,
        box,
    )


def test_space_plays_only_where_nothing_else_wants_it(file: Path, page: Page) -> None:
    load(page, file)
    press(page, " ")
    assert page.one("#play").text == "Stop"
    assert page.one("#now").get_attribute("aria-live") == "off"  # nobody can listen so fast
    page.until(lambda: shown(page) >= 2, "it does not play")
    press(page, " ")
    assert page.one("#now").get_attribute("aria-live") == "polite"
    tab_to(page, "#play")
    at = shown(page)
    press(page, " ")
    assert page.one("#play").text == "Stop"  # once, not twice
    page.until(lambda: shown(page) > at, "it does not play")
    press(page, Keys.ENTER)
    assert page.one("#play").text == "Play"
    tab_to(page, "#theme")
    press(page, " ")
    assert (page.one("#play").text, page.one("#theme").text) == ("Play", "Light")


# --- charts -----------------------------------------------------------------------------------------------------------


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
    ends = "return charts[0].xOf(count()) - document.querySelector('#scores .plot').clientWidth"
    page.until(lambda: -30 < page.run(ends) < 0, "the lines do not end at the edge")
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
    page.until(lambda: page.one("#theme").text == "Dark", "the page does not follow the system")
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
    page.one("#large").click()
    assert page.run("return document.querySelector('#board svg').getBoundingClientRect().width") == 1000
    assert page.run(EXTENT)[0] <= width
    page.run("document.querySelector('#board').focus()")
    press(page, Keys.ARROW_RIGHT)
    page.until(lambda: page.run("return document.querySelector('#board').scrollLeft") > 0, "the board does not move")
    assert shown(page) == 60
    page.one("#large").click()
    assert page.run("return document.querySelector('#board svg').getBoundingClientRect().width") < width
    assert page.run("return document.querySelector('#board').tabIndex") == -1


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("scheme", THEMES)
def test_axe_finds_nothing_serious(width: int, height: int, scheme: str, file: Path, page: Page) -> None:
    axe = axe_script()
    look(page, scheme)
    load(page, file, "#move=60", width, height)
    page.chrome.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})
    assert serious(page) == []
    if width < 800:
        page.one("#large").click()
        assert serious(page) == []


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
