"""The infos of the vector environments: names, masks, and what each holds at the end of a game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from endeavor_env.basics.inputs import spread_seeds
from endeavor_env.endeavor.results import ladder_of
from endeavor_env.engine.kernels import turn as kernels
from endeavor_env.envs.endeavor import make_endeavor_solo_vector, make_endeavor_vector
from endeavor_env.envs.sampling import generator
from endeavor_env.envs.vector_env import GameVectorEnv
from endeavor_env.envs.vector_infos import StepArrays, add_ends
from tests.kits.vector import QUICK, random_actions


def names(infos: dict[str, Any]) -> set[str]:
    """Return the names of the infos, each of which has its mask."""
    found = {key for key in infos if not key.startswith("_")}
    assert set(infos) == found | {f"_{key}" for key in found}
    return found


def step_with_an_illegal_action(env: GameVectorEnv, row: int) -> dict[str, Any]:
    """Step with legal actions but for ``row``; return the infos."""
    masks = env.action_masks()
    actions = masks.argmax(axis=1)
    actions[row] = masks[row].argmin()
    return env.step(actions)[-1]


def test_a_running_game_has_its_mask_alone() -> None:
    env = make_endeavor_vector(2, **QUICK)
    seen, infos = env.reset(seed=1)
    assert names(infos) == {"action_mask", "seat", "seed"}
    assert infos["_action_mask"].all()
    assert (infos["action_mask"] == seen["action_mask"]).all()
    seen, *_, infos = env.step(env.action_masks().argmax(axis=1))
    assert names(infos) == {"action_mask"}
    assert (infos["action_mask"] == seen["action_mask"]).all()


def test_the_infos_of_a_partial_reset_are_of_the_games_it_started() -> None:
    env = make_endeavor_vector(3, **QUICK)
    env.reset(seed=1)
    started = np.array([True, False, True])
    _, infos = env.reset(seed=50, options={"reset_mask": started})
    for key in ("action_mask", "seat", "seed"):
        assert (infos[f"_{key}"] == started).all()
    assert infos["seed"].tolist() == (spread_seeds(50, 3) * started).tolist()


def test_next_step_shows_the_end_and_then_the_start() -> None:
    env = make_endeavor_vector(2, **QUICK, learner_seat=1)
    env.reset(seed=1)
    infos = step_with_an_illegal_action(env, 1)
    assert names(infos) == {"action_mask", "seat", "reason", "action"}
    for key in ("seat", "reason", "action"):
        assert infos[f"_{key}"].tolist() == [False, True]
    masks = env.action_masks()
    assert masks[1].all()
    seen, rewards, terminated, _, infos = env.step(masks.argmax(axis=1))
    assert names(infos) == {"action_mask", "seat", "seed"}
    assert infos["_seed"].tolist() == infos["_seat"].tolist() == [False, True]
    assert not terminated.any()
    assert rewards[1] == 0
    assert seen["action_mask"].any(axis=1).all()


def test_same_step_shows_both_at_once() -> None:
    env = make_endeavor_vector(2, **QUICK, learner_seat="rotate", autoreset_mode="SAME_STEP")
    before, _ = env.reset(seed=[3, 4])
    infos = step_with_an_illegal_action(env, 0)
    assert names(infos) == {"action_mask", "seat", "seed", "final_obs", "final_info"}
    assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == [True, False]
    assert infos["final_obs"][1] is None
    assert (infos["final_obs"][0]["observation"] == before["observation"][0]).all()
    assert infos["final_obs"][0]["action_mask"].all()
    closing = infos["final_info"]
    assert names(closing) == {"action_mask", "seat", "reason", "action"}
    assert closing["_action_mask"].tolist() == [True, False]
    assert (closing["seat"][0], infos["seat"][0]) == (0, 1)
    assert infos["action_mask"].any(axis=1).all()


def test_the_infos_of_a_finished_solitaire_game_name_its_rung() -> None:
    env = make_endeavor_solo_vector(2, observation="compact", opposition_ties="first")
    env.reset(seed=3)
    rng, terminated, infos = generator(3), np.zeros(2, bool), {}
    while not terminated.any():
        *_, terminated, _, infos = env.step(random_actions(env.action_masks(), rng))
    assert names(infos) == {
        "action_mask", "seat", "reason", "scores", "winners", "margin", "ladder", "rung", "panache",
    }  # fmt: skip
    row = int(terminated.argmax())
    own, other = infos["scores"][row].tolist()
    assert infos["margin"][row] == own - other
    assert infos["winners"][row].tolist() == [own >= other]
    name, rung, _ = ladder_of(own - other, False)
    assert (infos["ladder"][row], infos["rung"][row]) == (name, rung)


@pytest.mark.parametrize(("level", "owned", "panache"), [(5, 1, True), (5, 0, False), (4, 1, False)])
def test_S8_4_panache_is_a_victory_with_a_building_of_level_5(level: int, owned: int, panache: bool) -> None:
    env = make_endeavor_solo_vector(2, observation="compact")
    env.reset(seed=3)
    rows = np.arange(2)
    kind = int(np.flatnonzero(env.batch.boards[0]["building_level"] == level)[0])
    env.batch.states["buildings"][:, 0] = 0
    env.batch.states["buildings"][:, 0, kind] = owned
    env.batch.status[:] = kernels.OVER
    games, infos = env.batch.close_rows(rows), {}
    games["scores"][:, :2] = [[60, 50], [50, 60]]
    add_ends(infos, StepArrays.fresh(2), games, rows, env.kinds, seat_rewards=False)
    assert infos["panache"].tolist() == [panache, False]
    assert infos["ladder"].tolist() == ["total victory", "defeat"]
