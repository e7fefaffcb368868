"""Copies of an environment in the middle of a game go on with that game; they neither restart nor share it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import pytest

from endeavor_env import endeavor_v0
from endeavor_env.board import Board
from endeavor_env.envs.gym_env import EndeavorEnv
from tests.kits.envs import play_aec, play_gym, position

COPIERS: list[Callable[[Any], Any]] = [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]
IDS = ["deepcopy", "pickle"]


@pytest.mark.parametrize("make_copy", COPIERS, ids=IDS)
@pytest.mark.parametrize("options", [{}, {"players": 3, "shaping": {"gamma": 0.9}, "board": "generated_3"}], ids=str)
def test_an_aec_copy_goes_on_with_the_same_game(make_copy, options) -> None:
    env = endeavor_v0.env(**options)
    env.reset(seed=3)
    play_aec(env, 1, limit=50)
    other = make_copy(env)
    assert position(other.game()) == position(env.game())
    assert other.agent_selection == env.agent_selection
    before = position(env.game())
    actions = play_aec(other, 2)
    assert position(env.game()) == before
    assert play_aec(env, 2) == actions
    assert position(other.game()) == position(env.game())
    assert (other.rewards, other._cumulative_rewards, other.infos) == (env.rewards, env._cumulative_rewards, env.infos)
    env.reset()
    other.reset()
    assert position(other.game()) == position(env.game())


@pytest.mark.parametrize("make_copy", COPIERS, ids=IDS)
@pytest.mark.parametrize("options", [{}, {"players": 3, "shaping": {}, "learner_seat": "rotate"}], ids=str)
def test_a_gym_copy_goes_on_with_the_same_game_and_opponents(make_copy, options) -> None:
    env = EndeavorEnv(**options)
    env.reset(seed=3)
    play_gym(env, 1, limit=12)
    other = make_copy(env)
    before = position(env.game())
    steps = play_gym(other, 2)
    assert position(env.game()) == before
    assert play_gym(env, 2) == steps
    assert position(other.game()) == position(env.game())
    first, second = env.reset(), other.reset()
    assert (first[0]["observation"] == second[0]["observation"]).all()
    assert first[1]["seed"] == second[1]["seed"]


@pytest.mark.parametrize("make_copy", COPIERS, ids=IDS)
def test_copies_through_make(make_copy) -> None:
    env = gymnasium.make("Endeavor-v0")
    env.reset(seed=1)
    other = make_copy(env)
    action = int(env.get_wrapper_attr("action_masks")().argmax())
    assert (env.step(action)[0]["observation"] == other.step(action)[0]["observation"]).all()


@pytest.mark.parametrize("make_copy", COPIERS, ids=IDS)
def test_copies_before_the_first_reset(make_copy) -> None:
    aec, env = make_copy(endeavor_v0.env(seed=4)), make_copy(EndeavorEnv(seed=4))
    aec.reset()
    env.reset()
    assert aec.game().setup() == env.game().setup()


def test_a_deepcopy_shares_the_board() -> None:
    env = EndeavorEnv()
    env.reset(seed=1)
    assert copy.deepcopy(env).game().board is Board.default()
