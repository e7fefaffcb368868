"""The options of the environments of any game on the engine, with the toy game, and what they refuse."""

from __future__ import annotations

import itertools

import gymnasium
import numpy as np
import pytest

from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.envs.aec_env import GameAECEnv
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.errors import IllegalActionError, InvalidOptionError, InvalidSetupError
from tests.kits.toy_envs import SETUP, TOY, Noting, lead, play_out, referred, roll
from tests.toy_game.rules import FACE_1, NUM_ACTIONS, PLAY, ROLL, ROUNDS, SEATS, SIZE


def test_a_rotating_learner_takes_the_next_seat_and_a_seed_says_which() -> None:
    env = GameEnv(TOY, learner_seat="rotate")
    seats = [env.reset(seed=seed)[1]["seat"] for seed in (5, None, None, None, 7, None)]
    assert seats == [2, 0, 1, 2, 1, 2]
    assert env.reset(options={"learner_seat": 1})[1]["seat"] == 1


def test_opponents_sit_behind_the_learner_in_playing_order_and_get_copies() -> None:
    first, second = Noting(), Noting()
    env = GameEnv(TOY, learner_seat=1, opponents=[first, second])
    for seed in (1, 2):
        env.reset(seed=seed)
        play_out(env, seed)
        referred(env)
    assert first.seats == [2] * 2 * ROUNDS
    assert second.seats == [0] * 2 * ROUNDS
    assert len({*first.seeds, *second.seeds}) == 4
    both = Noting()
    again = GameEnv(TOY, learner_seat=1, opponents=both)
    again.reset(seed=1)
    assert len(both.seeds) == 1
    assert both.seeds == first.seeds[:1]


def test_opponents_that_cannot_play_are_refused() -> None:
    for wrong, sentence in (
        ("greedy", "opponent 'greedy' is unknown: possible are 'random', or an object with act"),
        (Noting, "cannot play here"),
        (3, "opponent 3 cannot play here"),
        (["random"], "opponents has 1 entries: with 3 players give one, or a list of 2"),
        (["random", "nobody"], "opponent 'nobody' is unknown"),
    ):
        with pytest.raises(InvalidOptionError, match=sentence):
            GameEnv(TOY, opponents=wrong)  # type: ignore[arg-type]
    for seat in (-1, SEATS, "turn"):
        with pytest.raises(InvalidOptionError, match="give a seat, 0 to 2, or 'rotate'"):
            GameEnv(TOY, learner_seat=seat)


@pytest.mark.parametrize("action", [PLAY, FACE_1])
def test_an_illegal_action_ends_the_episode_or_raises(action: int) -> None:
    made = {}
    for choice in ("terminate", "raise"):
        env = made[choice] = GameEnv(TOY, illegal_action=choice, illegal_reward=-3.0)
        env.reset(seed=2)
        env.step(PLAY)
    before = made["raise"].game()
    with pytest.raises(IllegalActionError, match=rf"action {action} \(.*\) is illegal for seat 0; .* legal move: roll"):
        made["raise"].step(action)
    assert made["raise"].game().record() == before.record()
    seen, reward, terminated, truncated, info = made["terminate"].step(action)
    assert (reward, terminated, truncated) == (-3.0, True, False)
    assert (info["reason"], info["action"], info["seat"]) == ("illegal_action", action, 0)
    assert "is illegal for seat 0" in info["message"]
    assert seen["action_mask"].all()
    assert made["terminate"].game().record() == before.record()


def test_an_illegal_action_of_an_agent_in_turn() -> None:
    env = GameAECEnv(TOY, illegal_reward=-2.0)
    env.reset(seed=2)
    agent = env.agent_selection
    env.step(FACE_1)
    assert env.rewards == {other: -2.0 if other == agent else 0.0 for other in env.possible_agents}
    result = env.result()
    assert result is not None
    assert (result["reason"], result["agent"], result["action"]) == ("illegal_action", agent, FACE_1)
    strict = GameAECEnv(TOY, illegal_action="raise")
    strict.reset(seed=2)
    for wrong in (FACE_1, NUM_ACTIONS, -1, "roll", True):
        with pytest.raises(IllegalActionError):
            strict.step(wrong)
    assert strict.game().history == []


def test_a_limit_of_decisions_counts_no_dice() -> None:
    env = GameEnv(TOY, max_cycles=8, opponents=roll, shaping={"gamma": 1.0})
    _, info = env.reset(options={"setup": {**SETUP, "first": 0}}, seed=1)
    potential = 0.0
    for number in range(3):
        _, reward, terminated, truncated, info = env.step(ROLL)
        assert (terminated, truncated) == (False, number == 2)
        after = lead(env.game().scores(), 0)
        assert reward == pytest.approx((0.0 if truncated else after) - potential)
        potential = after
    assert sum(seat != CHANCE for seat, _ in env.game().history) == 8
    assert (info["reason"], info["scores"].tolist()) == ("max_cycles", env.game().scores())
    agents = GameAECEnv(TOY, max_cycles=8)
    agents.reset(seed=1)
    for _ in range(8):
        assert not any(agents.truncations.values())
        agents.step(ROLL)
    assert all(agents.truncations.values())
    assert not any(agents.terminations.values())
    assert not any(agents.rewards.values())


def test_observations_have_the_form_that_was_asked_for() -> None:
    for observation, flat, key, dtype in itertools.product(
        ("features", "compact"), (False, True), ("observation", "observations"), ("int8", "bool")
    ):
        if flat and key != "observation":
            continue
        env = GameEnv(TOY, observation=observation, flat=flat, observation_key=key, mask_dtype=dtype)
        seen, info = env.reset(seed=1)
        vector = seen if flat else seen[key]
        assert (vector.shape, vector.dtype) == ((SIZE,), np.float32 if observation == "features" else np.int8)
        assert info["action_mask"].dtype == np.dtype(dtype)
        assert flat or set(seen) == {key, "action_mask"}
        assert env.observation_space.contains(seen)
        assert env.action_space == gymnasium.spaces.Discrete(NUM_ACTIONS)
    with pytest.raises(InvalidOptionError, match="not possible with flat=True"):
        GameEnv(TOY, flat=True, observation_key="observations")
    lists = GameAECEnv(TOY, info_masks="list")
    lists.reset(seed=1)
    assert lists.last()[4] == {"action_mask": [1, 1, *[0] * (NUM_ACTIONS - 2)]}


def test_a_reset_takes_a_setup_and_draws_the_dice_from_its_seed() -> None:
    env = GameEnv(TOY, learner_seat=1, opponents=roll)
    games = []
    for seed in (3, 3, 4):
        seen, info = env.reset(seed=seed, options={"setup": SETUP})
        assert ("seed" in info, seen["observation"][0]) == (False, 2)
        play_out(env, 0)
        games.append(env.game().history)
        assert env.game().setup() == SETUP
    assert games[0] == games[1] != games[2]
    agents = [GameAECEnv(TOY) for _ in range(2)]
    for one in agents:
        one.reset(seed=3, options={"setup": SETUP})
        for mover, action in games[0]:
            if mover != CHANCE:
                one.step(action)
        assert one.game().history == games[0]


def test_a_setup_that_does_not_fit_leaves_the_game_in_play() -> None:
    env = GameEnv(TOY)
    env.reset(seed=3)
    env.step(ROLL)
    before = env.game().record()
    for options, error, sentence in (
        ({"setup": {**SETUP, "first": 3}}, InvalidSetupError, "setup begins with seat 3: give 0 to 2"),
        ({"setup": {"hand": [1, 2, 3]}}, InvalidSetupError, "setup has hand: it must be a mapping of hand, first"),
        ({"first_player": 1}, InvalidOptionError, "reset has no option 'first_player': its options are setup, "),
        ({"learner_seat": 3}, InvalidOptionError, "learner_seat=3 is not possible: give a seat, 0 to 2"),
        ([SETUP], InvalidOptionError, "give a mapping of setup, learner_seat"),
    ):
        with pytest.raises(error, match=sentence):
            env.reset(seed=9, options=options)  # type: ignore[arg-type]
    assert env.game().record() == before
    again = GameEnv(TOY)
    again.reset(seed=3)
    again.step(ROLL)
    for one in (env, again):
        play_out(one, 1)
    assert env.game().history == again.game().history
    for one in (env, again):
        one.reset()
    assert env.game().setup() == again.game().setup()
