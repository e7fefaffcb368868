"""The checkers of Gymnasium, PettingZoo and Stable-Baselines3; every other warning is an error (pyproject.toml)."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.utils import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.env_checker import check_env as check_env_for_sb3
from stable_baselines3.common.env_util import make_vec_env

from endeavor_env import endeavor_v0
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.envs.sampling import generator, sample_action
from tests.kits.envs import DICT_WARNINGS
from tests.kits.ids import readable
from tests.kits.toy_envs import TOY

with warnings.catch_warnings():
    # Where PettingZoo's own board games are installed, its tests import one of them by its old name.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
    from pettingzoo.test.state_test import state_test

pytestmark = [pytest.mark.filterwarnings(message) for message in DICT_WARNINGS]

VARIED: list[dict[str, Any]] = [
    {},
    {"players": 3, "observation": "compact", "reward": "rank"},
    {"players": 5, "reward": "margin", "shaping": {"gamma": 0.99}},
    {"reward": "win_zero_sum", "illegal_reward": -3.0, "seed": 4, "board": "endeavor_2009"},
]
FOR_ONE_LEARNER: list[dict[str, Any]] = [
    {"learner_seat": 2},
    {"players": 3, "learner_seat": "rotate"},
    {"players": 3, "opponents": ["random", lambda observation: int(observation["action_mask"].argmax())]},
]
VARIANTS: list[dict[str, Any]] = [
    {"variant": "soloplay_2", "reward": "rank"},
    {"variant": "soloplay_3", "observation": "compact", "options": {"variant_removed_spaces_stay": True}},
    {"variant": "neutral_2", "shaping": {"gamma": 0.9}},
]
EXPLOITS: list[dict[str, Any]] = [
    {"exploits": ["saltpetre", "galleons", "venus"], "reward": "rank"},
    {"exploits": "random", "players": 3, "observation": "compact", "shaping": {"gamma": 0.9}},
    {"exploits": list(c.EXPLOIT_NAMES), "players": 5, "options": {"exploit_discs": 30, "value1_bonus": True}},
]
SOLO_OPTIONS: list[dict[str, Any]] = [
    {},
    {"difficulty": "harder", "observation": "compact", "reward": "ladder"},
    {"opposition_ties": "first", "solo_ignore_industry": True, "reward": "margin", "shaping": {"weight": 2.0}},
]
SOLO: list[dict[str, Any]] = [
    {"variant": "solo", "reward": "ladder"},
    {"variant": "solo", "observation": "compact", "options": {"difficulty": "easier", "opposition_ties": "first"}},
]
MERCHANTS: list[dict[str, Any]] = [
    {},
    {"board": "expert", "players": 3, "observation": "compact", "learner_seat": "rotate", "opponents": "greedy"},
]
ALL = VARIED + VARIANTS + EXPLOITS + SOLO
GYMNASIUM = [
    *(("Endeavor-v0", options) for options in VARIED + FOR_ONE_LEARNER + VARIANTS + EXPLOITS),
    *(("EndeavorSolo-v0", options) for options in SOLO_OPTIONS),
]


@pytest.mark.parametrize(("name", "options"), GYMNASIUM, ids=readable)
def test_gymnasium_check_env(name: str, options: dict[str, Any]) -> None:
    check_env(gymnasium.make(name, **options).unwrapped)


@pytest.mark.parametrize(("name", "options"), GYMNASIUM, ids=readable)
def test_sb3_check_env(name: str, options: dict[str, Any]) -> None:
    check_env_for_sb3(gymnasium.make(name, **options).unwrapped, skip_render_check=False)


@pytest.mark.parametrize("options", MERCHANTS, ids=readable)
def test_checkers_of_gymnasium_and_sb3_with_merchants(options: dict[str, Any]) -> None:
    check_env(gymnasium.make("Merchants-v0", **options).unwrapped)
    check_env_for_sb3(gymnasium.make("Merchants-v0", **options).unwrapped, skip_render_check=False)


def test_sb3_check_env_with_any_game_on_the_engine() -> None:
    check_env_for_sb3(GameEnv(TOY, learner_seat="rotate"), skip_render_check=False)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("Merchants-v0", {"players": 3}),
        ("Endeavor-v0", {"players": 3}),
        ("Endeavor-v0", {"variant": "soloplay_2"}),
        ("Endeavor-v0", {"exploits": "random"}),
        ("EndeavorSolo-v0", {}),
    ],
    ids=readable,
)
def test_sb3_make_vec_env_and_masks(name: str, options: dict[str, Any]) -> None:
    envs = make_vec_env(name, n_envs=2, seed=1, env_kwargs=options)
    rng = generator(1)
    observations: Any = envs.reset()
    done = False
    while not done:
        masks = get_action_masks(envs)
        assert (masks == observations["action_mask"]).all()
        observations, rewards, dones, infos = envs.step(np.array([sample_action(mask, rng) for mask in masks]))
        done = bool(dones[0])
    assert infos[0]["reason"] == "game_over"
    assert infos[0]["episode"]["r"] == rewards[0]


@pytest.mark.parametrize(
    ("name", "options"),
    [("Endeavor-v0", {}), ("Endeavor-v0", {"players": 3, "observation": "compact"}), *GYMNASIUM[-9:]],
    ids=readable,
)
def test_whole_games_pass_the_passive_checker(name: str, options: dict[str, Any]) -> None:
    """``make`` wraps the passive checker around every call; a whole game must not make it warn."""
    env, rng = gymnasium.make(name, **options), generator(1)
    for seed in range(2):
        observation, info = env.reset(seed=seed)
        terminated = False
        while not terminated:
            action = sample_action(observation["action_mask"], rng)
            observation, _, terminated, truncated, info = env.step(action)
            assert not truncated
        assert info["reason"] == "game_over"


@pytest.mark.parametrize("options", ALL, ids=readable)
def test_pettingzoo_api_test(options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    api_test(endeavor_v0.env(**options), num_cycles=100)
    assert "Passed API test" in capsys.readouterr().out


def test_the_usual_wrappers_do_no_harm() -> None:
    """Nobody needs them here, but many put them on out of habit."""
    wrapped = TerminateIllegalWrapper(endeavor_v0.env(players=3), illegal_reward=-1)
    env: Any = OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped))
    api_test(env, num_cycles=100)
    env.reset(seed=1)
    env.step(int(np.flatnonzero(~env.unwrapped.game().mask())[0]))
    assert sorted(env.rewards.values()) == [-1, 0, 0]


@pytest.mark.parametrize("options", ALL, ids=readable)
def test_pettingzoo_seed_test(options: dict[str, Any]) -> None:
    seed_test(lambda: endeavor_v0.env(**options), num_cycles=100)


def test_pettingzoo_render_test() -> None:
    render_test(endeavor_v0.env)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", ALL, ids=readable)
def test_pettingzoo_state_test(options: dict[str, Any]) -> None:
    state_test(endeavor_v0.env(**options), endeavor_v0.parallel_env(**options))


@pytest.mark.parametrize("options", ALL, ids=readable)
def test_pettingzoo_parallel_tests(options: dict[str, Any]) -> None:
    parallel_api_test(endeavor_v0.parallel_env(**options), num_cycles=100)
    parallel_seed_test(lambda: endeavor_v0.parallel_env(**options), num_cycles=100)
