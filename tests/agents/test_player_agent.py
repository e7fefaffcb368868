"""Agents of any game on the engine by name: its compiled players, and the search."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env.agents.players.player_agent import TreeAgent, make_player_agent
from endeavor_env.errors import InvalidOptionError
from endeavor_env.merchants.game import MerchantsConfig
from tests.kits.toy_envs import TOY

SEATS = 4


@pytest.mark.parametrize("player", ["greedy", "planner", "greedy:gold=2"])
def test_a_compiled_player_plays_a_game_well_and_the_same_each_time(player: str) -> None:
    start = MerchantsConfig(SEATS, "short").new_game(7)
    agent, other = make_player_agent(start.rules, player), make_player_agent(start.rules, "random")
    ends = []
    for _ in range(2):
        game = start.clone(same_chance=True)
        other.reset(3)
        while not game.over:
            game.apply((agent if game.seat == 1 else other).act(game))
        ends.append(game.history)
        assert game.winners() == [1]
    assert ends[0] == ends[1]
    assert agent.name == player


def test_random_draws_from_its_seed() -> None:
    game, agent = TOY.new_game(4), make_player_agent(TOY.rules, "random")
    drawn = []
    for _ in range(2):
        agent.reset(5)
        drawn.append([agent.act(game) for _ in range(20)])
    assert drawn[0] == drawn[1]
    assert set(drawn[0]) == set(game.legal_actions())


def test_the_search_says_how_much_it_likes_a_move() -> None:
    game, agent = TOY.new_game(4), make_player_agent(TOY.rules, "tree:sims=60")
    assert isinstance(agent, TreeAgent)
    before = game.state.tobytes()
    found = agent.expect(game)
    assert {one.action for one in found} <= set(game.legal_actions())
    assert sum(one.share or 0 for one in found) == pytest.approx(1, abs=0.01)
    assert [one.share for one in found] == sorted((one.share for one in found), key=lambda share: -(share or 0))
    assert np.all([one.value is None for one in found])
    assert game.state.tobytes() == before


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("automa", "agent 'automa' is unknown: possible are 'random', 'greedy', 'planner', 'value'"),
        ("tree:depth=3", "write tree:sims=400"),
        ("tree:sims=0", "sims=0"),
        ("tree:", "write tree:sims=400"),
        ("planner:fast", "is unknown"),
    ],
)
def test_who_cannot_play_is_told_who_can(name: str, sentence: str) -> None:
    rules = MerchantsConfig(SEATS).rules
    with pytest.raises(InvalidOptionError, match=sentence):
        make_player_agent(rules, name)
