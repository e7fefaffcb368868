"""The page for play on a phone."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kits.access import SMALL
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
    page.until(lambda: page.all("#games a"), "there is no list")
    page.one('#variants input[value="exploits"]').click()
    assert page.run("return document.documentElement.scrollWidth") <= 400
    assert page.run(SMALL) == []
    assert page.errors() == []


def test_the_result_of_a_game_fits_on_a_phone(server: PlayServer, page: Page) -> None:
    page.open(server.begin(seats=["random"], variant="solo", seed=2).address, 400, 860)
    page.until(lambda: page.over, "the game does not end")
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
