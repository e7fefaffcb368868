"""The page for play on a phone."""

from __future__ import annotations

import functools
import io
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from selenium.webdriver.common.actions.action_builder import ActionBuilder

from tests.kits.access import CUT, SMALL
from tests.kits.browser import Page
from tests.kits.play_server import Begun, PlayServer

pytestmark = pytest.mark.timeout(900)  # on a new machine the first test compiles all kernels


def test_on_a_phone_everything_fits_and_can_be_touched(solo: Begun, page: Page) -> None:
    page.open(solo.address, 400, 860)
    page.wait_for_question()
    rng = np.random.default_rng(0)
    for name in ("map", "mats", "supply", "moves"):
        page.one(f'#tabs [data-tab="{name}"]').click()
        assert page.run("return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
            400,
            860,
        ]
        assert page.run(SMALL) == []
        assert bool(page.all("#board svg")) == (name != "moves")
        assert bool(page.all("#moves button")) == (name == "moves")
    page.one('#tabs [data-tab="moves"]').click()
    moves = page.all("#moves button[data-move]")
    page.click_and_wait(moves[rng.integers(len(moves))])
    page.one("#leave").click()
    page.appears("#games a", "there is no list")
    page.one('#variants input[value="exploits"]').click()
    assert page.run("return document.documentElement.scrollWidth") <= 400
    assert page.run(SMALL) == []
    assert page.run(CUT) == []
    assert page.errors() == []


ORDER = "return [...document.querySelectorAll('#lobby > section')].map((one) => one.getAttribute('aria-labelledby'))"
"""Script that returns the heading of each part of the list of games, in the order in which they are met."""


def test_games_stand_before_the_form_for_a_new_one(tmp_path: Path, page: Page) -> None:
    with PlayServer(tmp_path / "games") as server:
        page.open(server.address, 400, 860)
        assert page.run(ORDER) == ["begin", "kept"]
        assert page.all("#to-new") == []
        begun = server.begin(seats=["human"], variant="solo", seed=7)
        page.chrome.refresh()
        page.appears("#games a", "the game is not listed")
        assert page.run(ORDER) == ["kept", "begin"]
        assert page.one(f'#games a[href="#{begun.name}"]').rect["y"] < 300
        assert page.run(SMALL) == []
        page.one("#to-new").click()
        assert page.run("return [document.activeElement.id, byId('begin').getBoundingClientRect().top < 800]") == [
            "begin",
            True,
        ]
        page.open(server.address, 1280, 800)
        page.appears("#games a", "the game is not listed")
        assert page.run(ORDER) == ["begin", "kept"]
        assert page.all("#to-new") == []
        assert page.errors() == []


TABLES: list[dict[str, Any]] = [
    {"variant": "solo", "seats": ["human"]},
    {"variant": "standard", "seats": ["human", *["random"] * 4]},
    {"variant": "exploits", "seats": ["human", *["random"] * 4]},
    {"variant": "neutral_2", "seats": ["human", "random"]},
    {"variant": "soloplay_2", "seats": ["human", "random"]},
    {"variant": "soloplay_3", "seats": ["human", "random", "random"]},
]
HIT = (
    "return [...document.querySelectorAll('#board .target')].map((one) => {"
    "  one.scrollIntoView({ block: 'center', inline: 'center' });"
    "  const { x, y, width, height } = one.getBoundingClientRect();"
    "  const there = document.elementFromPoint(x + width / 2, y + height / 2);"
    "  return { words: one.getAttribute('aria-label'), small: width < 44 || height < 44, covered: there !== one };"
    "})"
)
"""Script that returns each place that can be touched, and whether a finger on its middle hits something else."""


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table["variant"])
def test_a_finger_on_the_middle_of_a_place_hits_it(table: dict[str, Any], server: PlayServer, page: Page) -> None:
    page.open(server.begin(**table, seed=3).address, 400, 860)
    page.wait_for_question()
    met, rng = Counter[str](), np.random.default_rng(1)
    for _ in range(4):
        for name in ("map", "mats", "supply"):
            page.one(f'#tabs [data-tab="{name}"]').click()
            assert name == "map" or page.run("return zoom") == 1
            places = page.run(HIT)
            assert [one for one in places if one["small"] or one["covered"]] == []
            met[name] += len(places)
        page.one('#tabs [data-tab="moves"]').click()
        moves = page.all("#moves button[data-move]")
        page.click_and_wait(moves[rng.integers(len(moves))])
    assert met["map"] or met["mats"]
    assert met["supply"] or table["variant"].startswith("soloplay")  # which begins on the map
    assert page.errors() == []


@pytest.mark.parametrize(("width", "beside"), [(340, 1), (400, 2), (860, 4), (1000, None)])
def test_the_supply_is_cut_into_as_many_levels_as_fit(width: int, beside: int | None, solo: Begun, page: Page) -> None:
    page.open(solo.address, width, 860)
    page.wait_for_question()
    if beside is None:
        assert len(page.all("#board .view")) == 1
        return
    page.one('#tabs [data-tab="supply"]').click()
    levels = len(page.run("return state.supply.columns"))
    views = page.run(
        "return [...document.querySelectorAll('#board .view')].map((one) => "
        "[one.querySelector('svg').viewBox.baseVal.width / state.supply.columns[0][2], one.clientWidth])"
    )
    rows = views[: -3 if width < 500 else -2]  # the legend, in halves on a phone, and the part beside the supply
    assert sum(count for count, _ in rows) == pytest.approx(levels)
    assert [round(count) for count, _ in rows[:-1]] == [beside] * (len(rows) - 1)
    assert all(wide / count == pytest.approx(rows[0][1] / beside, abs=1) for count, wide in rows), "all are as large"
    assert page.run("return document.documentElement.scrollWidth") == width


WHOLE = """
const holder = document.createElement("template");
holder.innerHTML = state.svg;
const whole = holder.content.firstElementChild;
const pictures = [...document.querySelectorAll("#board .view > svg")];
const counts = pictures.map((one) => one.childElementCount);
for (const one of pictures) one.replaceChildren(...whole.cloneNode(true).children);
return [whole.childElementCount, ...counts]
"""
"""Script that draws all shapes in each part of the picture; returns how many they are, and how many each part had."""


@pytest.mark.parametrize("seats", [["human"], ["human", *["random"] * 4]], ids=["solo", "five seats"])
def test_what_is_left_out_of_a_part_of_the_picture_is_not_seen_there(
    seats: list[str], server: PlayServer, page: Page
) -> None:
    variant = "solo" if len(seats) == 1 else "exploits"
    page.open(server.begin(seats=seats, variant=variant, seed=3).address, 400, 860)
    page.wait_for_question()
    for name in ("map", "mats", "supply"):
        page.one(f'#tabs [data-tab="{name}"]').click()
        seen = pixels(page)
        most, *counts = page.run(WHOLE)
        assert sum(counts) < most, name
        assert np.abs(pixels(page) - seen).max() <= 2, name  # corners differ by 1 when a page is drawn twice
    assert page.errors() == []


def pixels(page: Page) -> np.ndarray[Any, Any]:
    """Return the colours of all pixels of the window."""
    png = io.BytesIO(page.chrome.get_screenshot_as_png())
    return np.asarray(Image.open(png).convert("RGB")).astype(int)


def test_the_tabs_say_where_moves_are(server: PlayServer, page: Page) -> None:
    page.open(server.begin(seats=["human", "greedy", "greedy"], seed=3).address, 400, 860)
    page.wait_for_question()
    tabs = "return [...document.querySelectorAll('#tabs button')].map((one) => one.textContent)"
    assert page.run(tabs) == ["Map", "Mats", "Supply3", "Moves"]
    assert page.one('#tabs [data-tab="supply"]').get_attribute("aria-label") == "Supply, 3 places with a move"
    page.one('#tabs [data-tab="supply"]').click()
    assert len(page.all("#board .target")) == 3
    page.one('#tabs [data-tab="moves"]').click()
    page.click_and_wait(page.all("#moves button[data-move]")[0])
    assert page.run(tabs)[2] == "Supply"
    assert page.one('#tabs [data-tab="supply"]').get_attribute("aria-label") is None
    assert page.errors() == []


def test_the_result_of_a_game_fits_on_a_phone(server: PlayServer, page: Page) -> None:
    page.open(server.begin(seats=["random"], variant="solo", seed=2).address, 400, 860)
    page.wait("state && state.over", "the game does not end")
    page.one('#tabs [data-tab="moves"]').click()
    page.one("#moves button").click()  # shows the result, which another tab has
    box = page.one("#result").rect
    assert box["width"] > 300
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 400
    assert page.all("#result tfoot td")
    assert page.errors() == []


def test_the_map_of_a_phone_is_zoomed_by_buttons_and_fingers(solo: Begun, page: Page) -> None:
    page.open(solo.address, 400, 860)
    page.wait_for_question()
    first = page.run("return zoom")
    assert first > 1.5  # the map fills the height, so that names can be read
    page.one("#closer").click()
    assert page.run("return zoom") == pytest.approx(first * 1.4)
    page.one("#farther").click()
    page.run(
        "const touch = (id, x) => new Touch({ identifier: id, target: board, clientX: x, clientY: 400 });"
        "const send = (kind, a, b) => board.dispatchEvent(new TouchEvent(kind, "
        "{ touches: [touch(0, a), touch(1, b)], cancelable: true, bubbles: true }));"
        "send('touchstart', 150, 250); send('touchmove', 100, 300); send('touchend', 100, 300)"
    )
    assert page.run("return zoom") == pytest.approx(first * 2)
    assert page.run("return document.documentElement.scrollWidth") == 400
    assert page.errors() == []


@pytest.fixture
def zoomed_out(server: PlayServer, page: Page) -> Page:
    """A game whose map is as small as it gets, so that the place of Paris lies on that of London."""
    page.open(server.begin(seats=["human", "greedy", "greedy"], seed=6).address, 400, 860)
    page.wait_for_question()
    while page.run("return !allMoves().some((move) => move.move === 'occupy:london')"):
        page.one('#tabs [data-tab="moves"]').click()
        wanted = page.all('#moves button[data-move="activate:colonial_house"]') or page.all("#moves button[data-move]")
        page.click_and_wait(wanted[0])
    page.one('#tabs [data-tab="map"]').click()
    while page.run("return zoom") > 1:
        page.one("#farther").click()
    assert page.run(UNDER_MIDDLE, "city:london")[2] == "city:paris"
    return page


UNDER_MIDDLE = (
    "const [x, y] = middle(keyedBy(arguments[0])); return [x, y, document.elementFromPoint(x, y).dataset.key]"
)
"""Script that returns the middle of a thing in the window, and what lies on top there."""
MEANT = (
    "return [...document.querySelectorAll('#board .target')].flatMap((one) => {"
    "  const { left, top, right, bottom } = drawn(one);"
    "  const corners = [left + 1, right - 1].flatMap((x) => [top + 1, bottom - 1].map((y) => [x, y]));"
    "  return [middle(one), ...corners].map(([x, y]) => [one.dataset.key, thingUnder(x, y, FINGER).dataset.key]);"
    "})"
)
"""Script that returns the key of each place with a move, with what is meant at its middle and in its corners."""


def test_on_a_map_that_is_zoomed_out_what_is_touched_is_meant(zoomed_out: Page) -> None:
    found = zoomed_out.run(MEANT)
    assert len(found) == 50
    assert [pair for pair in found if pair[0] != pair[1]] == []
    x, y, _ = zoomed_out.run(UNDER_MIDDLE, "city:london")
    tap(zoomed_out, x, y)
    assert zoomed_out.run("return [told, pinned]") == ["city:london", True]
    before = zoomed_out.position
    tap(zoomed_out, x, y)
    zoomed_out.wait("state.position !== arguments[0]", "the second tap makes no move", before)
    assert zoomed_out.run("return state.log.map((one) => one.words)").count("Human occupies London") == 1
    assert zoomed_out.errors() == []


def test_a_mouse_on_a_map_that_is_zoomed_out_plays_what_it_points_at(zoomed_out: Page) -> None:
    x, y, _ = zoomed_out.run(UNDER_MIDDLE, "city:london")
    move = ActionBuilder(zoomed_out.chrome)
    move.pointer_action.move_to_location(round(x), round(y))
    move.perform()
    zoomed_out.wait("told === 'city:london'", "the mouse explains something else")
    before = zoomed_out.position
    move.pointer_action.click()
    move.perform()
    zoomed_out.wait("state.position !== arguments[0]", "the click makes no move", before)
    assert zoomed_out.run("return state.log.map((one) => one.words)").count("Human occupies London") == 1
    assert zoomed_out.errors() == []


def tap(page: Page, x: float, y: float) -> None:
    """Tap with a finger at a point of the window."""
    send = functools.partial(page.chrome.execute_cdp_cmd, "Input.dispatchTouchEvent")
    send({"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    send({"type": "touchEnd", "touchPoints": []})
