"""What only the PettingZoo environment has: all agents at once, rewards between decisions, agents that leave."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from endeavor_env import endeavor_v0
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rewards import MARGIN_SCALE, REWARDS, SOLO_REWARDS
from endeavor_env.envs.endeavor import make_endeavor_solo
from endeavor_env.envs.sampling import generator, sample_action
from endeavor_env.errors import GameOverError
from tests.kits.envs import OF_ALL_AECS, Kind, frozen, plain, play_aec, started


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


@OF_ALL_AECS
def test_every_agent_learns_the_result_when_it_leaves(kind: Kind) -> None:
    env, rng = started(kind.make, 4, reward="margin"), generator(4)
    while not env.terminations[env.agent_selection]:
        assert set(env.rewards.values()) == {0.0}
        env.step(sample_action(env.action_masks(), rng))
    game, got = env.game(), {}
    known = SOLO_REWARDS if kind.variant == "solo" else REWARDS
    for agent in env.agent_iter():
        seen, got[agent], terminated, truncated, info = env.last()
        assert seen is not None
        assert frozen(seen) == frozen(env.observe(agent))
        result = env.result() or {}
        assert (terminated, truncated, result["reason"]) == (True, False, "game_over")
        assert list(info) == ["action_mask"]
        assert (result["scores"], result["winners"]) == (game.scores(), [f"player_{seat}" for seat in game.winners()])
        assert seen["action_mask"].all()
        assert ("ladder" in result) is (kind.variant == "solo")
        env.step(None)
    assert list(got.values()) == pytest.approx(known["margin"](game.scores()))
    assert list(got) == env.possible_agents
    assert env.agents == []


def test_shaping_pays_each_agent_between_its_own_decisions() -> None:
    """What ``last`` returns is gamma * phi(now) - phi(own last decision); over a game it telescopes."""
    env, rng = started(endeavor_v0.env, 7, players=3, shaping={"gamma": 0.9, "weight": 2.0}), generator(7)
    before: dict[str, float] = {}
    while not env.terminations[env.agent_selection]:
        agent = env.agent_selection
        scores = env.game().scores()
        own = scores.pop(int(agent[-1]))
        phi = 2.0 * (own - max(scores)) / MARGIN_SCALE
        _, reward, *_ = env.last()
        assert reward == pytest.approx(0.9 * phi - before[agent] if agent in before else 0.0)
        before[agent] = phi
        env.step(sample_action(env.action_masks(), rng))
    wins = dict(zip(env.possible_agents, REWARDS["win"](env.game().scores()), strict=True))
    assert any(before.values())
    assert env.rewards == pytest.approx({agent: wins[agent] - before[agent] for agent in env.possible_agents})


def test_the_agents_of_a_finished_game_leave_with_none_only() -> None:
    env = started(endeavor_v0.env)
    play_aec(env, 1)
    with pytest.raises(GameOverError, match="player_0 can only"):
        env.step(0)
    assert env.agents == env.possible_agents
    for _ in range(4):
        env.step(None)
    assert env.agents == []
    with pytest.raises(GameOverError, match="every agent has left"):
        env.step(None)


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


@pytest.mark.parametrize("name", sorted(SOLO_REWARDS))
def test_the_solitaire_game_is_the_same_in_both_environments(name: str) -> None:
    """Observations, rewards, shaping and what the info says at the end."""
    options: dict[str, Any] = {"reward": name, "shaping": {"gamma": 0.9}}
    env = make_endeavor_solo(difficulty="harder", **options)
    other = started(endeavor_v0.env, 2, variant="solo", options={"difficulty": "harder"}, **options)
    seen, _ = env.reset(seed=2)
    rng, reward, info, terminated = generator(2), 0.0, {}, False
    while not terminated:
        observation, paid, *_ = other.last()
        assert observation is not None
        assert all((observation[key] == seen[key]).all() for key in ("observation", "action_mask"))
        assert paid == pytest.approx(reward)
        action = sample_action(seen["action_mask"], rng)
        other.step(action)
        seen, reward, terminated, _, info = env.step(action)
    assert other.rewards["player_0"] == other._cumulative_rewards["player_0"] == pytest.approx(reward)
    found, info = other.result() or {}, plain(info)
    assert (found.pop("winners"), info.pop("winners"), info.pop("message")) == ([], [False], "")
    assert found == {key: value for key, value in info.items() if key not in ("seat", "action_mask")}
    assert found["margin"] == found["scores"][0] - found["scores"][1]


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
