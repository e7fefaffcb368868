"""The page of a game in the browser: how it is loaded, and what it shows."""

from __future__ import annotations

from pathlib import Path

from tests.kits.browser import Page

SIZES = [(1280, 800), (400, 860)]


def look(page: Page, scheme: str = "", media: str = "") -> None:
    """Let the browser prefer dark or light, or show the page as it would print it."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})


def load(page: Page, file: Path, fragment: str = "", width: int = 1280, height: int = 800) -> None:
    """Load the page in a window of a size."""
    page.resize(width, height)
    page.visit(file.as_uri() + fragment)
    page.wait("document.querySelectorAll('#board svg').length === 1", "no picture")


def shown(page: Page) -> int:
    """The number of moves made in the picture that is shown."""
    return int(page.run("return at"))


def fragment(page: Page) -> str:
    return page.run("return location.hash")


def colour(page: Page, script: str) -> str:
    """A colour that the browser computes, such as "#d55e00"."""
    channels = page.run(
        "const pixel = new OffscreenCanvas(1, 1).getContext('2d'); pixel.fillStyle = (() => {" + script + "})();"
        "pixel.fillRect(0, 0, 1, 1); return [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3)"
    )
    return "#" + bytes(channels).hex()
