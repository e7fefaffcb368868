from __future__ import annotations

import numpy as np
import pytest

from endeavor_env.agents.base import ActionValueAgent
from endeavor_env.agents.players.value_agent import ValueAgent
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.players.network_file import package_path
from endeavor_env.errors import InvalidOptionError

VARIANTS = [("standard", 3), ("exploits", 4), ("solo", 1), ("soloplay_2", 2), ("soloplay_3", 3), ("neutral_2", 2)]


def middle(variant: str, players: int, moves: int = 30) -> Game:
    """A game after some moves of the value player, where several moves are legal."""
    game, agent = Game.new(players, variant=variant, seed=4), make_agent("value")
    while len(game.history) < moves or len(game.legal_actions()) < 4:
        game.apply(agent.act(game))
    return game


@pytest.mark.parametrize(("variant", "players"), VARIANTS)
def test_the_value_agent_expects_most_of_the_move_that_it_plays(variant: str, players: int) -> None:
    game, agent = middle(variant, players), ValueAgent()
    before = game.state.tobytes()
    told = agent.expect(game)
    assert game.state.tobytes() == before
    assert sorted(one.action for one in told) == sorted(game.legal_actions())
    values = [one.value if one.value is not None else np.nan for one in told]
    assert all(-0.7 < value < 1.8 for value in values)
    assert values == sorted(values, reverse=True)
    assert told[0].action == make_agent("value").act(game)
    assert told == agent.expect(game)


def test_a_turn_is_worth_what_its_best_rest_is_worth() -> None:
    game, agent = middle("standard", 3), ValueAgent()
    best = agent.expect(game)[0]
    seat = game.seat
    after = game.clone()
    after.apply(best.action)
    while after.seat == seat and after.decision in ("target", "discard"):
        rest = agent.expect(after)[0]
        assert rest.value == pytest.approx(best.value, abs=1e-5)
        after.apply(rest.action)


@pytest.mark.parametrize(("variant", "players"), VARIANTS)
def test_what_is_expected_of_the_seats_is_that_of_their_next_turns(variant: str, players: int) -> None:
    game, agent = middle(variant, players), ValueAgent()
    expected = agent.expect_of_seats(game)
    assert len(expected) == players
    assert expected[game.seat] == pytest.approx(agent.expect(game)[0].value)
    assert game.history == game.clone().history
    if players > 2:
        assert 0.5 < sum(expected) < 1.6  # one win is shared, and leads are small beside it


def test_of_a_game_that_ends_at_once_the_result_is_expected() -> None:
    game, agent = Game.new(3, seed=2), make_agent("greedy")
    agent.reset(0)
    while not game.over:
        last = game.clone()
        game.apply(agent.act(game))
    value = ValueAgent()
    played = last.clone()
    while not played.over:
        played.apply(value.expect(played)[0].action)
    scores, winner = played.scores(), int(np.argmax(played.scores()))
    lead = scores[winner] - sorted(scores)[-2]
    expected = value.expect_of_seats(last)
    assert expected[winner] == pytest.approx((1 if lead else 0.5) + 0.02 * min(30, lead))


def test_a_search_expects_what_its_visits_found() -> None:
    game, agent = middle("standard", 3), make_agent("search:sims=60")
    assert isinstance(agent, ActionValueAgent)
    told = agent.expect(game)
    assert sum(one.share or 0.0 for one in told) == pytest.approx(1.0)
    assert {one.action for one in told} <= set(game.legal_actions())
    again = make_agent("search:sims=60")
    assert told[0].action == again.act(game)
    note = make_agent("search:sims=60").note(game)  # type: ignore[attr-defined]
    total = sum((one.share or 0.0) * (one.value or 0.0) for one in told)
    assert total == pytest.approx(note.values[game.seat], abs=0.05)


def test_a_search_without_a_choice_names_the_only_move() -> None:
    game, agent = Game.new(variant="solo", seed=4), make_agent("value")
    while len(game.legal_actions()) > 1:
        game.apply(agent.act(game))
    search = make_agent("search:sims=5")
    assert isinstance(search, ActionValueAgent)
    (told,) = search.expect(game)
    assert (told.action, told.value) == (game.legal_actions()[0], None)


def test_a_policy_says_how_likely_it_finds_each_move() -> None:
    game = middle("standard", 3)
    for name in ("policy", f"policy:{package_path('policy_standard')}"):
        agent = make_agent(name)
        assert isinstance(agent, ActionValueAgent)
        told = agent.expect(game)
        assert told[0].action == agent.act(game)  # type: ignore[attr-defined]
        assert sum(one.share or 0.0 for one in told) == pytest.approx(1.0)
        with pytest.raises(InvalidOptionError, match="does not play 'neutral_2'"):
            agent.expect(Game.new(2, variant="neutral_2", seed=1))


def test_a_value_network_that_does_not_play_a_variant_says_so() -> None:
    agent = ValueAgent(str(package_path("value_solo")))
    with pytest.raises(InvalidOptionError, match="does not play 'standard': it was made for solo"):
        agent.expect(Game.new(3, seed=1))
