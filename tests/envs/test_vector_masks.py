"""What a learner is handed: masks of ones where a game has ended, flat observations, masks of bools."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.envs.endeavor import make_endeavor_solo_vector, make_endeavor_vector
from endeavor_env.envs.sampling import generator, sample_action
from endeavor_env.envs.vector_env import GameVectorEnv
from endeavor_env.sb3 import EndeavorVecEnv
from tests.kits.vector import QUICK, random_actions

MODES = tuple(AutoresetMode)
ENDS = ("game_over", "illegal_action", "max_cycles")


def play_to(reason: str, env: GameVectorEnv) -> tuple[Any, np.ndarray, dict[str, Any]]:
    """Play until a game ends in this way; return the observations, which games ended, and their infos."""
    rng = generator(3)
    env.reset(seed=3)
    while True:
        masks = env.action_masks()
        actions = random_actions(masks, rng)
        if reason == "illegal_action":
            actions[1] = masks[1].argmin()
        seen, _, terminated, truncated, infos = env.step(actions)
        ended = terminated | truncated
        if ended.any():
            same = env.autoreset_mode is AutoresetMode.SAME_STEP
            assert set((infos["final_info"] if same else infos)["reason"][ended]) == {reason}
            assert truncated.any() == (reason == "max_cycles")
            return seen, ended, infos


def options_for(reason: str, **options: Any) -> dict[str, Any]:
    """Return options with which games end in this way, soon if possible."""
    return {**QUICK, **options, **({"max_cycles": 30} if reason == "max_cycles" else {})}


@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("reason", ENDS)
@pytest.mark.parametrize("mode", MODES)
def test_the_mask_of_a_game_that_has_ended_is_all_ones(mode: AutoresetMode, reason: str, copy: bool) -> None:
    env = make_endeavor_vector(3, **options_for(reason, autoreset_mode=mode, copy=copy))
    seen, ended, infos = play_to(reason, env)
    if mode is AutoresetMode.SAME_STEP:
        assert all(infos["final_obs"][row]["action_mask"].all() for row in np.flatnonzero(ended))
        assert infos["final_info"]["action_mask"][ended].all()
        assert not seen["action_mask"].all(axis=1).any(), "each row has begun its next game"
        return
    for masks in (seen["action_mask"], infos["action_mask"], env.action_masks()):
        assert masks[ended].all()
        assert not masks[~ended].all(axis=1).any()
    logits = np.where(seen["action_mask"] != 0, 0.0, -np.inf)
    assert np.isfinite(logits).any(axis=1).all(), "a softmax over the legal actions is defined in every row"


@pytest.mark.parametrize("learner_seat", [0, "all"])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED])
def test_whatever_is_drawn_for_a_game_that_has_ended_is_ignored(mode: AutoresetMode, learner_seat: Any) -> None:
    env = make_endeavor_vector(3, **options_for("max_cycles", autoreset_mode=mode, learner_seat=learner_seat))
    _, ended, _ = play_to("max_cycles", env)
    rngs, actions = np.array([seeded(row) for row in range(3)]), np.zeros(3, np.int64)
    assert (env.batch.sample(rngs, actions) >= 0).all()
    assert all(0 <= sample_action(mask, generator(0)) < mask.size for mask in env.action_masks())
    if mode is AutoresetMode.DISABLED:
        env.reset(options={"reset_mask": ended})
        env.batch.sample(rngs, actions)
    _, rewards, terminated, truncated, infos = env.step(actions)
    if mode is AutoresetMode.NEXT_STEP:
        assert (infos["_seed"] == ended).all()
    assert not rewards.any()
    assert not terminated.any()
    assert not truncated[ended].any()


@pytest.mark.parametrize("copy", [True, False])
def test_flat_observations_are_the_vectors_with_the_mask_beside_them(copy: bool) -> None:
    flat = make_endeavor_vector(3, players=3, flat=True, mask_dtype="bool", copy=copy)
    both = make_endeavor_vector(3, players=3)
    assert isinstance(flat.single_observation_space, gymnasium.spaces.Box)
    assert isinstance(flat.observation_space, gymnasium.spaces.Box)
    (seen, infos), (wanted, _) = (env.reset(seed=2) for env in (flat, both))
    for _ in range(4):
        assert flat.observation_space.contains(seen)
        assert np.array_equal(seen, wanted["observation"])
        assert infos["action_mask"].dtype == np.bool_
        assert np.array_equal(infos["action_mask"], wanted["action_mask"] != 0)
        actions = wanted["action_mask"].argmax(axis=1)
        (seen, *_, infos), (wanted, *_) = (env.step(actions) for env in (flat, both))
    again = flat.step(actions)[4]["action_mask"]
    assert np.shares_memory(infos["action_mask"], again) != copy


def test_masks_of_bools_in_the_dictionary_belong_to_the_space() -> None:
    env = make_endeavor_solo_vector(2, observation="compact", mask_dtype="bool")
    seen, _ = env.reset(seed=1)
    assert seen["action_mask"].dtype == np.bool_
    assert env.observation_space.contains(seen)


def test_the_adapter_marks_games_that_were_cut_short() -> None:
    env = EndeavorVecEnv("Endeavor-v0", 4, **QUICK, max_cycles=25, shaping={}, seed=5)
    rng, found = generator(0), []
    env.reset()
    for _ in range(24):
        seen, rewards, dones, infos = env.step(random_actions(env.action_masks(), rng))
        assert env.action_masks().any(axis=1).all()
        for row in np.flatnonzero(dones):
            found.append(infos[row])
            assert infos[row]["terminal_observation"].shape == seen[row].shape
            assert np.isfinite(rewards[row])
    assert len(found) >= 8
    assert all(info["TimeLimit.truncated"] is True and "game" not in info for info in found)
    assert all(set(info) == {"terminal_observation", "TimeLimit.truncated", "episode", "reason"} for info in found)
