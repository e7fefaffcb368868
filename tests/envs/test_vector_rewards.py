"""Rewards of the vector environments: those of ``endeavor.rewards``, to the last bit, and shaping by variant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from endeavor_env.endeavor.game_rules import ENDEAVOR
from endeavor_env.endeavor.rewards import MARGIN_SCALE, REWARDS, SOLO_MARGIN_SCALE, SOLO_REWARDS
from endeavor_env.engine.batch.batch_rewards import rewards_of
from endeavor_env.engine.rewards import win
from endeavor_env.envs.endeavor import make_endeavor_solo_vector, make_endeavor_vector
from endeavor_env.envs.sampling import generator
from endeavor_env.errors import InvalidOptionError
from tests.kits.vector import QUICK, play, random_actions

NAMED = [
    *((name, players, "standard") for name in REWARDS for players in (3, 4, 5)),
    *((name, 2, "neutral_2") for name in REWARDS),
    *((name, 5, "exploits") for name in REWARDS),
    *((name, 1, "solo") for name in SOLO_REWARDS),
]


@pytest.mark.parametrize(("name", "players", "variant"), NAMED)
def test_the_kernels_pay_exactly_the_rewards_of_these_names(name: str, players: int, variant: str) -> None:
    rng = np.random.default_rng(players)
    mats = players + (variant == "solo")
    scores = np.concatenate([rng.integers(0, 140, (300, mats)), rng.integers(40, 44, (300, mats)), [[7] * mats]])
    function = (SOLO_REWARDS if variant == "solo" else REWARDS)[name]
    found = rewards_of(scores, name, players, variant, ENDEAVOR)
    assert found.tolist() == [function(row) for row in scores.tolist()]
    assert np.abs(found).max() <= 1.0


@pytest.mark.parametrize("copy", [True, False])
def test_a_reward_function_may_change_the_scores_it_gets(copy: bool) -> None:
    def sorting(scores: list[int]) -> list[float]:
        paid = win(scores)
        scores.sort()
        scores[:] = [0] * len(scores)
        return paid

    def ends(reward: Any) -> list[Any]:
        env, rng, found = make_endeavor_vector(4, **QUICK, reward=reward, copy=copy), generator(1), []
        env.reset(seed=1)
        while len(found) < 6:
            _, rewards, terminated, _, infos = env.step(random_actions(env.action_masks(), rng))
            found += [
                (rewards[row], infos["scores"][row].tolist(), infos["winners"][row].tolist())
                for row in np.flatnonzero(terminated)
            ]
        return found

    assert ends(sorting) == ends("win")


NONSENSE: list[Any] = [None, 3.0, "0.1", [1.0], [1.0] * 4, [[1.0], [2.0, 3.0], 1.0], [None] * 3, ["a", "b", "c"]]
NONSENSE += [[float("nan")] * 3, [10**400, 0, 0], {}, np.zeros((3, 2)), [True, "1", 1j]]


@pytest.mark.parametrize("returned", NONSENSE, ids=str)
def test_what_a_reward_function_may_not_return(returned: Any) -> None:
    wrong = True

    def reward(scores: Sequence[int]) -> Any:
        return returned if wrong else [0.0] * len(scores)

    with pytest.raises(InvalidOptionError, match="the reward function returned"):
        make_endeavor_vector(1, **QUICK, reward=reward)
    wrong = False
    env = make_endeavor_vector(1, **QUICK, reward=reward)
    wrong = True
    with pytest.raises(InvalidOptionError, match="the reward function returned"):
        play(env, 1000)


def test_a_reward_below_that_of_an_illegal_action_is_warned_of() -> None:
    env = make_endeavor_vector(2, **QUICK, reward=lambda scores: [-2.0] * len(scores))
    with pytest.warns(UserWarning, match="pays more than playing on"):
        play(env, 100)
    play(make_endeavor_vector(2, **QUICK, reward=lambda scores: [-2.0] * len(scores), illegal_action="raise"), 100)
    play(make_endeavor_vector(2, **QUICK, reward=lambda scores: [-2.0] * len(scores), illegal_reward=-2), 100)


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_each_row_is_shaped_by_the_scale_of_its_variant(mode: str) -> None:
    games = [{"players": 3}, {"variant": "solo"}, {"variant": "soloplay_2"}]
    env = make_endeavor_vector(
        6, games=games, game_choice="draw", observation="compact", reward="margin", shaping={"weight": 2.0},
        autoreset_mode=mode,
    )  # fmt: skip
    rng, met = generator(3), set()
    env.reset(seed=3)

    def potentials() -> np.ndarray:
        solo = np.array([env.games[kind].variant == "solo" for kind in env.batch.tables["kind"].tolist()])
        return 2.0 * env.batch.leads() / np.where(solo, SOLO_MARGIN_SCALE, MARGIN_SCALE)

    before, ended = potentials(), np.zeros(6, bool)
    for _ in range(150):
        begun = ended if mode == "NEXT_STEP" else np.zeros(6, bool)
        kinds = env.batch.tables["kind"].copy()
        _, rewards, ended, _, infos = env.step(random_actions(env.action_masks(), rng))
        after = potentials()
        going = ~ended & ~begun
        assert np.allclose(rewards[going], (after - before)[going])
        assert not rewards[begun].any()
        closing = infos.get("final_info", infos)
        for row in np.flatnonzero(ended):
            scores = closing["scores"][row].tolist()
            solo = env.games[kinds[row]].variant == "solo"
            lead = scores[0] - max(scores[1 : 2 if solo else env.games[kinds[row]].players])
            final = np.clip(lead / (SOLO_MARGIN_SCALE if solo else MARGIN_SCALE), -1, 1)
            assert rewards[row] == pytest.approx(final - before[row])
            met.add(solo)
        before = after
    assert met == {False, True}


def test_no_named_reward_makes_forfeiting_better_than_the_worst_loss() -> None:
    """Random play loses by far; in every reward and variant that pays at least what an illegal action pays."""
    for solo, names in ((True, SOLO_REWARDS), (False, REWARDS)):
        for name in names:
            make = make_endeavor_solo_vector if solo else make_endeavor_vector
            env, rng, lowest = make(8, observation="compact", reward=name), generator(1), 0.0
            env.reset(seed=1)
            for _ in range(120):
                _, rewards, terminated, _, _ = env.step(random_actions(env.action_masks(), rng))
                lowest = min(lowest, rewards[terminated].min(initial=0.0))
            assert lowest >= -1.0
