"""Games played by clicks in a real browser, from the address that the command prints."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.records import replay
from tests.kits.access import CUT
from tests.kits.browser import Page
from tests.kits.malformed import refuse_all
from tests.kits.play_server import Begun, PlayServer

pytestmark = pytest.mark.timeout(900)  # on a new machine the first test compiles all kernels
LISTS = "byId('lobby').checkVisibility() && document.querySelectorAll('#games a').length === arguments[0]"
"""Whether the list of games is shown and has so many."""
LEFT = 16
"""Moves of a person before the end of a game."""


def play_out(page: Page, seed: int) -> None:
    """Click on places of the board and on moves of the list until the game is over."""
    rng, clicked = np.random.default_rng(seed), set()
    page.wait_for_question()
    for _ in range(300):
        if page.over:
            break
        clicked.add(page.click_some_move(rng))
    assert page.over
    assert clicked == {"#board .target", "#moves button[data-move]"}


def check_end(page: Page, begun: Begun) -> None:
    """Check what the page shows of a game that is over, and its replay."""
    game = replay(begun.kept()["record"])
    assert game.over
    assert [int(cell.text) for cell in page.all("#result tfoot td")] == game.scores()
    heads = page.run("return [...document.querySelectorAll('#result th[scope=col]')].map((one) => one.innerText)")
    assert [head.split("\n")[-1] for head in heads] == page.run("return state.seats.map((seat) => seat.label)")
    assert "The game is over" in page.one("#question").text
    assert page.message == ""
    page.one("#result .strong").click()  # the replay, in a tab of its own
    page.chrome.switch_to.window(page.chrome.window_handles[-1])
    page.appears("svg", "the replay shows no picture")
    assert page.errors() == []


def test_a_whole_game_is_played_by_clicks(solo: Begun, page: Page) -> None:
    page.open(solo.address)
    play_out(page, 1)
    check_end(page, solo)


def test_a_game_of_three_is_played_to_its_end_by_clicks(server: PlayServer, page: Page) -> None:
    game, greedy = Game.new(3, seed=3), make_agent("greedy")
    greedy.reset(0)
    while not game.over:
        game.apply(greedy.act(game))
    own = [number for number, (seat, _) in enumerate(game.history) if seat == 0]
    begun = server.open(game.at_move(own[-LEFT]), ["human", "greedy", "greedy"])
    page.open(begun.address)
    play_out(page, 1)
    check_end(page, begun)


def test_the_table_of_the_result_breaks_no_name(server: PlayServer, page: Page) -> None:
    page.open(server.begin(seats=["random"] * 5, seed=4).address, 1024, 768)
    page.appears("#result", "the game does not end")
    heads = [(one.text, one.rect["height"]) for one in page.all("#result thead .disc + span")]
    assert [name for name, _ in heads] == ["random", *(f"random#{number}" for number in range(2, 6))]
    assert max(height for _, height in heads) < 25, heads  # one line
    box = page.one("#result").rect
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 1024


def test_undo_goes_back_and_a_reload_shows_the_same_game(solo: Begun, page: Page) -> None:
    page.open(solo.address)
    page.wait_for_question()
    rng = np.random.default_rng(0)
    assert not page.one("#undo").is_enabled()
    seen = [page.position]
    for _ in range(4):
        page.click_some_move(rng)
        seen.append(page.position)
    page.chrome.refresh()
    page.ready()
    assert page.position == seen[-1]
    page.click_and_wait(page.one("#undo"))
    assert page.position in seen[:-1]
    while page.one("#undo").is_enabled():
        before = page.position
        page.one("body").send_keys("u")
        page.wait_for_move(before, "the key U does not take back")
    assert page.position == seen[0]
    assert solo.kept()["record"]["moves"] == []
    assert page.errors() == []


def test_a_second_tab_follows_the_first_and_an_old_position_is_told(solo: Begun, page: Page) -> None:
    page.open(solo.address)
    page.wait_for_question()
    first = page.chrome.current_window_handle
    page.run("clearTimeout(timer); plan = () => {}")  # as if this tab had slept: it asks for nothing by itself
    stale = page.position
    page.chrome.switch_to.new_window("tab")
    page.open(solo.address)
    page.wait_for_question()
    second = page.chrome.current_window_handle
    page.click_some_move(np.random.default_rng(0))
    moved = page.position
    page.chrome.switch_to.window(first)
    assert page.position == stale
    page.one("#moves button[data-move]").click()
    page.wait("state.position === arguments[0]", "the tab that slept does not show the present position", moved)
    assert "the game has gone on" in page.message
    page.one("#dismiss").click()
    assert page.message == ""
    page.errors()  # the browser lists the answer 409 as an error
    page.click_some_move(np.random.default_rng(0))
    moved = page.position
    page.chrome.switch_to.window(second)
    page.wait("state.position === arguments[0]", "the second tab does not follow", moved)
    assert page.errors() == []


def test_a_killed_server_loses_nothing_and_an_open_tab_goes_on_after_a_restart(tmp_path: Path, page: Page) -> None:
    rng = np.random.default_rng(5)
    with PlayServer(tmp_path / "games", "--variant", "solo", "--seed", "7") as server:
        page.open(server.address)
        page.wait_for_question()
        for _ in range(5):
            page.click_some_move(rng)
        position = page.position
    page.until(lambda: "The server does not answer" in page.message, "the page does not miss the server")
    with PlayServer(server.folder):
        page.until(lambda: page.message == "", "the open tab does not find the server again")
        page.errors()
        assert page.position == position
        page.click_some_move(rng)
        assert page.position != position
        assert page.errors() == []


def test_a_wrong_token_shows_a_page_that_says_what_to_do(server: PlayServer, page: Page) -> None:
    page.chrome.get(f"http://127.0.0.1:{server.port}/?token=wrong")
    said = page.one("main").text
    assert "The token is wrong or missing" in said
    assert "open the address that it printed" in said
    assert "{" not in said
    assert page.run("return getComputedStyle(document.querySelector('h1')).fontSize") == "22px"  # its style is allowed


def test_a_hint_is_marked_on_the_board_and_the_dark_theme_stays(solo: Begun, page: Page) -> None:
    page.open(solo.address)
    page.wait_for_question()
    page.click_some_move(np.random.default_rng(0))
    page.one("#hint").click()
    page.appears("#hints li", "there are no hints")
    told = [item.text for item in page.all("#hints li")]
    assert len(told) == min(3, len(page.all("#moves button[data-move]")))
    assert all("value " in text for text in told)
    (listed,), (place,) = page.all("#moves .hinted"), page.all(".target.hinted")
    assert str(listed.get_attribute("data-move")) in str(place.get_attribute("data-moves"))
    light = page.run("return getComputedStyle(document.body).backgroundColor")
    page.one("#theme").click()
    page.wait("state && !busy && document.documentElement.dataset.shown === 'dark'", "light")
    dark = page.run("return getComputedStyle(document.body).backgroundColor")
    page.chrome.refresh()
    page.ready()
    assert page.run("return getComputedStyle(document.body).backgroundColor") == dark != light
    page.one("#theme").click()
    assert page.errors() == []


def test_while_an_agent_thinks_for_long_others_play_on(tmp_path: Path, page: Page) -> None:
    with PlayServer(tmp_path / "games", "--variant", "solo", "--seed", "7") as server:  # it ends with the thought
        slow = server.begin(seats=["search:ms=60000"], variant="solo", seed=2)
        page.open(slow.address)
        assert "is thinking" in page.one("#question").text
        assert page.all("#moves button[data-move]") == []
        page.run("location.hash = arguments[0]", server.first.name)
        page.wait_for_question()
        page.click_some_move(np.random.default_rng(0))
        page.run("location.hash = arguments[0]", slow.name)
        page.wait("byId('question').textContent.includes('is thinking')", "the agent has moved")
        assert slow.kept()["record"]["moves"] == []
        assert page.errors() == []


def test_a_place_with_several_moves_opens_a_menu_inside_the_window(server: PlayServer, page: Page) -> None:
    page.open(server.begin(seats=["human", "human"], variant="soloplay_2", seed=5).address)
    page.wait_for_question()
    places = page.all('.target[aria-haspopup="menu"]')
    assert len(places) > 1
    for place in places:
        place.click()
        inside = page.run(
            "const box = menu.getBoundingClientRect();"
            "return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight"
        )
        assert inside
        page.chrome.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
        assert page.chrome.switch_to.active_element == page.all("#menu button")[1]
        page.chrome.switch_to.active_element.send_keys(Keys.ESCAPE)
        assert page.all("#menu") == []
        assert page.chrome.switch_to.active_element == place
    places[-1].click()
    page.click_and_wait(page.all("#menu button")[0])
    assert page.errors() == []


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1600, 1000), (1920, 1080)])
def test_board_question_and_moves_are_on_the_screen_without_scrolling(
    width: int, height: int, solo: Begun, page: Page
) -> None:
    page.open(solo.address, width, height)
    page.wait_for_question()
    assert page.run("return document.documentElement.scrollHeight") <= height
    assert page.run("return document.documentElement.scrollWidth") <= width
    for selector in ("#board", "#bar", "#moves", "#past", "#seats"):
        box = page.one(selector).rect
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
    assert page.one("#board").rect["width"] >= 0.7 * width
    for target in page.all(".target"):
        assert target.get_attribute("aria-label")


def test_games_are_begun_listed_and_opened_from_files(solo: Begun, page: Page, tmp_path: Path) -> None:
    page.open(solo.address)
    page.wait_for_question()
    page.click_some_move(np.random.default_rng(0))
    record = tmp_path / "record.json"
    record.write_text(json.dumps(solo.kept()["record"]), encoding="utf-8")
    page.one("#leave").click()
    page.appears(f'#games a[href="#{solo.name}"]', "the game is not listed")
    listed = len(page.all("#games a"))
    page.one('#variants input[value="exploits"]').click()
    assert len(page.all(".place")) == 3
    page.one("#new summary").click()
    assert {"human", "greedy", "search"} <= {one.text for one in page.all("#players dt")}
    page.one('#tiles input[value="haiti"]').click()
    page.one("#seed").send_keys("5")
    page.one("#start").click()
    page.wait_for_question()
    assert page.run("return state.variant") == "exploits"
    page.one("#leave").click()
    page.wait(LISTS, "the new game is not listed", listed + 1)
    page.one("#file").send_keys(str(record))
    page.wait_for_question()
    assert page.run("return state.number") == 1
    assert page.errors() == []
    page.one("#leave").click()
    page.wait(LISTS, "the opened game is not listed", listed + 2)
    page.one("#places input").clear()
    page.one("#places input").send_keys("robot")
    page.one("#start").click()
    page.until(lambda: "agent 'robot' is unknown" in page.message, "a wrong agent is not told")
    page.click(f'#games a[href="#{solo.name}"]')
    page.wait_for_question()


def test_a_game_that_is_not_there_leads_to_the_list_and_says_why(server: PlayServer, page: Page) -> None:
    for name, why in (("nothing", "there is no game of this name"), ("cut", "is not JSON, it may be cut off")):
        (server.folder / "cut.json").write_text('{"format": "endeavor', encoding="utf-8")
        page.open(Begun(server, name).address)
        page.until(lambda why=why: why in page.message, "the page does not say why there is no game")
        assert page.all("#games a")
        page.one("#dismiss").click()
        assert page.message == ""
    (server.folder / "cut.json").unlink()


def test_a_game_that_was_deleted_elsewhere_leads_to_the_list(server: PlayServer, page: Page) -> None:
    for clicks in (True, False):
        begun = server.begin(seats=["human"], variant="solo", seed=7)
        page.open(begun.address)
        page.wait_for_question()
        if clicks:
            page.run("clearTimeout(timer); plan = () => {}")  # as if the page had not yet looked again
        server.request("POST", f"/games/{begun.name}/delete", json={"sure": True})
        if clicks:
            page.one("#moves button[data-move]").click()
        page.appears("#lobby", "the page still shows the game")
        assert "there is no game of this name" in page.message
        assert page.run("return location.hash") == ""


def test_page_and_game_survive_malformed_requests(solo: Begun, page: Page) -> None:
    page.open(solo.address)
    page.wait_for_question()
    rng = np.random.default_rng(0)
    page.click_some_move(rng)
    before, kept = page.position, solo.kept()
    assert refuse_all(solo) >= 200
    assert (page.position, solo.kept(), page.message) == (before, kept, "")
    page.click_some_move(rng)
    assert page.position != before
    assert page.errors() == []


def test_the_agent_for_hints_is_chosen_in_the_page_and_remembered(solo: Begun, page: Page) -> None:
    page.open(solo.address)
    page.wait_for_question()
    page.click_some_move(np.random.default_rng(0))
    page.one("#hint").click()
    page.appears("#hints li", "there are no hints")
    assert page.run(CUT) == []
    assert (" % " in page.one("#hints").text) == ("the share of its simulations" in page.one("#units").text)
    Select(page.one("#hinter")).select_by_value("greedy")
    page.wait("!!hinted && hinted.by === 'greedy'", "the other agent is not asked")
    assert "(value)" in page.all("#hints li")[0].text  # greedy says only what it plays
    assert "simulations" not in page.one("#units").text
    page.chrome.refresh()
    page.ready()
    page.wait_for_question()
    page.one("body").send_keys("h")
    page.wait("!!hinted && hinted.by === 'greedy'", "the choice is forgotten")
    page.click_and_wait(page.all("#hints button")[0])
    assert page.all("#hints li") == []
    page.run("localStorage.clear()")
    assert page.errors() == []


def test_the_bar_of_who_is_ahead_is_off_until_it_is_wanted_and_remembered(solo: Begun, page: Page) -> None:
    page.open(solo.address)
    page.wait_for_question()
    assert page.all("#ahead") == []
    page.one("#ahead-switch").click()
    page.wait("document.querySelectorAll('#ahead .part').length === 2", "there is no bar")
    before = page.one("#ahead").get_attribute("data-position")
    page.click_some_move(np.random.default_rng(0))
    page.wait("byId('ahead').dataset.position !== arguments[0]", "the bar does not follow", before)
    page.chrome.refresh()
    page.ready()
    page.wait("document.querySelectorAll('#ahead .part').length === 2", "the bar is forgotten")
    page.one("#ahead-switch").click()
    assert page.all("#ahead") == []
    assert page.errors() == []


def test_games_are_renamed_and_deleted_in_the_list_after_a_question(server: PlayServer, page: Page) -> None:
    begun = server.begin(seats=["human"], variant="solo", seed=11)
    page.open(server.address.partition("#")[0])
    page.appears("#games a", "there is no list")
    new = f"{begun.name}-mine"
    page.one(f'[aria-label="Rename {begun.name}"]').click()
    page.chrome.switch_to.alert.send_keys(f" {begun.name} Mine")  # as people write names
    page.chrome.switch_to.alert.accept()
    page.appears(f'#games a[href="#{new}"]', "the game has not its new name")
    assert page.run("return document.activeElement.hash") == f"#{new}"
    page.one(f'[aria-label="Delete {new}"]').click()
    page.chrome.switch_to.alert.dismiss()
    assert page.all(f'#games a[href="#{new}"]')
    page.one(f'[aria-label="Delete {new}"]').click()
    page.chrome.switch_to.alert.accept()
    page.wait("!document.querySelector(arguments[0])", "the game is still listed", f'#games a[href="#{new}"]')
    assert not (server.folder / f"{new}.json").exists()
    assert page.errors() == []
