"""The agent that searches any game, at the toy game: stronger than random play with the same cards and dice."""

from __future__ import annotations

from typing import Any

import pytest

from endeavor_env.agents.base import AgentOf
from endeavor_env.agents.matches import Match
from endeavor_env.agents.players.player_agent import TreeAgent
from endeavor_env.engine.game import Game
from endeavor_env.engine.kernels.rng import next_seed, seeded
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.errors import InvalidOptionError
from endeavor_env.search import tree_search
from tests.agents.test_match_of_any_game import random
from tests.kits.toy_envs import TOY, play_out
from tests.toy_game.rules import PLAY, ROLL, ROUNDS, SEATS

MEASURED = {3: 14.58, 4: 14.33, 5: 14.45}
"""The mean scores of the agent in the matches below, by seed; the better of two that play at random has 14.12."""


def played(agent: TreeAgent, game: Game) -> list[int]:
    """Return the moves of the agent in all seats up to the end."""
    moves = []
    while not game.over:
        moves.append(agent.act(game))
        game.apply(moves[-1])
    return moves


@pytest.mark.parametrize("seed", MEASURED)
def test_it_beats_random_play_with_the_same_cards_and_dice(seed: int) -> None:
    match = Match([TreeAgent(600), random(), random()], 600, seed, config=TOY)
    for _ in match.play():
        pass
    tree, *others = match.result().agents
    assert tree.mean_score > max(other.mean_score for other in others) + 0.2  # about half of what was measured
    assert tree.mean_score == pytest.approx(MEASURED[seed], abs=0.3)
    assert tree.win_rate > max(other.win_rate for other in others)


def test_its_choices_follow_from_the_seed_and_are_those_of_the_search() -> None:
    agent, other = TreeAgent(60, limit=5), TreeAgent(60, limit=5)
    found = []
    for seed in (1, 1, 2):
        agent.reset(seed)
        found.append(played(agent, TOY.new_game(4)))
    assert found[0] == found[1]
    other.reset(2)
    assert played(other, TOY.new_game(4)) == found[2]
    agent.reset(8)
    seeds, game = seeded(8), TOY.new_game(4)
    while not game.over:
        expected = ROLL
        if len(game.legal_actions()) > 1:
            expected = tree_search(game, 60, int(next_seed(seeds)), limit=5).best
        assert agent.act(game) == expected
        game.apply(expected)


def test_two_that_nobody_has_seeded_search_differently() -> None:
    shares = {tuple(one.share for one in TreeAgent(60).expect(TOY.new_game(4))) for _ in range(12)}
    assert len(shares) > 1


def test_it_leaves_the_game_as_it_is_and_searches_for_nothing_without_a_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    agent, game = TreeAgent(30), TOY.new_game(4)
    before = game.state.tobytes(), game.chance.tolist(), game.record()
    assert agent.act(game) in (ROLL, PLAY)
    assert (game.state.tobytes(), game.chance.tolist(), game.record()) == before
    for _ in range(SEATS):
        game.apply(PLAY)
    monkeypatch.setattr("endeavor_env.agents.players.player_agent.tree_search", None)
    assert agent.act(game) == ROLL


def test_it_has_a_name_for_tables() -> None:
    assert TreeAgent(30).name == "tree:sims=30"
    assert TreeAgent(30, "oak").name == "oak"
    assert isinstance(TreeAgent(), AgentOf)


@pytest.mark.parametrize("wrong", [{"simulations": 0}, {"exploration": -1}, {"reward": "most"}])
def test_settings_that_the_search_does_not_take_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionError, match="is not possible"):
        TreeAgent(**wrong).act(TOY.new_game(4))


def test_it_plays_as_an_opponent_in_an_environment() -> None:
    env = GameEnv(TOY, opponents=TreeAgent(20))
    games = []
    for _ in range(2):
        env.reset(seed=6)
        play_out(env, 1)
        games.append(env.game().history)
    assert games[0] == games[1]
    cards = [mover for mover, action in games[0] if action == PLAY and mover > 0]
    assert len(cards) == len(set(cards)) <= SEATS - 1
    assert sum(mover == 1 for mover, _ in games[0]) == ROUNDS
