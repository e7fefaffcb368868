from __future__ import annotations

import pytest

from endeavor_env.agents.play.advice import HINTING, USUAL, hints, standing
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules.constants import VARIANT_NAMES, VARIANT_PLAYERS
from endeavor_env.errors import InvalidOptionError

QUICK = "search:sims=30"


def middle(variant: str) -> Game:
    """A game after some moves of greedy, where at least three moves are legal."""
    players = VARIANT_PLAYERS[VARIANT_NAMES.index(variant)][0]
    game, agent = Game.new(players, variant=variant, seed=4), make_agent("greedy")
    agent.reset(0)
    while len(game.history) < 20 or len(game.legal_actions()) < 3:
        game.apply(agent.act(game))
    return game


@pytest.mark.parametrize("variant", VARIANT_NAMES)
def test_three_moves_are_hinted_at_in_every_variant(variant: str) -> None:
    game = middle(variant)
    for name in (QUICK, "lookahead"):
        found = hints(game, make_agent(name))
        assert len({hint.move for hint in found}) == 3
        assert {hint.move for hint in found} <= set(game.legal_moves())
        chosen = make_agent(name)
        chosen.reset(0)
        assert found[0].move == game.describe(chosen.act(game))


def test_who_expects_is_named_and_others_fill_the_list() -> None:
    game = middle("standard")
    assert {hint.value_by for hint in hints(game, make_agent("greedy"))} == {"value"}
    by_value = {hint.move: hint.value for hint in hints(game, make_agent("value"))}
    greedy = hints(game, make_agent("greedy"))
    assert all(by_value[hint.move] == hint.value for hint in greedy if hint.move in by_value)
    searched = hints(game, make_agent(QUICK))
    assert searched[0].value_by == QUICK
    assert all(hint.share is None for hint in searched if hint.value_by == "value")


def test_a_single_legal_move_is_the_only_hint() -> None:
    game, agent = Game.new(variant="solo", seed=4), make_agent("greedy")
    while len(game.legal_actions()) > 1:
        game.apply(agent.act(game))
    for name in (QUICK, "greedy", "value"):
        (hint,) = hints(game, make_agent(name))
        assert hint.move == game.legal_moves()[0]
        assert hint.value_by == "value"


def test_the_agents_that_the_page_offers_are_agents() -> None:
    assert HINTING[0] == USUAL
    assert [make_agent(name).name for name in HINTING] == list(HINTING)


@pytest.mark.parametrize("variant", VARIANT_NAMES)
def test_the_bar_has_a_part_for_everybody_who_scores(variant: str) -> None:
    game = middle(variant)
    told = standing(game)
    assert len(told.shares) == len(game.scores())
    assert len(told.values) == game.num_players
    assert sum(told.shares) == pytest.approx(1.0, abs=0.005)
    assert min(told.shares) >= 0.0


def test_the_bar_follows_the_expectations() -> None:
    game = middle("standard")
    told = standing(game)
    assert sorted(range(3), key=lambda seat: told.values[seat]) == sorted(range(3), key=lambda seat: told.shares[seat])
    solo = standing(middle("solo"))
    assert (solo.values[0] > 0.5) == (solo.shares[0] > solo.shares[1])


def test_nothing_is_expected_of_a_game_that_is_over() -> None:
    game, agent = Game.new(variant="solo", seed=4), make_agent("greedy")
    while not game.over:
        game.apply(agent.act(game))
    with pytest.raises(InvalidOptionError, match="the game is over"):
        standing(game)
