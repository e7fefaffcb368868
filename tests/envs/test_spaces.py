"""Spaces: actions drawn by every kind of mask, and the path that pickles name."""

from __future__ import annotations

import pickle
import pickletools
from typing import Any

import gymnasium
import numpy as np
import pytest

from endeavor_env import endeavor_v0, merchants_v0

IDS = ["Endeavor-v0", "EndeavorSolo-v0", "Merchants-v0"]


@pytest.mark.parametrize("mask_dtype", ["int8", "bool"])
@pytest.mark.parametrize("env_id", IDS)
def test_actions_are_drawn_by_the_masks_of_observations_infos_and_action_masks(env_id: str, mask_dtype: str) -> None:
    env: Any = gymnasium.make(env_id, mask_dtype=mask_dtype)
    observation, info = env.reset(seed=3)
    for _ in range(20):
        for mask in (observation["action_mask"], info["action_mask"], env.unwrapped.action_masks()):
            action = env.action_space.sample(mask)
            assert mask[action]
        observation, _, terminated, truncated, info = env.step(action)
        assert not terminated
        assert not truncated


@pytest.mark.parametrize("mask_dtype", ["int8", "bool"])
@pytest.mark.parametrize("mode", ["vector_entry_point", "sync"])
@pytest.mark.parametrize("env_id", IDS)
def test_vector_environments_draw_by_their_masks(env_id: str, mode: str, mask_dtype: str) -> None:
    env: Any = gymnasium.make_vec(env_id, 3, vectorization_mode=mode, mask_dtype=mask_dtype)
    observations, _ = env.reset(seed=3)
    for given in (observations["action_mask"], tuple(observations["action_mask"])):
        actions = env.action_space.sample(given)
        assert actions.shape == (3,)
        assert observations["action_mask"][np.arange(3), actions].all()
    env.step(actions)


@pytest.mark.parametrize("module", [endeavor_v0, merchants_v0])
def test_agents_draw_by_their_masks(module: Any) -> None:
    env = module.env(mask_dtype="bool")
    env.reset(seed=3)
    observation, *_ = env.last()
    agent = env.agent_selection
    for mask in (observation["action_mask"], env.action_masks()):
        assert mask[env.action_space(agent).sample(mask)]


def test_the_same_seed_draws_what_the_space_of_gymnasium_draws() -> None:
    space: Any = gymnasium.make("Endeavor-v0").action_space
    plain = gymnasium.spaces.Discrete(int(space.n))
    mask = np.arange(int(space.n)) % 7 == 0
    drawn = []
    for one, given in ((space, mask), (space, mask.view(np.int8)), (plain, mask.view(np.int8))):
        one.seed(5)
        drawn.append([int(one.sample(given)) for _ in range(10)])
    assert drawn[0] == drawn[1] == drawn[2]
    assert space == plain
    assert plain == space


@pytest.mark.parametrize("env_id", IDS)
def test_pickled_spaces_name_public_modules_and_are_equal(env_id: str) -> None:
    for env in (gymnasium.make(env_id), gymnasium.make_vec(env_id, 2)):
        for space in (env.observation_space, env.action_space):
            data = pickle.dumps(space, protocol=2)
            modules = {str(name).split()[0] for opcode, name, _ in pickletools.genops(data) if opcode.name == "GLOBAL"}
            assert {one for one in modules if one.startswith("endeavor_env")} <= {"endeavor_env.spaces"}
            again = pickle.loads(data)
            assert again == space
            assert type(again) is type(space)
