"""Abolition of slavery (R8.9) and what becomes of Slavery cards that are thrown away (A9, A16)."""

from __future__ import annotations

import pytest

from endeavor_env.endeavor.rules import constants as c
from tests.kits.actions import CITIES, SLAVERY, acting, assert_turn, gains, legal, refuse
from tests.kits.position import Position, See, play

LOW = ("europe.0", "europe.1", "europe.2", "europe.3", "europe.4")
EUROPE_5 = {"culture": 1, "politics": 1}


def eve(players: int = 4, *, holder: int = 3) -> Position:
    """Seat 0 can draw Europe 5 with a Market; ``holder`` has the five cards below it."""
    return acting(players, own=("market",)).cities(0, *CITIES["europe"][:5]).cards(holder, *LOW)


def loss(*cards: str) -> dict[str, int]:
    """What the loss of these Slavery cards takes away."""
    total: dict[str, int] = {}
    for card in cards:
        for name, count in SLAVERY[card].items():
            total[name] = total.get(name, 0) - count
    return total


def added(first: dict[str, int], second: dict[str, int]) -> dict[str, int]:
    """Sum of two tables of icons, without the zeros."""
    both = {name: first.get(name, 0) + second.get(name, 0) for name in {*first, *second}}
    return {name: count for name, count in both.items() if count}


@pytest.mark.parametrize("card", SLAVERY)
@pytest.mark.parametrize("owner", [0, 1, 2])
def test_R8_9_2_every_holder_loses_the_card_and_its_icons(card: str, owner: int) -> None:
    game = eve().cards(owner, card).game()
    start = See(game).statuses(owner)
    play(game, "activate:market", "draw:europe")
    see = See(game)
    assert see.place(card) == c.CARD_FACE_DOWN + owner
    assert see.face_down(owner) == {card}
    assert see.cards(owner) == ({"europe.5"} if owner == 0 else set())
    assert gains(start, game, owner) == added(loss(card), EUROPE_5 if owner == 0 else {})


def test_R8_9_2_all_seats_at_once_the_drawer_and_the_passed_included() -> None:
    held = {0: ("slavery.0",), 1: ("slavery.1", "slavery.3"), 2: ("slavery.2", "slavery.4"), 3: ("slavery.5",)}
    position = eve().passed(2, 3)
    for seat, cards in held.items():
        position.cards(seat, *cards)
    game = position.game()
    start = [See(game).statuses(seat) for seat in range(4)]
    play(game, "activate:market", "draw:europe")
    for seat, cards in held.items():
        assert See(game).face_down(seat) == set(cards)
        assert gains(start[seat], game, seat) == added(loss(*cards), EUROPE_5 if seat == 0 else {})
    assert_turn(game, 1)


def test_R8_9_2_five_seats() -> None:
    position = eve(5)
    for seat in range(5):
        position.cards(seat, f"slavery.{seat}")
    game = play(position.game(), "activate:market", "draw:europe")
    assert [See(game).face_down(seat) for seat in range(5)] == [{f"slavery.{seat}"} for seat in range(5)]


def test_R8_9_2_other_cards_are_untouched() -> None:
    held = ("india.1", "india.governor", "africa.2")
    game = play(eve().cards(1, *held, "slavery.0").game(), "activate:market", "draw:europe")
    assert See(game).cards(1) == set(held)
    assert See(game).cards(3) == set(LOW)


def test_R8_9_2_cards_set_aside_before_stay_where_they_are() -> None:
    game = eve().face_down(1, "slavery.0").cards(1, "slavery.1").game()
    start = See(game).statuses(1)
    play(game, "activate:market", "draw:europe")
    assert See(game).face_down(1) == {"slavery.0", "slavery.1"}
    assert gains(start, game, 1) == loss("slavery.1")


@pytest.mark.parametrize("in_pile", range(7))
def test_R8_9_3_cards_left_on_the_board_leave_the_game(in_pile: int) -> None:
    drawn = [f"slavery.{value}" for value in range(6 - in_pile)]
    game = play(eve().cards(1, *drawn).game(), "activate:market", "draw:europe")
    see = See(game)
    left = [f"slavery.{value}" for value in range(6 - in_pile, 6)]
    assert [see.place(card) for card in left] == [c.CARD_OUT_OF_GAME] * in_pile
    assert see.pile("slavery") == []
    assert see.face_down(1) == set(drawn)


@pytest.mark.parametrize("source", ["activate:market", "spend:occupy_draw", "spend:sail_draw"])
def test_R8_9_3_no_slavery_draw_after_the_abolition(source: str) -> None:
    position = eve().own(0, "market").tokens(0, "occupy_draw", "sail_draw").passed(1, 2, 3).open("india", by=0)
    game = play(position.game(), "activate:market", "draw:europe", source)
    refuse(game, "draw:slavery", "draw:europe")
    assert "draw:india" in legal(game)


def test_R8_9_1_no_other_europe_card_abolishes() -> None:
    game = acting(own=("market",)).cities(0, *CITIES["europe"][:5]).cards(1, *LOW[:4], "slavery.0").game()
    play(game, "activate:market", "draw:europe")
    assert See(game).cards(0) == {"europe.4"}
    assert See(game).cards(1) == {*LOW[:4], "slavery.0"}
    assert See(game).pile("slavery")[0] == "slavery.1"


def test_R8_9_1_europe_5_needs_five_discs_like_any_draw() -> None:
    position = acting(own=("market",)).cities(0, *CITIES["europe"][:4]).cards(1, *LOW)
    refuse(play(position.game(), "activate:market"), "draw:europe")


def test_R8_9_2_counts_beyond_the_end_of_a_track_fall_from_the_true_count() -> None:
    game = eve().cards(1, "slavery.4").status(1, industry=17, finance=3).game()
    play(game, "activate:market", "draw:europe")
    assert See(game).statuses(1) == {"industry": 14, "culture": 0, "finance": 0, "politics": 0}


def test_R8_9_4_face_down_cards_never_count_towards_the_limit() -> None:
    position = eve().cards(1, "africa.1", "slavery.0", "slavery.1", "slavery.2")
    game = play(position.game(), "activate:market", "draw:europe")
    assert See(game).status(1, "politics") == 1, "limit 1: the one card face up is all that counts"
    play(game, "pass")
    assert_turn(game, 2)
    assert See(game).cards(1) == {"africa.1"}
    assert len(See(game).face_down(1)) == 3


@pytest.mark.parametrize("count", range(1, 6))
def test_R8_9_4_face_down_cards_cost_one_glory_each(count: int) -> None:
    cards = [f"slavery.{value}" for value in range(count)]
    game = eve().cards(1, *cards).game()
    assert game.breakdown(1)["slavery"] == 0, "face-up Slavery cards cost nothing"
    play(game, "activate:market", "draw:europe")
    assert game.breakdown(1)["slavery"] == -count
    assert game.breakdown(2)["slavery"] == 0


def test_R8_9_2_lost_politics_asks_nobody_before_the_end_of_the_round() -> None:
    # Seat 1 has passed with two cards that Slavery 3's Politics allowed (A8).
    position = eve().cards(1, "slavery.3", "africa.2", "caribbean.1")
    game = play(position.passed(1).game(), "activate:market", "draw:europe")
    assert_turn(game, 2)
    assert See(game).cards(1) == {"africa.2", "caribbean.1"}
    assert See(game).status(1, "politics") == 1


def test_A16_second_draw_of_europe_5_abolishes_nothing() -> None:
    # Seat 0 passes over its limit and throws Europe 5 away; seat 1 draws it again.
    position = eve().cards(0, "caribbean.1", "slavery.0").cards(1, "slavery.1").own(1, "market", "shipyard")
    position.discs(1, harbor=3).cities(1, *CITIES["europe"][5:]).passed(2, 3)
    game = play(position.game(), "activate:market", "draw:europe")
    play(game, "activate:shipyard", "done", "pass", "discard:europe.5")
    assert See(game).pile("europe") == ["europe.5"]
    start = {seat: See(game).statuses(seat) for seat in range(4)}
    down = {seat: See(game).face_down(seat) for seat in range(4)}
    assert_turn(game, 1)
    play(game, "activate:market", "draw:europe")
    assert See(game).cards(1) == {"europe.5"}
    assert gains(start[1], game, 1) == EUROPE_5
    assert [gains(start[seat], game, seat) for seat in (0, 2, 3)] == [{}, {}, {}]
    assert {seat: See(game).face_down(seat) for seat in range(4)} == down
    assert See(game).pile("slavery") == []


@pytest.mark.parametrize("card", SLAVERY)
def test_A9_discarded_slavery_card_lies_face_down_and_never_returns(card: str) -> None:
    position = Position(4).discs(0, harbor=0).cards(0, card, "africa.1", "europe.4", "caribbean.1")
    game = play(position.game(), "pass")
    start = See(game).statuses(0)
    play(game, f"discard:{card}")
    see = See(game)
    assert see.place(card) == c.CARD_FACE_DOWN
    assert card not in see.pile("slavery")
    assert gains(start, game, 0) == loss(card)
    assert game.breakdown(0)["slavery"] == -1
