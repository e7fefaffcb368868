"""No illegal action pays more than playing on, whatever the variant and the reward."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from endeavor_env.endeavor.rewards import REWARDS, SOLO_REWARDS
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_solo
from endeavor_env.envs.sampling import generator, sample_action
from tests.kits.envs import OF_ALL_LEARNERS, Kind, illegal_action, play, started

ILLEGAL_REWARD = -1.0
"""The default of every environment."""
scores = st.lists(st.integers(-1000, 1000), min_size=2, max_size=5)


@given(scores, st.sampled_from(sorted(REWARDS)))
def test_no_named_reward_is_below_the_one_of_an_illegal_action(scores: list[int], name: str) -> None:
    assert all(ILLEGAL_REWARD <= reward <= 1 for reward in REWARDS[name](scores))


@given(st.tuples(st.integers(-1000, 1000), st.integers(-1000, 1000)), st.sampled_from(sorted(SOLO_REWARDS)))
def test_no_named_reward_of_a_solitaire_game_is_below_it(scores: tuple[int, int], name: str) -> None:
    assert ILLEGAL_REWARD <= SOLO_REWARDS[name](scores)[0] <= 1


@OF_ALL_LEARNERS
def test_playing_on_at_random_pays_at_least_as_much_as_giving_up_at_any_moment(kind: Kind) -> None:
    """With every reward, and with shaping, whose terms cancel out over a game."""
    names = SOLO_REWARDS if kind.variant == "solo" else REWARDS
    options: list[dict[str, Any]] = [{"reward": name} for name in names]
    options.append({"reward": "margin", "shaping": {"gamma": 1.0}})
    for chosen in options:
        for seed in range(6):
            env = started(kind.make, seed, **chosen)
            played = sum(step[1] for step in play(env, seed))
            env.reset(seed=seed)
            given_up = sum(step[1] for step in play(env, seed, limit=seed))
            given_up += env.step(illegal_action(env))[1]
            assert given_up <= played + 1e-9


def test_the_default_reward_of_a_solitaire_game_tells_random_games_apart() -> None:
    """A beginner loses every game, and still learns from each how badly."""
    env, rng, rewards = make_endeavor_solo(), generator(0), []
    for seed in range(40):
        seen, _ = env.reset(seed=seed)
        terminated = False
        while not terminated:
            seen, reward, terminated, _, info = env.step(sample_action(seen["action_mask"], rng))
            assert (reward != 0) is terminated
        assert not info["winners"].any()
        rewards.append(reward)
    assert len(set(rewards)) > 10
    assert np.mean(rewards) > ILLEGAL_REWARD + 0.2
    assert np.std(rewards) > 0.03


def test_a_reward_function_that_pays_less_than_a_forfeit_is_warned_of() -> None:
    def in_glory(scores: list[int]) -> list[float]:
        return [float(score - max(scores)) for score in scores]

    env = started(make_endeavor, reward=in_glory)
    with pytest.warns(UserWarning, match=r"paid a seat less than illegal_reward=-1\.0: ending games by illegal"):
        play(env, 1)
    choices: list[dict[str, Any]] = [{"illegal_reward": -1000}, {"illegal_action": "raise"}]
    for fine in choices:
        play(started(make_endeavor, reward=in_glory, **fine), 1)
