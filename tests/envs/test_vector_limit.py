"""``max_cycles`` of the vector environments: every game ends, whoever plays, and one that is cut short says so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from endeavor_env.basics.inputs import spread_seeds
from endeavor_env.endeavor.game import Game
from endeavor_env.envs.endeavor import make_endeavor_vector
from endeavor_env.envs.sampling import generator
from tests.kits.ids import readable
from tests.kits.vector import QUICK, random_actions


def first_legal(_observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return masks.argmax(axis=1)


OPPONENTS: list[Any] = ["random", "greedy", "automa", first_legal, ["greedy", first_legal], {"random": 1, "automa": 1}]


@pytest.mark.parametrize("opponents", OPPONENTS, ids=readable)
def test_no_game_makes_more_decisions_than_the_limit(opponents: Any) -> None:
    env, rng = make_endeavor_vector(6, **QUICK, opponents=opponents, learner_seat="rotate", max_cycles=11), generator(1)
    env.reset(seed=1)
    cut = 0
    for _ in range(12):
        _, rewards, terminated, truncated, infos = env.step(random_actions(env.action_masks(), rng))
        made = env.batch.tables["decisions"]
        assert (made <= 11).all()
        assert (made[truncated] == 11).all()
        assert not terminated.any()
        assert not rewards.any()
        assert "reason" not in infos or set(infos["reason"][truncated]) == {"max_cycles"}
        cut += int(truncated.sum())
    assert cut >= 6


@pytest.mark.parametrize("variant", ["standard", "soloplay_2", "soloplay_3", "neutral_2", "exploits"])
def test_with_the_lowest_limit_every_game_still_comes_to_the_learners_first_decision(variant: str) -> None:
    env = make_endeavor_vector(200, variant=variant, learner_seat="rotate", observation="compact", max_cycles=5)
    seen, _ = env.reset(seed=0)
    rng = generator(0)
    for _ in range(8):
        assert not seen["action_mask"][env.batch.tables["decisions"] < 5].all(axis=1).any()
        seen, *_, truncated, infos = env.step(random_actions(seen["action_mask"], rng))
        assert not seen["action_mask"][infos.get("_seed", np.zeros(200, bool))].all(axis=1).any()
        assert (seen["action_mask"].all(axis=1) == truncated).all()


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_a_cut_game_pays_nothing_and_has_the_scores_of_its_position(mode: AutoresetMode) -> None:
    env = make_endeavor_vector(2, **QUICK, learner_seat="all", reward="rank", max_cycles=33, autoreset_mode=mode)
    seen, _ = env.reset(seed=4)
    games, rng = [Game.new(3, seed=seed) for seed in spread_seeds(4, 2).tolist()], generator(4)
    for made in range(1, 34):
        actions = random_actions(seen["action_mask"], rng)
        for game, action in zip(games, actions.tolist(), strict=True):
            game.apply(action)
        seen, rewards, terminated, truncated, infos = env.step(actions)
        assert truncated.tolist() == [made == 33] * 2
        assert not terminated.any()
        assert not rewards.any()
    closing = infos["final_info"] if mode is AutoresetMode.SAME_STEP else infos
    for row, game in enumerate(games):
        assert closing["scores"][row].tolist() == game.scores()
        assert np.flatnonzero(closing["winners"][row]).tolist() == game.winners()
        assert closing["seat"][row] == game.seat
        assert closing["seat_rewards"][row].tolist() == [0.0, 0.0, 0.0]


def test_a_game_that_is_over_with_its_last_allowed_decision_is_not_cut() -> None:
    def last_step(limit: int) -> tuple[bool, bool, int]:
        env, rng = make_endeavor_vector(1, **QUICK, learner_seat="all", reward="rank", max_cycles=limit), generator(8)
        env.reset(seed=8)
        while True:
            _, _, terminated, truncated, _ = env.step(random_actions(env.action_masks(), rng))
            if terminated[0] or truncated[0]:
                return bool(terminated[0]), bool(truncated[0]), int(env.batch.tables["decisions"][0])

    terminated, truncated, length = last_step(2**63 - 1)
    assert (terminated, truncated) == (True, False)
    assert last_step(length) == (True, False, length)
    assert last_step(length - 1) == (False, True, length - 1)
