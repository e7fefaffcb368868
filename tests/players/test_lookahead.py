"""The lookahead player: legal everywhere, plays the best end of what it can foresee, and beats the greedy player."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.agents.matches import play_match
from endeavor_env.agents.registry import make_agent
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.envs.endeavor import make_endeavor
from tests.kits.compiled import compiled_action
from tests.kits.players import TABLES, last_turn


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_it_plays_legally_to_the_end_and_only_reads_the_game(variant: str, players: int) -> None:
    game, agent = Game.new(players, variant, seed=3), make_agent("lookahead")
    while not game.over:
        before = game.state.tobytes()
        action = agent.act(game)
        assert game.state.tobytes() == before
        game.apply(action)  # raises unless legal


def lead_after(game: Game, seat: int) -> int:
    """Return the highest lead over the best rival with which ``seat`` can end a game in which only it still moves."""
    if game.over:
        scores = game.scores()
        return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)
    leads = []
    for action in game.legal_actions():
        after = game.clone()
        after.apply(action)
        leads.append(lead_after(after, seat))
    return max(leads)


@pytest.mark.parametrize(("harbor", "own", "seed"), [(1, "colonial_house", 0), (2, "dock", 1), (2, "market", 2)])
def test_it_plays_the_best_last_turn(harbor: int, own: str, seed: int) -> None:
    game = last_turn(harbor=harbor, own=own, seed=seed)
    seat, best = game.seat, lead_after(game, game.seat)
    agent = make_agent("lookahead")
    while not game.over:
        game.apply(agent.act(game))
    scores = game.scores()
    assert scores[seat] - max(score for other, score in enumerate(scores) if other != seat) == best


def test_equal_seeds_give_equal_games() -> None:
    scores = []
    for _ in range(2):
        game, rng = Game.new(4, seed=8), seeded(5)
        while not game.over:
            game.apply(compiled_action("lookahead", game, rng))
        scores.append(game.scores())
    assert scores[0] == scores[1]


def test_it_beats_the_greedy_player() -> None:
    result = play_match(["lookahead", "greedy", "greedy", "greedy"], games=24, seed=1)
    assert result.agents[0].win_rate > 0.5  # an equal wins a quarter


def test_it_beats_the_greedy_player_in_the_solitaire_game() -> None:
    leads: dict[str, list[int]] = {"lookahead": [], "greedy": []}
    for name, own in leads.items():
        agent = make_agent(name)
        for seed in range(8):
            game = Game.new(variant="solo", seed=seed)
            agent.reset(seed)
            while not game.over:
                game.apply(agent.act(game))
            own.append(game.scores()[0] - game.scores()[1])
    assert np.mean(leads["lookahead"]) > np.mean(leads["greedy"])


def test_it_is_an_opponent_in_environments() -> None:
    env = make_endeavor(players=3, opponents="lookahead", learner_seat=2)
    env.reset(seed=1)
    for _ in range(5):
        env.step(int(env.action_masks().argmax()))
    assert len(env.game().history) > 5
