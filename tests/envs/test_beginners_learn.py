"""Somebody's first run on the solitaire game, with nothing chosen but the environment, learns."""

from __future__ import annotations

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

from endeavor_env.envs.sampling import generator, sample_action
from endeavor_env.sb3 import EndeavorVecEnv

GAMES = 64


def rewards_of_random_play() -> list[float]:
    """Return what random legal play gets for so many games."""
    env, rng = EndeavorVecEnv("EndeavorSolo-v0", GAMES, seed=1), generator(1)
    env.reset()
    rewards: list[float] = []
    while len(rewards) < GAMES:
        _, paid, dones, _ = env.step(np.array([sample_action(mask, rng) for mask in env.action_masks()]))
        rewards += paid[dones].tolist()
    return rewards


@pytest.mark.slow
def test_the_default_reward_of_a_solitaire_game_is_learnt_from() -> None:
    """Far more than chance: random play has 9 Glory of standard deviation a game, 1.2 in the mean of 64."""
    model = MaskablePPO(
        "MlpPolicy", EndeavorVecEnv("EndeavorSolo-v0", 32, seed=1), n_steps=64, batch_size=512, n_epochs=4, seed=1
    )
    model.learn(16_384)
    learnt, _ = evaluate_policy(
        model, EndeavorVecEnv("EndeavorSolo-v0", 32, seed=99), GAMES, return_episode_rewards=True, warn=False
    )
    assert np.mean(learnt) > np.mean(rewards_of_random_play()) + 0.08
