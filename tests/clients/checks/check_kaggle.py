"""The game in kaggle-environments: the tests that are proposed with it, and its pages in a browser.

The tests of pages are skipped without Chromium, or fail if ENDEAVOR_REQUIRE_BROWSER is 1.
"""
# pyright: reportMissingImports=false

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "clients")]

from kaggle_episode import AGENTS, episode  # noqa: E402
from kaggle_folder import installed, put_game  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

from endeavor_env import Game  # noqa: E402
from tests.kits.browser import Page, started  # noqa: E402

SEED = 7
STEPS = (0, 1, 2, 60, 120)
LABELS = "return [...document.querySelectorAll('#board text')].map((one) => one.textContent)"
PARENT = """<!doctype html><title>Kaggle</title><iframe src="page.html" width="1280" height="900"></iframe><script>
const told = [];
window.addEventListener("message", (event) => told.push(event.data));
</script><script id="replay" type="application/json">%s</script>"""


@pytest.fixture(scope="module")
def env():
    """An episode of four agents."""
    return episode(AGENTS, SEED)


@pytest.fixture
def page():
    """A browser."""
    with started() as chrome:
        yield Page(chrome)


def svg_labels(env, moves):
    """Return the texts in the picture of the position after some moves."""
    game = Game.new(4, seed=SEED)
    for action in env.info["actionHistory"][:moves]:
        game.apply(int(action))
    found = re.findall(r"<text [^>]*>([^<]*)</text>", game.svg())
    return [text.replace("&amp;", "&").replace("&#x27;", "'") for text in found]


def wait_for_picture(page):
    page.until(lambda: page.run("return document.querySelectorAll('#board svg').length") == 1, "no picture")


def test_four_agents_play_to_the_end(env):
    assert [state.status for state in env.state] == ["DONE"] * 4
    game = Game.new(4, seed=SEED)
    for action in env.info["actionHistory"]:
        game.apply(int(action))
    assert game.over
    assert max(range(4), key=lambda seat: env.state[seat].reward) in game.winners()


def test_rendering_is_the_replay_page(env, page, tmp_path):
    file = tmp_path / "episode.html"
    file.write_text(env.render(mode="html"), encoding="utf-8")
    page.chrome.get(file.as_uri())
    wait_for_picture(page)
    last = len(env.info["actionHistory"])
    for key, at in ((Keys.ARROW_RIGHT, 1), (Keys.END, last), (Keys.ARROW_LEFT, last - 1), (Keys.HOME, 0)):
        page.one("body").send_keys(key)
        assert page.run("return at") == at
        assert page.run(LABELS) == svg_labels(env, at)
    heading = page.one("h1").text
    assert all(f"{name} (" in heading for name in AGENTS), heading
    page.all("#moves [data-at]")[4].click()
    assert page.run("return at") == 4
    assert page.errors() == []


def test_site_sends_the_replay_and_the_step(env, page, tmp_path):
    html = (put_game(installed()) / "visualizer" / "default" / "dist" / "index.html").read_text(encoding="utf-8")
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    parent = tmp_path / "parent.html"
    parent.write_text(PARENT % json.dumps(env.toJSON()).replace("<", "\\u003c"), encoding="utf-8")
    page.chrome.get(parent.as_uri())
    page.until(lambda: page.run("return told.some((one) => one.ready)"), "the page is not ready")
    send = "document.querySelector('iframe').contentWindow.postMessage(%s, '*')"
    page.run(send % "{environment: JSON.parse(document.getElementById('replay').textContent)}")
    for step in STEPS:
        page.run(send % f"{{step: {step}}}")
        page.chrome.switch_to.frame(0)
        wait_for_picture(page)
        moves = max(0, step - 1)
        page.until(lambda moves=moves: page.run("return at") == moves, f"step {step} is not shown")
        assert page.run(LABELS) == svg_labels(env, moves)
        page.click("#next")
        page.chrome.switch_to.default_content()
        page.until(
            lambda moves=moves: page.run("return told[told.length - 1].step") == moves + 2, "the site is not told"
        )
    assert page.errors() == []


if __name__ == "__main__":
    put_game(installed())
    proposed = ROOT / "docs" / "clients" / "kaggle" / "tests"
    files = [str(path) for path in sorted(proposed.glob("*_test.py"))]
    sys.exit(pytest.main([*files, __file__, "-q", "--noconftest", "-c", os.devnull, "-p", "no:cacheprovider"]))
