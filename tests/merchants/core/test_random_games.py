"""Random games on both boards to the end: what never changes, and what is kept twice."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from endeavor_env.engine.game import Game
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from tests.merchants.core.games import CASES, new_game, paths_of, random_play

ROLLS = 25


def check_position(game: Game) -> None:
    """Check what holds in every position."""
    state, board = game.state[0], game.board[0]
    assert (state["hand"].sum(axis=0) + state["reserve"] == c.CARDS_OF_KIND).all()
    assert min(state["hand"].min(), state["reserve"].min(), state["gold"].min(), state["gold_left"]) >= 0
    assert state["gold"].sum() + state["gold_left"] == c.ALL_GOLD
    assert state["cards"].sum() + state["pile"].sum() + state["used"].sum() == c.ALL_DEVELOPMENT
    assert (state["numbers"] > 0).sum() + state["sea"].sum() == (board["numbers"] > 0).sum() + board["sea"].sum()
    assert state["numbers"][state["robber"]] > 0 or state["robber"] == board["robber"] or state["sea"].sum() < 10
    check_pieces(state, board, game.num_players)
    check_what_is_unseen(state)


def check_pieces(state: Any, board: Any, players: int) -> None:
    """Check posts, goods, routes, merchants and caravans."""
    posts = [int(cities) for cities in state["posts"]]
    taken = 0
    for cities in posts:
        assert not taken & cities
        taken |= cities
    assert not int(state["goods"]) & ~taken
    assert int(state["goods"]).bit_count() == state["delivered"].sum()
    routes = [paths_of(words) for words in state["routes"]]
    assert sum(map(len, routes)) == len(set().union(*routes))
    for seat in range(players):
        assert len(routes[seat]) + state["routes_left"][seat] == c.ALL_ROUTES
        assert 0 <= state["delivered"][seat] <= 1 + state["built"][seat]
        assert paths_of(state["near"][seat]) == beside(board, posts[seat], routes[seat])
    standing = Counter(path for path in state["caravans"].reshape(-1).tolist() if path != c.NONE)
    assert set(standing) <= set().union(*routes)
    assert max(standing.values(), default=0) <= c.ROOM_ON_ROUTE + (state["decision"] == c.DECIDE_DRIVE)
    merchants = [where for where in state["merchants"].reshape(-1).tolist() if where != c.NONE]
    assert len(merchants) == len(set(merchants))


def beside(board: Any, cities: int, routes: set[int]) -> set[int]:
    """Return the paths at posts and beside routes (K6.4)."""
    ends = {int(board["city_crossroads"][city]) for city in range(c.MAX_CITIES) if cities >> city & 1}
    ends.update(end for path in routes for end in board["path_ends"][path].tolist())
    return {path for end in ends for path in board["crossroads_paths"][end].tolist() if path != c.NONE}


def check_what_is_unseen(state: Any) -> None:
    """Check that nobody knows of more cards than a hand has, and everybody all of the own."""
    assert (state["unseen"] >= 0).all()
    assert (state["unseen"] <= state["hand"][:, :, None]).all()
    for seat in range(c.MAX_SEATS):
        assert not state["unseen"][seat, :, seat].any()


@pytest.mark.parametrize(("side", "players", "start", "trade"), CASES)
def test_positions_of_random_games(side: str, players: int, start: int, trade: int) -> None:
    game = new_game(side, players, start, trade, ROLLS, seed=players)
    for _ in random_play(game, seed=trade):
        check_position(game)
        assert game.legal_actions()[-1] < actions.NUM_MOVES
    check_position(game)
    state = game.state[0]
    ended = max(game.scores()) == {("short", 3): 6, ("short", 4): 5, ("expert", 3): 10, ("expert", 4): 8}[side, players]
    assert state["ending"] == (c.ALL_DELIVERED if ended else c.OUT_OF_ROLLS)
    assert ended or state["rolls"] == ROLLS


def test_moves_of_random_games_have_words() -> None:
    game = new_game("expert", 4, rolls=ROLLS)
    for _ in random_play(game, seed=3):
        for action in game.legal_actions():
            assert game.encode(game.describe(action)) == action
    verbs = {move.partition(":")[0] for _, move in game.record()["moves"]}
    assert {"roll", "dice", "first", "post", "route", "steal", "stolen", "give", "want", "end"} <= verbs


def test_draws_offer_what_is_possible() -> None:
    game, shown = new_game("short", 4, rolls=60, seed=5), Counter[int]()
    for _ in random_play(game, seed=1):
        pass
    for number, (seat, action) in enumerate(game.history):
        if seat == CHANCE:
            before = game.at_move(number)
            assert action in before.legal_actions()
            assert min(before.legal_actions()) >= actions.NUM_MOVES
            assert before.legal_actions() == possible(before)
            shown[int(before.state["decision"][0])] += 1
    assert shown[c.CHANCE_DICE] == 60
    assert min(shown[c.CHANCE_FIRST], shown[c.CHANCE_STOLEN], shown[c.CHANCE_DRAWN]) > 0


def possible(game: Game) -> list[int]:
    """Return the outcomes of a draw that have a weight (K13)."""
    state, board = game.state[0], game.board[0]
    first, weights = {
        c.CHANCE_FIRST: (actions.FIRST_AT, [1] * game.num_players),
        c.CHANCE_DICE: (actions.DICE_AT, [1] * c.DICE_SUMS),
        c.CHANCE_STOLEN: (actions.STOLEN_AT, state["hand"][state["victim"]].tolist()),
        c.CHANCE_DRAWN: (actions.DRAWN_AT, state["pile"].tolist()),
        c.CHANCE_VALUE: (actions.VALUE_AT, state["sea"][board["kinds"][state["terrain"]]].tolist()),
    }[int(state["decision"])]
    return [first + index for index, weight in enumerate(weights) if weight]
