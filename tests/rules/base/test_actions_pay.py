"""Pay (R8.6): a disc comes back from another building of the own mat (A17, C1)."""

from __future__ import annotations

import pytest

from tests.kits.actions import acting, assert_turn, edited, legal, moves, refuse
from tests.kits.position import Position, See, play

PAYERS = ("exchange", "museum", "parliament")


@pytest.mark.parametrize("payer", PAYERS)
def test_R8_6_1_disc_returns_and_the_building_can_be_used_again(payer: str) -> None:
    position = acting(own=(payer, "market", "shipyard"), harbor=2).workers(0, "market", "shipyard").passed(1, 2, 3)
    game = play(position.game(), f"activate:{payer}")
    assert legal(game) == moves("pay", "market", "shipyard") | {"done"}
    play(game, "pay:market")
    see = See(game)
    assert see.workers(0) == {payer: 1, "shipyard": 1}
    assert see.harbor(0) == 2, "one disc on the payer, one back from the market"
    assert_turn(game, 0)
    assert "activate:market" in legal(game)
    assert "activate:shipyard" not in legal(game)


@pytest.mark.parametrize("payer", PAYERS)
def test_R8_6_2_the_source_is_never_an_option(payer: str) -> None:
    position = acting(own=(payer, "market")).workers(0, "market")
    game = play(position.game(), f"activate:{payer}")
    refuse(game, f"pay:{payer}")
    assert legal(game) == {"pay:market", "done"}


@pytest.mark.parametrize("payer", PAYERS)
def test_R8_6_2_nothing_else_occupied_ends_the_action_at_once(payer: str) -> None:
    game = play(acting(own=(payer, "market"), harbor=2).game(), f"activate:{payer}")
    assert_turn(game, 1)
    assert (See(game).harbor(0), See(game).workers(0)) == (1, {payer: 1})


@pytest.mark.parametrize("payer", PAYERS)
def test_A17_one_payment_for_each_activation(payer: str) -> None:
    position = acting(own=(payer, "market", "shipyard", "dock")).workers(0, "market", "shipyard", "dock")
    game = play(position.game(), f"activate:{payer}", "pay:dock")
    assert_turn(game, 1)
    assert See(game).workers(0) == {payer: 1, "market": 1, "shipyard": 1}


def test_D_PAY_own_occupied_buildings_only() -> None:
    position = acting(own=("market", "dock", "bank")).workers(0, "market", "colonial_house").tokens(0, "pay")
    position.own(1, "shipyard", "dock").workers(1, "shipyard", "dock")
    game = play(position.game(), "spend:pay")
    assert legal(game) == moves("pay", "market", "colonial_house")
    refuse(game, "pay:dock", "pay:shipyard", "pay:bank")


def test_D_PAY_copies_of_a_building_are_one_move() -> None:
    position = acting(own=("market", "market", "market")).workers(0, "market", "market").tokens(0, "pay")
    game = play(position.game(), "spend:pay")
    assert legal(game) == {"pay:market"}
    play(game, "pay:market")
    assert See(game).workers(0) == {"market": 1}


@pytest.mark.parametrize("harbor", [0, 3])
def test_R8_6_1_token_costs_no_disc(harbor: int) -> None:
    game = acting(own=("market",), harbor=harbor).workers(0, "market").tokens(0, "pay").game()
    supply = See(game).supply(0)
    play(game, "spend:pay", "pay:market")
    see = See(game)
    assert (see.harbor(0), see.supply(0)) == (harbor + 1, supply)
    assert (see.workers(0), see.tokens(0)) == ({}, {})
    assert_turn(game, 1)


@pytest.mark.parametrize("payer", PAYERS)
def test_R8_6_2_a_token_may_free_a_payer(payer: str) -> None:
    game = acting(own=(payer,), harbor=0).workers(0, payer).tokens(0, "pay").game()
    play(game, "spend:pay", f"pay:{payer}")
    assert (See(game).harbor(0), See(game).workers(0)) == (1, {})


def test_A5_pay_token_needs_an_occupied_building() -> None:
    game = acting(own=("market",)).tokens(0, "pay").own(1, "market").workers(1, "market").game()
    refuse(game, "spend:pay")


def test_A5_pay_token_cannot_be_declined() -> None:
    game = play(acting(own=("market",)).workers(0, "market").tokens(0, "pay").game(), "spend:pay")
    assert legal(game) == {"pay:market"}
    refuse(game, "done")


def test_R8_6_1_declined_after_the_activation() -> None:
    game = play(acting(own=("museum", "market")).workers(0, "market").game(), "activate:museum", "done")
    assert_turn(game, 1)
    assert See(game).workers(0) == {"museum": 1, "market": 1}


def paying_market() -> Position:
    """A seat with two copies of a payer, here the Market, and a Dock.

    Boards on which play leads there are refused; this one has its Markets on level 5, of which a player builds one.
    """

    def change(data: dict) -> None:
        market = next(entry for entry in data["buildings"] if entry["id"] == "market")
        market.update(actions=["pay"], mode="one", level=5, copies=2)

    return Position(board=edited(change)).discs(0, harbor=3).own(0, "market", "market", "dock")


def test_C1_another_copy_of_the_source_may_be_freed() -> None:
    game = play(paying_market().workers(0, "market", "dock").game(), "activate:market")
    assert legal(game) == moves("pay", "market", "dock") | {"done"}
    play(game, "pay:market")
    assert See(game).workers(0) == {"market": 1, "dock": 1}
    assert See(game).harbor(0) == 3


def test_C1_the_only_occupied_copy_is_the_source_itself() -> None:
    game = play(paying_market().workers(0, "dock").game(), "activate:market")
    assert legal(game) == {"pay:dock", "done"}
    refuse(game, "pay:market")


def test_C1_two_idle_copies_leave_nothing_to_free() -> None:
    game = play(paying_market().game(), "activate:market")
    assert_turn(game, 1)
    assert See(game).workers(0) == {"market": 1}
