"""Environments of every id and interface, new, after a reset and in a game, go through pickle and on identically."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import cloudpickle
import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import data_equivalence

from endeavor_env import endeavor_v0, merchants_v0
from endeavor_env.endeavor.declaration import GYMNASIUM_ID, GYMNASIUM_SOLO_ID
from endeavor_env.merchants.declaration import GYMNASIUM_ID as GYMNASIUM_MERCHANTS_ID


def through_pickle(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


def through_cloudpickle(env: Any) -> Any:
    return pickle.loads(cloudpickle.dumps(env))


def first_legal(env: Any) -> Any:
    masks = env.unwrapped.action_masks()
    return masks.argmax(axis=-1) if masks.ndim == 2 else int(masks.argmax())


def step(env: Any) -> Any:
    if hasattr(env, "aec_env"):
        mover = env.aec_env.agent_selection
        return env.step(dict.fromkeys(env.agents, int(env.aec_env.observe(mover)["action_mask"].argmax())))
    if hasattr(env, "possible_agents"):
        env.step(int(env.action_masks().argmax()))
        return env.last()
    return env.step(first_legal(env))


MAKES: dict[str, Callable[[], Any]] = {
    GYMNASIUM_SOLO_ID: lambda: gymnasium.make(GYMNASIUM_SOLO_ID),
    **{
        f"{id_} {opponents}": lambda id_=id_, opponents=opponents: gymnasium.make(id_, opponents=opponents)
        for id_ in (GYMNASIUM_ID, GYMNASIUM_MERCHANTS_ID)
        for opponents in ("random", "greedy")
    },
    **{
        f"{id_} vector": lambda id_=id_: gymnasium.make_vec(id_, num_envs=3)
        for id_ in (GYMNASIUM_ID, GYMNASIUM_SOLO_ID, GYMNASIUM_MERCHANTS_ID)
    },
    **{
        f"{module.__name__} {kind}": lambda module=module, kind=kind: getattr(module, kind)()
        for module in (endeavor_v0, merchants_v0)
        for kind in ("env", "parallel_env")
    },
}


@pytest.mark.parametrize("duplicate", [through_pickle, through_cloudpickle, copy.deepcopy])
@pytest.mark.parametrize("moves", [None, 0, 15], ids=["new", "reset", "in a game"])
@pytest.mark.parametrize("name", MAKES)
def test_a_copy_of_an_environment_goes_on_identically(name: str, moves: int | None, duplicate: Any) -> None:
    env = MAKES[name]()
    if moves is not None:
        env.reset(seed=5)
        for _ in range(moves):
            step(env)
    other = duplicate(env)
    if moves is None:
        assert data_equivalence(env.reset(seed=7), other.reset(seed=7))
    for _ in range(5):
        assert data_equivalence(step(env), step(other))
    for one in (env, other):
        one.close()


def test_the_spec_of_an_environment_goes_through_json_and_makes_it_again() -> None:
    env = gymnasium.make(GYMNASIUM_MERCHANTS_ID, players=3, opponents="greedy", flat=True)
    assert env.spec is not None
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    first, second = env.reset(seed=3), again.reset(seed=3)
    assert np.array_equal(first[0], second[0])
