"""What only EndeavorSolo-v0 has: its options, the choices for the Opposition, and the result in the info."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rewards import SOLO_MARGIN_SCALE
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.envs.endeavor import make_endeavor_solo
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.envs.sampling import generator, sample_action
from tests.kits.envs import started
from tests.kits.scores import BREAKDOWN_KEYS


def before_the_last_move(seed: int, **options: Any) -> tuple[GameEnv, int]:
    """Return an environment that a random game has brought to its last decision, and the action that ends it."""
    env, rng = started(make_endeavor_solo, seed, **options), generator(seed)
    while True:
        action, ahead = sample_action(env.action_masks(), rng), env.game()
        ahead.apply(action)
        if ahead.over:
            return env, action
        env.step(action)


def favoured(env: GameEnv) -> None:
    """Give the player high statuses, most of the Opposition's cities and a building of level 5: enough to win.

    Politics stays as it is, so that nobody has to discard.
    """
    state, board = env._table.game.state[0], env._table.game.board
    state.status[0, : c.POLITICS] = 15
    state.status[1, : c.POLITICS] = 0
    state.city_owner[state.city_owner > 1] = 0
    state.buildings[0, board.buildings.index("museum")] = 1


def test_the_options_reach_the_game() -> None:
    defaults = {"opposition_ties": "player", "difficulty": "normal", "solo_ignore_industry": False}
    assert started(make_endeavor_solo).game().options == defaults
    others = {"opposition_ties": "first", "difficulty": "harder", "solo_ignore_industry": True}
    assert started(make_endeavor_solo, **others).game().options == others


def test_S10_the_choices_for_the_opposition_are_the_learners_or_nobodys() -> None:
    asked = {"player": 0, "first": 0}
    for ties, seed in itertools.product(asked, range(4)):
        env, rng = started(make_endeavor_solo, seed, opposition_ties=ties), generator(1)
        terminated = False
        while not terminated:
            asked[ties] += env.game().decision == "opposition"
            _, _, terminated, _, _ = env.step(sample_action(env.action_masks(), rng))
    assert asked["player"] >= 4
    assert asked["first"] == 0


def test_the_info_of_a_defeat() -> None:
    env, action = before_the_last_move(7)
    observation, reward, terminated, truncated, info = env.step(action)
    game = env.game()
    own, other = game.scores()
    assert other > own
    assert (reward, terminated, truncated) == ((own - other) / SOLO_MARGIN_SCALE, True, False)
    assert list(info) == [
        *("action_mask", "reason", "message", "ladder", "seat", "scores", "winners"),
        *("margin", "rung", "panache", "breakdown", "opposition_breakdown"),
    ]
    assert (info["seat"], info["reason"], info["winners"].tolist()) == (0, "game_over", [False])
    assert (info["scores"].tolist(), info["margin"]) == ([own, other], own - other)
    assert (info["ladder"], info["rung"], info["panache"]) == ("defeat", 0, False)
    for key, total in (("breakdown", own), ("opposition_breakdown", other)):
        assert tuple(info[key]) == BREAKDOWN_KEYS
        assert sum(info[key].values()) == total
    assert info["opposition_breakdown"] == game.breakdown("opposition") != info["breakdown"] == game.breakdown(0)
    assert (info["action_mask"] == observation["action_mask"]).all()


@pytest.mark.parametrize("panache", [True, False])
def test_S8_4_the_info_of_a_total_victory_with_panache_or_without(panache: bool) -> None:
    env, action = before_the_last_move(7)
    favoured(env)
    if not panache:
        for building in ("exchange", "museum", "parliament"):
            env._table.game.state["buildings"][0, 0, env._table.game.board.buildings.index(building)] = 0
    _, reward, _, _, info = env.step(action)
    own, other = info["scores"]
    assert own - other >= 9
    assert (reward, info["margin"]) == ((own - other) / SOLO_MARGIN_SCALE, own - other)
    assert info["winners"].tolist() == [True]
    assert (info["ladder"], info["rung"], info["panache"]) == ("total victory", 5, panache)


@pytest.mark.parametrize("wins", [False, True])
@pytest.mark.parametrize("name", ["win", "margin", "ladder"])
def test_every_reward_by_name(name: str, wins: bool) -> None:
    env, action = before_the_last_move(3, reward=name)
    if wins:
        favoured(env)
    _, reward, _, _, info = env.step(action)
    lead = info["margin"]
    assert (lead >= 9) is wins
    expected = {"win": float(wins), "margin": lead / SOLO_MARGIN_SCALE, "ladder": float(wins)}[name]
    assert reward == pytest.approx(expected)


def test_a_reset_names_the_seed_of_a_set_up_that_it_drew() -> None:
    env = make_endeavor_solo(seed=9)
    _, info = env.reset()
    assert (info["seed"], info["seat"]) == (9, 0)
    _, info = env.reset()
    assert info["seed"] != 9
    assert env.game().setup() == Game.new(variant="solo", seed=info["seed"]).setup()
    setup = Game.new(variant="solo", seed=123).setup()
    _, info = env.reset(options={"setup": setup})
    assert (env.game().setup(), info["seed"]) == (setup, None)
