"""The Stable-Baselines3 adapter with other games than Endeavor: the toy game, and Merchants of Europe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from sb3_contrib import MaskablePPO

from endeavor_env.envs.merchants import make_merchants_vector
from endeavor_env.envs.sampling import generator
from endeavor_env.envs.vector_env import GameVectorEnv
from endeavor_env.errors import InvalidOptionError
from endeavor_env.sb3 import EndeavorVecEnv
from tests.kits.toy_envs import TOY
from tests.kits.vector import random_actions

SHORT: dict[str, Any] = {"max_rolls": 12}
GAMES = {
    "toy": (lambda **given: EndeavorVecEnv(TOY, 3, **given), lambda **given: GameVectorEnv(3, config=TOY, **given)),
    "merchants": (
        lambda **given: EndeavorVecEnv("Merchants-v0", 3, **SHORT, **given),
        lambda **given: make_merchants_vector(3, **SHORT, **given),
    ),
}


@pytest.mark.parametrize("name", GAMES)
def test_it_plays_the_games_of_the_vector_environment(name: str) -> None:
    make: tuple[Callable[..., EndeavorVecEnv], Callable[..., GameVectorEnv]] = GAMES[name]
    options: dict[str, Any] = {"learner_seat": "rotate", "reward": "margin", "seed": 5}
    ours, theirs = make[0](**options), make[1](autoreset_mode=AutoresetMode.SAME_STEP, **options)
    rng, ended = generator(5), 0
    seen, infos_there = theirs.reset()
    assert np.array_equal(ours.reset(), seen["observation"])
    assert [info["seat"] for info in ours.reset_infos] == infos_there["seat"].tolist()
    while ended < 6:
        actions = random_actions(ours.action_masks(), rng)
        observations, rewards, dones, infos = ours.step(actions)
        seen, paid, terminated, _, infos_there = theirs.step(actions)
        assert np.array_equal(observations, seen["observation"])
        assert np.array_equal(rewards, paid.astype(np.float32))
        assert np.array_equal(dones, terminated)
        for row in np.flatnonzero(dones):
            final, game = infos_there["final_info"], infos[row]["game"]
            scores = final["scores"][row][: game["players"]].tolist()
            own = scores.pop(int(final["seat"][row]))
            assert (game["score"], game["margin"]) == (own, own - max(scores))
            assert (game["win"] > 0) == bool(final["winners"][row][final["seat"][row]])
        ended += int(dones.sum())


@pytest.mark.parametrize("name", GAMES)
def test_maskable_ppo_learns(name: str) -> None:
    model = MaskablePPO(
        "MlpPolicy",
        GAMES[name][0](seed=1),
        n_steps=16,
        batch_size=16,
        n_epochs=1,
        policy_kwargs={"net_arch": [8]},
        device="cpu",
        seed=0,
    )
    before = {name: value.clone() for name, value in model.policy.state_dict().items()}
    model.learn(96)
    assert model.num_timesteps == 96
    assert any((value != before[name]).any() for name, value in model.policy.state_dict().items())


def test_games_of_several_kinds_are_drawn() -> None:
    env = EndeavorVecEnv([TOY, TOY], 4, game_choice="draw", learner_seat=1, seed=2)
    env.reset()
    assert [info["seat"] for info in env.reset_infos] == [1] * 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"flat": True}, "leave it out"),
        ({"learner_seat": "all"}, "one seat's rewards"),
        ({"opponents": "value"}, "value"),
        ({"render_mode": "rgb_array"}, "render_mode"),
    ],
)
def test_impossible_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        EndeavorVecEnv(TOY, 2, **options)
