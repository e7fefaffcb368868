"""Every way to use an environment wrongly ends in one named error, and the game goes on unchanged."""

from __future__ import annotations

import math
from typing import Any

import gymnasium
import numpy as np
import pytest

from endeavor_env import endeavor_v0
from endeavor_env.core.actions import NUM_ACTIONS
from endeavor_env.envs.gym_env import EndeavorEnv
from endeavor_env.envs.reset_needed import ResetNeededError
from endeavor_env.errors import (
    EndeavorError,
    GameOverError,
    IllegalActionError,
    InvalidBoardError,
    InvalidOptionError,
    InvalidSetupError,
)
from endeavor_env.game import Game
from tests.kits.envs import play_gym, position

WRONG_OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"players": 2}, "3 to 5 players"),
    ({"players": 6}, "3 to 5 players"),
    ({"players": 4.0}, "3 to 5 players"),
    ({"players": True}, "3 to 5 players"),
    ({"variant": "solitaire"}, "plays standard"),
    ({"observation": "pixels"}, "give 'features' or 'compact'"),
    ({"observation": None}, "give 'features' or 'compact'"),
    ({"reward": "glory"}, "win, win_zero_sum, rank, margin"),
    ({"shaping": 0.5}, "give None, or a mapping"),
    ({"illegal_action": "ignore"}, "give 'terminate' or 'raise'"),
    ({"illegal_reward": math.nan}, "give a finite number"),
    ({"illegal_reward": "-1"}, "give a finite number"),
    ({"render_mode": "rgb_array"}, "give None or 'human' or 'ansi'"),
    ({"render_mode": ["ansi"]}, "give None or 'human' or 'ansi'"),
    ({"seed": -1}, "non-negative"),
    ({"seed": 1.5}, "non-negative"),
]
WRONG_LEARNERS: list[tuple[dict[str, Any], str]] = [
    ({"learner_seat": 4}, "give a seat, 0 to 3, or 'rotate'"),
    ({"learner_seat": -1}, "give a seat, 0 to 3, or 'rotate'"),
    ({"learner_seat": "first"}, "give a seat, 0 to 3, or 'rotate'"),
    ({"learner_seat": 1.0}, "give a seat, 0 to 3, or 'rotate'"),
    ({"learner_seat": True}, "give a seat, 0 to 3, or 'rotate'"),
]
NO_ACTIONS = [-1, NUM_ACTIONS, 10**30, 1.0, 1.5, math.nan, "3", None, True, np.True_, np.float32(1), np.array([1]), [1]]
NO_OPTIONS: list[tuple[Any, type[EndeavorError], str]] = [
    ([("first_player", 1)], InvalidOptionError, "give a mapping"),
    ({"first_player": 4}, InvalidOptionError, "first_player=4 .* give a seat, 0 to 3"),
    ({"first_player": "1"}, InvalidOptionError, "first_player='1' .* give a seat, 0 to 3"),
    ({"setup": {}, "first_player": 1}, InvalidOptionError, "exclude each other"),
    ({"setup": {}}, InvalidSetupError, "first_player and tokens"),
    ({"setup": 7}, InvalidSetupError, "must be a mapping"),
]


@pytest.fixture(params=["gym", "aec"])
def make(request: pytest.FixtureRequest) -> Any:
    """The constructor of either environment."""
    return EndeavorEnv if request.param == "gym" else endeavor_v0.env


@pytest.mark.parametrize(("options", "said"), WRONG_OPTIONS, ids=str)
def test_wrong_constructor_options(make, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOptionError, match=said):
        make(**options)


@pytest.mark.parametrize(("options", "said"), WRONG_LEARNERS, ids=str)
def test_wrong_learner_seats(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOptionError, match=said):
        EndeavorEnv(**options)


def test_unknown_constructor_options_are_type_errors_that_name_them(make) -> None:
    with pytest.raises(TypeError, match="colour"):
        make(colour="red")


def test_a_missing_board_file(make) -> None:
    with pytest.raises(InvalidBoardError, match=r"nowhere\.toml"):
        make(board="nowhere.toml")


@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
@pytest.mark.parametrize("illegal_action", ["terminate", "raise"])
def test_what_is_no_action_id_changes_nothing(make, action: Any, illegal_action: str) -> None:
    env = make(illegal_action=illegal_action)
    env.reset(seed=1)
    before = position(env.game())
    with pytest.raises(IllegalActionError, match=r"is no action id: .* legal moves"):
        env.step(action)
    assert position(env.game()) == before
    assert env.action_masks().any()
    env.step(int(env.action_masks().argmax()))


def test_gym_illegal_actions_can_be_made_to_raise() -> None:
    env = EndeavorEnv(illegal_action="raise")
    env.reset(seed=1)
    before, action = position(env.game()), int(np.flatnonzero(~env.action_masks())[0])
    with pytest.raises(IllegalActionError, match=rf"action {action} .* legal moves"):
        env.step(action)
    assert position(env.game()) == before
    assert play_gym(env, 1)[-1][2]


@pytest.mark.parametrize("ending", ["by the rules", "by an illegal action"])
def test_gym_steps_after_the_end(ending: str) -> None:
    env = EndeavorEnv()
    env.reset(seed=1)
    if ending == "by the rules":
        play_gym(env, 1)
    else:
        env.step(int(np.flatnonzero(~env.action_masks())[0]))
    for action in (0, None, "x"):
        with pytest.raises(GameOverError, match=r"the episode is over, call reset\(\)"):
            env.step(action)
    env.reset()
    env.step(int(env.action_masks().argmax()))


@pytest.mark.parametrize("call", ["step(0)", "render()", "action_masks()", "game()"])
def test_what_needs_a_reset_says_so(make, call: str) -> None:
    env = make()
    name = call.partition("(")[0]
    with pytest.raises(ResetNeededError, match=rf"{name}.* is not possible before a reset\(\)") as caught:
        eval(f"env.{call}", {"env": env})
    assert isinstance(caught.value, EndeavorError)
    assert isinstance(caught.value, gymnasium.error.ResetNeeded)


TOO_EARLY = [
    "env.observe('player_0')",
    "env.state()",
    "env.last()",
    "next(iter(env.agent_iter()))",
    *(f"env.{name}" for name in ("agents", "num_agents", "rewards", "terminations", "truncations", "infos")),
    "env.agent_selection",
]


@pytest.mark.parametrize("call", TOO_EARLY)
def test_what_needs_a_reset_says_so_in_the_aec_environment(call: str) -> None:
    env = endeavor_v0.env()
    with pytest.raises(ResetNeededError, match="is not possible before a reset"):
        eval(call, {"env": env})
    assert not hasattr(env, "agents")


def test_other_missing_attributes_are_what_they_always_are() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'colour'"):
        endeavor_v0.env().colour  # noqa: B018


def test_unknown_agents() -> None:
    env = endeavor_v0.env(players=3)
    env.reset(seed=1)
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(InvalidOptionError, match=r"'player_3' is not at the table: .*player_2"):
            ask("player_3")


@pytest.mark.parametrize(("options", "error", "said"), NO_OPTIONS, ids=str)
def test_wrong_reset_options_leave_the_game_in_play(make, options: Any, error: type[EndeavorError], said: str) -> None:
    env = make()
    env.reset(seed=1)
    before = position(env.game())
    with pytest.raises(error, match=said):
        env.reset(seed=2, options=options)
    assert position(env.game()) == before
    env.step(int(env.action_masks().argmax()))


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True])
def test_wrong_seeds(make, seed: Any) -> None:
    with pytest.raises(InvalidOptionError, match="non-negative whole number"):
        make().reset(seed=seed)


def test_a_setup_for_another_number_of_players(make) -> None:
    setup = {**Game.new(5, seed=1).setup(), "first_player": 4}
    with pytest.raises(InvalidSetupError, match="first_player is 4"):
        make(players=3).reset(options={"setup": setup})


def test_unknown_reset_options_are_refused_by_gym_alone() -> None:
    with pytest.raises(
        InvalidOptionError, match="no option 'colour': its options are setup, first_player, learner_seat"
    ):
        EndeavorEnv().reset(options={"colour": "red"})
    with pytest.raises(InvalidOptionError, match="learner_seat=9"):
        EndeavorEnv().reset(options={"learner_seat": 9})
    endeavor_v0.env().reset(options={"colour": "red", "learner_seat": 9})
