"""The page of a game in a real browser: keys, slider, jumps, notes; and the same page while the game is played."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from endeavor_env.agents.registry import annotated_record, annotating_agent, make_agent
from endeavor_env.endeavor.game import Game
from endeavor_env.web import write_replay_page
from tests.kits.browser import Page
from tests.kits.play_server import ROOT

pytestmark = pytest.mark.timeout(900)  # on a new machine the first test compiles all kernels


@pytest.fixture(scope="module")
def solitaire() -> Game:
    """A whole solitaire game."""
    game, greedy = Game.new(variant="solo", seed=5), make_agent("greedy")
    greedy.reset(0)
    while not game.over:
        game.apply(greedy.act(game))
    return game


@pytest.fixture(scope="module")
def address(solitaire: Game, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of the game, with notes."""
    record = annotated_record(solitaire, annotating_agent("policy"))
    return write_replay_page(record, tmp_path_factory.mktemp("solitaire") / "game.html").as_uri()


def load(page: Page, address: str) -> None:
    """Load the page of a game."""
    page.chrome.get(address)
    page.wait("document.querySelectorAll('#board svg').length === 1", "no picture")


def shown(page: Page) -> int:
    """The number of moves made in the picture that is shown."""
    return int(page.run("return at"))


def press(page: Page, key: str) -> None:
    page.one("body").send_keys(key)


def test_keys_slider_and_lists_lead_through_the_game(solitaire: Game, address: str, page: Page) -> None:
    load(page, address)
    last = len(solitaire.history)
    assert shown(page) == 0
    for key, at in ((Keys.ARROW_RIGHT, 1), (Keys.END, last), (Keys.ARROW_LEFT, last - 1), (Keys.HOME, 0)):
        press(page, key)
        assert shown(page) == at
    page.run("const s = document.getElementById('slider'); s.value = 7; s.dispatchEvent(new Event('input'))")
    assert shown(page) == 7
    assert page.one("#now").text.startswith(f"7 of {last}: Player ")
    page.all("#moves [data-at]")[4].click()
    assert shown(page) == 4
    events = Select(page.one("#events"))
    assert any("opens" in event.text for event in events.options)
    assert any(event.text.startswith("Player attacks ") for event in events.options)
    events.select_by_index(1)
    assert f"{shown(page)}" == events.options[1].get_attribute("value")
    press(page, Keys.HOME)
    press(page, " ")
    page.wait("at >= 2", "it does not play")
    press(page, " ")
    assert page.errors() == []


def test_every_picture_of_the_page_is_that_of_its_position(solitaire: Game, address: str, page: Page) -> None:
    load(page, address)
    for number in (0, 5, len(solitaire.history)):
        page.run("show(arguments[0])", number)
        labels = page.run("return [...document.querySelectorAll('#board text')].map((one) => one.textContent)")
        wanted = re.findall(r"<text [^>]*>([^<]*)</text>", solitaire.at_move(number).svg())
        assert labels == [text.replace("&amp;", "&").replace("&#x27;", "'") for text in wanted]


def test_notes_stand_beside_the_position(address: str, page: Page) -> None:
    load(page, address)
    assert page.one("#notes-by").text == "What policy expects"
    assert page.all("#choices li")
    assert page.run("return document.getElementById('expected').hidden") is False
    press(page, Keys.END)
    assert not page.all("#choices li")


@pytest.fixture
def match(tmp_path: Path) -> Iterator[str]:
    """The address of a match that is played while the test looks at it."""
    with watched(tmp_path, "greedy", "greedy", "greedy", "--notes-by", "policy") as address:
        yield address


@contextmanager
def watched(folder: Path, *asked: str) -> Iterator[str]:
    """Yield the address of a match that is played meanwhile."""
    words = ["watch", *asked, "--browser", "--no-open", "--delay", "0.3"]
    environment: dict[str, Any] = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "COLUMNS": "200"}
    process = subprocess.Popen(
        [sys.executable, "-m", "endeavor_env.cli", *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    found = re.fullmatch(r"Watch at (\S+)\n", process.stdout.readline())
    try:
        assert found is not None
        yield found[1]
    finally:
        process.kill()
        process.communicate()


def test_the_page_follows_a_running_match(match: str, page: Page) -> None:
    load(page, match)
    before = shown(page)
    page.wait("at >= arguments[0]", "it does not follow the match", before + 3)
    press(page, Keys.HOME)  # who looks back is left alone
    known = page.run("return count()")
    page.wait("count() > arguments[0]", "it does not grow", known)
    assert shown(page) == 0
    assert page.all("#choices li")
    page.wait("location.hash === '#move=0'", "the address does not look back")
    press(page, Keys.END)
    page.wait("location.hash === ''", "the address of a page that follows names a move")
    assert page.chrome.current_url == match  # with its token: loaded again, the page follows the match
    assert page.errors() == []


def test_the_page_follows_a_running_match_of_merchants(tmp_path: Path, page: Page) -> None:
    with watched(tmp_path, "greedy", "planner", "random", "--game", "merchants:players=3") as address:
        load(page, address)
        before = shown(page)
        page.until(lambda: shown(page) >= before + 4, "it does not follow the match")
        assert page.one("h1").text.startswith("Merchants of Europe, 3 seats, turn ")
        moves = [one.text for one in page.all("#moves [data-at]")]
        assert any(re.fullmatch(r"Chance: the dice show \d+", one) for one in moves)
        colours = page.run("return Object.keys(film.side_colours)")
        assert colours == ["merchants-0", "merchants-1", "merchants-2"]
        assert page.errors() == []


def test_the_heading_of_a_running_match_moves_with_it(match: str, page: Page) -> None:
    load(page, match)
    before = page.one("h1").text
    assert re.fullmatch(r"Endeavor, 3 seats, round \d, \w+ phase: greedy, greedy#2, greedy#3", before)
    page.wait("document.querySelector('h1').textContent !== arguments[0]", "the heading stands still", before)
    assert page.run("return document.title === document.querySelector('h1').textContent")
    assert page.one("#played").text.startswith("greedy · greedy#2 · greedy#3 · 20")
    assert page.errors() == []
