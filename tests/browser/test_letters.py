"""Every text of the pages is large enough in a window of any size, and what is asked for is on the screen."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.web import write_replay_page
from tests.kits.browser import Page
from tests.kits.games import on_the_way
from tests.kits.play_server import Begun, PlayServer
from tests.kits.replay_page import load

pytestmark = pytest.mark.timeout(900)  # on a new machine the first test compiles all kernels

SMALLEST, WIDTH = 9.0, 1280
"""Pixels of the letters, and of the window."""
HEIGHTS = (800, 1024)
SIZES = [
    (400, 640),
    (900, 800),
    (901, 768),
    (1000, 700),
    (1100, 800),
    (1250, 800),
    (1500, 700),
    (1536, 730),
    (1600, 900),
]
"""Of other windows: on a phone, and where pages change how they are laid out."""
TABS = ("map", "mats", "supply", "moves")
GAMES: dict[str, Callable[[], Game]] = {
    "five seats": lambda: on_the_way(150, seed=7, players=5),
    "Exploits": lambda: on_the_way(110, seed=2, players=4, exploits="random"),
}
LETTERS = """
const found = [];
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const one = texts.currentNode.parentElement;
  if (!texts.currentNode.data.trim() || !one.checkVisibility() || one.closest('title, script')) continue;
  const scale = one instanceof SVGElement ? one.getScreenCTM().a : 1;
  found.push([texts.currentNode.data, scale * parseFloat(getComputedStyle(one).fontSize), one instanceof SVGElement]);
}
return found
"""
"""Script that returns every text that is displayed, how high its letters are, and whether it is in a picture."""
BEYOND = """
const board = document.querySelector('#board');
const { left, right } = document.querySelector('#board svg').getBoundingClientRect();
return [board.scrollWidth - board.clientWidth, -left, right - innerWidth].filter((pixels) => pixels > 0)
"""
"""Script that returns by how much the picture is wider than what shows it."""
OUTSIDE = """
const board = document.querySelector('#board').getBoundingClientRect();
return [...document.querySelectorAll('#board .target')].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.top < board.top || box.bottom > board.bottom;
}).map((one) => one.dataset.moves)
"""
"""Script that returns the places with a move that the board has to be scrolled to."""

CUT_OFF = """
return [...document.querySelectorAll('.plot text')].filter((one) => {
  return one.getBoundingClientRect().right > one.closest('.plot').getBoundingClientRect().right;
}).map((one) => one.textContent)
"""
"""Script that returns the texts of charts that are cut off on the right."""


def check_letters(page: Page) -> None:
    """Check every text of the page as it is, and that the picture is shown over its whole width."""
    letters = page.run(LETTERS)
    assert sum(in_picture for _, _, in_picture in letters) > 150
    assert [(text, size) for text, size, _ in letters if size < SMALLEST] == []
    assert page.run(BEYOND) == []


def small(page: Page) -> list[tuple[str, float]]:
    """Return the texts that are displayed with letters too small."""
    return [(text, size) for text, size, _ in page.run(LETTERS) if size < SMALLEST]


class Kept(NamedTuple):
    """A game, opened on a server and written as a page."""

    game: Game
    begun: Begun
    file: Path

    @property
    def fragment(self) -> str:
        """What the address of its page ends with, to show its last move."""
        return f"#move={len(self.game.history)}"


@pytest.fixture(scope="module")
def kept(server: PlayServer, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Kept]:
    """The games, by name, each opened and written once; people are in all seats."""
    folder = tmp_path_factory.mktemp("letters")

    @functools.cache
    def keep(name: str) -> Kept:
        game = GAMES[name]()
        return Kept(game, server.open(game), write_replay_page(game, folder / f"{len(list(folder.iterdir()))}.html"))

    return keep


@pytest.mark.parametrize("height", HEIGHTS)
@pytest.mark.parametrize("name", GAMES)
def test_every_text_of_the_page_for_play_is_large_enough(
    name: str, height: int, kept: Callable[[str], Kept], page: Page
) -> None:
    page.open(kept(name).begun.address, WIDTH, height)
    page.wait_for_question()
    check_letters(page)
    page.click("#hint")
    page.appears("#hints button", "no hints")
    check_letters(page)
    for selector in ("#board", "#seats", "#moves", "#past", "#advice"):
        box = page.one(selector).rect
        assert box["x"] + box["width"] <= WIDTH, selector
        assert box["y"] + box["height"] <= height, selector
        assert box["height"] >= 36, selector


@pytest.mark.parametrize("height", HEIGHTS)
@pytest.mark.parametrize("name", GAMES)
def test_every_text_of_the_page_of_a_game_is_large_enough(
    name: str, height: int, kept: Callable[[str], Kept], page: Page
) -> None:
    load(page, kept(name).file, kept(name).fragment, WIDTH, height)
    check_letters(page)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_text_is_large_enough_in_a_window_of_any_size(
    width: int, height: int, kept: Callable[[str], Kept], page: Page
) -> None:
    game = kept("Exploits")
    page.open(game.begun.address, width, height)
    page.wait_for_question()
    for tab in TABS if width <= 900 else ():
        page.click(f'#tabs [data-tab="{tab}"]')
        assert small(page) == [], tab
    assert small(page) == []
    assert page.run("return document.documentElement.scrollWidth") <= width
    load(page, game.file, game.fragment, width, height)
    assert small(page) == []
    assert page.run("return document.documentElement.scrollWidth") <= width
    if page.run("return document.querySelector('#board').scrollWidth") > width:
        assert page.run("return document.querySelector('#board').tabIndex") == 0


def test_the_board_shows_the_places_with_a_move(server: PlayServer, page: Page) -> None:
    """Also those of the supply, which is below the map."""
    page.open(server.open(Game.new(5, seed=7)).address, WIDTH, 800)
    page.wait_for_question()
    assert page.all("#board .target")
    assert page.run("return document.querySelector('#board').scrollTop") > 0
    assert page.run(OUTSIDE) == []


def test_no_letter_of_a_chart_is_cut_off(file: Path, page: Page) -> None:
    """Also where the charts make the page so high that it gets a bar to scroll with, which takes some of its width."""
    load(page, file)
    page.chrome.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    assert len(page.all("#expected text")) > 8
    assert page.run(CUT_OFF) == []
