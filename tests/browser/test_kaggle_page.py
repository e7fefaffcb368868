"""The page for Kaggle reads a replay as kaggle-environments writes one; its own checks play through that library."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.web import step_of
from tests.kits.browser import Page
from tests.kits.play_server import ROOT

MOVES = 3
Open = Callable[..., None]


@pytest.fixture(scope="module")
def folder() -> ModuleType:
    """The script that writes the folder for Kaggle."""
    spec = importlib.util.spec_from_file_location("kaggle_folder", ROOT / "docs" / "clients" / "kaggle_folder.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def replay_of(game: Game, rewards: list[int | None], statuses: list[str]) -> dict[str, Any]:
    """A replay of a game whose last step makes no move, as far as the page reads one."""
    states = [json.dumps({"step": step_of(game.at_move(number))}) for number in range(len(game.history) + 1)]
    idle = {"info": {}, "reward": 0, "status": "INACTIVE"}
    steps: list[list[dict[str, Any]]] = [[idle] * 4, [idle] * 4]
    for seat, action in game.history:
        steps.append([{**idle, "info": {"actionApplied": action}} if one == seat else idle for one in range(4)])
    steps.append([{**idle, "reward": one, "status": two} for one, two in zip(rewards, statuses, strict=True)])
    return {"steps": steps, "info": {"stateHistory": states, "TeamNames": ["Ann", "Ben", "Cleo", "Dora"]}}


@pytest.fixture
def opened(folder: ModuleType, page: Page, tmp_path: Path) -> Open:
    """Open the page with a replay written into it, as kaggle-environments does."""
    game = Game.new(4, seed=5)
    for _ in range(MOVES):
        game.apply(game.legal_actions()[0])

    def show(rewards: list[int | None], statuses: list[str], step: int = 0) -> None:
        told = json.dumps({"environment": replay_of(game, rewards, statuses), "step": step, "playing": True})
        file = tmp_path / "page.html"
        file.write_text(
            folder.page().replace("</head>", f"<script>window.kaggle = {told};</script></head>", 1), "utf-8"
        )
        page.chrome.get(file.as_uri())
        page.wait("document.querySelectorAll('#board svg').length === 1", "no picture")

    return show


def test_the_page_shows_steps_and_who_made_an_illegal_move(opened: Open, page: Page) -> None:
    opened([1, 1, -1, 1], ["DONE"] * 4, step=3)
    assert page.run("return at") == 2  # the first two steps have made no move
    page.click("#last")
    assert page.run("return at") == MOVES
    assert page.one("h1").text.startswith("Endeavor: Ann (")
    assert ", ended by an illegal move of Cleo (" in page.one("h1").text
    for step, moves in ((0, 0), (1, 0), (2, 1), (MOVES + 1, MOVES), (MOVES + 2, MOVES), (99, MOVES)):
        page.run(f"obey({{step: {step}}})")
        assert page.run("return at") == moves
    assert page.errors() == []


def test_the_page_says_who_was_late(opened: Open, page: Page) -> None:
    opened([1, None, 1, 1], ["DONE", "TIMEOUT", "DONE", "DONE"])
    assert ", ended by a time-out of Ben (" in page.one("h1").text
    assert page.errors() == []


def test_a_page_without_a_replay_waits(folder: ModuleType, page: Page, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(folder.page(), encoding="utf-8")
    page.chrome.get(file.as_uri())
    assert page.run("return replay.begun") is False
    assert page.errors() == []
