"""One browser for all tests of a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver

from endeavor_env.compile import compile_everything
from tests.kits.browser import Page, started
from tests.kits.play_server import Begun, PlayServer


@pytest.fixture(scope="session")
def chrome() -> Iterator[webdriver.Chrome]:
    """A browser, for all tests; nobody waits for kernels while it looks at a page."""
    compile_everything()
    with started() as chrome:
        yield chrome


@pytest.fixture
def page(chrome: webdriver.Chrome) -> Iterator[Page]:
    """The one window of the browser, empty before and after each test."""
    first = chrome.current_window_handle
    chrome.get("about:blank")
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
