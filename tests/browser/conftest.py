"""One browser for all tests of a process, and what its pages show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from endeavor_env.agents.registry import annotated_record, annotating_agent, make_agent
from endeavor_env.compile.command import compile_everything
from endeavor_env.endeavor.game import Game
from endeavor_env.web import write_replay_page
from tests.kits.browser import Page, started
from tests.kits.play_server import Begun, PlayServer
from tests.kits.replay_page import look


@pytest.fixture(scope="session")
def chrome() -> Iterator[webdriver.Chrome]:
    """A browser, for all tests; nobody waits for kernels while it looks at a page."""
    compile_everything()
    with started() as chrome:
        yield chrome


@pytest.fixture
def page(chrome: webdriver.Chrome) -> Iterator[Page]:
    """The one window of the browser, empty before each test, as the one before leaves it so."""
    first = chrome.current_window_handle
    page = Page(chrome)
    page.errors()
    yield page
    for handle in chrome.window_handles:
        if handle != first:
            chrome.switch_to.window(handle)
            chrome.close()
    chrome.switch_to.window(first)
    chrome.get("about:blank")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayServer]:
    """A server for all tests that do not end it."""
    with PlayServer(tmp_path_factory.mktemp("play") / "games", "--variant", "solo") as server:
        yield server


@pytest.fixture
def solo(server: PlayServer) -> Begun:
    """A solitaire game that begins with a choice for the Opposition."""
    return server.begin(seats=["human"], variant="solo", seed=7)


@pytest.fixture(scope="session")
def game() -> Game:
    """A whole game of four seats, which nobody changes."""
    game, greedy = Game.new(4, seed=5), make_agent("greedy")
    greedy.reset(0)
    while not game.over:
        game.apply(greedy.act(game))
    return game


@pytest.fixture(scope="session")
def file(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the game, with notes."""
    record = annotated_record(game, annotating_agent("policy"))
    return write_replay_page(record, tmp_path_factory.mktemp("replay") / "game.html")


@pytest.fixture
def usual_looks(page: Page) -> Iterator[None]:
    """Leave the browser as it was for other tests."""
    yield
    page.chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    look(page)
