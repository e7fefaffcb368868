"""Training on Merchants of Europe: its vector environment, its compiled players as opponents, its own cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from endeavor_env import Game
from endeavor_env.agents.checkpoint import read_card
from endeavor_env.agents.matches import Match
from endeavor_env.agents.players.learned import LearnedAgent
from endeavor_env.agents.registry import agents_for
from endeavor_env.basics.inputs import spread_seeds
from endeavor_env.errors import CheckpointMismatchError, InvalidOptionError
from endeavor_env.merchants.game import MerchantsConfig
from endeavor_env.merchants.game_rules import MARGIN
from endeavor_env.training.evaluate import evaluate, scores_among
from endeavor_env.training.ppo.__main__ import finish, train
from endeavor_env.training.ppo.games import make_env, make_pool
from endeavor_env.training.ppo.settings import PPOSettings, RunFolder, preset_of_game
from tests.kits.commands import run_command
from tests.kits.training import play

SMOKE = preset_of_game("smoke", "merchants").replace(
    num_envs=2, n_steps=64, batch_size=64, steps=256, checkpoint_every=128, evaluation_games=12, trunk=(8,), head=(8,)
)
QUIET = Console(quiet=True)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run of 256 decisions that was stopped after 128 and went on, without its evaluation."""
    folder = tmp_path_factory.mktemp("runs") / "merchants"
    short = RunFolder.create(folder, SMOKE.replace(steps=128), "train ppo --game merchants")
    train(short, QUIET, progress=False)
    for file in folder.glob("policy.*"):
        file.unlink()
    text = (folder / "run.json").read_text()
    (folder / "run.json").write_text(text.replace('"steps": 128', '"steps": 256'))
    train(RunFolder.reopen(folder), QUIET, progress=False)
    return RunFolder.reopen(folder)


def test_a_run_goes_on_from_its_checkpoint_and_writes_the_card_of_its_game(run: RunFolder) -> None:
    card = read_card(run.path / "policy.zip")
    assert card["training"]["steps"] == 256
    assert (card["variant"], card["environment"]) == ("short", "Merchants-v0")
    assert PPOSettings.from_dict(card["training"]["settings"]) == run.settings
    assert len(run.checkpoints()) == 2


def test_the_policy_plays_matches_of_its_side_of_the_board_alone(run: RunFolder) -> None:
    agent = LearnedAgent(run.path / "policy.zip")
    config = MerchantsConfig(3, max_rolls=4)
    match = Match([agent, *agents_for(config, ["random", "greedy"])], 3, 1, config=config)
    assert list(match.play()) == [1]
    with pytest.raises(CheckpointMismatchError, match="trained on variant 'short'"):
        agent.act(MerchantsConfig(3, "expert").new_game(1))
    with pytest.raises(CheckpointMismatchError, match="trained on variant 'short'"):
        agent.act(Game.new(players=4, seed=3))


def test_games_side_by_side_are_those_of_a_match(run: RunFolder) -> None:
    agent, config = LearnedAgent(run.path / "policy.zip"), MerchantsConfig(3, max_rolls=15)
    found, seeds = scores_among(agent, config, "greedy", 6, 5), spread_seeds(5, 2).tolist()
    for number, scores in enumerate(found.tolist()):
        own, game = number % 3, config.new_game(seeds[number // 3])
        (greedy,) = agents_for(config, ["greedy"])
        while not game.over:
            game.apply((agent if game.seat == own else greedy).act(game))
        assert scores == [game.scores()[(own + other) % 3] for other in range(3)]


def test_the_evaluation_is_written_into_the_card(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "endeavor_env.training.evaluate.config_of", lambda variant, count=4: MerchantsConfig(count, max_rolls=6)
    )
    finish(run, run.path / "policy.zip", QUIET)
    results = read_card(run.path / "policy.zip")["results"]
    assert [(row["players"], row["opponent"], row["games"]) for row in results] == [
        (4, "random", 12),
        (4, "greedy", 12),
    ]
    assert evaluate(run.path / "policy.zip", 12, (4,)) == results


@pytest.mark.parametrize("players", [3, 4])
def test_rewards_are_the_lead_in_goods(players: int) -> None:
    settings = SMOKE.replace(players=(players,), shaping_weight=0.0, game_options="max_rolls=20")
    env = make_env(settings, make_pool(settings, 0))
    for info in play(env, 6):
        assert info["game"]["players"] == players
        assert info["episode"]["r"] == pytest.approx(info["game"]["margin"] / MARGIN, abs=1e-5)


def test_copies_of_the_learner_play_too() -> None:
    settings = SMOKE.replace(opponents=(("snapshot", 0.5), ("greedy", 0.5)), game_options="max_rolls=10,trade=bank")
    env = make_env(settings, make_pool(settings, 0))
    assert len(play(env, 3)) >= 3
    assert np.isfinite(env.reset()).all()


def test_the_text_of_the_game_says_what_is_trained_on() -> None:
    settings = preset_of_game("quick", "merchants:variant=expert,players=3,trade=none,max_rolls=50")
    (config,) = settings.other_games()
    assert isinstance(config, MerchantsConfig)
    assert (config.variant, config.players, config.trade, config.max_rolls) == ("expert", 3, "none", 50)
    assert settings.network.outputs == config.rules.num_actions("expert")
    assert PPOSettings.from_dict(settings.to_dict()) == settings


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game_options": "fly=1"}, "game_options"),
        ({"game_options": "max_rolls=0"}, "game_options"),
        ({"players": (5,)}, "3 or 4"),
        ({"reward": "outcome", "shaping_weight": 0.0}, "reward"),
        ({"begin_with": "value"}, "begin_with"),
        ({"variant": "standard", "players": (3,), "evaluation_games": 60}, "it should be empty for standard"),
    ],
)
def test_impossible_settings_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        SMOKE.replace(**changes)


def test_an_opponent_of_another_game_is_refused() -> None:
    settings = SMOKE.replace(opponents=(("automa", 1.0),))
    with pytest.raises(InvalidOptionError, match="possible are 'random', 'greedy'"):
        make_pool(settings, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--game", "standard"), "--game is for merchants"),
        (("--game", "merchants", "--variant", "solo"), "--game is for merchants"),
        (("--game", "merchants", "--preset", "refine"), "'refine' is not for merchants"),
        (("--game", "merchants:fly=1"), "no option 'fly'"),
        (("--resume", "runs/none", "--game", "merchants"), "was begun with: leave out --game"),
    ],
)
def test_impossible_command_lines_are_one_sentence(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    shown = run_command(
        "endeavor_env.training.ppo", *arguments, *(() if "--resume" in arguments else ("--out", str(tmp_path / "x")))
    )
    assert shown.status == 2
    assert message in " ".join(shown.err.split())
