"""The PettingZoo environment: observations, masks, rewards, ends."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env import endeavor_v0
from endeavor_env.envs.aec_env import EndeavorAECEnv
from endeavor_env.errors import GameOverError, IllegalActionError
from endeavor_env.game import Game
from endeavor_env.rewards import MARGIN_SCALE, REWARDS
from endeavor_env.sampling import generator, sample_action
from tests.kits.envs import frozen, play_aec, position


def started(seed: int = 1, **options) -> EndeavorAECEnv:
    env = endeavor_v0.env(**options)
    env.reset(seed=seed)
    return env


def illegal_action(env: EndeavorAECEnv) -> int:
    return int(np.flatnonzero(~env.action_masks())[0])


def test_metadata() -> None:
    env = endeavor_v0.raw_env()
    assert str(env) == env.metadata["name"] == "endeavor_v0"
    assert env.metadata["is_parallelizable"] is False
    assert env.metadata["render_modes"] == ["human", "ansi"]
    assert env.unwrapped is env


@pytest.mark.parametrize("observation", ["features", "compact"])
@pytest.mark.parametrize("players", [3, 5])
def test_every_agent_can_be_observed_at_any_time(observation: str, players: int) -> None:
    env, rng = started(players=players, observation=observation), generator(0)
    while True:
        for agent in env.possible_agents:
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            moves = agent == env.agent_selection and not env.terminations[agent]
            assert bool(seen["action_mask"].any()) is moves
        assert env.state_space.contains(env.state())
        assert env.state().tobytes() == env.observe("player_0")["observation"].tobytes()
        if env.terminations[env.agent_selection]:
            break
        env.step(sample_action(env.observe(env.agent_selection)["action_mask"], rng))
    while env.agents:
        env.step(None)
    assert env.observation_space("player_0").contains(env.observe("player_0"))


def test_the_state_is_of_the_whole_table_and_does_not_turn() -> None:
    """The seats' statuses stay where they are in ``state`` while the mover changes."""
    from endeavor_env.observation import COMPACT

    env, rng = started(observation="compact"), generator(0)
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


def test_observations_are_fresh() -> None:
    env = started()
    first, *_ = env.last()
    assert first is not None
    kept = frozen(first)
    again = env.observe(env.agent_selection)
    assert not np.shares_memory(first["action_mask"], again["action_mask"])
    again["action_mask"][:] = 0
    env.step(sample_action(env.action_masks(), generator(1)))
    assert frozen(first) == kept


def test_the_types_are_pythons() -> None:
    env = started()
    play_aec(env, 1)
    for agent in env.agents:
        assert type(env.rewards[agent]) is float
        assert type(env._cumulative_rewards[agent]) is float
        assert env.terminations[agent] is True
        assert env.truncations[agent] is False


@pytest.mark.parametrize("name", sorted(REWARDS))
def test_every_agent_gets_its_reward_at_the_end(name: str) -> None:
    env = started(seed=4, players=5, reward=name)
    rng = generator(4)
    while not env.terminations[env.agent_selection]:
        assert set(env.rewards.values()) == {0.0}
        env.step(sample_action(env.action_masks(), rng))
    expected = dict(zip(env.possible_agents, REWARDS[name](env.game().scores()), strict=True))
    assert env.rewards == pytest.approx(expected)
    got = {}
    for agent in env.agent_iter():
        _, got[agent], terminated, truncated, info = env.last()
        assert (terminated, truncated, info["reason"]) == (True, False, "game_over")
        env.step(None)
    assert got == pytest.approx(expected)
    assert env.agents == []


def test_shaping_pays_each_agent_between_its_own_decisions() -> None:
    """What ``last`` returns is gamma * phi(now) - phi(own last decision); over a game it telescopes."""
    env, rng = started(players=3, shaping={"gamma": 0.9, "weight": 2.0}), generator(7)
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


def test_an_illegal_action_ends_the_game_at_the_cost_of_its_agent() -> None:
    env = started()
    play_aec(env, 3, limit=40)
    before, agent, action = position(env.game()), env.agent_selection, illegal_action(env)
    env.step(action)
    assert position(env.game()) == before
    assert env.rewards == {other: -1.0 if other == agent else 0.0 for other in env.possible_agents}
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    for other in env.possible_agents:
        info = env.infos[other]
        assert (info["reason"], info["agent"], info["action"]) == ("illegal_action", agent, action)
        assert "legal moves" in info["message"]
        assert not env.observe(other)["action_mask"].any()
    left = [other for other in env.agent_iter() if env.step(None) is None]
    assert left == env.possible_agents
    env.reset(seed=1)
    assert len(play_aec(env, 1)) > 100


def test_illegal_actions_can_be_made_to_raise() -> None:
    env = started(illegal_action="raise")
    before, action = position(env.game()), illegal_action(env)
    with pytest.raises(IllegalActionError, match=rf"action {action} .* legal moves"):
        env.step(action)
    assert position(env.game()) == before
    assert not any(env.terminations.values())
    assert len(play_aec(env, 1)) > 100


def test_the_agents_of_a_finished_game_leave_with_none_only() -> None:
    env = started()
    play_aec(env, 1)
    with pytest.raises(GameOverError, match="player_0 can only"):
        env.step(0)
    assert env.agents == env.possible_agents
    for _ in range(4):
        env.step(None)
    assert env.agents == []
    with pytest.raises(GameOverError, match="every agent has left"):
        env.step(None)


@pytest.mark.parametrize("action_type", [int, np.int64, np.int8, np.uint16, np.array])
def test_whole_numbers_of_any_kind_are_actions(action_type) -> None:
    env, game = started(), Game.new(seed=1)
    action = game.legal_actions()[-1]
    env.step(action_type(action))
    game.apply(action)
    assert position(env.game()) == position(game)


def test_reset_options_fix_the_setup_and_unknown_ones_are_ignored() -> None:
    env, setup = endeavor_v0.env(players=3), Game.new(3, seed=123).setup()
    env.reset(seed=1, options={"setup": setup, "colour": "red"})
    assert env.game().setup() == setup
    env.reset(seed=1, options={"first_player": 2})
    assert env.agent_selection == "player_2"
    assert env.game().setup() == {**Game.new(3, seed=1).setup(), "first_player": 2}


def test_seeds() -> None:
    env, other = endeavor_v0.env(seed=9), endeavor_v0.env()
    env.reset()
    other.reset(seed=9)
    assert position(env.game()) == position(other.game())
    env.reset()
    other.reset()
    assert env.game().setup() == other.game().setup()
    first = env.game().setup()
    env.reset()
    assert env.game().setup() != first


def test_ansi_rendering_shows_the_last_move() -> None:
    env = started(render_mode="ansi")
    action = int(env.action_masks().argmax())
    seat = env.game().seat
    env.step(action)
    assert f"Last move: seat {seat} {env.game().describe(action)}" in (env.render() or "")


def test_human_rendering_prints_the_board_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    env = started(render_mode="human")
    assert "Europe & Mediterranean (open)" in capsys.readouterr().out
    env.step(int(env.action_masks().argmax()))
    assert "Last move: seat" in capsys.readouterr().out


def test_rendering_without_a_mode_warns() -> None:
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert started().render() is None


def test_close_may_be_called_again() -> None:
    env = started()
    env.close()
    env.close()


def test_the_parallel_interface_plays_the_same_game() -> None:
    env, game, rng = endeavor_v0.parallel_env(players=3), Game.new(3, seed=5), generator(5)
    observations, _ = env.reset(seed=5)
    rewards: dict[str, float] = {}
    while env.agents:
        mover = f"player_{game.seat}"
        action = sample_action(observations[mover]["action_mask"], rng)
        assert [agent for agent in env.agents if observations[agent]["action_mask"].any()] == [mover]
        observations, rewards, *_ = env.step({agent: action if agent == mover else 0 for agent in env.agents})
        game.apply(action)
    assert game.over
    assert list(rewards.values()) == pytest.approx(REWARDS["win"](game.scores()))
