"""Vector and single environments agree move for move, across the ends of games and in every autoreset mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from endeavor_env.basics.inputs import spread_seeds
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.envs.sampling import generator
from endeavor_env.kernels.kernels import JIT_DISABLED
from endeavor_env.merchants.game import MerchantsConfig
from tests.kits.ids import readable
from tests.kits.toy_envs import TOY
from tests.kits.vector import QUICK, assert_same_resets, assert_same_steps, pair, random_actions

NEXT, SAME, DISABLED = AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED
MERCHANTS = MerchantsConfig(3, "expert", max_rolls=8)
COMPACT: dict[str, Any] = {"observation": "compact"}

CASES: list[tuple[AutoresetMode, dict[str, Any]]] = [
    (NEXT, {"players": 3, "learner_seat": 1, "reward": "rank", "shaping": {"gamma": 0.97, "weight": 2.0}}),
    (SAME, {**COMPACT, "players": 4, "learner_seat": "rotate", "reward": "margin", "shaping": {}}),
    (DISABLED, {**COMPACT, "players": 5, "learner_seat": 4, "reward": "win_zero_sum"}),
    (NEXT, {**COMPACT, "variant": "soloplay_2", "learner_seat": "rotate", "shaping": {"gamma": 0.9}}),
    (SAME, {"variant": "soloplay_2", "options": {"variant_removed_spaces_stay": True}, "reward": "margin"}),
    (DISABLED, {**COMPACT, "variant": "soloplay_3"}),
    (SAME, {**COMPACT, "variant": "neutral_2", "reward": lambda scores: [score / 7 for score in scores]}),
    (NEXT, {"exploits": "random", "learner_seat": "rotate", "reward": "margin", "shaping": {"gamma": 0.9}}),
    (SAME, {**COMPACT, "exploits": "random", "players": 3, "learner_seat": 2, "reward": "rank"}),
    (SAME, {"exploits": ["voc", "marque", "railroad"], "players": 5, "options": {"exploit_discs": 30}}),
    (DISABLED, {**COMPACT, "exploits": list(c.EXPLOIT_NAMES), "options": {"value1_bonus": True}}),
    (NEXT, {**COMPACT, "solo": True, "reward": "ladder", "shaping": {"weight": 3.0}}),
    (SAME, {"solo": True, "difficulty": "harder", "opposition_ties": "first", "reward": "margin"}),
    (DISABLED, {**COMPACT, "solo": True, "difficulty": "easier", "solo_ignore_industry": True}),
    *(
        (mode, {**QUICK, "flat": flat, "mask_dtype": dtype, "max_cycles": 40, "shaping": {"gamma": 0.9}})
        for mode, flat, dtype in ((NEXT, True, "bool"), (SAME, True, "int8"), (DISABLED, False, "bool"))
    ),
    (NEXT, {"config": TOY, "learner_seat": 1, "reward": "rank", "shaping": {"gamma": 0.9, "weight": 2.0}}),
    (SAME, {**COMPACT, "config": TOY, "learner_seat": "rotate", "reward": "margin"}),
    (DISABLED, {"config": TOY, "learner_seat": 2, "reward": "win_zero_sum", "mask_dtype": "bool"}),
    (NEXT, {"config": TOY, "learner_seat": "rotate", "max_cycles": 8, "shaping": {"gamma": 0.9}}),
    (SAME, {"config": TOY, "reward": lambda scores: [score / 7 for score in scores]}),
    (NEXT, {"config": MERCHANTS, "learner_seat": 1, "reward": "margin", "shaping": {"gamma": 0.9}}),
    (SAME, {**COMPACT, "config": MERCHANTS, "learner_seat": "rotate", "max_cycles": 60}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "options"), CASES, ids=readable)
def test_whole_games_agree_step_by_step(mode: AutoresetMode, options: dict[str, Any]) -> None:
    ours, theirs = pair(mode, 2, **options)
    rng, ends = generator(7), np.zeros(2, int)
    masks = assert_same_resets(ours, theirs, seed=41)
    after = 0
    while after < 4:  # decisions after both games have ended by the rules
        masks, terminated = assert_same_steps(ours, theirs, random_actions(masks, rng))
        ends += terminated
        after += bool((ends >= 1).all())
        if mode is DISABLED and terminated.any():
            masks = assert_same_resets(ours, theirs, options={"reset_mask": terminated})


@pytest.mark.parametrize("mode", [NEXT, SAME, DISABLED])
@pytest.mark.parametrize("learner_seat", [2, "rotate"])
def test_many_short_games_agree(mode: AutoresetMode, learner_seat: int | str) -> None:
    """Illegal actions end games early, so that many follow each other, at different times."""
    ours, theirs = pair(mode, 3, **QUICK, learner_seat=learner_seat, shaping={"gamma": 0.9}, illegal_reward=-2)
    masks = assert_same_resets(ours, theirs, seed=[900, 5, 2**60])
    rng, ends = generator(1), np.zeros(3, int)
    for step in range(12):
        actions = random_actions(masks, rng)
        losing = (step + np.arange(3)) % 4 == 3
        actions[losing] = masks[losing].argmin(axis=1)
        masks, terminated = assert_same_steps(ours, theirs, actions)
        assert mode is not SAME or masks.any(axis=1).all()
        ends += terminated
        if mode is DISABLED and terminated.any():
            masks = assert_same_resets(ours, theirs, options={"reset_mask": terminated})
    assert (ends >= 2).all()


def test_resets_without_seeds_and_of_some_games_agree() -> None:
    ours, theirs = pair(NEXT, 3, **QUICK, learner_seat="rotate")
    rng = generator(3)
    masks = assert_same_resets(ours, theirs, seed=8)
    for reset in (
        {},
        {"seed": [None, 4, None]},
        {"options": {"reset_mask": np.array([True, False, True])}},
        {"seed": 77, "options": {"reset_mask": np.array([False, False, True])}},
        {"seed": [1, 2, None], "options": {"reset_mask": np.array([False, True, True])}},
        {"options": {}},
    ):
        for _ in range(3):
            masks, _ = assert_same_steps(ours, theirs, random_actions(masks, rng))
        masks = assert_same_resets(ours, theirs, **reset)


def test_a_game_that_was_reset_after_its_end_does_not_restart_in_the_next_step() -> None:
    ours, theirs = pair(NEXT, 2, **QUICK)
    masks = assert_same_resets(ours, theirs, seed=3)
    assert_same_steps(ours, theirs, masks.argmin(axis=1))
    masks = assert_same_resets(ours, theirs, options={"reset_mask": np.array([False, True])})
    _, terminated = assert_same_steps(ours, theirs, masks.argmax(axis=1))
    assert not terminated.any()


def test_games_with_functions_for_opponents_agree() -> None:
    def first_legal(observation: dict[str, np.ndarray]) -> np.int64:
        return observation["action_mask"].argmax()

    def first_legal_of_all(_observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)

    for learner_seat in (1, "rotate"):
        ours, theirs = pair(
            SAME,
            2,
            **QUICK,
            learner_seat=learner_seat,
            opponents=["random", first_legal],
            batch_opponents=["random", first_legal_of_all],
        )
        masks, rng = assert_same_resets(ours, theirs, seed=6), generator(6)
        for _ in range(15):
            masks, _ = assert_same_steps(ours, theirs, random_actions(masks, rng))


TABLES: list[dict[str, Any]] = [
    *({"players": players, "learner_seat": "rotate"} for players in (3, 4, 5)),
    *({"variant": variant, "learner_seat": "rotate"} for variant in ("soloplay_2", "soloplay_3", "neutral_2")),
    *({"exploits": exploits, "learner_seat": "rotate"} for exploits in ("random", list(c.EXPLOIT_NAMES))),
    {"solo": True},
]
ROWS, GAMES = (2, 2) if JIT_DISABLED else (50, 1430)  # of each table; together more than 10,000


@pytest.mark.slow
@pytest.mark.parametrize("options", TABLES, ids=readable)
def test_ten_thousand_games_agree(options: dict[str, Any]) -> None:
    ours, theirs = pair(SAME, ROWS, **COMPACT, **options)
    rngs = np.array([seeded(row) for row in range(ROWS)])
    actions, ends = np.zeros(ROWS, np.int64), 0
    seen, _ = ours.reset(seed=1)
    for seed, env in zip(spread_seeds(1, ROWS).tolist(), theirs.envs, strict=True):
        env.reset(seed=seed)
    while ends < GAMES:
        ours.batch.sample(rngs, actions)
        seen, rewards, terminated, _, infos = ours.step(actions)
        for row, env in enumerate(theirs.envs):
            there, reward, over, _, _ = env.step(actions[row])
            assert (reward, over) == (rewards[row], terminated[row])
            if over:
                assert there["observation"].tobytes() == infos["final_obs"][row]["observation"].tobytes()
                there, _ = env.reset()
                ends += 1
            assert there["observation"].tobytes() == seen["observation"][row].tobytes()
            assert there["action_mask"].tobytes() == seen["action_mask"][row].tobytes()
