"""The page for play without a mouse: the keyboard alone, and what axe says of it."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from tests.kits.access import axe_script, press, serious_in_both_themes, tab_to
from tests.kits.browser import Page
from tests.kits.play_server import Begun, PlayServer

pytestmark = pytest.mark.timeout(900)  # on a new machine the first test compiles all kernels


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (400, 860)])
def test_a_game_is_begun_and_played_with_the_keyboard_alone(
    width: int, height: int, server: PlayServer, page: Page
) -> None:
    page.open(server.address.partition("#")[0], width, height)
    page.appears("#start", "there is no form")
    tab_to(page, "#start")
    press(page, Keys.ENTER)
    page.wait_for_question()
    if width == 400:
        tab_to(page, '#tabs [aria-selected="true"]')
        press(page, Keys.ARROW_LEFT)
        assert page.run("return tab") == "moves"
    for _ in range(6):
        tab_to(page, "#moves button[data-move]")
        before = page.position
        press(page, Keys.ENTER)
        page.wait_for_move(before, "Enter plays no move")
        assert page.run("return moves.contains(document.activeElement)")  # the next move needs no way back
        if page.all("#moves .group:not(.alone) button"):
            assert not page.run("return !!document.activeElement.closest('.alone')")  # no Pass by a key pressed twice
    press(page, "h")
    page.wait("!!document.activeElement.dataset.hint", "the hints get no focus")
    press(page, "u")
    page.wait_for_question()
    assert page.errors() == []


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (400, 860)])
def test_axe_finds_nothing_serious(width: int, height: int, server: PlayServer, page: Page) -> None:
    axe = axe_script()
    begun = server.begin(seats=["human", "greedy", "greedy"], seed=3)
    page.open(begun.address, width, height)
    page.wait_for_question()
    page.one("#ahead-switch").click()
    page.appears("#ahead .part", "there is no bar")
    page.run(axe)
    found = serious_in_both_themes(page)
    page.one("#hint").click()
    page.appears("#hints li", "there are no hints")
    found += serious_in_both_themes(page)
    page.one("#leave").click()
    page.appears("#games a", "there is no list")
    page.one('#variants input[value="exploits"]').click()
    found += serious_in_both_themes(page)
    page.run("localStorage.clear()")
    assert found == []


def test_the_list_of_moves_is_played_with_the_keyboard(solo: Begun, page: Page) -> None:
    page.open(solo.address)
    page.wait_for_question()
    page.run("document.querySelector('#record').focus()")
    for _ in range(3):
        page.chrome.switch_to.active_element.send_keys(Keys.TAB)
    while not page.run("return moves.contains(document.activeElement)"):
        page.chrome.switch_to.active_element.send_keys(Keys.TAB)
    before = page.position
    page.chrome.switch_to.active_element.send_keys(Keys.ENTER)
    page.wait("state.position !== arguments[0]", "Enter plays no move", before)
    assert page.run("return moves.contains(document.activeElement)")


def test_a_key_that_is_held_makes_one_move(server: PlayServer, page: Page) -> None:
    page.open(server.begin(seats=["human", "greedy", "greedy"], seed=3).address)
    page.wait_for_question()
    page.run("document.querySelector('#moves button').focus()")
    before = page.position
    key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r", "type": "keyDown"}
    page.chrome.execute_cdp_cmd("Input.dispatchKeyEvent", key)
    page.wait_for_move(before, "Enter plays no move")
    before = page.position
    for _ in range(5):
        page.chrome.execute_cdp_cmd("Input.dispatchKeyEvent", {**key, "autoRepeat": True})
        page.wait_for_question()
    page.chrome.execute_cdp_cmd("Input.dispatchKeyEvent", {**key, "type": "keyUp"})
    assert page.position == before
    assert page.run("return moves.contains(document.activeElement)")
