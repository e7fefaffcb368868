"""A policy that does not see masks: the first episode that an illegal action ends is warned of, once in a process."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from endeavor_env import endeavor_v0, merchants_v0
from endeavor_env.engine.rewards import warn_of_missing_masks

IDS = ["Endeavor-v0", "EndeavorSolo-v0", "Merchants-v0"]


@pytest.fixture(autouse=True)
def nobody_warned() -> None:
    warn_of_missing_masks.cache_clear()


def illegal_in(env: Any) -> None:
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.unwrapped.action_masks() == 0)[0]))


def illegal_among_agents(env: Any) -> None:
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.action_masks() == 0)[0]))


def illegal_in_rows(env: Any) -> None:
    env.reset(seed=1)
    env.step(np.argmin(env.action_masks(), axis=1))


FACES: list[tuple[Callable[[], Any], Callable[[Any], None]]] = [
    *((lambda name=name: gymnasium.make(name), illegal_in) for name in IDS),
    *((lambda name=name: gymnasium.make_vec(name, 2), illegal_in_rows) for name in IDS),
    (endeavor_v0.env, illegal_among_agents),
    (merchants_v0.env, illegal_among_agents),
]


@pytest.mark.parametrize(("make", "play"), FACES)
def test_an_illegal_action_is_warned_of_once(make: Callable[[], Any], play: Callable[[Any], None]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            play(make())
    said = [str(one.message) for one in caught if "illegal action" in str(one.message)]
    assert len(said) == 1
    assert "action_masks()" in said[0]
    assert "MaskableEvalCallback" in said[0]


def test_the_mean_of_an_evaluation_without_masks_is_explained() -> None:
    sb3 = pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.evaluation import evaluate_policy

    from endeavor_env.sb3 import EndeavorVecEnv

    env = EndeavorVecEnv("Endeavor-v0", 2, seed=1)
    model = sb3.PPO("MlpPolicy", env, n_steps=8, batch_size=16, seed=0, device="cpu")
    reasons: list[str] = []

    def note(seen: dict[str, Any], _: dict[str, Any]) -> None:
        if seen["done"]:
            reasons.append(seen["info"]["reason"])

    with pytest.warns(UserWarning, match="does not see the mask"):
        mean, _ = evaluate_policy(model, env, n_eval_episodes=4, callback=note, warn=False)
    assert mean == -1.0
    assert set(reasons) == {"illegal_action"}


def test_games_of_legal_actions_are_not_warned_of() -> None:
    env: Any = gymnasium.make("Endeavor-v0")
    observation, _ = env.reset(seed=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        over = False
        while not over:
            observation, _, over, _, info = env.step(env.action_space.sample(observation["action_mask"]))
    assert info["reason"] == "game_over"
