"""The rules at hand: everything on the board explains itself to mouse, keyboard and fingers, and ? opens the help."""

from __future__ import annotations

import numpy as np
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from endeavor_env.endeavor.explain import why_not_here
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.records import replay
from endeavor_env.endeavor.rules import constants as c
from tests.kits.access import SMALL, axe_script, press, serious, tab_to
from tests.kits.browser import Page
from tests.kits.play_server import Begun, PlayServer

pytestmark = pytest.mark.timeout(900)  # on a new machine the first test compiles all kernels
SIZES = [(1280, 800), (400, 860)]
ARROWS = {"ArrowRight": Keys.ARROW_RIGHT, "ArrowLeft": Keys.ARROW_LEFT, "ArrowDown": Keys.ARROW_DOWN}
ARROWS["ArrowUp"] = Keys.ARROW_UP
PATHS = """
const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const paths = new Map([[document.activeElement, []]]);
for (const from of paths.keys()) {
  for (const [key, way] of Object.entries(ways)) {
    const to = nearest(from, way);
    if (to && !paths.has(to)) paths.set(to, [...paths.get(from), key]);
  }
}
return Object.fromEntries([...paths].map(([one, keys]) => [one.dataset.key, keys]));
"""
"""Script that returns the shortest way by arrow keys to everything on the board from what has the focus."""


@pytest.fixture
def table(server: PlayServer) -> Begun:
    """A game of three, one of them a person."""
    return server.begin(seats=["human", "greedy", "greedy"], seed=3)


def tip(page: Page) -> str:
    """What the explanation says; empty if none is open."""
    return page.run("return document.getElementById('tip').hidden ? '' : document.getElementById('told').innerText")


TELLS = "!document.getElementById('tip').hidden && document.getElementById('told').innerText.includes(arguments[0])"
"""Whether the explanation that is open has these words."""


def place(key: str) -> str:
    """Return the selector of something on the board; the picture below it has keys too."""
    return f':is(.thing, .target)[data-key="{key}"]'


def focused(page: Page) -> str | None:
    return page.run("return document.activeElement.dataset.key || null")


def rest_on(page: Page, key: str) -> None:
    """Rest with the mouse on something of the board."""
    ActionChains(page.chrome).move_to_element(page.one(place(key))).perform()


def touch(page: Page, key: str, across: float = 0.0) -> None:
    """Tap with a finger on something of the board, or so many pixels beside its middle."""
    script = (
        "const one = document.querySelector(arguments[0]); one.scrollIntoView({ block: 'nearest', inline: 'nearest' });"
        "const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]"
    )
    x, y = page.run(script, place(key))
    page.chrome.execute_cdp_cmd(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x + across, "y": y}]}
    )
    page.chrome.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_walk_over_the_board_with_the_keyboard_alone(width: int, height: int, table: Begun, page: Page) -> None:
    page.open(table.address, width, height)
    page.wait_for_question()
    tabs = ["map", "mats", "supply"] if width == 400 else [""]
    seen: set[str] = set()
    for name in tabs:
        if name:
            tab_to(page, '#tabs [aria-selected="true"]')
            while page.run("return tab") != name:
                press(page, Keys.ARROW_RIGHT)
        tab_to(page, "#board :is(.thing, .target)")
        first = focused(page)
        press(page, Keys.TAB)
        assert focused(page) is None  # the board is one stop
        ActionChains(page.chrome).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
        assert focused(page) == first
        paths = page.run(PATHS)
        shown = page.run("return keyed().map((one) => one.dataset.key)")
        assert set(paths) == set(shown)  # arrows lead everywhere
        seen |= set(shown)
        things = {thing["key"]: thing for thing in page.run("return state.things")}
        key, keys = max(paths.items(), key=lambda path: len(path[1]))  # a long walk
        for arrow in keys:
            press(page, ARROWS[arrow])
            there = things[str(focused(page))]
            told = tip(page)
            assert there["says"] in told
            assert there["clause"] in told
            assert there["why"] is None or there["why"] in told
            assert page.run("return document.activeElement.getAttribute('aria-describedby')") == "told"
            assert page.run(
                "const box = document.getElementById('tip').getBoundingClientRect();"
                "return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight"
            )
        assert focused(page) == key
        press(page, Keys.ESCAPE)
        assert tip(page) == ""
        assert page.run("return document.querySelector('[aria-describedby=\"told\"]')") is None
        assert focused(page) == key
    assert seen == {thing["key"] for thing in table.state()["things"]}
    for arrow in page.run(PATHS)["build:workshop"] if width == 1280 else []:
        press(page, ARROWS[arrow])
    if width == 1280:
        assert focused(page) == "build:workshop"
        before = page.position
        press(page, Keys.ENTER)
        page.wait_for_move(before, "Enter makes no move on the board")
        assert focused(page) == "build:workshop"  # the board was drawn anew, and the focus stayed
    assert page.errors() == []


def test_the_mouse_rests_and_leaves_and_escape_closes(table: Begun, page: Page) -> None:
    page.open(table.address)
    page.wait_for_question()
    rest_on(page, "build:museum")
    page.wait(TELLS, "there is no explanation", "builds up to level 1. (R4.2)")
    assert "Museum (level 5) brings 2 Culture. Activate it with 1 disc: a Pay. R7.2" in tip(page)
    ActionChains(page.chrome).move_to_element(page.one("#tip")).perform()  # it can be read with the mouse on it
    page.run("return new Promise((done) => setTimeout(done, 600))")
    assert "Museum" in tip(page)
    rest_on(page, "city:nagasaki")
    page.wait(TELLS, "the explanation does not follow the mouse", "Nagasaki")
    press(page, Keys.ESCAPE)
    assert tip(page) == ""
    rest_on(page, "deck:slavery")
    page.wait(TELLS, "there is no other explanation", "Slavery")
    ActionChains(page.chrome).move_to_element(page.one("#bar h1")).perform()
    page.wait("document.getElementById('tip').hidden", "the explanation stays when the mouse has gone")
    before = page.position
    page.one(place("build:market")).click()  # what is legal is still one click
    page.wait("state.position !== arguments[0]", "a click makes no move", before)
    assert page.errors() == []


def test_a_click_on_what_is_not_legal_says_why_and_stays_until_it_is_closed(table: Begun, page: Page) -> None:
    page.open(table.address)
    page.wait_for_question()
    before = page.position
    spot = page.one(place("build:parliament"))
    ActionChains(page.chrome).move_to_element(spot).click().perform()
    page.wait(TELLS, "a click says nothing", "Parliament has level 5")
    ActionChains(page.chrome).move_to_element(page.one("#bar h1")).perform()
    page.run("return new Promise((done) => setTimeout(done, 600))")
    assert "Parliament has level 5" in tip(page)
    assert page.position == before
    page.one("#untip").click()
    assert tip(page) == ""
    assert page.errors() == []


def test_what_the_page_says_of_each_position_is_what_the_rules_say(server: PlayServer, page: Page) -> None:
    begun = server.begin(seats=["human"], variant="solo", seed=9)
    page.open(begun.address)
    page.wait_for_question()
    rng, asked = np.random.default_rng(4), 0
    for _ in range(12):
        game: Game = replay(begun.kept()["record"])
        for thing in page.run("return state.things"):
            if thing["why"]:
                assert thing["why"] == str(why_not_here(game, thing["key"]))
                asked += 1
        page.click_some_move(rng)
    assert asked > 200
    assert page.errors() == []


def test_a_finger_reads_first_and_moves_with_the_second_tap(table: Begun, page: Page) -> None:
    page.open(table.address, 400, 860)
    page.wait_for_question()
    page.chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        before = page.position
        touch(page, "city:rome", across=14)  # a finger may miss
        page.wait(TELLS, "a tap beside a city says nothing", "Rome")
        assert page.run(SMALL) == []
        page.one('#tabs [data-tab="supply"]').click()
        touch(page, "build:dock")
        page.wait(TELLS, "a tap does not say why", "Dock has level 3")
        touch(page, "build:shipyard")
        page.wait(TELLS, "a tap on what is legal does not explain it", "Shipyard (level 1)")
        assert page.position == before
        assert page.run(SMALL) == []
        assert page.run("return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
            400,
            860,
        ]
        (button,) = page.all("#tip-moves button")
        assert button.text == "Build Shipyard (Sail, 1 Culture)"
        touch(page, "build:shipyard")
        page.wait_for_move(before, "the second tap makes no move")
        assert "build:shipyard" in str(table.kept()["record"]["moves"])
    finally:
        page.chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    assert page.errors() == []


def test_the_button_of_an_explanation_makes_the_move(table: Begun, page: Page) -> None:
    page.open(table.address, 400, 860)
    page.wait_for_question()
    page.one('#tabs [data-tab="supply"]').click()
    page.chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        touch(page, "build:market")
        page.appears("#tip-moves button", "there is no button")
        page.click_and_wait(page.all("#tip-moves button")[0])
        assert tip(page) == ""
    finally:
        page.chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    assert page.errors() == []


def test_no_explanation_opens_over_a_menu(server: PlayServer, page: Page) -> None:
    page.open(server.begin(seats=["human", "human"], variant="soloplay_2", seed=5).address)
    page.wait_for_question()
    page.all('.target[aria-haspopup="menu"]')[0].click()
    page.run("return new Promise((done) => setTimeout(done, 500))")
    assert len(page.all("#menu button")) > 1
    assert tip(page) == ""
    assert page.errors() == []


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_help_opens_with_a_question_mark_and_leads_to_how_to_play(
    width: int, height: int, table: Begun, page: Page
) -> None:
    page.open(table.address, width, height)
    page.wait_for_question()
    before = page.position
    press(page, "?")
    assert page.run("return document.getElementById('help').open")
    said = page.one("#help").text
    assert "Brown tokens have the colour of their status here." in said
    for word in ("Build", "Growth", "Salary", "Action", "Sail", "Occupy", "Attack", "Draw", "Pay", "Escape"):
        assert word in said
    assert len(page.run("return document.querySelectorAll('#help .signs svg').length") * [0]) == len(c.TOKEN_NAMES)
    press(page, "u")  # keys of the table rest meanwhile
    if width == 400:
        assert page.run(SMALL) == []
        assert page.run("const one = document.getElementById('help'); return one.scrollWidth <= one.clientWidth")
    page.run(axe_script())
    assert serious(page) == []
    press(page, Keys.ESCAPE)
    assert not page.run("return document.getElementById('help').open")
    assert page.position == before
    press(page, "?")
    page.one("#help [data-how]").click()
    page.chrome.switch_to.window(page.chrome.window_handles[-1])
    page.appears("h1", "there is no page")
    assert page.one("h1").text == "How to play"
    assert len(page.all("figure svg")) == 5
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")
    page.run(axe_script())
    assert serious(page) == []
    assert page.errors() == []


def test_axe_finds_nothing_serious_in_explanations(table: Begun, page: Page) -> None:
    page.open(table.address)
    page.wait_for_question()
    page.run(axe_script())
    found, themes = [], set()
    for _ in range(2):
        tab_to(page, "#board :is(.thing, .target)")
        assert tip(page) != ""
        found += serious(page)
        press(page, Keys.ENTER)
        assert page.run("return pinned")
        found += serious(page)
        theme = page.run("return theme()")
        themes.add(theme)
        page.one("#theme").click()
        page.wait("!busy && theme() !== arguments[0]", "the theme stays", theme)
        assert tip(page) == ""
    page.run("localStorage.clear()")
    assert themes == {"light", "dark"}
    assert found == []
