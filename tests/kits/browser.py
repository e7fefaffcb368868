"""Chromium without a window, for tests that click on real pages; where there is no browser such tests are skipped."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

REQUIRED = "ENDEAVOR_REQUIRE_BROWSER"
"""The environment variable that makes a missing browser a failure when it is "1"."""
BROWSERS, DRIVERS = ("chromium", "chromium-browser", "google-chrome"), ("chromedriver", "chromium.chromedriver")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"),
)
PATIENCE = 60.0
"""Seconds after which a test gives up waiting for the page."""
WAIT = """
const [done, end] = [arguments[arguments.length - 1], performance.now() + %d];
const look = () => {
  if (%s) done(true);
  else if (performance.now() > end) done(false);
  else setTimeout(look, 10);
};
look()
"""
"""Script that answers whether something became so before the milliseconds were over: one call instead of many."""
DISPLAYED = """
[...document.querySelectorAll(arguments[0])].filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  return width > 0 && height > 0 && one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
})
"""
"""What is displayed of a selector."""
ASKED = "!!state && !busy && (state.asked || state.over)"
"""Whether a person is asked or the game is over."""


def find_programs() -> tuple[str, str]:
    """Return the paths of browser and driver; skip the test, or fail it where a browser is required."""
    found = [next(filter(None, map(shutil.which, names)), None) for names in (BROWSERS, DRIVERS)]
    if found[0] and found[1]:
        return found[0], found[1]
    missing = "no Chromium with chromedriver is installed (Debian: apt-get install chromium chromium-driver)"
    if os.environ.get(REQUIRED) == "1":
        pytest.fail(missing)
    pytest.skip(missing)


@contextmanager
def started() -> Iterator[webdriver.Chrome]:
    """A browser that ends with the context, with all its processes."""
    browser, driver = find_programs()
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = webdriver.Chrome(options=options, service=Service(driver))
    try:
        chrome.set_script_timeout(2 * PATIENCE)
        yield chrome
    finally:
        chrome.quit()


class Page:
    """The page of a game, seen and clicked as a person would."""

    def __init__(self, chrome: webdriver.Chrome) -> None:
        self.chrome = chrome

    def resize(self, width: int, height: int) -> None:
        """Give the inside of the window a size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def visit(self, address: str) -> None:
        """Load an address anew, whatever the window shows."""
        if self.chrome.current_url.partition("#")[0] == address.partition("#")[0]:
            self.chrome.get("about:blank")  # else an address that differs after the # only is not loaded again
        self.chrome.get(address)

    def open(self, address: str, width: int = 1280, height: int = 800) -> None:
        """Load an address in a window whose inside has this size, and wait until something is shown."""
        self.resize(width, height)
        self.visit(address)
        self.ready()

    def ready(self) -> None:
        """Wait until the page is loaded and shows a game or the list of games."""
        self.wait("!!document.querySelector('main:not([hidden])') && !busy", "the page shows nothing")

    def run(self, script: str, *arguments: Any) -> Any:
        return self.chrome.execute_script(script, *arguments)

    def until(self, is_so: Callable[[], Any], otherwise: str) -> None:
        """Wait until something is so; fail with these words if it never is."""
        end = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < end, f"{otherwise}: {self.message!r}"
            time.sleep(0.02)

    def wait(self, is_so: str, otherwise: str, *arguments: Any) -> None:
        """Wait in the page until an expression is so; fail with these words if it never is."""
        became = self.chrome.execute_async_script(WAIT % (1000 * PATIENCE, is_so), *arguments)
        assert became, f"{otherwise}: {self.message!r}"

    def appears(self, selector: str, otherwise: str) -> None:
        """Wait until something is displayed; fail with these words if it never is."""
        self.wait(f"{DISPLAYED.strip()}.length", otherwise, selector)

    def all(self, selector: str) -> list[WebElement]:
        """Return what is displayed."""
        return self.run(f"return {DISPLAYED.strip()}", selector)

    def click(self, selector: str) -> None:
        """Click on the first that is displayed; again if the page was drawn anew meanwhile."""
        while True:
            try:
                return self.all(selector)[0].click()
            except StaleElementReferenceException:
                continue

    def one(self, selector: str) -> WebElement:
        return self.chrome.find_element(By.CSS_SELECTOR, selector)

    @property
    def position(self) -> str:
        """The position that the page shows; empty if it shows no game."""
        return self.run("return state ? state.position : ''")

    @property
    def over(self) -> bool:
        return self.run("return !!state && state.over")

    @property
    def message(self) -> str:
        """What the page says in its message; empty without one."""
        return self.run("return document.querySelector('#message:not([hidden]) #said')?.textContent ?? ''")

    def wait_for_question(self) -> None:
        """Wait until a person is asked or the game is over."""
        self.wait(ASKED, "nobody is asked")

    def wait_for_move(self, before: str, otherwise: str = "the click changed nothing, or nobody is asked") -> None:
        """Wait until the position is another, and a person is asked or the game is over."""
        self.wait(f"{ASKED} && state.position !== arguments[0]", otherwise, before)

    def click_and_wait(self, element: WebElement) -> None:
        """Click on something that changes the position, and wait until the next person is asked."""
        before = self.position
        element.click()
        self.wait_for_move(before)

    def click_some_move(self, rng: np.random.Generator) -> str:
        """Make a move at random by clicking on a place of the board or a button of the list; return which it was."""
        targets, buttons = "#board .target", "#moves button[data-move]"
        count = "[...arguments].map((one) => document.querySelectorAll(one).length)"
        counts, before = self.run(f"return [{count}, state.position]", targets, buttons)
        selector, many = (targets, counts[0]) if counts[0] and rng.random() < 0.6 else (buttons, counts[1])
        pick = "const one = document.querySelectorAll(arguments[0])[arguments[1]]; return [one, one.ariaHasPopup]"
        chosen, opens_menu = self.run(pick, selector, int(rng.integers(many)))
        chosen.click()
        if opens_menu:
            items = self.all("#menu button")
            items[rng.integers(len(items))].click()
        self.wait_for_move(before)
        return selector

    def errors(self) -> list[str]:
        """What the browser complained about since the last call."""
        return [entry["message"] for entry in self.chrome.get_log("browser") if entry["level"] == "SEVERE"]
