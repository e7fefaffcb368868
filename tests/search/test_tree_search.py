"""The tree search of any game: it counts, decides well, sees nothing that its seat cannot know, and refuses clearly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from endeavor_env.errors import GameOverError, InvalidOptionError
from endeavor_env.rails.game import RailsGame
from endeavor_env.search.tree_search import TreeResult, tree_search
from tests.kits.toy_game import FACE_1, PLAY, ROLL, ROUNDS, SEATS, TOY_GAME

LAST_ROUND = (ROUNDS - 1) * SEATS


def rolled(hand: list[int], decisions: int, seed: int = 3) -> RailsGame:
    """Return a toy game that seat 0 begins, after some decisions, all of them rolls."""
    game = RailsGame.new(TOY_GAME, seed=seed, setup={"hand": hand, "first": 0})
    for _ in range(decisions):
        game.apply(ROLL)
    return game


def listed(result: TreeResult) -> list[list[float]]:
    """Return everything a search found, for comparisons."""
    return [part.tolist() for part in result]


def test_the_same_seed_gives_the_same_result_and_leaves_the_game_alone() -> None:
    game = rolled([4, 2, 5], 1)
    before = (game.state.tobytes(), game.chance.item(), list(game.history))
    found = [listed(tree_search(game, 60, seed)) for seed in (7, 7, 8)]
    assert found[0] == found[1] != found[2]
    assert (game.state.tobytes(), game.chance.item(), list(game.history)) == before


@pytest.mark.parametrize("simulations", [1, 2, 40])
def test_visits_add_up_to_the_simulations_and_are_sorted(simulations: int) -> None:
    found = tree_search(rolled([4, 2, 5], 2), simulations)
    assert found.visits.sum() == simulations
    assert (np.diff(found.visits) <= 0).all()
    assert set(found.actions.tolist()) <= {ROLL, PLAY}
    assert found.best == found.actions[0]


@pytest.mark.parametrize(("card", "best"), [(6, PLAY), (1, ROLL)])
@pytest.mark.parametrize("seed", range(3))
def test_in_its_last_round_a_high_card_is_played_and_a_low_one_kept(card: int, best: int, seed: int) -> None:
    game = rolled([card, 3, 3], LAST_ROUND)
    assert tree_search(game, 200, seed).best == best


def test_a_win_that_is_certain_is_found() -> None:
    game = rolled([3, 3, 6], ROUNDS * SEATS - 1)
    game.state["score"][0] = [15, 15, 10]  # the card wins alone, and one roll in six
    found = tree_search(game, 300, reward="win")
    assert found.best == PLAY
    assert found.values[0] == 1.0
    assert found.values[1] < 0.5


def test_hidden_cards_and_the_dice_to_come_change_nothing() -> None:
    game = rolled([4, 2, 5], 3)
    other = game.clone()
    other.state["hand"][0, 1:] = [6, 1]
    other.chance[0] += np.uint64(99)
    assert game.observe(0).tolist() == other.observe(0).tolist()
    assert listed(tree_search(game, 80, 5)) == listed(tree_search(other, 80, 5))
    own = game.clone()
    own.state["hand"][0, 0] = 1
    assert listed(tree_search(game, 80, 5)) != listed(tree_search(own, 80, 5))


def test_one_decision_from_the_end_every_value_is_what_the_move_pays() -> None:
    game = rolled([1, 1, 4], ROUNDS * SEATS - 1)
    game.state["score"][0] = [10, 9, 8]  # 4 for the card: ahead by 2 of the 6 points that a margin of 1 is
    found = tree_search(game, 100)
    assert found.values[found.actions.tolist().index(PLAY)] == pytest.approx(2 / 6)


def test_a_small_limit_stops_simulations_early() -> None:
    game = rolled([4, 2, 5], 0)
    assert tree_search(game, 30, limit=1).visits.sum() == 30
    assert listed(tree_search(game, 30, limit=1)) != listed(tree_search(game, 30))


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"simulations": 0}, "simulations"),
        ({"simulations": 1.5}, "simulations"),
        ({"simulations": 10**15}, "simulations"),
        ({"seed": -1}, "seed"),
        ({"seed": "x"}, "seed"),
        ({"limit": 0}, "limit"),
        ({"exploration": 0}, "exploration"),
        ({"exploration": float("nan")}, "exploration"),
        ({"reward": "gold"}, "reward"),
    ],
)
def test_what_is_not_possible_is_refused(given: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidOptionError, match=named):
        tree_search(rolled([4, 2, 5], 0), **given)


def test_what_cannot_be_searched_is_refused() -> None:
    with pytest.raises(GameOverError, match="over"):
        tree_search(rolled([4, 2, 5], ROUNDS * SEATS))
    before_a_draw = rolled([4, 2, 5], 0)
    before_a_draw.make_move(ROLL)
    with pytest.raises(InvalidOptionError, match="draw"):
        tree_search(before_a_draw)
    before_a_draw.make_move(FACE_1)
    assert tree_search(before_a_draw, 5).visits.sum() == 5
    with pytest.raises(InvalidOptionError, match="RailsGame"):
        tree_search("toy")  # type: ignore[arg-type]
