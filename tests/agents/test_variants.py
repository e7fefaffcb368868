"""The agents that need no checkpoint in every variant."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.agents.base import Agent
from endeavor_env.agents.players.automa import AutomaAgent
from endeavor_env.agents.players.compiled import GreedyAgent, RandomAgent
from endeavor_env.agents.registry import make_agent
from tests.kits import players as kit

tables = pytest.mark.parametrize(("variant", "players"), kit.TABLES)


@tables
@pytest.mark.parametrize("name", ["random", "greedy", "automa"])
def test_legal_to_the_end_and_the_game_is_only_read(name: str, variant: str, players: int) -> None:
    agent = make_agent(name)
    assert isinstance(agent, Agent)
    for seed in range(3 if name == "automa" else 1):
        game = Game.new(players, variant, seed)
        while not game.over:
            before = game.state.tobytes()
            action = agent.act(game)
            assert game.state.tobytes() == before
            game.apply(action)  # raises unless legal
        assert name != "automa" or game.scores()[0] > 20


@pytest.mark.parametrize("agent", [RandomAgent(), GreedyAgent(), AutomaAgent()], ids=lambda agent: agent.name)
def test_one_agent_plays_games_of_all_variants_in_turn(agent: Agent) -> None:
    for variant, players in (*kit.TABLES, kit.TABLES[0]):
        agent.reset(3)
        first = agent.act(Game.new(players, variant, 3))
        fresh = make_agent(agent.name)
        fresh.reset(3)
        assert fresh.act(Game.new(players, variant, 3)) == first


@tables
def test_the_estimate_is_finite(variant: str, players: int) -> None:
    for decisions in range(0, 100, 20):
        game = kit.position(decisions, players=players, seed=decisions, variant=variant)
        assert all(np.isfinite(kit.value(game, seat)) for seat in range(players))


@pytest.mark.parametrize("rivals", ["best_rival", "all_rivals"])
def test_the_only_rival_of_a_solitaire_game_is_the_opposition(rivals: str) -> None:
    weights = kit.GLORY_ONLY.changed({f"solo.{rivals}": 1.0})
    for decisions in (10, 30, 50):
        game = kit.position(decisions, players=1, seed=decisions, variant="solo")
        own, opposition = game.scores()
        assert kit.value(game, 0, weights) == own - opposition


@pytest.mark.parametrize("variant", ["soloplay_2", "neutral_2"])
def test_neutral_sides_are_no_rivals(variant: str) -> None:
    weights = kit.GLORY_ONLY.changed({"all_rivals": 1.0})
    game = kit.position(80, players=2, seed=3, variant=variant)
    own, other = game.scores()
    assert kit.value(game, 0, weights) == own - other


@tables
def test_greedy_plays_the_best_turn(variant: str, players: int) -> None:
    agent = GreedyAgent()
    for decisions in (15, 45):
        game = kit.position(decisions, players=players, seed=decisions + 1, variant=variant)
        values = {action: kit.turn_value(game, action) for action in game.legal_actions()}
        assert values[agent.act(game)] == pytest.approx(max(values.values()), abs=1e-8)
