"""What every environment of single games pays alike: at the end, on the way, and for illegal actions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from endeavor_env import endeavor_v0
from endeavor_env.endeavor.rewards import REWARDS, SOLO_REWARDS, margin_scale
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.envs.aec_env import GameAECEnv
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_solo
from endeavor_env.envs.sampling import generator, sample_action
from endeavor_env.errors import GameOverError, IllegalActionError
from tests.kits.envs import (
    KINDS,
    OF_ALL_LEARNERS,
    OF_ONE_OF_EACH,
    ONE_OF_EACH,
    Kind,
    illegal_action,
    play,
    play_aec,
    play_gym,
    position,
    started,
)


def rewards_of(kind: Kind) -> dict[str, Any]:
    """Return the named rewards of the variant."""
    return SOLO_REWARDS if kind.variant == "solo" else REWARDS


@pytest.mark.parametrize(
    ("kind", "name"),
    [pytest.param(KINDS[kind], name, id=f"{kind}-{name}") for kind in ONE_OF_EACH for name in rewards_of(KINDS[kind])],
)
def test_the_reward_of_this_name_is_paid_at_the_end(kind: Kind, name: str) -> None:
    for seed in range(3):
        env = started(kind.make, seed, reward=name)
        if isinstance(env, GameAECEnv):
            play_aec(env, seed)
            paid, rewards = list(env.rewards.values()), rewards_of(kind)[name](env.game().scores())
            assert env.rewards == pytest.approx(env._cumulative_rewards)
        else:
            steps = play_gym(env, seed)
            assert {reward for _, reward, *_ in steps[:-1]} == {0.0}
            paid, rewards = [steps[-1][1]], rewards_of(kind)[name](env.game().scores())[:1]
        assert paid == pytest.approx(rewards)


@OF_ONE_OF_EACH
def test_a_function_of_all_scores_is_a_reward(kind: Kind) -> None:
    def reward(scores: list[int]) -> list[float]:
        return [scores[seat] * 1000.0 + scores[-1] for seat in range(kind.players)]

    env = started(kind.make, reward=reward)
    steps = play(env, 1)
    expected = reward(env.game().scores())
    assert list(env.rewards.values()) == expected if isinstance(env, GameAECEnv) else steps[-1][1] == expected[0]


@pytest.mark.parametrize("gamma", [1.0, 0.9])
@OF_ALL_LEARNERS
def test_a_shaping_term_is_gamma_phi_next_minus_phi_now(kind: Kind, gamma: float) -> None:
    """The potential of a finished game is 0, so with gamma 1 the terms add up to -phi of the first decision."""
    env, rng = started(kind.make, 4, shaping={"gamma": gamma, "weight": 2.0}), generator(4)

    def phi() -> float:
        own, *others = env.game().scores()
        return 2.0 * (own - max(others)) / margin_scale(kind.variant)

    before, paid, terminated = phi(), 0, False
    while not terminated:
        _, reward, terminated, _, _ = env.step(sample_action(env.action_masks(), rng))
        after = 0.0 if terminated else phi()
        final = (
            rewards_of(kind)["margin" if kind.variant == "solo" else "win"](env.game().scores())[0]
            if terminated
            else 0.0
        )
        assert reward == pytest.approx(gamma * after - before + final)
        before = after
        paid += reward != 0.0
    assert paid > 5


# --- illegal actions ------------------------------------------------------------------------------------------------


@OF_ONE_OF_EACH
def test_an_illegal_action_ends_the_game_by_default(kind: Kind) -> None:
    env = started(kind.make, illegal_reward=-3)
    play(env, 3, limit=12)
    before, action = position(env.game()), illegal_action(env)
    if isinstance(env, GameAECEnv):
        agent = env.agent_selection
        env.step(action)
        assert env.rewards == {other: -3.0 if other == agent else 0.0 for other in env.possible_agents}
        assert all(env.terminations.values())
        assert not any(env.truncations.values())
        for other in env.possible_agents:
            assert env.observe(other)["action_mask"].all()
            assert env.infos[other]["action_mask"].all()
        info = env.result() or {}
        assert (info["reason"], info["agent"], info["action"]) == ("illegal_action", agent, action)
        assert [other for other in env.agent_iter() if env.step(None) is None] == env.possible_agents
    else:
        seen, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated) == (-3.0, True, False)
        assert (info["reason"], info["action"], info["seat"]) == ("illegal_action", action, 0)
        assert env.observation_space.contains(seen)
        assert seen["action_mask"].all()
        assert not info.keys() & {"scores", "winners", "rung"}
    assert " legal move" in info["message"]
    assert env.action_masks().all()
    assert position(env.game()) == before
    with pytest.raises(GameOverError, match=r"call reset\(\)"):
        env.step(0)
    env.reset(seed=1)
    play(env, 1)
    assert env.game().over


@OF_ONE_OF_EACH
def test_illegal_actions_can_be_made_to_raise(kind: Kind) -> None:
    env = started(kind.make, illegal_action="raise")
    before, action = position(env.game()), illegal_action(env)
    with pytest.raises(IllegalActionError, match=rf"action {action} .* legal moves"):
        env.step(action)
    with pytest.raises(
        IllegalActionError, match=rf"is no action id: those are .* 0\.\.{num_actions(kind.variant) - 1}\b"
    ):
        env.step(num_actions(kind.variant))
    assert position(env.game()) == before
    play(env, 1)
    assert env.game().over


@pytest.mark.parametrize("make", [make_endeavor, make_endeavor_solo])
def test_the_reward_of_an_illegal_action_closes_the_shaping(make: Any) -> None:
    env = started(make, illegal_reward=-5, shaping={})
    play_gym(env, 3, limit=12)
    own, *others = env.game().scores()
    potential = (own - max(others)) / margin_scale("solo" if make is make_endeavor_solo else "standard")
    assert potential != 0
    assert env.step(illegal_action(env))[1] == pytest.approx(-5 - potential)


@pytest.mark.parametrize("action_type", [int, np.int64, np.int8, np.uint16, np.array])
@pytest.mark.parametrize("make", [endeavor_v0.env, make_endeavor, make_endeavor_solo])
def test_whole_numbers_of_any_kind_are_actions(make: Any, action_type: Any) -> None:
    env, other = started(make), started(make)
    action = int(env.action_masks().argmax())
    env.step(action_type(action))
    other.step(action)
    assert position(env.game()) == position(other.game())
