"""The automa as an agent: legal in every variant, repeatable, good enough, and at home wherever an agent plays."""

from __future__ import annotations

import pytest

from endeavor_env import Board, Game
from endeavor_env.agents.matches import play_match
from endeavor_env.agents.players.automa import AutomaAgent
from endeavor_env.agents.players.compiled import RandomAgent
from endeavor_env.agents.runner import play_game
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_aec
from tests.kits import players as kit

tables = pytest.mark.parametrize(("variant", "players"), kit.TABLES)


@tables
def test_legal_in_positions_of_random_play(variant: str, players: int) -> None:
    agent, other = AutomaAgent(), RandomAgent()
    for seed in range(8):
        game = Game.new(players, variant, seed)
        other.reset(seed)
        while not game.over:
            assert game.mask()[agent.act(game)]
            game.apply(other.act(game))


@pytest.mark.parametrize("number", [0, 1, 2])
def test_legal_on_boards_of_other_shapes(number: int) -> None:
    play_game([AutomaAgent() for _ in range(4)], Game.new(4, seed=1, board=Board.generate(number)))


@pytest.mark.parametrize("variant", ["soloplay_2", "soloplay_3"])
def test_regions_are_opened_even_if_spaces_have_no_token(variant: str) -> None:
    game = Game.new(variant=variant, seed=2, options={"variant_removed_spaces_stay": True})
    play_game([AutomaAgent() for _ in range(game.num_players)], game)
    assert game.state["open"][0, 1:].any()


def test_equal_positions_get_equal_moves_whatever_the_seed() -> None:
    first, second = AutomaAgent(), AutomaAgent()
    for decisions in range(0, 120, 10):
        game = kit.position(decisions, seed=decisions)
        second.reset(decisions)
        assert first.act(game) == second.act(game.clone())


def test_beats_random_players() -> None:
    result = play_match(["automa", "random", "random"], games=12, seed=1)
    automa, *others = result.agents
    assert automa.win_rate > 0.9
    assert automa.mean_score > 2 * max(other.mean_score for other in others)


@pytest.mark.parametrize("variant", ["soloplay_2", "neutral_2"])
def test_beats_a_random_player_with_neutral_discs_about(variant: str) -> None:
    assert play_match(["automa", "random"], games=6, seed=1, variant=variant).agents[0].win_rate > 0.8


def test_does_better_than_random_play_against_the_opposition() -> None:
    leads = []
    for agent in (AutomaAgent(), RandomAgent()):
        agent.reset(0)
        own, other = play_game([agent], Game.new(variant="solo", seed=5))
        leads.append(own - other)
    assert leads[0] > leads[1] + 10


def test_opponent_in_the_gymnasium_environment() -> None:
    env, learner = make_endeavor(players=3, opponents=AutomaAgent()), AutomaAgent()
    env.reset(seed=4)
    over = False
    while not over:
        over = env.step(learner.act(env.game()))[2]
    alone = Game.new(3, seed=4)
    play_game([AutomaAgent() for _ in range(3)], alone)
    assert env.game().scores() == alone.scores()


def test_player_in_the_agent_environment_cycle() -> None:
    env, agent = make_endeavor_aec(players=4), AutomaAgent()
    env.reset(seed=6)
    for _ in env.agent_iter():
        _, _, termination, truncation, _ = env.last()
        env.step(None if termination or truncation else agent.act(env.game()))
    alone = Game.new(4, seed=6)
    play_game([AutomaAgent() for _ in range(4)], alone)
    assert env.game().scores() == alone.scores()
