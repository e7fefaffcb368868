"""The environments of Merchants of Europe: the libraries' checks, and the same games as in words."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env

import endeavor_env
from endeavor_env import merchants_v0
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.envs.merchants import make_merchants
from endeavor_env.errors import InvalidOptionError
from endeavor_env.merchants.rules.actions import NUM_ACTIONS
from endeavor_env.search import Positions
from tests.kits.envs import DICT_WARNINGS

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of the package of the tests itself
    from pettingzoo.test import api_test, parallel_api_test, seed_test

pytestmark = [pytest.mark.filterwarnings(message) for message in DICT_WARNINGS]
SHORT: dict[str, Any] = {"max_rolls": 12}


def test_the_environments_are_registered() -> None:
    env = gymnasium.make("Merchants-v0", players=3, **SHORT)
    assert isinstance(env.unwrapped, GameEnv)
    assert env.action_space == gymnasium.spaces.Discrete(NUM_ACTIONS)
    assert "endeavor/merchants-v0" in pettingzoo.aec_registry
    assert endeavor_env.merchants_v0 is merchants_v0


def test_the_libraries_find_nothing_wrong() -> None:
    check_env(make_merchants(**SHORT), skip_render_check=True)  # type: ignore[arg-type]
    api_test(merchants_v0.env(**SHORT), num_cycles=200)
    seed_test(lambda: merchants_v0.env(**SHORT))
    parallel_api_test(merchants_v0.parallel_env(**SHORT), num_cycles=100)


def test_what_an_agent_is_shown_does_not_change_when_hidden_cards_do() -> None:
    env = merchants_v0.env(max_rolls=60)
    env.reset(seed=2)
    draw, changed = np.random.default_rng(2), 0
    for number, agent in enumerate(env.agent_iter(600)):
        seen, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            break
        assert seen is not None
        seat, state = env.possible_agents.index(agent), env._table.game.state
        before = state.copy()
        position = Positions(env.game().config, state.copy())
        position.resample(seat, number)
        state[:] = position.states
        changed += state.tobytes() != before.tobytes()
        again = env.observe(agent)
        assert np.array_equal(again["observation"], seen["observation"])
        assert np.array_equal(again["action_mask"], info["action_mask"])
        state[:] = before
        env.step(int(draw.choice(np.flatnonzero(seen["action_mask"]))))
    assert changed > 20


def test_what_is_not_possible_is_said() -> None:
    with pytest.raises(InvalidOptionError, match="opponent 'nobody'"):
        make_merchants(opponents="nobody")
    with pytest.raises(InvalidOptionError, match="render_mode='picture' is not possible"):
        make_merchants(render_mode="picture")
    with pytest.raises(InvalidOptionError, match="reset has no option 'first_player'"):
        make_merchants().reset(options={"first_player": 0})


def test_no_info_names_the_seed_from_which_dice_and_hands_follow() -> None:
    single: Any = gymnasium.make("Merchants-v0", **SHORT)
    many: Any = gymnasium.make_vec("Merchants-v0", num_envs=2, **SHORT)
    _, info = single.reset(seed=4)
    over = False
    while not over:
        assert "seed" not in info
        _, _, ended, cut, info = single.step(int(np.flatnonzero(single.unwrapped.action_masks())[0]))
        over = ended or cut
    assert "seed" not in info
    seen, infos = many.reset(seed=4)
    for _ in range(300):
        assert "seed" not in infos
        seen, _, _, _, infos = many.step(seen["action_mask"].argmax(axis=1))
    assert single.unwrapped.game().seed is None


def test_a_copy_of_the_game_in_play_does_not_foresee_it() -> None:
    env, differ = make_merchants(players=3), 0
    for seed in range(20):
        env.reset(seed=seed)
        copies = [env.game() for _ in range(3)]
        for game in copies:
            while game.seat != 0 or len(game.history) < 60:
                game.apply(game.legal_actions()[0])
        differ += len({tuple(game.history) for game in copies}) == 3
    assert differ == 20
