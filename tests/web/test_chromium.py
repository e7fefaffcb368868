"""The engine for the web does in Chromium what it does in node, and the page that shows it works."""

from __future__ import annotations

import functools
import json
import shutil
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver

from endeavor_env.web.build_web import SOURCES
from tests.golden.regenerate import HERE
from tests.kits.browser import Page, started
from tests.kits.web import WEB
from tests.web.test_node import expected_of, game_args, names_of, native_game, text_of

pytestmark = [pytest.mark.machine_code, pytest.mark.timeout(900)]  # the first one builds the engine


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder without words; JavaScript and WebAssembly have their types on every system."""

    extensions_map = {  # noqa: RUF012  # of the class that it extends
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address(engine: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with the engine, the page and the jobs of the tests."""
    folder = tmp_path_factory.mktemp("served")
    shutil.copytree(engine, folder / "dist")
    shutil.copytree(SOURCES.parent / "example", folder / "example")
    shutil.copy(WEB / "jobs.js", folder / "jobs.js")
    (folder / "index.html").write_text("<!doctype html><title>Jobs</title>", encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def chrome() -> Iterator[webdriver.Chrome]:
    """A browser."""
    with started() as chrome:
        yield chrome


def run_in_chromium(chrome: webdriver.Chrome, address: str, jobs: list[dict[str, Any]]) -> list[Any]:
    """Return the results of jobs (``jobs.js``) that the engine does in the browser."""
    chrome.get(f"{address}/index.html")
    script = """
      const [jobs, done] = arguments;
      import("/jobs.js").then(({ run }) => run(new URL("/dist/", location).href, JSON.parse(jobs)))
        .then((results) => done(JSON.stringify(results)), (error) => done(JSON.stringify(String(error))));"""
    return json.loads(chrome.execute_async_script(script, json.dumps(jobs)))


@pytest.mark.slow
def test_a_golden_game_and_a_game_of_value_are_equal(chrome: webdriver.Chrome, address: str, tmp_path: Path) -> None:
    from endeavor_env.testing import replay_golden

    game = replay_golden(HERE / "solo_harder_chains.txt")
    moves = {"what": "moves", "game": game_args(game), "moves": names_of(game)}
    player = {"what": "player", "game": {"variant": "standard"}, "player": "value", "seeds": [5]}
    got, played = run_in_chromium(chrome, address, [moves, player])
    assert got.pop("record") == text_of(game, tmp_path / "game.json")
    assert got == expected_of(game)
    assert played == [native_game("value", "standard", 5)]


@pytest.mark.slow
def test_the_example_plays_a_game_to_its_end(chrome: webdriver.Chrome, address: str) -> None:
    page = Page(chrome)
    chrome.get(f"{address}/example/")
    said = "return document.getElementById('said').textContent"
    page.until(lambda: page.run(said).startswith(("Over. Won by seat ", "It does not work")), "the game has no end")
    assert page.run(said).startswith("Over. Won by seat ")
    assert page.run("return document.querySelectorAll('#moves li').length") > 100
    assert len(page.run("return document.getElementById('scores').innerText").split()) == 4
    assert not [error for error in page.errors() if "favicon" not in error]
