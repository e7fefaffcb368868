"""Take the pictures of the page for play that the documentation shows: ``python -m tests.browser.pictures``.

They show the game of ``docs/pictures/game.json`` at one of its moments, in a window of a desk and on a telephone, and
a game of Merchants of Europe. Take them again when the page has changed, and look at them before
keeping them.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image

from endeavor_env.endeavor.records import replay, write_record
from tests.kits.browser import Page, started
from tests.kits.play_server import ROOT, PlayServer

FOLDER = ROOT / "docs" / "pictures"
MOVES = 121
"""How far the game has gone: a turn of seat 0."""
SEATS = ("human", "greedy", "greedy", "greedy")
MERCHANTS_SEED, MERCHANTS_MOVES = 5, 110
"""The game of Merchants of Europe, and after how many moves a turn with much to do is shown."""
COLOURS = 160
"""Colours that a picture keeps, so that it is small."""
SIZES = {"play.png": (1280, 800, "light"), "play_dark.png": (1280, 800, "dark"), "play_small.png": (400, 800, "light")}
"""Width, height and colours of each picture."""


def main() -> None:
    """Write the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "game.json"
        write_record(replay(FOLDER / "game.json").at_move(MOVES), record)
        with PlayServer(Path(folder) / "games", *SEATS, "--resume", str(record)) as server, started() as chrome:
            page = Page(chrome)
            for name, (width, height, theme) in SIZES.items():
                page.open(server.first.address, width, height)
                page.run("localStorage.setItem('theme', arguments[0])", theme)
                page.open(server.first.address, width, height)
                page.wait_for_question()
                write_small(chrome.get_screenshot_as_png(), FOLDER / name)


def picture_merchants() -> None:
    """Write the picture of Merchants of Europe: a person among agents, who does what ``planner`` would."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = ("--game", "merchants", "--seed", str(MERCHANTS_SEED))
        with PlayServer(Path(folder) / "games", *arguments) as server, started() as chrome:
            page, begun = Page(chrome), server.first
            page.open(begun.address, 1280, 800)
            page.wait_for_question()
            while page.run("return state.number < arguments[0] || state.groups.length < 6", MERCHANTS_MOVES):
                position = page.position
                body = {"position": position, "by": "planner"}
                hints = server.request("POST", f"/games/{begun.name}/hint", json=body).json()["hints"]
                page.run("play(arguments[0])", hints[0]["move"])
                page.wait_for_move(position)
            write_small(chrome.get_screenshot_as_png(), FOLDER / "play_merchants.png")


def write_small(picture: bytes, file: Path) -> None:
    """Write a picture with few colours, which makes it a third as large."""
    small = Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(file, optimize=True)
    print(f"wrote {file.name}, {file.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
    picture_merchants()
