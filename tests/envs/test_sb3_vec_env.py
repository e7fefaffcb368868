"""The Stable-Baselines3 adapter: what SB3 and sb3-contrib want of it, and that it is the vector environment."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.monitor import Monitor

from endeavor_env.basics.inputs import spread_seeds
from endeavor_env.endeavor.observation import FEATURES, LAYOUT
from endeavor_env.endeavor.rewards import MARGIN_SCALE, SOLO_MARGIN_SCALE
from endeavor_env.endeavor.rules.actions import NUM_ACTIONS, NUM_IDS, NUM_VARIANT_ACTIONS
from endeavor_env.envs.endeavor import make_endeavor_vector
from endeavor_env.envs.sampling import generator
from endeavor_env.envs.table import ResetNeededError
from endeavor_env.errors import IllegalActionError, InvalidOptionError
from endeavor_env.sb3 import EndeavorVecEnv
from tests.kits.sb3 import MIXED, solo
from tests.kits.vector import random_actions

ROOT = Path(__file__).resolve().parents[2]


def closing_infos(env: EndeavorVecEnv, games: int, seed: int = 0) -> list[dict[str, Any]]:
    """Play at random until ``games`` games ended; return their infos."""
    rng, found = generator(seed), []
    env.seed(seed)
    env.reset()
    while len(found) < games:
        _, _, dones, infos = env.step(random_actions(env.action_masks(), rng))
        assert all(bool(info) == done for info, done in zip(infos, dones.tolist(), strict=True))
        found += [info for info in infos if info]
    return found


# --- shapes, spaces and buffers --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("make", "size", "dtype", "actions"),
    [
        (lambda: EndeavorVecEnv("Endeavor-v0", 3, seed=1), FEATURES.size, np.float32, NUM_ACTIONS),
        (
            lambda: EndeavorVecEnv("Endeavor-v0", 3, observation="compact", seed=1),
            LAYOUT.compact.size,
            np.int8,
            NUM_ACTIONS,
        ),
        (lambda: solo(3, seed=1), LAYOUT.variant_features.size, np.float32, NUM_VARIANT_ACTIONS),
        (
            lambda: EndeavorVecEnv("Endeavor-v0", 3, exploits="random", seed=1),
            LAYOUT.exploit_features.size,
            np.float32,
            NUM_IDS,
        ),
    ],
    ids=["features", "compact", "solo", "exploits"],
)
def test_shapes_and_types(make: Callable[[], EndeavorVecEnv], size: int, dtype: type[Any], actions: int) -> None:
    env = make()
    assert isinstance(env.observation_space, spaces.Box)
    assert env.observation_space.shape == (size,)
    assert env.action_space == spaces.Discrete(actions)
    observations = env.reset()
    assert (observations.shape, observations.dtype) == ((3, size), dtype)
    assert all(env.observation_space.contains(row) for row in observations)
    masks = env.action_masks()
    assert (masks.shape, masks.dtype) == ((3, actions), np.bool_)
    assert masks.any(axis=1).all()
    observations, rewards, dones, infos = env.step(random_actions(masks, generator(0)))
    assert (observations.shape, observations.dtype) == ((3, size), dtype)
    assert (rewards.shape, rewards.dtype, dones.shape, dones.dtype) == ((3,), np.float32, (3,), np.bool_)
    assert infos == [{}, {}, {}]
    assert env.render_mode is None


def test_torch_views_the_two_buffers_without_a_copy_and_they_last_for_one_more_call() -> None:
    env, rng = EndeavorVecEnv("Endeavor-v0", 4, players=3, seed=1), generator(0)
    first = env.reset()
    kept = first.copy()
    assert torch.from_numpy(first).data_ptr() == first.ctypes.data
    second, *_ = env.step(random_actions(env.action_masks(), rng))
    assert second.ctypes.data != first.ctypes.data
    assert np.array_equal(first, kept)
    third, *_ = env.step(random_actions(env.action_masks(), rng))
    assert third.ctypes.data == first.ctypes.data
    assert not np.array_equal(first, kept)


def test_everything_but_the_observations_belongs_to_the_caller() -> None:
    env, rng = EndeavorVecEnv("Endeavor-v0", 4, players=3, seed=1), generator(0)
    env.reset()
    masks = env.action_masks()
    _, rewards, dones, infos = env.step(random_actions(masks, rng))
    kept = masks.copy()
    rewards[:], dones[:], infos[0]["mine"] = 7.0, True, 1
    _, rewards, dones, infos = env.step(random_actions(env.action_masks(), rng))
    assert not rewards.any()
    assert not dones.any()
    assert infos == [{}, {}, {}, {}]
    assert np.array_equal(masks, kept)


def test_it_plays_the_games_of_the_vector_environment() -> None:
    ours = EndeavorVecEnv("Endeavor-v0", 3, players=3, opponents="greedy", reward="margin", shaping={"gamma": 0.9})
    theirs = make_endeavor_vector(
        3,
        players=3,
        opponents="greedy",
        reward="margin",
        shaping={"gamma": 0.9},
        autoreset_mode=AutoresetMode.SAME_STEP,
    )
    rng, ended = generator(5), 0
    seeds = spread_seeds(11, 3).tolist()
    assert ours.seed(11) == seeds
    seen, infos_there = theirs.reset(seed=11)
    assert np.array_equal(ours.reset(), seen["observation"])
    assert ours.reset_infos == [{"seed": seeds[row], "seat": int(infos_there["seat"][row])} for row in range(3)]
    while ended < 6:
        actions = random_actions(ours.action_masks(), rng)
        observations, rewards, dones, infos = ours.step(actions)
        seen, paid, terminated, _, infos_there = theirs.step(actions)
        assert np.array_equal(observations, seen["observation"])
        assert np.array_equal(rewards, paid.astype(np.float32))
        assert np.array_equal(dones, terminated)
        for row in np.flatnonzero(dones):
            assert np.array_equal(infos[row]["terminal_observation"], infos_there["final_obs"][row]["observation"])
            assert infos[row]["game"]["score"] == infos_there["final_info"]["scores"][row][0]
        ended += int(dones.sum())


# --- infos -----------------------------------------------------------------------------------------------------------
def test_infos_of_finished_games_at_every_table_size() -> None:
    env = EndeavorVecEnv("Endeavor-v0", 12, **MIXED, reward="margin")
    infos = closing_infos(env, 40)
    assert {info["game"]["players"] for info in infos} == {3, 4, 5}
    for info in infos:
        assert info["TimeLimit.truncated"] is False
        assert info["terminal_observation"].shape == (FEATURES.size,)
        assert info["episode"]["r"] == pytest.approx(np.clip(info["game"]["margin"] / MARGIN_SCALE, -1, 1))
        assert info["episode"]["l"] > 5
        assert info["episode"]["t"] > 0
        assert (info["game"]["win"] > 0) == (info["game"]["margin"] >= 0)


def test_a_tied_first_place_is_shared() -> None:
    wins = [info["game"] for info in closing_infos(EndeavorVecEnv("Endeavor-v0", 32, players=3, reward="win"), 400)]
    shared = [game["win"] for game in wins if game["margin"] == 0]
    assert shared
    assert set(shared) <= {1 / 2, 1 / 3}
    assert all(game["win"] == (game["margin"] > 0) for game in wins if game["margin"] != 0)


def test_solitaire_games_are_against_the_opposition() -> None:
    for info in closing_infos(solo(4, difficulty=["easier", "harder"], game_choice="draw", reward="margin"), 8):
        assert info["game"]["players"] == 1
        assert info["game"]["win"] == (info["game"]["margin"] >= 0)
        assert info["episode"]["r"] == pytest.approx(np.clip(info["game"]["margin"] / SOLO_MARGIN_SCALE, -1, 1))


def test_an_illegal_action_ends_the_game_without_a_result() -> None:
    env = EndeavorVecEnv("Endeavor-v0", 2, players=3, illegal_reward=-3.0, seed=1)
    env.reset()
    actions = random_actions(env.action_masks(), generator(0))
    actions[1] = np.flatnonzero(~env.action_masks()[1])[0]
    _, rewards, dones, infos = env.step(actions)
    assert rewards.tolist() == [0.0, -3.0]
    assert dones.tolist() == [False, True]
    assert infos[1]["episode"]["r"] == -3.0
    assert (infos[1]["reason"], infos[1]["action"]) == ("illegal_action", int(actions[1]))
    assert "game" not in infos[1]


# --- seeds -----------------------------------------------------------------------------------------------------------
def trajectory(env: EndeavorVecEnv, steps: int = 60) -> list[bytes]:
    rng, out = generator(1), [env.reset().tobytes()]
    for _ in range(steps):
        observations, rewards, dones, _ = env.step(random_actions(env.action_masks(), rng))
        out += [observations.tobytes(), rewards.tobytes(), dones.tobytes()]
    return out


def test_the_same_seed_twice_gives_equal_trajectories_and_counts_for_one_reset() -> None:
    env = EndeavorVecEnv("Endeavor-v0", 5, **MIXED, opponents={"random": 1.0, "greedy": 0.2})
    runs = []
    for seed in (3, 3, 4):
        env.seed(seed)
        runs.append(trajectory(env))
    assert runs[0] == runs[1] != runs[2]
    env.seed(3)
    env.reset()
    assert trajectory(env) != runs[0]


@pytest.mark.parametrize("seed", [-1, 1.5, 2**128, "7", [1, 2], [None, None]])
def test_a_wrong_seed_is_refused_at_once(seed: Any) -> None:
    with pytest.raises(InvalidOptionError, match="seed"):
        EndeavorVecEnv("Endeavor-v0", 2, players=3).seed(seed)


def test_without_a_seed_one_is_drawn() -> None:
    env = EndeavorVecEnv("Endeavor-v0", 2, players=3)
    first, second = env.seed()
    assert first != second
    assert first not in env.seed()


def test_options_are_for_the_next_reset_alone() -> None:
    env = EndeavorVecEnv("Endeavor-v0", 3, players=3)
    env.seed(0)
    env.set_options({"learner_seat": 2})
    env.reset()
    assert [info["seat"] for info in env.reset_infos] == [2, 2, 2]
    assert [info["seed"] for info in env.reset_infos] == spread_seeds(0, 3).tolist()
    env.set_options([{"learner_seat": 1, "first_player": 1}, {}, {"first_player": 2}])
    env.reset()
    assert [info["seat"] for info in env.reset_infos] == [1, 0, 0]
    assert ["seed" in info for info in env.reset_infos] == [False, True, False]
    env.set_options()
    env.reset()
    assert [info["seat"] for info in env.reset_infos] == [0, 0, 0]


@pytest.mark.parametrize("options", [5, "learner_seat", [5, 6], [{}, None], ({}, None), 10**5000], ids=type)
def test_options_that_are_no_dictionaries_are_refused_at_once(options: Any) -> None:
    env = EndeavorVecEnv("Endeavor-v0", 2, players=3)
    with pytest.raises(InvalidOptionError, match="give a dictionary, or a list of 2 of them"):
        env.set_options(options)
    env.reset()


def test_options_that_do_not_fit_are_refused_once() -> None:
    env = EndeavorVecEnv("Endeavor-v0", 2, players=3, seed=1)
    env.reset()
    before = env.action_masks()
    with pytest.raises(InvalidOptionError, match="list of 2"):
        env.set_options([{}])
    for wrong in ({"learner_seat": 3}, {"fly": 1}):
        env.set_options(wrong)
        with pytest.raises(InvalidOptionError):
            env.reset()
        assert np.array_equal(env.action_masks(), before)
    env.reset()


# --- what single environments would answer, and errors ---------------------------------------------------------------
def test_attributes_and_methods() -> None:
    env = EndeavorVecEnv("Endeavor-v0", 3, players=3, seed=1)
    env.reset()
    assert env.has_attr("action_masks")
    assert not env.has_attr("fly")
    assert env.get_attr("render_mode") == [None, None, None]
    assert env.get_attr("render_mode", 1) == [None]
    assert np.array_equal(np.stack(env.env_method("action_masks", indices=[2, 0])), env.action_masks()[[2, 0]])
    assert env.env_is_wrapped(Monitor) == [False, False, False]
    assert env.env_is_wrapped(Monitor, indices=[0]) == [False]
    for refused in (
        lambda: env.env_method("fly"),
        lambda: env.env_method("action_masks", 1),
        lambda: env.get_attr("fly"),
        lambda: env.set_attr("players", 4),
    ):
        with pytest.raises(AttributeError):
            refused()


@pytest.mark.parametrize(
    ("env_id", "options", "message"),
    [
        ("Endeavour-v0", {}, "is unknown: give one of Endeavor-v0, EndeavorSolo-v0, Merchants-v0"),
        (7, {}, "config=7 is not possible: give the config of a game, or a list"),
        ("Endeavor-v0", {"copy": True}, "leave it out"),
        ("Endeavor-v0", {"autoreset_mode": "NEXT_STEP"}, "in the same step"),
        ("Endeavor-v0", {"flat": True}, "flat=True is not possible: the observations are the vectors alone"),
        ("Endeavor-v0", {"mask_dtype": "bool"}, "are bool; leave it out"),
        ("Endeavor-v0", {"observation_key": "observations"}, "the vectors alone, which have no keys; leave it out"),
        ("Endeavor-v0", {"learner_seat": "all"}, "one seat's rewards"),
        ("Endeavor-v0", {"num_envs": 0}, "num_envs"),
        ("Endeavor-v0", {"render_mode": "pixels"}, "render_mode"),
    ],
)
def test_impossible_options_are_refused(env_id: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        EndeavorVecEnv(env_id, **options)


def test_steps_out_of_turn_are_refused_and_change_nothing() -> None:
    env = EndeavorVecEnv("Endeavor-v0", 2, players=3, illegal_action="raise", seed=1)
    with pytest.raises(ResetNeededError):
        env.step(np.zeros(2, np.int64))
    with pytest.raises(ResetNeededError):
        env.action_masks()
    env.reset()
    with pytest.raises(IllegalActionError, match="no actions to play"):
        env.step_wait()
    before = env.action_masks()
    illegal = np.array([np.flatnonzero(~mask)[0] for mask in before])
    with pytest.raises(IllegalActionError, match="illegal"):
        env.step(illegal)
    assert np.array_equal(env.action_masks(), before)
    env.step(random_actions(before, generator(0)))


def test_close_ends_the_environment_and_may_be_called_twice() -> None:
    env = EndeavorVecEnv("Endeavor-v0", 2, players=3)
    env.reset()
    env.close()
    env.close()
    assert env.vector_env.closed


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("import sys, endeavor_env.envs.vector_env; print('stable_baselines3' in sys.modules)", "False"),
        ("import sys; sys.modules['stable_baselines3'] = None; import endeavor_env.sb3", "endeavor-env[train]"),
    ],
    ids=["not imported by the package", "missing"],
)
def test_stable_baselines3_is_needed_by_the_adapter_alone(code: str, printed: str) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert printed in done.stdout + done.stderr
