"""The compiled policy player: it plays what the agent of a checkpoint plays, wherever a compiled player can sit."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.agents.players.learned import LearnedAgent
from endeavor_env.agents.players.policy import check_compiled, read_policy
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.observation.reading import observe
from endeavor_env.endeavor.players import check_plays
from endeavor_env.endeavor.players.policy.player import policy_entry, policy_memory
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.players import FIRST_ENTRY
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.single import choose_action
from endeavor_env.engine.players import entry_address
from endeavor_env.engine.seating import join_players
from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.sb3 import EndeavorVecEnv
from tests.kits.checkpoints import spec_of, untrained_checkpoint
from tests.kits.players import position


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An untrained checkpoint for each variant that is trained."""
    folder = tmp_path_factory.mktemp("policies")
    return {variant: untrained_checkpoint(folder, variant, variant, "relu") for variant in ("standard", "solo")}


@pytest.mark.parametrize(("variant", "players"), [("standard", 3), ("standard", 5), ("solo", 1)])
def test_the_compiled_player_chooses_what_the_agent_of_the_checkpoint_chooses(
    checkpoints: dict[str, Path], variant: str, players: int
) -> None:
    agent, compiled = LearnedAgent(checkpoints[variant]), make_agent(f"policy:{checkpoints[variant]}")
    asked = 0
    for seed in range(40):
        game, random = Game.new(players, variant, seed), make_agent("random")
        random.reset(seed)
        while not game.over:
            chosen = compiled.act(game)
            assert chosen == agent.act(game)
            asked += game.mask().sum() > 1
            game.apply(chosen if seed % 2 else random.act(game))
    assert asked > 1000


def test_at_a_temperature_it_draws_from_the_probabilities(checkpoints: dict[str, Path]) -> None:
    arrays, _ = read_policy(str(checkpoints["standard"]))
    game = position(60, seed=3)
    mask = game.mask()
    hidden = np.maximum(observe(game) @ arrays.first + arrays.first_bias, 0)
    logits = np.maximum(hidden @ arrays.second + arrays.second_bias, 0) @ arrays.last + arrays.last_bias
    weights = np.where(mask, np.exp((logits - logits.max()) / 0.25), 0.0)
    memory = policy_memory({c.VARIANT_STANDARD: arrays}, 0.25)
    players = join_players({FIRST_ENTRY: entry_address(policy_entry)}, {FIRST_ENTRY: memory})
    rng, seen = seeded(5), mask.astype(np.int8)
    drawn = Counter(int(choose_action(FIRST_ENTRY, players, *game.given, seen, rng)) for _ in range(4000))
    assert mask.sum() > 3
    for action in np.flatnonzero(mask).tolist():
        assert drawn[action] / 4000 == pytest.approx(weights[action] / weights.sum(), abs=0.04)
    assert set(drawn) <= set(np.flatnonzero(mask).tolist())


def test_it_is_an_opponent_in_environments(checkpoints: dict[str, Path]) -> None:
    env = EndeavorVecEnv("Endeavor-v0", 4, opponents=f"policy:{checkpoints['standard']}", seed=1)
    env.reset()
    for _ in range(20):
        _, rewards, _, _ = env.step(env.action_masks().argmax(axis=1))
    assert np.isfinite(rewards).all()


def test_it_does_not_play_another_variant(checkpoints: dict[str, Path]) -> None:
    with pytest.raises(InvalidOptionError, match="does not play 'standard': it was made for solo"):
        check_plays(f"policy:{checkpoints['solo']}", "standard")


def test_a_network_of_another_shape_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = untrained_checkpoint(tmp_path, "standard")
    with pytest.raises(InvalidOptionError, match=r"trunk \[8\] and head \[8\] with tanh is not compiled: it must have"):
        make_agent(f"policy:{path}")
    check_compiled(spec_of("standard", "relu"))


def test_a_missing_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="card"):
        make_agent(f"policy:{tmp_path / 'nothing.zip'}")


@pytest.mark.parametrize("bias", [np.nan, -np.inf])
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_logits_that_are_no_numbers_still_choose_a_legal_action(
    checkpoints: dict[str, Path], bias: float, temperature: float
) -> None:
    arrays, _ = read_policy(str(checkpoints["standard"]))
    broken = arrays._replace(last_bias=np.full_like(arrays.last_bias, bias))
    memory = policy_memory({c.VARIANT_STANDARD: broken}, temperature)
    players = join_players({FIRST_ENTRY: entry_address(policy_entry)}, {FIRST_ENTRY: memory})
    game, rng = Game.new(seed=4), seeded(5)
    while not game.over:
        mask = game.mask().astype(np.int8)
        action = int(choose_action(FIRST_ENTRY, players, *game.given, mask, rng))
        assert action in game.legal_actions()
        game.apply(action)
