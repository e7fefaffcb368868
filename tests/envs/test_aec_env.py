"""What only the PettingZoo environment has: all agents at once, rewards between decisions, agents that leave."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from endeavor_env import endeavor_v0
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rewards import REWARDS, SOLO_REWARDS
from endeavor_env.envs.sampling import generator, sample_action
from tests.kits.envs import OF_ALL_AECS, Kind, play_aec, started


def test_metadata() -> None:
    env = endeavor_v0.raw_env()
    assert str(env) == env.metadata["name"] == "endeavor_v0"
    assert env.metadata["is_parallelizable"] is False
    assert env.metadata["render_modes"] == ["human", "ansi", "rgb_array"]
    assert env.unwrapped is env


def test_the_state_is_of_the_whole_table_and_does_not_turn() -> None:
    """The seats' statuses stay where they are in ``state`` while the mover changes."""
    from endeavor_env.endeavor.observation import COMPACT

    env, rng = started(endeavor_v0.env, observation="compact"), generator(0)
    at = COMPACT["status"].offset
    for _ in range(60):
        status = env.game().state["status"][0, :4]
        assert (env.state()[at : at + 16].reshape(4, 4) == status).all()
        turned = np.roll(status, -env._table.seat, axis=0)
        seen = env.observe(env.agent_selection)["observation"]
        assert (seen[at : at + 16].reshape(4, 4) == turned).all()
        env.step(sample_action(env.action_masks(), rng))


def test_spaces_are_the_same_objects_and_not_shared() -> None:
    env = endeavor_v0.env()
    assert env.action_space("player_1") is env.action_space("player_1")
    assert env.observation_space("player_1") is env.observation_space("player_1")
    assert env.action_space("player_1") is not env.action_space("player_2")


def test_the_types_are_pythons() -> None:
    env = started(endeavor_v0.env)
    play_aec(env, 1)
    for agent in env.agents:
        assert type(env.rewards[agent]) is float
        assert type(env._cumulative_rewards[agent]) is float
        assert env.terminations[agent] is True
        assert env.truncations[agent] is False


def test_the_first_player_can_be_chosen_and_unknown_options_are_ignored() -> None:
    env = started(endeavor_v0.env, players=3)
    env.reset(seed=1, options={"first_player": 2, "colour": "red"})
    assert env.agent_selection == "player_2"


def test_ansi_rendering_shows_the_last_move() -> None:
    env = started(endeavor_v0.env, render_mode="ansi")
    action = int(env.action_masks().argmax())
    seat = env.game().seat
    env.step(action)
    assert f"Last move: seat {seat} {env.game().describe(action)}" in (env.render() or "")


@OF_ALL_AECS
def test_the_parallel_interface_plays_the_same_game(kind: Kind) -> None:
    env = endeavor_v0.parallel_env(variant=kind.variant, options=kind.options, exploits=kind.exploits)
    game, rng = kind.new_game(5), generator(5)
    observations, _ = env.reset(seed=5)
    rewards: dict[str, float] = {}
    while env.agents:
        mover = f"player_{game.seat}"
        action = sample_action(observations[mover]["action_mask"], rng)
        assert (observations[mover]["action_mask"] == game.mask()).all()
        assert all(observations[agent]["action_mask"].all() for agent in env.agents if agent != mover)
        observations, rewards, *_ = env.step({agent: action if agent == mover else 0 for agent in env.agents})
        game.apply(action)
    assert game.over
    paid = SOLO_REWARDS["margin"] if kind.variant == "solo" else REWARDS["win"]
    assert list(rewards.values()) == pytest.approx(paid(game.scores()))


# --- the solitaire game ---------------------------------------------------------------------------------------------


def test_the_winner_of_a_solitaire_game_is_named() -> None:
    env, rng = started(endeavor_v0.env, variant="solo"), generator(1)
    while not env.terminations["player_0"]:
        state = env._table.game.state[0]
        state.status[1, :3] = 0
        state.city_owner[state.city_owner > 1] = 0
        env.step(sample_action(env.action_masks(), rng))
    result = env.result() or {}
    assert result["winners"] == ["player_0"]
    assert env.rewards["player_0"] > 0
    assert result["rung"] >= 1


def test_the_options_given_are_not_kept_by_reference() -> None:
    options: dict[str, Any] = {"variant_removed_spaces_stay": True}
    env = endeavor_v0.env(variant="soloplay_2", options=options)
    options.clear()
    env.reset(seed=1)
    assert env.game().options == {"variant_removed_spaces_stay": True}
    assert Game.new(variant="soloplay_2").options == {"variant_removed_spaces_stay": False}
