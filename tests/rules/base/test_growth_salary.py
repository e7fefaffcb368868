"""Growth and Salary phases (sections 5 and 6; notation 3.2 and 3.3)."""

from __future__ import annotations

import pytest

from endeavor_env import Game
from tests.kits.position import Position, See, play

SIX = ("market", "market", "guild_hall", "barracks", "dock", "dock")  # six activation spaces without icons


def last_to_build(players: int = 3) -> Position:
    """A position in which the last seat must build; `workshop` then leads on to Growth and Salary."""
    return Position(players).build(players - 1)


def occupied(position: Position, seat: int, *buildings: str) -> Position:
    """Give a seat these buildings, each with a disc on it."""
    return position.own(seat, *buildings).workers(seat, *buildings)


@pytest.mark.parametrize(
    ("culture", "discs"),
    [(0, 2), (1, 2), (2, 3), (3, 3), (4, 4), (6, 4), (7, 5), (9, 5), (10, 6), (14, 6), (15, 6), (18, 6)],
)
def test_R5_1_growth_by_culture(culture: int, discs: int) -> None:
    game = last_to_build().status(0, culture=culture).discs(0, harbor=1).game()
    play(game, "build:workshop")
    assert See(game).harbor(0) == 1 + discs
    assert See(game).supply(0) == 29 - discs


@pytest.mark.parametrize(("supply", "moved"), [(0, 0), (1, 1), (4, 4), (5, 4)])
def test_R5_1_growth_is_bounded_by_the_supply(supply: int, moved: int) -> None:
    game = last_to_build().status(0, culture=4).discs(0, supply=supply).game()
    play(game, "build:workshop")
    assert See(game).supply(0) == supply - moved
    assert See(game).harbor(0) == 30 - supply + moved


def test_R5_1_everybody_grows_by_the_own_culture() -> None:
    position = last_to_build(5)
    for seat, culture in enumerate((0, 2, 4, 7, 0)):
        position.status(seat, culture=culture)
    game = play(position.game(), "build:workshop")
    assert [See(game).harbor(seat) for seat in range(5)] == [2, 3, 4, 5, 2]


def test_D2_growth_is_never_asked() -> None:
    game = play(last_to_build().game(), "build:workshop")
    assert (game.phase, game.decision, game.seat) == ("action", "turn", 0)


@pytest.mark.parametrize(
    ("finance", "payments"), [(0, 1), (1, 1), (2, 2), (3, 2), (4, 3), (6, 3), (7, 4), (9, 4), (10, 5), (15, 5), (17, 5)]
)
def test_R6_1_payments_by_finance(finance: int, payments: int) -> None:
    position = last_to_build().status(0, finance=finance)
    game = play(occupied(position, 0, *SIX).game(), "build:workshop")
    for made in range(payments):
        assert (game.phase, game.decision, game.seat) == ("salary", "salary", 0)
        assert See(game).workers(0).total() == 6 - made
        play(game, game.legal_moves()[0])
    assert (game.phase, game.seat) == ("action", 0)
    assert See(game).workers(0).total() == 6 - payments
    assert See(game).harbor(0) == 2 + payments


def test_R6_1_a_payment_moves_the_disc_to_the_harbor() -> None:
    game = occupied(Position(3).status(0).salary(0, 1), 0, "market", "barracks").discs(0, harbor=2).game()
    play(game, "pay:barracks")
    assert See(game).workers(0) == {"market": 1}
    assert See(game).harbor(0) == 3
    assert game.phase == "action"


def test_R6_2_the_player_chooses_which_buildings_are_freed() -> None:
    position = Position(3).status(0, finance=2).workers(0, "colonial_house").salary(0, 2)
    game = occupied(position, 0, "market", "guild_hall").game()
    assert See(game).moves("pay") == {"colonial_house", "market", "guild_hall"}
    play(game, "pay:guild_hall")
    assert See(game).moves("pay") == {"colonial_house", "market"}
    play(game, "pay:colonial_house")
    assert See(game).workers(0) == {"market": 1}
    assert game.phase == "action"


@pytest.mark.parametrize(("finance", "discs"), [(0, 1), (2, 1), (2, 2), (4, 3), (10, 2), (10, 5)])
def test_R6_2_all_come_back_by_themselves_when_payments_suffice(finance: int, discs: int) -> None:
    position = last_to_build().status(0, finance=finance)
    game = play(occupied(position, 0, *SIX[:discs]).game(), "build:workshop")
    assert game.phase == "action"
    assert See(game).workers(0).total() == 0
    assert See(game).harbor(0) == 2 + discs


def test_R6_2_excess_payments_are_lost() -> None:
    position = last_to_build().status(0, finance=10)
    game = play(occupied(position, 0, "market").game(), "build:workshop")
    assert See(game).harbor(0) == 2 + 1
    assert game.state[0].payments_left == 0


def test_R6_2_no_occupied_building_no_payment() -> None:
    game = play(last_to_build().status(0, finance=10).own(0, "market").game(), "build:workshop")
    assert See(game).harbor(0) == 2


def test_R6_2_A11_payments_are_compulsory() -> None:
    game = occupied(Position(3).salary(0, 1), 0, "market", "barracks").game()
    assert set(game.legal_moves()) == {"pay:market", "pay:barracks"}


def test_R6_3_round_1_has_nothing_to_free() -> None:
    game = Game.new(players=3, setup=Game.new(players=3, seed=4).setup() | {"first_player": 0})
    play(game, "build:market", "build:market", "build:market")
    assert (game.round, game.phase, game.decision) == (1, "action", "turn")
    assert [See(game).harbor(seat) for seat in range(3)] == [2, 2, 2]


def test_D3_asked_one_payment_at_a_time_until_none_is_left() -> None:
    position = occupied(Position(3).status(0, finance=4).salary(0, 3), 0, *SIX[:4])
    game = position.game()
    for left in (3, 2, 1):
        assert (game.decision, game.state[0].payments_left) == ("salary", left)
        play(game, game.legal_moves()[0])
    assert game.decision == "turn"


def test_D3_identical_copies_are_one_move() -> None:
    position = Position(3).status(0).workers(0, "colonial_house").salary(0, 1)
    game = occupied(position, 0, "market", "market").game()
    assert sorted(game.legal_moves()) == ["pay:colonial_house", "pay:market"]
    play(game, "pay:market")
    assert See(game).workers(0) == {"colonial_house": 1, "market": 1}


def test_D3_asked_with_a_single_type_too() -> None:
    position = Position(3).status(0).own(0, "market", "market", "market").workers(0, "market", "market", "market")
    game = position.salary(0, 1).game()
    assert game.legal_moves() == ["pay:market"]
    play(game, "pay:market")
    assert See(game).workers(0) == {"market": 2}


def test_D3_each_seat_in_turn_order_is_asked_only_if_it_must_choose() -> None:
    position = last_to_build(5).round(3, first=0)
    for seat in (0, 2, 4):
        occupied(position.status(seat), seat, "market", "barracks")
    occupied(position.status(1, finance=2), 1, "market", "barracks")
    game = play(position.game(), "build:workshop")
    asked = []
    while game.phase == "salary":
        asked.append(game.seat)
        play(game, "pay:market")
    assert asked == [0, 2, 4]
    assert [See(game).workers(seat).total() for seat in range(5)] == [1, 0, 1, 0, 1]


def test_R6_1_growth_comes_before_salary_for_everybody() -> None:
    position = occupied(last_to_build().status(0), 0, "market", "barracks")
    game = play(position.game(), "build:workshop")
    assert (game.phase, game.seat) == ("salary", 0)
    assert [See(game).harbor(seat) for seat in range(3)] == [2, 2, 2]


def test_R6_1_freed_buildings_can_be_used_in_the_action_phase() -> None:
    position = occupied(last_to_build().status(0), 0, "market", "barracks")
    game = play(position.game(), "build:workshop", "pay:market")
    assert See(game).moves("activate") == {"colonial_house", "market"}
