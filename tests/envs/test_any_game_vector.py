"""The vector environment of any game on the engine agrees with single ones, with the toy game, dice and all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from endeavor_env.engine.kernels import single
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.envs.vector_env import GameVectorEnv
from tests.kits.ids import readable
from tests.kits.toy_envs import SETUP, TOY
from tests.kits.vector import assert_same_resets, assert_same_steps
from tests.toy_game.rules import ROLL, ROUNDS

NEXT, SAME, DISABLED = AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED
CASES: list[tuple[AutoresetMode, dict[str, Any]]] = [
    (NEXT, {"learner_seat": 1, "reward": "rank", "shaping": {"gamma": 0.9, "weight": 2.0}}),
    (SAME, {"learner_seat": "rotate", "reward": "margin", "observation": "compact"}),
    (DISABLED, {"learner_seat": 2, "reward": "win_zero_sum", "mask_dtype": "bool"}),
    (NEXT, {"learner_seat": "rotate", "max_cycles": 8, "shaping": {"gamma": 0.9}}),
    (SAME, {"reward": lambda scores: [score / 7 for score in scores]}),
]


def pair(mode: AutoresetMode, num_envs: int, **options: Any) -> tuple[GameVectorEnv, SyncVectorEnv]:
    """Return a native vector environment and Gymnasium's, over single environments with the same options."""
    theirs = SyncVectorEnv([lambda: GameEnv(TOY, **options)] * num_envs, autoreset_mode=mode)
    return GameVectorEnv(num_envs, config=TOY, autoreset_mode=mode, **options), theirs


@pytest.mark.parametrize(("mode", "options"), CASES, ids=readable)
def test_games_agree_step_by_step(mode: AutoresetMode, options: dict[str, Any]) -> None:
    ours, theirs = pair(mode, 3, **options)
    rng, ends = seeded(7), np.zeros(3, int)
    masks = assert_same_resets(ours, theirs, seed=41)
    for _ in range(6 * ROUNDS):
        actions = [int(single.choose(mask.view(np.int8), rng)) for mask in masks]
        masks, ended = assert_same_steps(ours, theirs, np.array(actions))
        ends += ended
        if mode is DISABLED and ended.any():
            masks = assert_same_resets(ours, theirs, options={"reset_mask": ended})
    assert (ends >= 4).all()


def test_games_of_a_setup_have_the_dice_of_their_seeds() -> None:
    seeds, options = [4, 5, 1 << 60], {"setup": SETUP}
    ours, singles = GameVectorEnv(3, config=TOY), [GameEnv(TOY) for _ in seeds]
    seen, infos = ours.reset(seed=seeds, options=options)
    alone = [env.reset(seed=seed, options=options) for env, seed in zip(singles, seeds, strict=True)]
    assert "seed" not in infos
    assert not any("seed" in info for _, info in alone)  # the dice follow from it
    for _ in range(ROUNDS):
        assert seen["observation"].tolist() == [one[0]["observation"].tolist() for one in alone]
        seen, *_, infos = ours.step(np.full(3, ROLL))
        alone = [env.step(ROLL) for env in singles]
    assert infos["scores"].tolist() == [env.game().scores() for env in singles]
    assert len({tuple(env.game().scores()) for env in singles}) == 3
