"""The tree search of any game, with the toy game: the search of plain Python, no look at hidden cards, sure wins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.rules import NONE
from endeavor_env.engine.rewards import named_rewards
from endeavor_env.engine.search import trees as trees_module
from endeavor_env.errors import GameOverError, InvalidOptionError
from endeavor_env.merchants.game import MerchantsGame
from endeavor_env.search import TreeResult, tree_search
from tests.kits.toy_envs import SETUP, TOY
from tests.search.reference_tree import Settings, search
from tests.toy_game.rules import FACES, PLAY, ROLL, ROUNDS, SEATS, TOY_GAME

DECISIONS = ROUNDS * SEATS
REWARDS = named_rewards(TOY_GAME.scale, alone=False)


def at(decisions: int, hand: tuple[int, int, int] = (4, 2, 6), seed: int = 3) -> AnyGame:
    """Return a game in which seat 0 began, after so many throws of the die."""
    game = TOY.new_game(seed, {"hand": list(hand), "first": 0})
    for _ in range(decisions):
        game.apply(ROLL)
    return game


def listed(result: TreeResult) -> tuple[list[Any], ...]:
    """Return a result as lists, which can be compared."""
    return tuple(part.tolist() for part in result)


# --- the search of plain Python --------------------------------------------------------------------------------------
@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("decisions", [0, 4, 8, 10, 11])
def test_a_search_is_that_of_plain_python(decisions: int, reward: str) -> None:
    for seed, (simulations, limit, exploration) in enumerate([(1, 200, 1.5), (30, 2, 0.3), (60, 200, 1.5), (45, 1, 9)]):
        game = at(decisions, seed=seed)
        if decisions == 10:
            game.state["hand"][0] = [0, 3, 5]
        found = tree_search(game, simulations, seed, limit=limit, exploration=exploration, reward=reward)
        expected = search(game, seed, Settings(simulations, limit, exploration, REWARDS[reward]))
        assert dict(zip(found.actions.tolist(), found.visits.tolist(), strict=True)) == {
            action: visits for action, (visits, _) in expected.items()
        }
        for action, value in zip(found.actions.tolist(), found.values.tolist(), strict=True):
            assert value == pytest.approx(expected[action][1], abs=1e-12)


@pytest.mark.parametrize("nodes", [2, 3, 7, 20])
def test_a_full_tree_grows_no_more_and_goes_on_learning(nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made, new_tree = [], trees_module._new_tree

    def few_nodes(asked: int) -> Any:
        made.append(new_tree(nodes))
        return made[-1]

    monkeypatch.setattr(trees_module, "_new_tree", few_nodes)
    found = tree_search(at(3), 50, 4, reward="rank")
    expected = search(at(3), 4, Settings(50, 200, 1.5, REWARDS["rank"], nodes))
    assert dict(zip(found.actions.tolist(), found.visits.tolist(), strict=True)) == {
        action: visits for action, (visits, _) in expected.items()
    }
    tree = made[0]
    assert tree.nodes[0, trees_module.kernels.VISITS] == 50
    assert (tree.nodes[1:, trees_module.kernels.VISITS] > 0).all()  # all were used


def test_a_tree_goes_on_where_a_call_ended() -> None:
    game, trees = at(3), [trees_module._new_tree(400) for _ in range(2)]
    counts = []
    for tree, parts in zip(trees, ([60], [25, 35]), strict=True):
        rng, count = seeded(9), 0
        for simulations in parts:
            count = trees_module.kernels.search_tree(
                *game.rules.given(game.board, game.state), game.seat, 1, 1, simulations, 200, 1.5,
                trees_module.REWARD_CODES["margin"], game.rules.scale, tree, count,
                np.empty(game.state.dtype.itemsize // 8, np.int64), rng,
                trees_module.kernels.NO_LEAVES, np.zeros(0, np.uint8),
            )  # fmt: skip
        counts.append(count)
    assert counts[0] == counts[1]
    assert trees[0].nodes[: counts[0]].tolist() == trees[1].nodes[: counts[0]].tolist()
    assert trees[0].values[: counts[0], :SEATS].tolist() == trees[1].values[: counts[0], :SEATS].tolist()


# --- results ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("decisions", range(DECISIONS))
def test_the_same_seed_gives_the_same_result_and_visits_add_up(decisions: int) -> None:
    game = at(decisions)
    before = game.record(), game.state.tobytes(), game.chance.tolist()
    found = tree_search(game, 50, 7)
    assert listed(found) == listed(tree_search(game, 50, 7))
    assert (game.record(), game.state.tobytes(), game.chance.tolist()) == before
    assert found.visits.sum() == 50
    assert sorted(found.actions.tolist()) == [ROLL, PLAY]
    assert found.visits[0] >= found.visits[1]
    assert found.best == found.actions[0]
    assert (np.abs(found.values) <= 1).all()


def test_other_seeds_give_other_results() -> None:
    assert len({tuple(tree_search(at(3), 50, seed).values.tolist()) for seed in range(8)}) == 8


def test_a_single_move_has_all_visits() -> None:
    game = at(0)
    for _ in range(SEATS):
        game.apply(PLAY)
    found = tree_search(game, 30)
    assert (found.actions.tolist(), found.visits.tolist()) == ([ROLL], [30])


@pytest.mark.parametrize("seed", range(5))
def test_a_high_card_is_played_in_the_last_round_and_a_low_one_kept(seed: int) -> None:
    for first in range(SEATS):
        for card, best in ((6, PLAY), (1, ROLL)):
            hand = [3, 3, 3]
            hand[first] = card
            game = at(DECISIONS - SEATS + first, (hand[0], hand[1], hand[2]), seed)
            game.state["score"] = 12
            assert tree_search(game, 200, seed).best == best


def test_a_sure_win_is_found_and_worth_one() -> None:
    game = at(DECISIONS - 1, (1, 1, 6))
    game.state["score"][0] = [15, 12, 10]
    for seed in range(5):
        assert tree_search(game, 200, seed, reward="win").best == PLAY
        found = tree_search(game, 200, seed, exploration=20.0, reward="win")  # which tries both often
        assert found.values[0] == 1.0
        assert found.values[1] == pytest.approx((1 + 0.5) / FACES, abs=0.13)


def test_a_seat_that_plays_next_is_expected_to_play_for_itself() -> None:
    """Seat 1 has seen no card of seat 2, which wins with most of them; a throw of 6 wins against all others."""
    game = at(DECISIONS - 2, (1, 6, 6))
    game.state["score"][0] = [0, 10, 12]
    found = tree_search(game, 2000, 1, reward="win")
    values = dict(zip(found.actions.tolist(), found.values.tolist(), strict=True))
    # After the card, 16 to 12, seat 2 throws or plays its card: 4, a tie, with a sixth, 5 and 6 with a third.
    assert values[PLAY] == pytest.approx(0.5 + 0.5 / FACES, abs=0.05)
    assert values[PLAY] > values[ROLL] + 0.2


def test_a_limit_ends_simulations_early() -> None:
    game = at(0)
    game.state["score"][0] = [12, 0, 0]
    found = tree_search(game, 40, 1, limit=1)
    assert found.values.min() > 0.5  # nobody comes near in a few decisions
    assert tree_search(game, 40, 1, limit=1).values.tolist() != tree_search(game, 40, 1).values.tolist()


# --- what the seat cannot know ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("decisions", range(DECISIONS))
def test_a_search_does_not_peek(decisions: int) -> None:
    game = at(decisions)
    seat = game.seat
    found = listed(tree_search(game, 40, 5))
    for step in range(1, FACES):
        other = game.clone()
        others = np.arange(SEATS) != seat
        other.state["hand"][0, others] = (other.state["hand"][0, others] + step - 1) % FACES + 1
        other.chance[:] = seeded(step)
        assert other.observe(seat).tolist() == game.observe(seat).tolist()
        assert listed(tree_search(other, 40, 5)) == found


def test_a_search_does_see_its_own_card() -> None:
    results = [listed(tree_search(at(9, (card, 2, 2)), 40, 5)) for card in range(1, FACES + 1)]
    assert len({str(result) for result in results}) == FACES


# --- a deep game -----------------------------------------------------------------------------------------------------
def test_a_game_of_hundreds_of_decisions_is_searched_up_to_the_limit() -> None:
    game = MerchantsGame.new(3, seed=2)
    while len(legal := game.legal_actions()) == 1:
        game.apply(legal[0])
    found = tree_search(game, 40, 3, limit=15)
    assert found.visits.sum() == 40
    assert set(found.actions.tolist()) <= set(legal)
    assert listed(tree_search(game.clone(), 40, 3, limit=15)) == listed(found)


# --- what is not possible --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("given", "sentence"), [
    ({"simulations": 0}, "simulations=0 is not possible: give a positive whole number"),
    ({"simulations": 1.5}, r"simulations=1\.5 is not possible"),
    ({"simulations": 1 << 60}, "simulations"),
    ({"limit": 0}, "limit=0 is not possible"),
    ({"exploration": 0}, "exploration=0 is not possible: give a number above 0"),
    ({"exploration": float("nan")}, "exploration=nan is not possible"),
    ({"exploration": "much"}, "exploration='much' is not possible"),
    ({"seed": -1}, "seed=-1 is not possible: give a whole number from 0 on"),
    ({"seed": None}, "seed=None is not possible"),
    ({"reward": "ladder"}, "reward='ladder' is not possible: give 'win' or"),
    ({"reward": sum}, "reward=.* is not possible"),
])  # fmt: skip
def test_arguments_that_are_not_possible_are_refused(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidOptionError, match=sentence):
        tree_search(at(0), **given)


def test_positions_that_ask_no_seat_are_refused() -> None:
    over = at(DECISIONS)
    assert over.seat == NONE
    with pytest.raises(GameOverError, match="a search is not possible: the game is over"):
        tree_search(over)
    with pytest.raises(InvalidOptionError, match=r"a search is not possible before a draw: call game\.draw\(\)"):
        tree_search(at(4).at_move(1))
    for wrong in (Game.new(3, seed=1), SETUP, None):
        with pytest.raises(InvalidOptionError, match="cannot be searched here: give a AnyGame"):
            tree_search(wrong)  # type: ignore[arg-type]
