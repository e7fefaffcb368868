"""A game that trainers know only by its row among the games: policies, datasets, and what is refused."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from endeavor_env.agents.checkpoint import read_card
from endeavor_env.engine.game import GameConfig
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.dataset import Settings, make_dataset, read, reading
from endeavor_env.training.dataset.to_minari import environment_of
from endeavor_env.training.ppo import settings as ppo_settings
from endeavor_env.training.ppo.__main__ import finish, train
from endeavor_env.training.ppo.settings import RunFolder
from endeavor_env.training.td.adapter import adapter_named
from tests.kits.listed_toy import list_toy
from tests.toy_game.declaration import ToyDeclaration
from tests.toy_game.rules import TOY_GAME

QUIET = Console(quiet=True)


class PlainToy(ToyDeclaration):
    """The toy game without a value network."""

    own = {}  # noqa: RUF012 (read only)


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the toy game among the games."""
    list_toy(monkeypatch, PlainToy())


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the settings of PPO, as it is where the toy game was known from the beginning."""
    spec = importlib.util.spec_from_file_location("toy_settings", ppo_settings.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "toy_settings", module)
    spec.loader.exec_module(module)
    return module


def test_a_policy_learns_it_and_is_measured_against_the_players_that_it_has(settings: Any, tmp_path: Path) -> None:
    small = {"checkpoint_every": 64, "evaluation_games": 3, "trunk": (8,), "head": (8,)}
    chosen = settings.preset_of_game("smoke", "toy").replace(**small)
    assert (chosen.steps, chosen.players, chosen.opponents) == (64, (3,), (("snapshot", 0.7), ("random", 0.3)))
    run = RunFolder.create(tmp_path / "run", chosen, "train ppo --game toy")
    finish(run, train(run, QUIET, progress=False), QUIET)
    written = read_card(tmp_path / "run" / "policy.zip")
    assert (written["variant"], written["environment"]) == ("toy", "Toy-v0")
    assert [(row["players"], row["opponent"]) for row in written["results"]] == [(3, "random")]


@pytest.mark.parametrize(
    ("changes", "message"),
    [({"players": (4,)}, "it should be a list of 3"), ({"reward": "outcome", "shaping_weight": 0.0}, "reward")],
)
def test_settings_that_it_cannot_have(settings: Any, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        settings.preset_of_game("smoke", "toy").replace(**changes)


def test_a_dataset_of_it_says_what_was_played(tmp_path: Path) -> None:
    made = make_dataset(Settings((("random",) * 3,), games=3, game="toy"), tmp_path)
    (kind,) = json.loads((tmp_path / reading.CARD).read_text())["kinds"]
    assert made["games"] == 3
    assert (kind["variant"], kind["options"]) == ("toy", GameConfig(TOY_GAME).options.tolist())
    assert kind["board"] == kind["board_hash"]
    assert environment_of(read(tmp_path)) is None


def test_a_value_network_needs_a_row_of_its_own() -> None:
    with pytest.raises(InvalidOptionError, match="game 'toy' is unknown: possible are endeavor and merchants"):
        adapter_named("toy")
