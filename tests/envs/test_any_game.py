"""The environments of any game on the engine, with the toy game: the games of plain Python, rewards, options, texts."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from endeavor_env.basics.inputs import InvalidRenderModeError
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.engine.records import plain_form, replay
from endeavor_env.engine.rewards import named_rewards
from endeavor_env.envs.aec_env import GameAECEnv
from endeavor_env.envs.gym_env import GameEnv
from tests.kits.envs import DICT_WARNINGS
from tests.kits.toy_envs import SETUP, TOY, Noting, early, lead, play_out, referred, roll
from tests.kits.toy_reference import ReferenceGame
from tests.toy_game.rules import NUM_ACTIONS, PLAY, ROLL, ROUNDS, SEATS, TOY_GAME

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of the package of the tests itself
    from pettingzoo.test import api_test, seed_test

pytestmark = [pytest.mark.filterwarnings(message) for message in DICT_WARNINGS]
DECISIONS = ROUNDS * SEATS
REWARDS = named_rewards(TOY_GAME.scale, alone=False)
SEEDS = pytest.mark.parametrize("seed", range(6))


# --- the games of plain Python ---------------------------------------------------------------------------------------
@SEEDS
@pytest.mark.parametrize("observation", ["features", "compact"])
@pytest.mark.parametrize("opponents", ["random", roll, ["random", early], Noting()])
def test_a_learner_is_shown_the_game_of_plain_python(opponents: Any, observation: str, seed: int) -> None:
    env = GameEnv(TOY, learner_seat=seed % SEATS, opponents=opponents, observation=observation)
    seen, info = env.reset(seed=seed)
    assert (info["seat"], "seed" in info, info["reason"]) == (seed % SEATS, False, "")
    for number in range(ROUNDS):
        reference = referred(env)
        assert reference.turn == seed % SEATS
        assert seen["observation"].tolist() == reference.seen()
        assert seen["observation"].dtype == TOY_GAME.layout_for("toy", observation).dtype
        assert np.flatnonzero(seen["action_mask"]).tolist() == reference.legal
        assert info["action_mask"].tolist() == seen["action_mask"].tolist()
        assert np.flatnonzero(env.action_masks()).tolist() == reference.legal
        assert env.observation_space.contains(seen)
        seen, reward, terminated, truncated, info = env.step(reference.legal[(number + seed) % len(reference.legal)])
        assert (terminated, truncated) == (number == ROUNDS - 1, False)
    reference = referred(env)
    assert reference.turns == DECISIONS
    assert info["reason"] == "game_over"
    assert info["scores"].tolist() == reference.score
    best = max(reference.score)
    assert info["winners"].tolist() == [score == best for score in reference.score]
    assert reward == (reference.score[seed % SEATS] == best) / reference.score.count(best)
    assert info["action_mask"].tolist() == [1] * NUM_ACTIONS
    assert env.action_masks().all()


@SEEDS
def test_agents_in_turn_are_shown_the_game_of_plain_python(seed: int) -> None:
    env, reference = GameAECEnv(TOY, observation="compact"), ReferenceGame(seed)
    env.reset(seed=seed)
    for number in range(DECISIONS):
        assert env.agent_selection == f"player_{reference.turn}"
        seen, reward, terminated, truncated, info = env.last()
        assert seen is not None
        assert (reward, terminated, truncated) == (0.0, False, False)
        assert seen["observation"].tolist() == reference.seen()
        assert np.flatnonzero(seen["action_mask"]).tolist() == np.flatnonzero(info["action_mask"]).tolist()
        assert np.flatnonzero(env.action_masks()).tolist() == reference.legal
        turn = reference.turn
        for agent, other in zip(env.possible_agents, range(SEATS), strict=True):
            reference.turn = other
            looked = env.observe(agent)
            assert looked["observation"].tolist() == reference.seen()
            assert looked["action_mask"].any() == env.infos[agent]["action_mask"].any() == (other == turn)
            if other == 0:
                assert env.state().tolist() == reference.seen()
        reference.turn = turn
        action = reference.legal[(number + seed) % len(reference.legal)]
        env.step(action)
        reference.play(action)
        assert env.game().scores() == reference.score
    result = env.result()
    assert result is not None
    winners = [seat for seat, score in enumerate(reference.score) if score == max(reference.score)]
    assert result == {
        "reason": "game_over",
        "scores": reference.score,
        "winners": [f"player_{seat}" for seat in winners],
    }
    assert list(env.rewards.values()) == [(seat in winners) / len(winners) for seat in range(SEATS)]
    for _ in range(SEATS):
        assert env.last()[2:4] == (True, False)
        env.step(None)
    assert env.agents == []


@pytest.mark.parametrize("options", [{}, {"observation": "compact"}, {"flat": True}])
def test_the_libraries_find_nothing_wrong(options: dict[str, Any]) -> None:
    check_env(GameEnv(TOY, **options), skip_render_check=True)
    api_test(GameAECEnv(TOY, **options), num_cycles=100)
    if "flat" not in options:  # whose masks that test does not find
        seed_test(lambda: GameAECEnv(TOY, **options), num_cycles=100)


@pytest.mark.parametrize("interface", [GameEnv, GameAECEnv])
def test_a_record_of_the_game_in_play_replays(interface: Callable[..., Any]) -> None:
    env = interface(TOY)
    env.reset(seed=4)
    for _ in range(ROUNDS):
        env.step(ROLL)
        game = env.game()
        again = replay(game.record(), plain_form(TOY_GAME))
        assert (again.history, again.state.tobytes(), again.seed) == (game.history, game.state.tobytes(), None)


# --- rewards ---------------------------------------------------------------------------------------------------------
def doubled(scores: Any) -> list[float]:
    """A reward of the caller's."""
    return [2.0 * score for score in scores]


@SEEDS
@pytest.mark.parametrize("reward", [*REWARDS, doubled])
def test_the_end_pays_what_the_reward_says_of_the_scores(reward: Any, seed: int) -> None:
    function = doubled if reward is doubled else REWARDS[reward]
    env = GameEnv(TOY, reward=reward, learner_seat=2)
    env.reset(seed=seed)
    rewards, info = play_out(env, seed)
    scores = info["scores"].tolist()
    assert rewards == [*[0.0] * (ROUNDS - 1), pytest.approx(function(scores)[2])]
    agents = GameAECEnv(TOY, reward=reward)
    agents.reset(seed=seed)
    for mover, action in env.game().history:
        if mover != CHANCE:
            agents.step(action)
    assert list(agents.rewards.values()) == pytest.approx(function(scores))


def test_a_lead_of_the_scale_of_the_game_is_a_margin_of_one() -> None:
    assert REWARDS["margin"]([13, 10, 2]) == [0.5, -0.5, -1.0]
    env = GameEnv(TOY, reward="margin", learner_seat=0, opponents=roll)
    found = set()
    for seed in range(12):
        env.reset(seed=seed)
        rewards, info = play_out(env, seed)
        own, *others = info["scores"].tolist()
        assert rewards[-1] == pytest.approx(min(1.0, max(-1.0, (own - max(others)) / 6.0)))
        found.add(rewards[-1])
    assert {-1.0, 1.0} & found
    assert any(0 < abs(one) < 1 for one in found)


@SEEDS
def test_shaping_pays_the_difference_of_potentials_by_the_scale_of_the_game(seed: int) -> None:
    env = GameEnv(TOY, shaping={"gamma": 0.9, "weight": 0.5}, learner_seat=1, opponents=["random", early])
    env.reset(seed=seed)
    before = 0.5 * lead(env.game().scores(), 1)
    for _ in range(ROUNDS - 1):
        _, reward, *_ = env.step(ROLL)
        after = 0.5 * lead(env.game().scores(), 1)
        assert reward == pytest.approx(0.9 * after - before)
        before = after
    *_, info = last = env.step(ROLL)
    won = info["winners"][1] / info["winners"].sum()
    assert last[1] == pytest.approx(won - before)


@SEEDS
def test_shaping_of_agents_in_turn(seed: int) -> None:
    env = GameAECEnv(TOY, shaping={"gamma": 0.9})
    env.reset(seed=seed)
    before: dict[str, float] = {}
    for _ in range(DECISIONS):
        agent = env.agent_selection
        potential = lead(env.game().scores(), env.possible_agents.index(agent))
        expected = 0.9 * potential - before[agent] if agent in before else 0.0
        assert env.last()[1] == pytest.approx(expected)
        before[agent] = potential
        env.step(ROLL)
    result = env.result()
    assert result is not None
    for agent in env.possible_agents:
        won = (agent in result["winners"]) / len(result["winners"])
        assert env.rewards[agent] == pytest.approx(won - before[agent])


# --- looking ---------------------------------------------------------------------------------------------------------
def test_text_names_what_chance_decided_since_the_last_time() -> None:
    env = GameEnv(TOY, render_mode="ansi", opponents=roll)
    env.reset(seed=2, options={"setup": {**SETUP, "first": 0}})
    assert env.render() == (
        "Dice and cards\nSeat 0: 0 points\nSeat 1: 0 points\nSeat 2: 0 points\nSeat 0 is to move: roll, card"
    )
    env.step(PLAY)
    first, *lines = env.render().split("\n")
    scores = env.game().scores()
    assert first == "Seat 0: card"
    assert lines[:4] == [
        "Seat 1: roll", f"Chance: die:{scores[1]}", "Seat 2: roll", f"Chance: die:{scores[2]}"
    ]  # fmt: skip
    assert lines[4:] == ["Dice and cards", *(f"Seat {seat}: {one} points" for seat, one in enumerate(scores)),
                         "Seat 0 is to move: roll"]  # fmt: skip
    agents = GameAECEnv(TOY, render_mode="ansi")
    agents.reset(seed=2, options={"setup": SETUP})
    assert agents.render().endswith("Seat 1 is to move: roll, card")


@pytest.mark.parametrize("interface", [GameEnv, GameAECEnv])
@pytest.mark.parametrize("mode", ["human", "rgb_array"])
def test_a_game_without_pictures_is_shown_as_text_alone(interface: Callable[..., Any], mode: str) -> None:
    with pytest.raises(InvalidRenderModeError) as caught:
        interface(TOY, render_mode=mode)
    assert str(caught.value) == f"render_mode '{mode}' is not possible: Dice and cards has no pictures; give 'ansi'"
