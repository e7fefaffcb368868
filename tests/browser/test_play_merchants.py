"""The page for play with a game on the engine, Merchants of Europe: by clicks, on a phone, with the keyboard alone."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest
from selenium.webdriver.common.keys import Keys

from endeavor_env.agents.players.player_agent import make_player_agent
from endeavor_env.merchants.game import MerchantsConfig
from tests.browser.test_play_phone import HIT
from tests.kits.access import EXTENT, SMALL, axe_script, press, serious_in_both_themes, tab_to
from tests.kits.browser import Page
from tests.kits.play_server import Begun, PlayServer

pytestmark = pytest.mark.timeout(900)  # on a new machine the first test compiles all kernels
SEATS = ["human", "planner", "planner", "planner"]
LEFT = 4
"""Moves of a person before the end of a game."""


@pytest.fixture
def merchants(server: PlayServer) -> Begun:
    """A game in which a person is to place or roll."""
    return server.begin(game="merchants", seats=SEATS, seed=3)


@pytest.fixture(autouse=True)
def _forget(page: Page, server: PlayServer) -> Iterator[None]:
    """Leave no theme behind for other tests."""
    yield
    page.open(server.address.partition("#")[0])
    page.run("localStorage.clear()")


def liked(begun: Begun, position: str) -> str:
    """Return the move that ``planner`` would make."""
    body = {"position": position, "by": "planner"}
    return begun.server.request("POST", f"/games/{begun.name}/hint", json=body).json()["hints"][0]["move"]


def play_on(page: Page, begun: Begun, moves: int) -> None:
    """Make moves as ``planner`` would, which the page sees when they are made."""
    state = begun.state()
    for _ in range(moves):
        body = {"position": state["position"], "move": liked(begun, state["position"])}
        state = begun.server.request("POST", f"/games/{begun.name}/play", json=body).json()
        while not (state["asked"] or state["over"]):
            time.sleep(0.02)
            state = begun.state()
        assert not state["over"]
    page.run("attempt(() => look(true))")
    page.wait("!busy && state.asked && state.position === arguments[0]", "the page does not look", state["position"])


def test_a_game_is_begun_in_the_list_and_played_by_clicks(server: PlayServer, page: Page) -> None:
    page.open(server.address.partition("#")[0])
    page.appears("#start", "there is no form")
    page.one('#variants input[value="merchants:short"]').click()
    assert page.run("return [...document.querySelectorAll('.place')].map((one) => one.value)") == SEATS[:3]
    assert "game=merchants" in str(page.one("#lobby [data-how]").get_attribute("href"))
    page.one("#start").click()
    page.wait_for_question()
    assert page.run("return byId('name').textContent") == "Merchants of Europe"
    rng, clicked = np.random.default_rng(4), []
    while len(clicked) < 16 or (len(set(clicked)) == 1 and len(clicked) < 60):  # the lobby draws another game each time
        clicked.append(page.click_some_move(rng))
    assert set(clicked) == {"#board .target", "#moves button[data-move]"}
    assert page.run("return state.panels[0].own && document.querySelector('.panel.own dd').textContent.length > 0")
    page.one("#leave").click()
    page.appears("#games a", "there is no list")
    assert page.run("return byId('name').textContent") == "Endeavor"
    assert page.errors() == []


@pytest.fixture
def nearly_over(server: PlayServer) -> Begun:
    """A game in which a person has a few moves left."""
    game = MerchantsConfig(players=len(SEATS)).new_game(3)
    planner = make_player_agent(game.rules, "planner")
    planner.reset(0)
    while not game.over:
        game.apply(planner.act(game))
    own = [number for number, (seat, _) in enumerate(game.history) if seat == 0]
    return server.open(game.at_move(own[-LEFT]), SEATS)


def test_the_end_shows_where_the_goods_went(nearly_over: Begun, page: Page) -> None:
    page.open(nearly_over.address)
    page.wait_for_question()
    assert not page.over
    while not page.over:
        before = page.position
        page.run("play(arguments[0])", liked(nearly_over, before))
        page.wait_for_move(before)
    page.appears("#result table", "there is no result")
    assert page.run("return document.querySelector('#result thead th').textContent") == "Goods"
    assert page.run("return document.querySelectorAll('#result tbody tr').length") >= 1
    page.open(nearly_over.address, 400, 860)
    page.appears("#result table", "there is no result")
    assert page.run(EXTENT) == [400, 860]
    assert page.errors() == []


def test_on_a_phone_everything_fits_and_can_be_touched(merchants: Begun, page: Page) -> None:
    page.open(merchants.address, 400, 860)
    page.wait_for_question()
    met = 0
    for _ in range(6):
        play_on(page, merchants, 4)
        for name in ("map", "mats", "moves"):
            page.one(f'#tabs [data-tab="{name}"]').click()
            assert page.run(EXTENT) == [400, 860]
            assert page.run(SMALL) == []
            assert bool(page.all("#panels")) == (name == "mats")
            assert bool(page.all("#moves button")) == (name == "moves")
        page.one('#tabs [data-tab="map"]').click()
        places = page.run(HIT)
        assert [one for one in places if one["small"] or one["covered"]] == []
        met += len(places)
    assert met > 5
    assert not page.all('#tabs [data-tab="supply"]')
    assert page.errors() == []


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (400, 860)])
def test_a_turn_is_played_with_the_keyboard_alone(width: int, height: int, merchants: Begun, page: Page) -> None:
    page.open(merchants.address, width, height)
    page.wait_for_question()
    if width == 400:
        tab_to(page, '#tabs [aria-selected="true"]')
        press(page, Keys.ARROW_LEFT)
        assert page.run("return tab") == "moves"
    turn = page.run("return state.round")
    for _ in range(60):
        wanted = page.run(
            "const one = [...document.querySelectorAll('#moves button[data-move]')];"
            "return (one.find((each) => ['roll', 'end', 'refuse'].includes(each.dataset.move)) || one[0]).dataset.move"
        )
        tab_to(page, f'#moves button[data-move="{wanted}"]')
        before = page.position
        press(page, Keys.ENTER)
        page.wait_for_move(before, "Enter plays no move")
        assert page.run("return moves.contains(document.activeElement)")
        if page.run("return state.round") > turn:
            break
    assert page.run("return state.round") > turn
    press(page, "?")
    assert page.run("return byId('help').open && byId('help').querySelector('[data-of]').hidden")
    press(page, Keys.ESCAPE)
    assert page.errors() == []


def test_places_are_walked_over_with_arrows_and_say_what_they_are_for(merchants: Begun, page: Page) -> None:
    page.open(merchants.address)
    page.wait_for_question()
    tab_to(page, "#board [data-key]")
    told = set()
    for key in [Keys.ARROW_RIGHT, Keys.ARROW_DOWN] * 4:
        press(page, key)
        told.add(page.run("return byId('tip').hidden ? '' : byId('tip-says').textContent"))
    assert len(told - {""}) >= 3
    assert page.errors() == []


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (400, 860)])
def test_axe_finds_nothing_serious(width: int, height: int, merchants: Begun, page: Page) -> None:
    axe = axe_script()
    page.open(merchants.address, width, height)
    page.wait_for_question()
    play_on(page, merchants, 6)
    page.run(axe)
    found = serious_in_both_themes(page)
    page.one("#hint").click()
    page.appears("#hints li", "there are no hints")
    found += serious_in_both_themes(page)
    if width == 400:
        page.one('#tabs [data-tab="mats"]').click()
        found += serious_in_both_themes(page)
    page.one("#leave").click()
    page.appears("#games a", "there is no list")
    page.one('#variants input[value="merchants:expert"]').click()
    found += serious_in_both_themes(page)
    assert found == []


def test_several_people_hand_the_page_over(server: PlayServer, page: Page) -> None:
    begun = server.begin(game="merchants", seats=["human:Ada", "human:Ben", "planner"], seed=3)
    page.open(begun.address)
    page.wait_for_question()
    for _ in range(6):
        page.wait("!!state.curtain && !busy", "nobody is asked to take the page")
        title = page.run("return state.curtain.title")
        assert page.one("#moves button.strong").text == f"I am {title}: show my hand"
        page.one("#moves button.strong").click()
        page.wait("!state.curtain && state.groups.length > 0", "no hand is shown")
        seat = page.run("return state.observer")
        while page.run("return !state.curtain && state.observer === arguments[0]", seat):
            rest = ("roll", "end", "refuse", "done")
            selector = ", ".join(f'#moves button[data-move="{move}"]' for move in rest)
            page.click_and_wait((page.all(selector) or page.all("#moves button[data-move]"))[0])
    assert page.errors() == []
