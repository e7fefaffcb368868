"""Games that end before the learner's first decision: a reset, and a restart of a row, draws the next one."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from endeavor_env.errors import InvalidOptionError
from endeavor_env.merchants_v0 import env as aec_env
from endeavor_env.merchants_v0 import parallel_env
from endeavor_env.sb3 import EndeavorVecEnv

SHORT: list[dict[str, Any]] = [
    {"max_rolls": 1, "start": "fixed"},
    {"max_rolls": 2, "start": "fixed", "trade": "none", "players": 3},
    {"max_cycles": 5, "start": "fixed"},
    {"max_cycles": 5, "start": "fixed", "trade": "none", "learner_seat": 3},
    {"max_rolls": 1, "start": "fixed", "learner_seat": "rotate", "opponents": "planner"},
]


def opponent(observation: Any, mask: Any = None) -> Any:
    """Return the last legal action, of one game or of many."""
    masks = observation["action_mask"] if mask is None else mask
    size = masks.shape[-1]
    found = size - 1 - np.argmax(masks[..., ::-1], axis=-1)
    return int(found) if masks.ndim == 1 else found


@pytest.mark.parametrize("options", SHORT)
def test_every_episode_asks_for_a_decision(options: dict[str, Any]) -> None:
    env = gymnasium.make("Merchants-v0", **options)
    for seed in range(40):
        observation, info = env.reset(seed=seed if seed % 2 else None)
        assert not env.unwrapped.game().over  # type: ignore[attr-defined]
        mask = observation["action_mask"]
        assert 0 < mask.sum() < mask.size
        assert (info["action_mask"] == mask).all()
        finished = False
        while not finished:
            observation, _, terminated, truncated, _ = env.step(int(observation["action_mask"].argmax()))
            finished = terminated or truncated


@pytest.mark.parametrize("options", SHORT)
@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("asks", [False, True])
def test_every_row_asks_for_a_decision(options: dict[str, Any], mode: AutoresetMode, asks: bool) -> None:
    options = {**options, "opponents": opponent} if asks else options
    env = gymnasium.make_vec("Merchants-v0", 24, autoreset_mode=mode, **options)
    observations, infos = env.reset(seed=3)
    paid = np.zeros(24, int)
    for _ in range(30):
        masks = observations["action_mask"].astype(bool)
        waits = masks.all(axis=1)  # after the end of an episode, until the row begins again
        assert mode is not AutoresetMode.SAME_STEP or not waits.any()
        assert (infos["action_mask"] == observations["action_mask"]).all()
        if mode is AutoresetMode.DISABLED and waits.any():
            observations, infos = env.reset(options={"reset_mask": waits})
            assert not observations["action_mask"].all(axis=1).any()
            continue
        observations, _, terminated, truncated, infos = env.step(masks.argmax(axis=1))
        ended = terminated | truncated
        assert not (ended & waits).any()
        assert mode is not AutoresetMode.NEXT_STEP or (observations["action_mask"].all(axis=1) == ended).all()
        paid += ended
    assert paid.min() > 0


@pytest.mark.parametrize("options", SHORT[:4])
def test_rows_draw_the_games_that_single_environments_draw(options: dict[str, Any]) -> None:
    rows: Any = gymnasium.make_vec("Merchants-v0", 30, **options)
    single = gymnasium.make("Merchants-v0", **options)
    observations, _ = rows.reset(seed=list(range(30)))
    for seed in range(30):
        observation, _ = single.reset(seed=seed)
        assert np.array_equal(observation["observation"], observations["observation"][seed])
        assert np.array_equal(observation["action_mask"], observations["action_mask"][seed])


def test_stable_baselines_is_given_first_decisions() -> None:
    env = EndeavorVecEnv("Merchants-v0", 16, max_rolls=1, start="fixed")
    env.seed(1)
    env.reset()
    for _ in range(20):
        masks = env.action_masks()
        assert not masks.all(axis=1).any()
        env.step(masks.argmax(axis=1))


def test_agents_of_pettingzoo_begin_with_a_decision_of_the_first_player() -> None:
    for seed in range(10):
        env = aec_env(max_rolls=1, start="fixed")
        env.reset(seed=seed)
        assert not env.last()[2]
        together = parallel_env(max_rolls=1, start="fixed")
        observations, _ = together.reset(seed=seed)
        assert together.agents
        assert any(0 < one["action_mask"].sum() < one["action_mask"].size for one in observations.values())


def test_options_with_which_no_game_asks_the_learner_are_an_error() -> None:
    options = {"max_rolls": 1, "start": "fixed", "trade": "none"}
    first = {"setup": {"first": 1}}
    env, rows = gymnasium.make("Merchants-v0", **options), gymnasium.make_vec("Merchants-v0", 3, **options)
    for one in (env, rows):
        with pytest.raises(
            InvalidOptionError, match="seat 0 of the learner is not asked for a decision in 1,000 games"
        ):
            one.reset(seed=1, options=first)
        observations, _ = one.reset(seed=1, options={"setup": {"first": 0}})
        assert not observations["action_mask"].all()


def test_what_is_given_of_a_game_is_given_of_those_drawn_after_it() -> None:
    rows = gymnasium.make_vec("Merchants-v0", 40, max_rolls=1, start="fixed")
    _, infos = rows.reset(seed=1, options={"learner_seat": 2})
    assert (infos["seat"] == 2).all()
