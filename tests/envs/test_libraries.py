"""What other libraries ask of the environments: base classes they look for, keys, lists, and errors that help."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from pettingzoo import ParallelEnv

from endeavor_env import endeavor_v0
from endeavor_env.basics.inputs import spread_seeds
from endeavor_env.envs.aec_env import GameAECEnv
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_vector
from endeavor_env.envs.sampling import generator, sample_action
from endeavor_env.errors import InvalidOptionError
from tests.kits.envs import OF_ALL_AECS, OF_ONE_OF_EACH, Kind, observe_mover, started
from tests.kits.vector import QUICK, assert_same_infos, pair, random_actions

NAMES = pytest.mark.parametrize("name", ["Endeavor-v0", "EndeavorSolo-v0"])


def renamed(observation: dict[str, Any]) -> dict[str, Any]:
    """Return an observation with the key that RLlib wants."""
    return {"observations": observation["observation"], "action_mask": observation["action_mask"]}


def assert_equal(observation: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> None:
    """Compare two observations: keys, values and types."""
    assert list(observation) == list(other)
    for key, value in other.items():
        assert observation[key].dtype == value.dtype
        assert np.array_equal(observation[key], value)


def random_choices(infos: dict[str, Any], rng: Any = None) -> dict[str, Any]:
    """Return a random legal action of each agent of a parallel environment, whatever its masks are."""
    rng = generator(0) if rng is None else rng
    return {agent: sample_action(np.array(info["action_mask"], bool), rng) for agent, info in infos.items()}


# --- base classes ----------------------------------------------------------------------------------------------------


@NAMES
def test_gymnasiums_class_is_a_direct_base_of_what_make_and_make_vec_return(name: str) -> None:
    """A library such as skrl finds out what to do with an environment by its direct base classes."""
    assert gymnasium.Env in type(gymnasium.make(name)).__bases__
    assert VectorEnv in type(gymnasium.make_vec(name, 2)).__bases__


def test_pettingzoos_class_is_a_direct_base_of_the_parallel_environment() -> None:
    assert ParallelEnv in type(endeavor_v0.parallel_env()).__bases__


def test_call_renders_as_gymnasiums_own_vector_environments_do() -> None:
    """As skrl's trainer asks, in each step and whatever the render mode is."""
    env = make_endeavor_vector(3, render_mode="ansi", **QUICK)
    env.reset(seed=0)
    texts = env.call("render")
    assert texts == env.render()
    assert [type(text) for text in texts] == [str] * 3
    without = make_endeavor_vector(3, **QUICK)
    without.reset(seed=0)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert without.call("render") == (None, None, None)
    with pytest.raises(InvalidOptionError, match="'render' alone"):
        env.call("render", "ansi")


# --- the key of the vector -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mask_dtype", ["int8", "bool"])
@OF_ONE_OF_EACH
def test_the_vector_of_an_observation_gets_another_key(kind: Kind, mask_dtype: str) -> None:
    """The key is the only difference, from the first decision to the position after the last."""
    env = started(kind.make, 2, observation_key="observations", mask_dtype=mask_dtype)
    usual = started(kind.make, 2, mask_dtype=mask_dtype)
    agents = isinstance(env, GameAECEnv)
    space = env.observation_space("player_0") if agents else env.observation_space
    rng, over = generator(2), False
    while not over:
        seen = observe_mover(env)
        assert_equal(seen, renamed(observe_mover(usual)))
        assert space.contains(seen)
        action = sample_action(env.action_masks(), rng)
        returned, usually = env.step(action), usual.step(action)
        if agents:
            seen, there = env.last()[0], usual.last()[0]
            assert seen is not None
            assert there is not None
            assert_equal(seen, renamed(there))
            over = env.terminations[env.agent_selection]
        else:
            assert_equal(returned[0], renamed(usually[0]))
            over = returned[2]
    assert_equal(observe_mover(env), renamed(observe_mover(usual)))


@pytest.mark.parametrize("solo", [False, True], ids=["Endeavor-v0", "EndeavorSolo-v0"])
@pytest.mark.parametrize("mode", list(AutoresetMode)[:2], ids=str)
def test_a_vector_environment_has_the_key_as_gymnasiums_own_has_it(mode: AutoresetMode, solo: bool) -> None:
    """Also in the last observations of games that ended."""
    options: dict[str, Any] = {"observation": "compact", "observation_key": "observations"}
    if not solo:
        options["players"] = 3
    ours, theirs = pair(mode, 3, solo, **options)
    (seen, infos), (wanted, infos_there) = ours.reset(seed=4), theirs.reset(seed=spread_seeds(4, 3).tolist())
    rng, ends = generator(4), 0
    assert ours.single_observation_space == theirs.single_observation_space
    while ends < 3:
        assert list(seen) == ["observations", "action_mask"]
        assert_equal(seen, {key: wanted[key] for key in seen})
        assert ours.observation_space.contains(seen)
        assert_same_infos(infos, infos_there, players=1 if solo else 3)
        actions = random_actions(ours.action_masks(), rng)
        seen, _, ended, _, infos = ours.step(actions)
        wanted, _, _, _, infos_there = theirs.step(actions)
        ends += int(ended.sum())


def test_packed_masks_go_with_another_key() -> None:
    env = make_endeavor_vector(2, observation_key="seen", mask_dtype="packed", **QUICK)
    observations, infos = env.reset(seed=0)
    assert list(observations) == ["seen", "action_mask"]
    assert env.observation_space.contains(observations)
    assert observations["action_mask"] is infos["action_mask"]


def test_the_parallel_environment_has_the_key() -> None:
    env = endeavor_v0.parallel_env(observation_key="observations", **QUICK)
    observations, infos = env.reset(seed=0)
    for _ in range(20):
        for agent, seen in observations.items():
            assert list(seen) == ["observations", "action_mask"]
            assert env.observation_space(agent).contains(seen)
        observations, _, _, _, infos = env.step(random_choices(infos))


def test_an_opponent_that_is_a_function_sees_the_key() -> None:
    keys = set()

    def first_legal(observation: dict[str, np.ndarray]) -> int:
        keys.add(tuple(observation))
        return int(observation["action_mask"].argmax())

    env = started(make_endeavor, 0, opponents=first_legal, learner_seat=2, observation_key="observations")
    assert keys == {("observations", "action_mask")}
    assert pickle.loads(pickle.dumps(env.observation_space)) == env.observation_space


# --- masks in infos --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flat", [False, True], ids=["Dict", "flat"])
@OF_ALL_AECS
def test_masks_in_infos_are_lists_on_request(kind: Kind, flat: bool) -> None:
    """They hold the same numbers, and the masks in observations stay arrays."""
    env, usual = started(kind.make, 3, info_masks="list", flat=flat), started(kind.make, 3, flat=flat)
    rng = generator(3)
    while env.agents:
        for looks in (True, False):
            observation, *rest, info = env.last(observe=looks)
            wanted, *rest_there, info_there = usual.last(observe=looks)
            assert rest == rest_there
            assert info == {"action_mask": info_there["action_mask"].tolist()}
            if looks and not flat:
                assert_equal(observation, wanted)
            elif looks:
                assert np.array_equal(observation, wanted)
        for agent, told in env.infos.items():
            assert [type(number) for number in told["action_mask"][:2]] == [int, int]
            assert told["action_mask"] == usual.infos[agent]["action_mask"].tolist()
        over = env.terminations[env.agent_selection]
        action = None if over else sample_action(env.action_masks(), rng)
        env.step(action)
        usual.step(action)


def test_lists_of_bool_masks_hold_bools() -> None:
    env = started(endeavor_v0.env, info_masks="list", mask_dtype="bool")
    assert {type(entry) for entry in env.last()[-1]["action_mask"]} == {bool}


def test_the_parallel_environment_gives_lists_to_agents_that_wait_as_well() -> None:
    """AgileRL's IPPO makes a tensor of them, (agents, actions), and refuses arrays."""
    env = endeavor_v0.parallel_env(info_masks="list", flat=True, **QUICK)
    _, infos = env.reset(seed=0)
    rng, ended = generator(0), False
    while not ended:
        masks = [infos[agent]["action_mask"] for agent in env.agents]
        assert None not in masks  # as IPPO asks, which arrays do not answer
        assert np.array(masks).shape == (3, env.action_space("player_0").n)  # type: ignore[attr-defined]
        assert sum(min(mask) for mask in masks) >= 2  # who waits may do anything
        _, _, terminations, _, infos = env.step(random_choices(infos, rng))
        ended = any(terminations.values())
    assert all(min(info["action_mask"]) for info in infos.values())


# --- errors that help ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", ["low", "high"])
@pytest.mark.parametrize(
    "space",
    [
        lambda: gymnasium.make("Endeavor-v0").observation_space,
        lambda: gymnasium.make_vec("Endeavor-v0", 2).single_observation_space,
        lambda: endeavor_v0.env().observation_space("player_0"),
    ],
    ids=["make", "make_vec", "env"],
)
def test_a_dict_that_is_taken_for_a_box_says_how_to_get_one(space: Callable[[], Any], limit: str) -> None:
    """SuperSuit's wrappers ask for the limits of a Box without looking at the space."""
    with pytest.raises(AttributeError, match=rf"has no '{limit}': make the environment with flat=True"):
        getattr(space(), limit)


def test_the_space_is_a_dict_like_any_other() -> None:
    space: Any = gymnasium.make("Endeavor-v0").observation_space
    assert space == gymnasium.spaces.Dict(dict(space.spaces))
    assert not hasattr(space, "low")
    with pytest.raises(AttributeError, match="object has no attribute 'n'"):
        space.n  # noqa: B018
