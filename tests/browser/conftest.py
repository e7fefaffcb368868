"""One browser for all tests of a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver

from endeavor_env.compile import compile_everything
from tests.kits.browser import Page, started


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
