"""Training on the solitaire game: the same VecEnv, the Opposition instead of other seats, every difficulty."""

from __future__ import annotations

import pytest
from rich.console import Console

from endeavor_env import Game
from endeavor_env.agents.checkpoint import read_card
from endeavor_env.agents.players.learned import LearnedAgent
from endeavor_env.endeavor.rewards import MARGIN_SCALE
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import CheckpointMismatchError, InvalidOptionError
from endeavor_env.training.evaluate import evaluate_solo, solo_rows
from endeavor_env.training.ppo.__main__ import finish, train
from endeavor_env.training.ppo.settings import RunFolder, preset
from tests.kits.commands import run_command
from tests.kits.training import games, play

SMOKE = preset("smoke", "solo")


def test_rewards_are_the_margin_to_the_opposition() -> None:
    for info in play(games("solo", shaping_weight=0.0), 4):
        game = info["game"]
        assert game["players"] == 1
        assert info["episode"]["r"] == pytest.approx(game["margin"] / MARGIN_SCALE, abs=1e-5)
        assert game["win"] == (1.0 if game["margin"] >= 0 else 0.0)


def test_every_difficulty_is_drawn() -> None:
    env = games("solo", num_envs=40).vector_env
    env.reset(seed=0)
    met = {str(env.games[kind].all_options["difficulty"]) for kind in env.batch.tables["kind"].tolist()}
    assert met == set(c.DIFFICULTY_NAMES)


def test_a_preset_of_another_variant_is_refused() -> None:
    with pytest.raises(InvalidOptionError, match="standard, solo"):
        preset("smoke", "soloplay_2")


@pytest.fixture(scope="module")
def solo_run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A solitaire run of 512 decisions, trained and evaluated."""
    settings = SMOKE.replace(steps=512, checkpoint_every=256, evaluation_games=4)
    run = RunFolder.create(
        tmp_path_factory.mktemp("runs") / "solo", settings, "python -m endeavor_env.training.ppo --variant solo"
    )
    console = Console(quiet=True)
    finish(run, train(run, console, progress=False), console)
    return run


def test_the_card_names_the_variant_and_the_result_at_every_difficulty(solo_run: RunFolder) -> None:
    card = read_card(solo_run.path / "policy.zip")
    assert (card["variant"], card["environment"]) == ("solo", "EndeavorSolo-v0")
    assert {row["difficulty"] for row in card["results"]} == set(c.DIFFICULTY_NAMES)
    assert all(row["games"] == 4 and "scores" not in row for row in card["results"])


def test_the_checkpoint_plays_solo_and_refuses_the_standard_game(solo_run: RunFolder) -> None:
    agent = LearnedAgent(solo_run.path / "policy.zip")
    game = Game.new(variant="solo", seed=3)
    assert game.mask()[agent.act(game)]
    with pytest.raises(CheckpointMismatchError, match="solo"):
        agent.act(Game.new(players=4, seed=3))


def test_evaluation_is_repeatable(solo_run: RunFolder) -> None:
    path = solo_run.path / "policy.zip"
    first, second = (solo_rows(evaluate_solo(path, 3)) for _ in range(2))
    assert first == second
    assert len(first) == len(c.DIFFICULTY_NAMES)


def test_the_command_that_evaluates_shows_every_difficulty(solo_run: RunFolder) -> None:
    shown = run_command("endeavor_env.training.evaluate", str(solo_run.path / "policy.zip"), "--games", "2")
    assert (shown.status, shown.err) == (0, "")
    assert all(name in shown.out for name in c.DIFFICULTY_NAMES)
