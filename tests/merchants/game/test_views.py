"""What a view tells (K14.1): everything of a position that its seat may know, so that equal views have equal moves."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice

import numpy as np
import pytest

from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.merchants.game import MerchantsGame
from endeavor_env.merchants.rules.state import STATE
from tests.merchants.core.test_hidden import drawn_anew
from tests.merchants.crosscheck.boards import board_named
from tests.merchants.reference.game import ReferenceGame

HIDDEN = (
    "hand",
    "cards",
    "pile",
    "bought",
    "unseen",
    "thefts",
    "num_thefts",
    "latest",
    "card_events",
    "num_card_events",
)
SAID_OTHERWISE = {
    "near": "follows from posts and routes",
    "room": "nothing",
    "num_seats": "the length of seats",
    "variant": "the side of the board",
    "most_rolls": "an option",
    "trade": "an option",
    "first": "an option of reset, for the draw of the first player alone",
}
NOT_COMPARED = ("ending", "victim", "goods")
"""The same wherever a seat decides; for goods the history says whose they are."""
SEEN = [
    name for name in STATE.names or () if name not in HIDDEN and name not in SAID_OTHERWISE and name not in NOT_COMPARED
]
KINDS = [(side, players) for side in ("short", "expert") for players in (3, 4)]


def random_games(side: str, players: int, seed: int) -> Iterator[MerchantsGame]:
    """Yield positions of random games in which a seat is to move; of much-visited decisions only some."""
    chooser, met = random.Random(seed), Counter[int]()
    for number in range(4):
        game = MerchantsGame.new(players, side, seed + number, start="free", max_rolls=120)
        if number == 0:
            game.state["sea"] = 0  # so that tokens are taken from other terrains (K7.5)
        while not game.over:
            decision = int(game.state["decision"][0])
            met[decision] += 1
            if met[decision] < 12 or chooser.random() < 0.02:
                yield game.clone()
            game.apply(chooser.choice(game.legal_actions()))


@cache
def positions(side: str, players: int) -> list[MerchantsGame]:
    """Return positions of random games, all decisions among them."""
    return list(random_games(side, players, 5))


def with_field_of(game: MerchantsGame, other: MerchantsGame, name: str) -> MerchantsGame:
    """Return a game at a position with one field of another."""
    changed = game.clone()
    changed.state[name] = other.state[name]
    return changed


def pairs(side: str, players: int, name: str, any_decision: bool) -> Iterator[tuple[MerchantsGame, MerchantsGame]]:
    """Yield positions, the second like the first but for one field, as it is in another position or such a decision."""
    last: dict[int, MerchantsGame] = {}
    for game in positions(side, players):
        decision = 0 if any_decision else int(game.state["decision"][0])
        other, last[decision] = last.get(decision), game
        if other is not None and not np.array_equal(game.state[name], other.state[name]):
            yield game, with_field_of(game, other, name)


@pytest.mark.parametrize("name", SEEN)
def test_K14_1_a_view_tells_of_each_field_that_is_not_hidden(name: str) -> None:
    differ = 0
    for side, players in KINDS:
        for game, other in islice(pairs(side, players, name, name in ("decision", "seat")), 60):
            differ += 1
            assert game.view_position(0) != other.view_position(0), (name, game.state[name], other.state[name])
    assert differ > 0


@pytest.mark.parametrize(("side", "players"), KINDS)
def test_K14_1_positions_that_look_equal_have_the_same_moves(side: str, players: int) -> None:
    rng, equal = seeded(3), 0
    for name in SEEN:
        for game, changed in islice(pairs(side, players, name, False), 40):
            other = drawn_anew(changed, changed.seat, rng)
            if game.seat == changed.seat and game.view_position(game.seat) == other.view_position(game.seat):
                equal += 1
                assert other.legal_actions() == game.legal_actions(), (name, game.state[name], other.state[name])
    for game in positions(side, players):
        other = drawn_anew(game, game.seat, rng)
        assert other.view(game.seat) == game.view(game.seat)
        equal += other.state.tobytes() != game.state.tobytes()
    assert equal > 20


@pytest.mark.parametrize(("side", "players"), [("short", 4), ("expert", 4)])
def test_K14_1_a_view_says_whose_goods_lie_where_and_who_has_had_tolls(side: str, players: int) -> None:
    game, met, told = MerchantsGame.new(players, side, players, start="free"), Counter[str](), 0
    plain, chooser = ReferenceGame(board_named(side), players, "free"), random.Random(1)
    while not game.over and min(met["goods"], met["tolls"]) < 50:
        for who, action in game.history[told:]:
            plain.play(game.move_text(who, action))
        told, found, table = len(game.history), game.view_position(0), plain.table
        goods = {game.board.crossroads_name(site): owner for site, owner in table.goods.items()}
        tolls = [sorted(paid) for paid in table.seats[table.mover].tolls]
        assert (found["goods"], found["tolls"]) == (goods, tolls)
        met["goods"] += bool(goods)
        met["tolls"] += any(tolls)
        game.apply(chooser.choice(game.legal_actions()))
    assert min(met["goods"], met["tolls"]) > 0
