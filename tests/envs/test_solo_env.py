"""EndeavorSolo-v0: the solitaire game for one learner, and everything it tells about the Opposition."""

from __future__ import annotations

import copy
import itertools
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.core.actions import NUM_VARIANT_ACTIONS
from endeavor_env.envs.reset_needed import ResetNeededError
from endeavor_env.envs.solo_env import EndeavorSoloEnv
from endeavor_env.errors import (
    EndeavorError,
    GameOverError,
    IllegalActionError,
    InvalidBoardError,
    InvalidOptionError,
    InvalidSetupError,
)
from endeavor_env.game import Game
from endeavor_env.observation import VARIANT_COMPACT, VARIANT_FEATURES, observe
from endeavor_env.records import replay
from endeavor_env.rewards import MARGIN_SCALE
from endeavor_env.sampling import generator, sample_action
from tests.kits.envs import frozen, play_gym, position
from tests.kits.scores import BREAKDOWN_KEYS


def started(seed: int = 1, **options: Any) -> EndeavorSoloEnv:
    env = EndeavorSoloEnv(**options)
    env.reset(seed=seed)
    return env


def illegal_action(env: EndeavorSoloEnv) -> int:
    return int(np.flatnonzero(~env.action_masks())[0])


def before_the_last_move(seed: int, **options: Any) -> tuple[EndeavorSoloEnv, int]:
    """Returns an environment that a random game has brought to its last decision, and the action that ends it."""
    env, rng = started(seed, **options), generator(seed)
    while True:
        action, ahead = sample_action(env.action_masks(), rng), env.game()
        ahead.apply(action)
        if ahead.over:
            return env, action
        env.step(action)


def favoured(env: EndeavorSoloEnv) -> None:
    """Gives the player high statuses, most of the Opposition's cities and a building of level 5: enough to win.

    Politics stays as it is, so that nobody has to discard.
    """
    state, board = env._table.game.state[0], env._table.board
    state.status[0, : c.POLITICS] = 15
    state.status[1, : c.POLITICS] = 0
    state.city_owner[state.city_owner > 1] = 0
    state.buildings[0, board.buildings.index("museum")] = 1


# --- spaces and observations ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("observation", "layout"), [("features", VARIANT_FEATURES), ("compact", VARIANT_COMPACT)])
def test_every_observation_keeps_the_contract(observation: str, layout: Any) -> None:
    env, rng = EndeavorSoloEnv(observation=observation), generator(0)
    assert env.action_space == gymnasium.spaces.Discrete(NUM_VARIANT_ACTIONS)
    space: Any = env.observation_space
    assert (space["observation"].shape, space["observation"].dtype) == ((layout.size,), layout.dtype)
    assert space["action_mask"] == gymnasium.spaces.Box(0, 1, (NUM_VARIANT_ACTIONS,), np.int8)
    seen, info = env.reset(seed=0)
    terminated, decisions = False, set()
    while not terminated:
        game = env.game()
        decisions.add(game.decision)
        assert env.observation_space.contains(seen)
        assert (seen["observation"] == observe(game, 0, observation)).all()
        for mask in (seen["action_mask"], info["action_mask"], env.action_masks()):
            assert (mask == game.mask()).all()
        seen, reward, terminated, truncated, info = env.step(sample_action(seen["action_mask"], rng))
        assert (type(reward), type(terminated), truncated) == (float, bool, False)
    assert {"build", "turn", "opposition"} <= decisions
    assert env.observation_space.contains(seen)
    assert not seen["action_mask"].any()
    assert not env.action_masks().any()


@pytest.mark.parametrize("seed", [0, 7, 2**60])
@pytest.mark.parametrize(
    "options",
    [{}, {"difficulty": "easier"}, {"difficulty": "harder", "opposition_ties": "first", "solo_ignore_industry": True}],
    ids=str,
)
def test_it_plays_the_game_of_the_same_seed_and_options(seed: int, options: dict[str, Any]) -> None:
    env, rng = started(seed, **options), generator(seed)
    game = Game.new(variant="solo", seed=seed, options=options)
    while not game.over:
        assert position(env.game()) == position(game)
        action = sample_action(env.action_masks(), rng)
        env.step(action)
        game.apply(action)
    assert position(env.game()) == position(game)
    assert env.game().options == game.options
    assert env.game().record() == game.record()
    assert position(replay(env.game().record())) == position(game)


def test_the_options_reach_the_game() -> None:
    defaults = {"opposition_ties": "player", "difficulty": "normal", "solo_ignore_industry": False}
    assert started().game().options == defaults
    others = {"opposition_ties": "first", "difficulty": "harder", "solo_ignore_industry": True}
    assert started(**others).game().options == others


def test_S10_the_choices_for_the_opposition_are_the_learners_or_nobodys() -> None:
    asked = {"player": 0, "first": 0}
    for ties, seed in itertools.product(asked, range(4)):
        env, rng = started(seed, opposition_ties=ties), generator(1)
        terminated = False
        while not terminated:
            asked[ties] += env.game().decision == "opposition"
            _, _, terminated, _, _ = env.step(sample_action(env.action_masks(), rng))
    assert asked["player"] >= 4
    assert asked["first"] == 0


# --- rewards and the result -----------------------------------------------------------------------------------------


def test_the_info_of_a_defeat() -> None:
    env, action = before_the_last_move(7)
    observation, reward, terminated, truncated, info = env.step(action)
    game = env.game()
    own, other = game.scores()
    assert other > own
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert list(info) == [
        *("action_mask", "seat", "reason", "scores", "winners"),
        *("margin", "ladder", "rung", "panache", "breakdown", "opposition_breakdown"),
    ]
    assert (info["seat"], info["reason"], info["winners"]) == (0, "game_over", [])
    assert (info["scores"], info["margin"]) == ([own, other], own - other)
    assert (info["ladder"], info["rung"], info["panache"]) == ("defeat", 0, False)
    for key, total in (("breakdown", own), ("opposition_breakdown", other)):
        assert tuple(info[key]) == BREAKDOWN_KEYS
        assert sum(info[key].values()) == total
    assert info["opposition_breakdown"] == game.breakdown("opposition") != info["breakdown"] == game.breakdown(0)
    assert (info["action_mask"] == observation["action_mask"]).all()


def test_S8_4_the_info_of_a_total_victory_with_panache() -> None:
    env, action = before_the_last_move(7)
    favoured(env)
    _, reward, _, _, info = env.step(action)
    own, other = info["scores"]
    assert own - other >= 9
    assert (reward, info["margin"], info["winners"]) == (1.0, own - other, [0])
    assert (info["ladder"], info["rung"], info["panache"]) == ("total victory", 5, True)


@pytest.mark.parametrize("wins", [False, True])
@pytest.mark.parametrize("name", ["win", "margin", "ladder"])
def test_every_reward_by_name(name: str, wins: bool) -> None:
    env, action = before_the_last_move(3, reward=name)
    if wins:
        favoured(env)
    _, reward, _, _, info = env.step(action)
    lead = info["scores"][0] - info["scores"][1]
    assert (lead >= 9) is wins
    expected = {"win": float(wins), "margin": lead / MARGIN_SCALE, "ladder": float(wins)}[name]
    assert reward == pytest.approx(expected)


def test_nothing_is_paid_before_the_end() -> None:
    env = started(4, reward="margin")
    rewards = [reward for _, reward, *_ in play_gym(env, 4)]
    assert len(rewards) > 20
    assert set(rewards[:-1]) == {0.0}
    assert rewards[-1] != 0.0


def test_a_function_of_both_scores_is_a_reward() -> None:
    env = started(1, reward=lambda scores: [scores[0] * 1000.0 + scores[1]])
    reward = play_gym(env, 1)[-1][1]
    own, other = env.game().scores()
    assert reward == own * 1000.0 + other


def test_shaping_is_by_the_lead_over_the_opposition_and_telescopes() -> None:
    env, rng = started(4, shaping={"gamma": 0.9, "weight": 2.0}), generator(4)

    def phi() -> float:
        own, other = env.game().scores()
        return 2.0 * (own - other) / MARGIN_SCALE

    before, paid, terminated = phi(), 0, False
    while not terminated:
        _, reward, terminated, _, _ = env.step(sample_action(env.action_masks(), rng))
        after = 0.0 if terminated else phi()
        assert reward == pytest.approx(0.9 * after - before)
        before = after
        paid += reward != 0.0
    assert paid > 10


# --- illegal actions and refusals -----------------------------------------------------------------------------------


def test_an_illegal_action_ends_the_episode_by_default() -> None:
    env = started(illegal_reward=-3)
    before, action = position(env.game()), illegal_action(env)
    observation, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated) == (-3.0, True, False)
    assert (info["reason"], info["action"], info["seat"]) == ("illegal_action", action, 0)
    assert "legal moves" in info["message"]
    assert "ladder" not in info
    assert not observation["action_mask"].any()
    assert position(env.game()) == before
    with pytest.raises(GameOverError, match=r"call reset\(\)"):
        env.step(0)


def test_illegal_actions_can_be_made_to_raise() -> None:
    env = started(illegal_action="raise")
    before = position(env.game())
    with pytest.raises(IllegalActionError, match="legal moves"):
        env.step(illegal_action(env))
    for action in (-1, NUM_VARIANT_ACTIONS, 1.0, None):
        with pytest.raises(IllegalActionError, match=rf"is no action id: those are .* 0\.\.{NUM_VARIANT_ACTIONS - 1}"):
            env.step(action)
    assert position(env.game()) == before
    assert play_gym(env, 1)[-1][2]


WRONG_OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"difficulty": "hard"}, "option difficulty='hard' .* 'normal' or 'easier' or 'harder'"),
    ({"difficulty": None}, "option difficulty=None"),
    ({"opposition_ties": True}, "option opposition_ties=True .* 'player' or 'first'"),
    ({"solo_ignore_industry": 1}, "option solo_ignore_industry=1 .* False or True"),
    ({"observation": "pixels"}, "give 'features' or 'compact'"),
    ({"reward": "rank"}, "reward 'rank' is not possible in variant 'solo': .* win, margin, ladder"),
    ({"reward": "win_zero_sum"}, "reward 'win_zero_sum' is not possible in variant 'solo'"),
    ({"reward": "glory"}, "reward 'glory' is not known: give one of win, margin, ladder"),
    ({"reward": lambda scores: scores}, "it must return one finite number"),
    ({"shaping": {"gamma": 2}}, "shaping gamma 2"),
    ({"illegal_action": "ignore"}, "give 'terminate' or 'raise'"),
    ({"illegal_reward": float("nan")}, "give a finite number"),
    ({"render_mode": "rgb_array"}, "give None or 'human' or 'ansi'"),
    ({"seed": -1}, "non-negative"),
]


@pytest.mark.parametrize(("options", "said"), WRONG_OPTIONS, ids=str)
def test_wrong_constructor_options(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOptionError, match=said):
        EndeavorSoloEnv(**options)


@pytest.mark.parametrize("name", ["players", "variant", "options", "learner_seat", "opponents"])
def test_what_the_solitaire_game_has_not_is_a_type_error_that_names_it(name: str) -> None:
    options: dict[str, Any] = {name: None}
    with pytest.raises(TypeError, match=name):
        EndeavorSoloEnv(**options)


def test_a_board_for_which_the_solitaire_game_does_not_fit_is_refused_at_once() -> None:
    data = Board.default().to_dict()
    next(region for region in data["regions"] if region["id"] == "india")["track_length"] -= 4
    data["tokens"]["politics"] -= 4
    with pytest.raises(InvalidBoardError, match=r"variant 'solo', has 1 fault:\n.*india has 2 shipping spaces"):
        EndeavorSoloEnv(board=Board.from_dict(data))


NO_OPTIONS: list[tuple[Any, type[EndeavorError], str]] = [
    ({"first_player": 0}, InvalidOptionError, "no option 'first_player': its options are setup"),
    ({"learner_seat": 0}, InvalidOptionError, "no option 'learner_seat': its options are setup"),
    ([("setup", 1)], InvalidOptionError, "give a mapping of setup"),
    ({"setup": {}}, InvalidSetupError, "a solo game needs"),
    ({"setup": Game.new(3, seed=1).setup()}, InvalidSetupError, "a solo game needs"),
]


@pytest.mark.parametrize(("options", "error", "said"), NO_OPTIONS, ids=str)
def test_wrong_reset_options_leave_the_game_in_play(options: Any, error: type[EndeavorError], said: str) -> None:
    env = started()
    before = position(env.game())
    with pytest.raises(error, match=said):
        env.reset(seed=2, options=options)
    assert position(env.game()) == before
    env.step(int(env.action_masks().argmax()))


@pytest.mark.parametrize("call", ["step(0)", "render()", "action_masks()", "game()"])
def test_what_needs_a_reset_says_so(call: str) -> None:
    with pytest.raises(ResetNeededError, match=r"is not possible before a reset\(\)"):
        eval(f"env.{call}", {"env": EndeavorSoloEnv()})


# --- set-ups, seeds, copies, drawings -------------------------------------------------------------------------------


def test_a_reset_tells_the_seed_and_takes_a_setup() -> None:
    env = EndeavorSoloEnv(seed=9)
    _, info = env.reset()
    assert (info["seed"], info["seat"]) == (9, 0)
    _, info = env.reset()
    assert info["seed"] != 9
    assert env.game().setup() == Game.new(variant="solo", seed=info["seed"]).setup()
    setup = Game.new(variant="solo", seed=123).setup()
    _, info = env.reset(options={"setup": setup})
    assert (env.game().setup(), info["seed"]) == (setup, None)


def test_different_seeds_give_different_games() -> None:
    env = EndeavorSoloEnv()
    assert len({frozen(env.reset(seed=seed)[0]) for seed in range(12)}) == 12


@pytest.mark.parametrize("make_copy", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_with_the_same_game(make_copy: Any) -> None:
    env = started(3, difficulty="harder", shaping={})
    play_gym(env, 1, limit=12)
    other, before = make_copy(env), position(env.game())
    steps = play_gym(other, 2)
    assert position(env.game()) == before
    assert play_gym(env, 2) == steps
    assert position(other.game()) == position(env.game())
    assert env.reset()[1]["seed"] == other.reset()[1]["seed"]
    assert other.game().options["difficulty"] == "harder"


def test_other_boards_can_be_played() -> None:
    env = started(board=Board.generate(5))
    assert env.game().board == Board.generate(5)
    assert play_gym(env, 1)[-1][2]


def test_human_rendering_prints_the_board_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    env = EndeavorSoloEnv(render_mode="human", opposition_ties="first")
    env.reset(seed=1)
    assert "\nThe Opposition\n  set-up, " in capsys.readouterr().out
    env.step(int(env.action_masks().argmax()))
    assert "Last move: build:" in capsys.readouterr().out
    assert env.render() is None


def test_masks_are_reached_through_the_wrappers() -> None:
    env = gymnasium.make("EndeavorSolo-v0")
    env.reset(seed=1)
    assert env.get_wrapper_attr("action_masks")().shape == (NUM_VARIANT_ACTIONS,)
