"""The page of a game for everybody: by address and by keyboard alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from endeavor_env.endeavor.game import Game
from tests.kits.access import press, tab_to
from tests.kits.browser import Page
from tests.kits.replay_page import SIZES, fragment, load, shown

pytestmark = [
    pytest.mark.timeout(900),  # on a new machine the first test compiles all kernels
    pytest.mark.usefixtures("usual_looks"),
]
STOPS = ("#first", "#back", "#play", "#next", "#last", "#slider", "#rounds", "#events", "#theme")
READINGS = ("#notes", "#moves", "#scores .plot", "#statuses .plot", "#expected .plot")
"""What Tab leads to, in this order; on a small screen, where the board scrolls, also #whole and #board."""


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
    page.wait("location.hash === '#move=3'", "the address does not follow")
    press(page, Keys.END)
    page.wait("location.hash === `#move=${at}`", "the address does not follow to the end")
    assert page.run("return history.length") == entries
    page.chrome.refresh()
    page.wait("document.querySelectorAll('#board svg').length === 1", "no picture")
    assert shown(page) > 3
    page.chrome.back()
    assert page.chrome.current_url == "about:blank"


def test_an_address_changed_by_hand_moves(file: Path, page: Page) -> None:
    load(page, file, "#move=5")
    page.run("location.hash = '#move=40'")
    page.wait("at === 40", "the page does not go where its address says")
    page.run("location.hash = '#move=nowhere'")
    page.wait("location.hash === '#move=40'", "a bad address is not put right")
    assert shown(page) == 40
    assert page.errors() == []


def test_the_address_is_written_when_the_page_rests(file: Path, page: Page) -> None:
    load(page, file)
    page.chrome.execute_async_script(
        "const write = history.replaceState.bind(history); window.writes = 0;"
        "history.replaceState = (...all) => { writes += 1; write(...all); };"
        "const walk = (left) => { show(at + 1); setTimeout(left ? () => walk(left - 1) : arguments[0], 5, left); };"
        "walk(44)"
    )
    page.wait("location.hash === '#move=45'", "the address is lost")
    assert page.run("return writes") < 15  # browsers refuse more than 200 in 10 seconds, and one more than 100 in 30


# --- the keyboard -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_everything_is_reached_with_the_keyboard_and_its_focus_is_seen(
    width: int, height: int, file: Path, page: Page
) -> None:
    load(page, file, "", width, height)
    stops = [*STOPS, *(["#whole", "#board"] if width < 800 else []), *READINGS]
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
    page.wait("at >= 2", "it does not play")
    press(page, " ")
    assert page.one("#now").get_attribute("aria-live") == "polite"
    tab_to(page, "#play")
    at = shown(page)
    press(page, " ")
    assert page.one("#play").text == "Stop"  # once, not twice
    page.wait("at > arguments[0]", "it does not play", at)
    press(page, Keys.ENTER)
    assert page.one("#play").text == "Play"
    tab_to(page, "#theme")
    press(page, " ")
    assert (page.one("#play").text, page.one("#theme").text) == ("Play", "Light")
