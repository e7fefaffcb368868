"""The games MaskablePPO learns in: shapes, masks, rewards, fair seats, repeatability."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from agents.network import PolicyNetwork
from endeavor_env import observation
from endeavor_env.core.actions import NUM_ACTIONS
from endeavor_env.errors import InvalidOptionError
from endeavor_env.rewards import MARGIN_SCALE
from training.opponents import OpponentMix, Snapshots
from training.ppo import make_env, make_model, network_spec
from training.presets import PRESETS
from training.self_play import SelfPlayVecEnv

SETTINGS = replace(PRESETS["smoke"], num_envs=6)


def games(seed: int = 0, **changes: Any) -> SelfPlayVecEnv:
    settings = replace(SETTINGS, **changes)
    snapshots = Snapshots(network_spec(settings), 2, seed)
    torch.manual_seed(seed)
    snapshots.networks = [PolicyNetwork(network_spec(settings))]
    return make_env(settings, snapshots, seed)


def random_actions(env: SelfPlayVecEnv, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in env.action_masks()])


def play(env: SelfPlayVecEnv, episodes: int, seed: int = 0) -> list[dict[str, Any]]:
    """Plays randomly until ``episodes`` games ended; returns their closing infos."""
    rng, infos = np.random.default_rng(seed), []
    env.reset()
    while len(infos) < episodes:
        _, _, dones, step_infos = env.step(random_actions(env, rng))
        infos += [info for info, done in zip(step_infos, dones, strict=True) if done]
    return infos


def test_shapes_and_types() -> None:
    env = games()
    observations = env.reset()
    assert observations.shape == (6, observation.FEATURES.size)
    assert observations.dtype == np.float32
    masks = env.action_masks()
    assert masks.shape == (6, NUM_ACTIONS)
    assert masks.dtype == np.bool_
    assert masks.any(axis=1).all()
    after, rewards, dones, infos = env.step(random_actions(env, np.random.default_rng(0)))
    assert after is not observations
    assert (rewards.shape, dones.dtype, len(infos)) == ((6,), np.bool_, 6)
    assert np.array_equal(np.stack(env.env_method("action_masks")), env.action_masks())
    assert env.observation_space.contains(np.asarray(after)[0])


def test_reward_and_shaping_add_up_to_the_margin_when_nothing_is_discounted() -> None:
    env = games(gamma=1.0, reward="margin", shaping_weight=1.0)
    for info in play(env, 12):
        assert info["episode"]["r"] == pytest.approx(info["game"]["margin"] / MARGIN_SCALE, abs=1e-5)


def test_win_reward_without_shaping_is_the_share_of_the_win() -> None:
    env = games(reward="win", shaping_weight=0.0)
    for info in play(env, 12):
        assert info["episode"]["r"] == pytest.approx(info["game"]["win"])


def test_learner_sits_everywhere_at_every_table_size() -> None:
    env = games(num_envs=64)
    env.reset()
    seats = Counter((table.game.num_players, table.learner) for table in env._tables)
    assert {players for players, _ in seats} == {3, 4, 5}
    assert {seat for players, seat in seats if players == 3} == {0, 1, 2}


def test_finished_game_reports_its_last_observation_and_restarts() -> None:
    env = games()
    rng = np.random.default_rng(1)
    env.reset()
    while True:
        observations, _, dones, infos = env.step(random_actions(env, rng))
        if dones.any():
            break
    index = int(np.flatnonzero(dones)[0])
    last = infos[index]["terminal_observation"]
    assert last.shape == (observation.FEATURES.size,)
    assert not np.array_equal(last, np.asarray(observations)[index])
    assert env.action_masks()[index].any()


def test_same_seed_same_games() -> None:
    first, second = games(seed=3), games(seed=3)
    assert [info["game"] for info in play(first, 6)] == [info["game"] for info in play(second, 6)]


@pytest.mark.parametrize(
    "weights",
    [(), (("greedy", -1.0),), (("greedy", 0.0),), (("grandmaster", 1.0),)],
    ids=["empty", "negative", "zero", "unknown"],
)
def test_impossible_mix_is_refused(weights: tuple[tuple[str, float], ...]) -> None:
    snapshots = Snapshots(network_spec(SETTINGS), 2, 0)
    with pytest.raises(InvalidOptionError):
        OpponentMix(weights, snapshots, 0)


def test_pool_keeps_the_newest_copies() -> None:
    env = games()
    model = make_model(SETTINGS, env, None)  # type: ignore[arg-type]
    pool = Snapshots(network_spec(SETTINGS), 2, 0)
    for _ in range(3):
        pool.add(model.policy.state_dict())
    assert len(pool.networks) == 2


def test_unknown_env_method_is_refused() -> None:
    with pytest.raises(AttributeError, match="only action_masks"):
        games().env_method("fly")
