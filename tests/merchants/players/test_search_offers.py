"""Offers of the search player of Merchants of Europe: made where they help, brought to their end, and worth making."""

from __future__ import annotations

from collections import Counter

import pytest

from endeavor_env.agents.players.player_agent import make_player_agent
from endeavor_env.engine.game import Game
from endeavor_env.merchants.game import MerchantsConfig
from endeavor_env.merchants.rules import constants as c
from tests.kits.merchants_networks import wins_alone

CONFIG = MerchantsConfig(4, "short")
OWN = 0


def verb(move: str) -> str:
    """Return what a move does."""
    return move.partition(":")[0]


@pytest.fixture(scope="module")
def game() -> Game:
    """A game of the search player in the first seat among value players."""
    game = CONFIG.new_game(5)
    search, value = (make_player_agent(game.rules, name) for name in ("search", "value"))
    for agent in (search, value):
        agent.reset(0)
    while not game.over:
        game.apply((search if game.seat == OWN else value).act(game))
    return game


def test_each_offer_is_brought_to_its_end(game: Game) -> None:
    begun = False
    for seat, text in game.moves_seen_by(None):
        if seat != OWN:
            continue
        kind = verb(text)
        assert kind in ("give", "want", "propose", "cancel") or not begun
        begun = kind in ("give", "want") or (begun and kind not in ("propose", "cancel"))
    assert not begun


def test_it_offers_more_than_once_a_turn_and_most_offers_are_accepted(game: Game) -> None:
    counts, turns, accepted, asked = Counter[int](), 0, 0, False
    for seat, text in game.moves_seen_by(None):
        kind = verb(text)
        if seat == OWN and kind == "end":
            turns += 1
        elif seat == OWN and kind == "propose":
            counts[turns] += 1
            asked = True
        elif kind == "accept" and asked:
            accepted, asked = accepted + 1, False
    assert 1 < max(counts.values()) <= c.MOST_OFFERS
    assert accepted > counts.total() / 2


def test_it_gives_two_cards_for_one_where_nobody_takes_less(game: Game) -> None:
    given = Counter[int]()
    number = 0
    for seat, text in game.moves_seen_by(None):
        if seat == OWN and verb(text) == "give":
            number += 1
        elif seat == OWN and verb(text) == "want":
            given[number] += 1
            number = 0
    assert set(given) == {1, 2}


def test_it_beats_the_value_player() -> None:
    assert wins_alone("search", "value", 3) >= 5  # of 12, equal players win 3
