"""The game as RLlib sees it, and the network that learns in it."""
# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from endeavor_env import Game
from endeavor_env.agents.players.learned import LearnedAgent
from endeavor_env.basics.inputs import derived_seed
from endeavor_env.endeavor.observation import observe
from endeavor_env.engine.rewards import Shaping
from endeavor_env.envs.endeavor import make_endeavor_aec
from endeavor_env.training.rllib.folder import LEARNER, RLlibRunFolder, RLlibSettings, rllib_preset
from tests.kits.rllib import WHY_NOT

pytest.importorskip("ray", reason=WHY_NOT)
from ray.rllib.core.columns import Columns
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

from endeavor_env.training.rllib.env import MASK, OBSERVATIONS, EndeavorMultiAgentEnv
from endeavor_env.training.rllib.module import MaskedPolicy, sb3_weights

SMOKE = rllib_preset("smoke", "standard")
VARIANTS = ("standard", "solo")


def env_of(settings: RLlibSettings, **changes: Any) -> EndeavorMultiAgentEnv:
    return EndeavorMultiAgentEnv({"settings": settings.replace(**changes)})


def random_game(env: EndeavorMultiAgentEnv, seed: int) -> Iterator[tuple[Any, ...]]:
    """Play a game at random; yield (agent, action) and what the step returned, for each."""
    rng = np.random.default_rng(seed)
    observations, _ = env.reset(seed=seed)
    over = False
    while not over:
        (agent,) = observations
        action = int(rng.choice(np.flatnonzero(observations[agent][MASK])))
        step = env.step({agent: action})
        yield agent, action, *step
        observations, over = step[0], step[2]["__all__"]


class Context(dict[str, Any]):
    """The settings of an environment as RLlib hands them to one of its runners."""

    def __init__(self, runner: int) -> None:
        super().__init__(settings=SMOKE)
        self.worker_index = runner


def test_runners_with_near_seeds_play_other_games() -> None:
    """RLlib gives game i of runner r the seed of the algorithm + r + i."""
    drawn = []
    for runner in range(3):
        env = EndeavorMultiAgentEnv(Context(runner))
        for game in range(4):
            env.reset(seed=1000 + runner + game)
            drawn.append(env.np_random.integers(1 << 53))
    assert len(set(drawn)) == 12


def module_of(settings: RLlibSettings) -> MaskedPolicy:
    torch.manual_seed(3)
    env = env_of(settings)
    return MaskedPolicy(
        observation_space=env.get_observation_space("player_0"),
        action_space=env.get_action_space("player_0"),
        model_config={"network": settings.network.to_dict()},
    )


def positions(variant: str, count: int) -> list[Game]:
    """Return positions of random games, every fifth of each game."""
    rng, found, seed = np.random.default_rng(7), [], 0
    while len(found) < count:
        game = Game.new(players=1 if variant == "solo" else 3 + seed % 3, variant=variant, seed=seed)
        while not game.over:
            if len(game.history) % 5 == 0:
                found.append(game.clone())
            game.apply(int(rng.choice(game.legal_actions())))
        seed += 1
    return found[:count]


def batch_of(games: list[Game]) -> dict[str, Any]:
    """Return positions as RLlib hands them to a module."""
    seen = np.stack([observe(game) for game in games]).astype(np.float32)
    masks = np.stack([game.mask() for game in games]).astype(np.int8)
    return {Columns.OBS: {OBSERVATIONS: torch.from_numpy(seen), MASK: torch.from_numpy(masks)}}


@pytest.mark.parametrize("variant", VARIANTS)
def test_rllib_accepts_the_environment(variant: str) -> None:
    """Its check tries any action, so it sees the end of a game by an illegal one."""
    check_multiagent_environments(env_of(rllib_preset("smoke", variant)))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_only_the_agent_to_move_is_asked_and_all_are_told_the_end(players: int) -> None:
    env = env_of(SMOKE, players=(players,))
    *running, last = random_game(env, seed=players)
    assert all(len(observations) == 1 for _, _, observations, *_ in running)
    assert all(set(rewards) == set(observations) for _, _, observations, rewards, *_ in running)
    _, _, observations, rewards, terminated, truncated, infos = last
    agents = {f"player_{seat}" for seat in range(players)}
    assert set(observations) == set(rewards) == set(infos) == agents == set(env.agents)
    assert (terminated["__all__"], truncated["__all__"]) == (True, False)
    for agent in agents:
        assert env.get_observation_space(agent).contains(observations[agent])
        assert observations[agent][MASK].all()
        assert infos[agent]["reason"] == "game_over"


@pytest.mark.parametrize("variant", VARIANTS)
def test_observations_and_rewards_are_those_of_the_table(variant: str) -> None:
    changes = {"difficulties": ("harder",)} if variant == "solo" else {"players": (4,)}
    settings = rllib_preset("smoke", variant).replace(**changes)
    env = env_of(settings)
    table = make_endeavor_aec(
        players=settings.players[0],
        variant=variant,
        options={"difficulty": "harder"} if variant == "solo" else None,
        reward="margin",
        shaping=Shaping(settings.gamma, settings.shaping_weight),
    )
    draw = np.random.default_rng(derived_seed(5, 0))
    draw.integers(1)  # the table
    table.reset(seed=int(draw.integers(1 << 53)))
    for agent, action, observations, rewards, *_ in random_game(env, seed=5):
        assert table.agent_selection == agent
        table.step(action)
        for other, seen in observations.items():
            np.testing.assert_array_equal(seen[OBSERVATIONS], table.observe(other)["observation"])
            assert rewards[other] == table._cumulative_rewards[other]
    assert all(table.terminations.values())


def test_rewards_add_up_to_the_final_margin_less_the_first_potential() -> None:
    env = env_of(SMOKE, gamma=1.0, players=(3,))
    totals: dict[str, float] = {}
    *_, last = steps = list(random_game(env, seed=11))
    for _, _, _, rewards, *_ in steps:
        for agent, reward in rewards.items():
            totals[agent] = totals.get(agent, 0.0) + reward
    scores = [int(score) for score in last[-1]["player_0"]["scores"]][:3]
    leads = [scores[seat] - max(scores[:seat] + scores[seat + 1 :]) for seat in range(3)]
    firsts = [totals[f"player_{seat}"] - leads[seat] / 50 for seat in range(3)]
    assert np.abs(firsts).max() <= 6 / 50, "the potential of a first position is a few Glory"


def test_every_table_size_is_drawn_and_a_seed_repeats_the_games() -> None:
    env = env_of(SMOKE)
    tables = []
    for seed in range(20):
        env.reset(seed=seed)
        tables.append(len(env.agents))
    assert set(tables) == {3, 4, 5}
    first = [(agent, action) for agent, action, *_ in random_game(env, seed=1)]
    assert first == [(agent, action) for agent, action, *_ in random_game(env, seed=1)]


def test_other_players_take_seats_but_never_all_of_them() -> None:
    env = env_of(SMOKE, players=(3,), opponents=((LEARNER, 0.2), ("random", 0.4), ("greedy", 0.4)))
    seen: set[int] = set()
    for seed in range(12):
        asked = {agent for agent, *_ in random_game(env, seed)}
        assert asked == set(env.agents)
        seen.add(len(env.agents))
    assert min(seen) == 1
    assert len(seen) > 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_exported_agent_chooses_as_the_module(
    variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = rllib_preset("smoke", variant)
    module = module_of(settings)
    for parameter in module.parameters():  # larger weights than at the start, so that moves differ clearly
        torch.nn.init.normal_(parameter, std=0.2)
    run = RLlibRunFolder.create(tmp_path / "run", settings, "")
    agent = LearnedAgent(run.write(sb3_weights(module.get_state()), "policy.zip", 0))
    games = positions(variant, 300)
    logits = module.forward_inference(batch_of(games))[Columns.ACTION_DIST_INPUTS]
    chosen = logits.argmax(dim=1).tolist()
    assert [agent.act(game) for game in games] == chosen
    assert len(set(chosen)) > 20


def test_an_illegal_action_is_never_sampled() -> None:
    module = module_of(SMOKE)
    batch = batch_of(positions("standard", 100))
    logits = module.forward_exploration(batch)[Columns.ACTION_DIST_INPUTS]
    actions = module.get_exploration_action_dist_cls().from_logits(logits.repeat(50, 1)).sample()
    assert batch[Columns.OBS][MASK].repeat(50, 1).gather(1, actions[:, None]).all()


def test_a_mask_without_legal_actions_gives_finite_numbers() -> None:
    """The position after the last move is valued with whatever mask it has."""
    module = module_of(SMOKE)
    batch = batch_of(positions("standard", 2))
    batch[Columns.OBS][MASK] = torch.zeros_like(batch[Columns.OBS][MASK])
    out = module.forward_train(batch)
    distribution = module.get_train_action_dist_cls().from_logits(out[Columns.ACTION_DIST_INPUTS])
    assert torch.isfinite(distribution.entropy()).all()
    assert torch.isfinite(module.compute_values(batch, out[Columns.EMBEDDINGS])).all()


def test_values_are_the_same_with_and_without_the_features_of_the_forward_pass() -> None:
    module = module_of(SMOKE)
    batch = batch_of(positions("standard", 10))
    features = module.forward_train(batch)[Columns.EMBEDDINGS]
    torch.testing.assert_close(module.compute_values(batch, features), module.compute_values(batch))


def test_environment_runners_hold_no_value_layers() -> None:
    module = MaskedPolicy(
        observation_space=env_of(SMOKE).get_observation_space("player_0"),
        action_space=env_of(SMOKE).get_action_space("player_0"),
        model_config={"network": SMOKE.network.to_dict()},
        inference_only=True,
    )
    assert set(module.get_state()) == set(module_of(SMOKE).get_state(inference_only=True))
    assert not any(name.startswith("value") for name in module.get_state())
