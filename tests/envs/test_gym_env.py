"""The Gymnasium environment: observations, masks, rewards, ends, seats, options."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from endeavor_env.board import Board
from endeavor_env.core.actions import NUM_ACTIONS
from endeavor_env.envs.gym_env import EndeavorEnv
from endeavor_env.game import Game
from endeavor_env.rewards import MARGIN_SCALE, margin, rank, win
from endeavor_env.sampling import generator, sample_action
from tests.kits.envs import frozen, play_gym, position


def illegal_action(env: EndeavorEnv) -> int:
    return int(np.flatnonzero(~env.action_masks())[0])


@pytest.mark.parametrize("observation", ["features", "compact"])
def test_every_observation_keeps_the_contract(observation: str) -> None:
    env, rng = EndeavorEnv(players=3, observation=observation), generator(0)
    seen, info = env.reset(seed=0)
    terminated = False
    while not terminated:
        assert env.observation_space.contains(seen)
        assert seen["action_mask"].dtype == np.int8
        assert (info["action_mask"] == seen["action_mask"]).all()
        assert env.action_masks().dtype == np.bool_
        assert (env.action_masks() == env.game().mask()).all()
        assert (env.action_masks() == seen["action_mask"]).all()
        assert seen["action_mask"].any()
        seen, reward, terminated, truncated, info = env.step(sample_action(seen["action_mask"], rng))
        assert type(reward) is float
        assert type(terminated) is type(truncated) is bool
    assert env.observation_space.contains(seen)
    assert not seen["action_mask"].any()
    assert not env.action_masks().any()


def test_observations_are_fresh_and_yours() -> None:
    env = EndeavorEnv()
    first, info = env.reset(seed=1)
    kept = frozen(first)
    action = sample_action(first["action_mask"], generator(1))
    second, *_ = env.step(action)
    assert frozen(first) == kept
    assert not np.shares_memory(first["observation"], second["observation"])
    masks = env.action_masks()
    second["action_mask"][:] = 0
    second["observation"][:] = 7
    masks[:] = False
    assert env.action_masks().any()
    assert not info["action_mask"].all()


def test_a_reset_tells_seat_and_seed() -> None:
    env = EndeavorEnv(learner_seat=2)
    _, info = env.reset(seed=5)
    assert (info["seat"], info["seed"]) == (2, 5)
    _, info = env.reset()
    drawn = env.game()
    assert drawn.setup() == Game.new(4, seed=info["seed"]).setup()


def test_the_seed_of_the_constructor_serves_the_first_reset_only() -> None:
    one, other = EndeavorEnv(seed=9), EndeavorEnv()
    assert frozen(one.reset()[0]) == frozen(other.reset(seed=9)[0])
    assert frozen(one.reset()[0]) == frozen(other.reset()[0])
    assert one.reset(seed=3)[1]["seed"] == 3


@pytest.mark.parametrize(("name", "function"), [("win", win), ("rank", rank), ("margin", margin)])
def test_the_final_reward_is_the_learners(name: str, function) -> None:
    for seed in range(4):
        env = EndeavorEnv(players=3, learner_seat=1, reward=name)
        env.reset(seed=seed)
        steps = play_gym(env, seed)
        assert all(reward == 0.0 for _, reward, *_ in steps[:-1])
        assert steps[-1][1] == pytest.approx(function(env.game().scores())[1])


def test_a_function_is_a_reward() -> None:
    env = EndeavorEnv(reward=lambda scores: [score / 10 for score in scores])
    env.reset(seed=1)
    assert play_gym(env, 1)[-1][1] == pytest.approx(env.game().scores()[0] / 10)


def test_the_info_of_the_last_step_tells_the_result() -> None:
    env, rng = EndeavorEnv(learner_seat=3), generator(2)
    _, info = env.reset(seed=2)
    terminated = False
    while not terminated:
        assert "reason" not in info
        _, _, terminated, _, info = env.step(sample_action(env.action_masks(), rng))
    game = env.game()
    told = (info["reason"], info["seat"], info["scores"], info["winners"])
    assert told == ("game_over", 3, game.scores(), game.winners())


def test_shaping_adds_up_to_the_final_reward() -> None:
    """With gamma 1 the shaping terms telescope to -phi(first decision): potential-based shaping moves no optimum."""
    env = EndeavorEnv(players=3, shaping={"gamma": 1.0, "weight": 2.0})
    env.reset(seed=3)
    scores = env.game().scores()
    first = 2.0 * (scores[0] - max(scores[1:])) / MARGIN_SCALE
    steps = play_gym(env, 3)
    assert sum(abs(reward) > 0 for _, reward, *_ in steps) > 5
    assert sum(reward for _, reward, *_ in steps) == pytest.approx(win(env.game().scores())[0] - first)


def test_a_shaping_term_is_gamma_phi_next_minus_phi_now() -> None:
    env, rng = EndeavorEnv(players=3, learner_seat=1, shaping={"gamma": 0.9}), generator(4)
    env.reset(seed=4)

    def phi() -> float:
        scores = env.game().scores()
        return (scores[1] - max(scores[0], scores[2])) / MARGIN_SCALE

    for _ in range(15):
        before = phi()
        _, reward, terminated, _, _ = env.step(sample_action(env.action_masks(), rng))
        assert not terminated
        assert reward == pytest.approx(0.9 * phi() - before)


def test_an_illegal_action_ends_the_episode_by_default() -> None:
    env = EndeavorEnv()
    env.reset(seed=1)
    before, action = position(env.game()), illegal_action(env)
    observation, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert (info["reason"], info["action"], info["seat"]) == ("illegal_action", action, 0)
    assert "legal moves" in info["message"]
    assert env.observation_space.contains(observation)
    assert not observation["action_mask"].any()
    assert position(env.game()) == before


def test_the_reward_of_an_illegal_action_can_be_chosen_and_closes_the_shaping() -> None:
    env = EndeavorEnv(illegal_reward=-5, shaping={})
    env.reset(seed=1)
    for _ in range(12):
        env.step(sample_action(env.action_masks(), generator(3)))
    scores = env.game().scores()
    potential = (scores[0] - max(scores[1:])) / MARGIN_SCALE
    assert potential != 0
    assert env.step(illegal_action(env))[1] == pytest.approx(-5 - potential)


@pytest.mark.parametrize("action_type", [int, np.int64, np.int8, np.uint16, np.array])
def test_whole_numbers_of_any_kind_are_actions(action_type) -> None:
    env, other = EndeavorEnv(), EndeavorEnv()
    env.reset(seed=1)
    other.reset(seed=1)
    action = int(env.action_masks().argmax())
    assert frozen(env.step(action_type(action))[0]) == frozen(other.step(action)[0])


def test_a_rotating_learner_sits_in_the_next_seat_each_reset() -> None:
    env = EndeavorEnv(players=3, learner_seat="rotate")
    assert [env.reset()[1]["seat"] for _ in range(4)] == [0, 1, 2, 0]
    assert [env.reset(seed=seed)[1]["seat"] for seed in (10, 11, 12)] == [1, 2, 0]
    assert [env.reset()[1]["seat"] for _ in range(2)] == [1, 2]
    assert env.reset(options={"learner_seat": 0})[1]["seat"] == 0
    assert env.reset()[1]["seat"] == 0


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_learner_decides_first_wherever_it_sits(seat: int) -> None:
    env = EndeavorEnv(players=3, learner_seat=seat)
    for seed in range(5):
        env.reset(seed=seed)
        game = env.game()
        assert (game.seat, game.decision, game.round) == (seat, "build", 1)
        assert len(game.history) == (seat - game.setup()["first_player"]) % 3


def test_reset_options_fix_the_setup() -> None:
    env = EndeavorEnv(players=3)
    setup = Game.new(3, seed=123).setup()
    env.reset(seed=1, options={"setup": setup})
    assert env.game().setup() == setup
    assert env.game().seed is None
    env.reset(seed=1, options={"first_player": np.int64(2)})
    assert env.game().setup() == {**Game.new(3, seed=1).setup(), "first_player": 2}
    env.reset(seed=1, options={"first_player": None, "setup": None, "learner_seat": None})
    assert env.game().setup() == Game.new(3, seed=1).setup()


def test_other_boards_can_be_played() -> None:
    board = Board.generate(5)
    env = EndeavorEnv(board=board)
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert env.game().board == board
    assert play_gym(env, 1)[-1][2]


def test_the_game_handed_out_is_a_copy() -> None:
    env = EndeavorEnv()
    env.reset(seed=1)
    mine, before = env.game(), position(env.game())
    mine.apply(mine.legal_actions()[0])
    assert position(env.game()) == before


def test_ansi_rendering_shows_the_moves_since_the_last_look() -> None:
    env = EndeavorEnv(players=3, render_mode="ansi")
    env.reset(seed=1, options={"first_player": 0})
    assert "Last move" not in (env.render() or "")
    action = int(env.action_masks().argmax())
    env.step(action)
    text = env.render() or ""
    assert f"Last moves: seat 0 {env.game().describe(action)}, seat 1 build:" in text
    assert env.render() is not None


def test_human_rendering_prints_the_board_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    env = EndeavorEnv(render_mode="human")
    env.reset(seed=1)
    assert "Europe & Mediterranean (open)" in capsys.readouterr().out
    env.step(int(env.action_masks().argmax()))
    assert "Last moves: seat 0 build:" in capsys.readouterr().out
    assert env.render() is None


def test_rendering_without_a_mode_warns() -> None:
    env = EndeavorEnv()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert env.render() is None


def test_close_may_be_called_again() -> None:
    env = gymnasium.make("Endeavor-v0")
    env.close()
    env.close()


def test_masks_are_reached_through_the_wrappers() -> None:
    env = gymnasium.make("Endeavor-v0")
    env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.shape == (NUM_ACTIONS,)
