"""What an action costs (R7.2 to R7.4), and what may be activated or spent at all (A4, A5)."""

from __future__ import annotations

import pytest

from endeavor_env import Game
from tests.kits.actions import acting, assert_turn, legal, moves, refuse
from tests.kits.position import Position, See, play

WITH_SPACE = (
    *("colonial_house", "market", "shipyard", "barracks", "guild_hall", "dock", "fortress"),
    *("cartographer", "trade_office", "exchange", "museum", "parliament"),
)
WITHOUT_SPACE = ("workshop", "bank", "theater", "university")


def ready(*, harbor: int) -> Position:
    """Every action has a target: an enemy city, empty cities, drawable piles, an occupied Market to pay for."""
    return acting(harbor=harbor, own=("market",)).workers(0, "market").city("rome", 1)


# building, target, discs used besides the one of the activation (a Pay brings one back)
BY_BUILDING = [
    ("colonial_house", "occupy:paris", 1),
    ("shipyard", "sail:india", 1),
    ("barracks", "attack:rome", 2),
    ("guild_hall", "sail:india", 1),
    ("guild_hall", "draw:europe", 0),
    ("fortress", "occupy:paris", 1),
    ("fortress", "attack:rome", 2),
    ("dock", "occupy:paris", 1),
    ("cartographer", "sail:india", 1),
    ("trade_office", "draw:europe", 0),
    ("exchange", "pay:market", -1),
]

BY_TOKEN = [
    ("attack", "attack:rome", 2),
    ("occupy_draw", "occupy:paris", 1),
    ("occupy_draw", "draw:europe", 0),
    ("sail_draw", "sail:india", 1),
    ("sail_draw", "draw:slavery", 0),
    ("pay", "pay:market", -1),
]


@pytest.mark.parametrize(("building", "target", "cost"), BY_BUILDING)
def test_R7_4_price_of_every_action_by_a_building(building: str, target: str, cost: int) -> None:
    position = ready(harbor=6)
    if building != "colonial_house":
        position.own(0, building)
    game = play(position.game(), f"activate:{building}", target)
    assert See(game).harbor(0) == 5 - cost
    assert See(game).workers(0)[building] == 1


@pytest.mark.parametrize(("building", "target", "cost"), [row for row in BY_BUILDING if row[2] > 0])
def test_R7_4_the_activation_disc_is_paid_first(building: str, target: str, cost: int) -> None:
    for harbor, possible in ((cost, False), (cost + 1, True)):
        position = ready(harbor=harbor)
        if building != "colonial_house":
            position.own(0, building)
        game = play(position.game(), f"activate:{building}")
        assert (game.decision == "target" and target in legal(game)) is possible


@pytest.mark.parametrize(("kind", "target", "cost"), BY_TOKEN)
def test_R7_3_token_is_discarded_and_no_disc_goes_to_a_building(kind: str, target: str, cost: int) -> None:
    game = ready(harbor=6).tokens(0, kind, kind).game()
    before = See(game).workers(0)
    play(game, f"spend:{kind}", target)
    assert See(game).tokens(0)[kind] == 1
    assert See(game).harbor(0) == 6 - cost
    assert See(game).workers(0) == (before if kind != "pay" else {})


@pytest.mark.parametrize(("kind", "target", "cost"), BY_TOKEN)
def test_R7_4_token_actions_need_no_disc_beyond_their_own(kind: str, target: str, cost: int) -> None:
    game = play(ready(harbor=max(cost, 0)).tokens(0, kind).game(), f"spend:{kind}", target)
    assert See(game).harbor(0) == max(0, -cost)


def test_R7_3_a_spent_token_leaves_the_game() -> None:
    game = ready(harbor=6).tokens(0, "attack").game()
    before = total(game, "attack")
    play(game, "spend:attack", "attack:rome")
    assert total(game, "attack") == before - 1


def total(game: Game, kind: str) -> int:
    """Tokens of a kind on the board and in harbors."""
    see = See(game)
    lying = sum(see.token_on(space) == kind for space in see.board.space_index)
    return lying + sum(see.tokens(seat)[kind] for seat in range(game.num_players))


@pytest.mark.parametrize("building", WITH_SPACE)
def test_R7_2_disc_moves_from_the_harbor_to_the_activation_space(building: str) -> None:
    position = Position(4).discs(0, harbor=9)
    if building != "colonial_house":
        position.own(0, building)
    game = position.game()
    assert f"activate:{building}" in legal(game)
    play(game, f"activate:{building}")
    assert (See(game).harbor(0), See(game).workers(0)) == (8, {building: 1})


@pytest.mark.parametrize("building", WITHOUT_SPACE)
def test_R7_2_building_without_activation_space(building: str) -> None:
    refuse(acting(own=(building,)).game(), f"activate:{building}")


@pytest.mark.parametrize("building", WITH_SPACE)
def test_R7_2_occupied_building_is_refused(building: str) -> None:
    position = Position(4).discs(0, harbor=9).workers(0, building)
    if building != "colonial_house":
        position.own(0, building)
    refuse(position.game(), f"activate:{building}")


@pytest.mark.parametrize("building", WITH_SPACE)
def test_R7_2_empty_harbor_activates_nothing(building: str) -> None:
    position = Position(4).discs(0, harbor=0)
    if building != "colonial_house":
        position.own(0, building)
    game = position.game()
    assert legal(game) == {"pass"}
    refuse(game, f"activate:{building}")


def test_R7_2_copies_have_a_space_each_and_are_one_move() -> None:
    game = acting(own=("market", "market"), harbor=9).passed(1, 2, 3).game()
    assert legal(game) == moves("activate", "colonial_house", "market") | {"pass"}
    play(game, "activate:market", "done")
    assert "activate:market" in legal(game)
    play(game, "activate:market", "done")
    assert See(game).workers(0) == {"market": 2}
    refuse(game, "activate:market")


def test_R7_2_buildings_of_other_seats_are_out_of_reach() -> None:
    refuse(acting().own(1, "market", "dock").game(), "activate:market", "activate:dock")


# Nothing to do after the activation: no disc left, no enemy, no drawable pile, nothing else occupied.
IDLE = [
    *(("colonial_house", 1), ("shipyard", 1), ("barracks", 9), ("barracks", 2), ("market", 9), ("guild_hall", 1)),
    *(("dock", 1), ("fortress", 1), ("cartographer", 1), ("trade_office", 9), ("exchange", 9), ("museum", 9)),
]


@pytest.mark.parametrize(("building", "harbor"), IDLE)
def test_A4_activation_without_a_target_is_legal_and_ends_at_once(building: str, harbor: int) -> None:
    position = Position(4).discs(0, harbor=harbor).cards(1, "europe.0").cards(2, "slavery.0")
    if building != "colonial_house":
        position.own(0, building)
    game = position.game()
    start = See(game).statuses(0)
    play(game, f"activate:{building}")
    assert_turn(game, 1)
    see = See(game)
    assert (see.harbor(0), see.workers(0), see.board_discs(0)) == (harbor - 1, {building: 1}, 0)
    assert (see.statuses(0), see.cards(0)) == (start, set())


@pytest.mark.parametrize("building", [name for name in WITH_SPACE if name not in ("exchange", "museum", "parliament")])
def test_A4_activation_may_be_declined_with_done(building: str) -> None:
    position = Position(4).discs(0, harbor=6).city("rome", 1)
    if building != "colonial_house":
        position.own(0, building)
    game = play(position.game(), f"activate:{building}")
    assert "done" in legal(game)
    refuse(game, "pass")
    play(game, "done")
    assert_turn(game, 1)
    assert (See(game).harbor(0), See(game).workers(0)) == (5, {building: 1})


@pytest.mark.parametrize(("kind", "target", "cost"), BY_TOKEN)
def test_A5_token_action_is_never_declined(kind: str, target: str, cost: int) -> None:
    game = play(ready(harbor=6).tokens(0, kind).game(), f"spend:{kind}")
    assert target in legal(game)
    assert cost <= See(game).harbor(0)
    refuse(game, "done", "pass")


@pytest.mark.parametrize("kind", ["attack", "occupy_draw", "sail_draw", "pay"])
def test_A5_token_without_a_legal_target_is_refused(kind: str) -> None:
    position = Position(4).discs(0, harbor=0).cards(1, "europe.0").cards(2, "slavery.0").tokens(0, kind)
    game = position.own(1, "market").workers(1, "market").city("rome", 1).own(0, "market").game()
    refuse(game, f"spend:{kind}")
    assert legal(game) == {"pass"}


@pytest.mark.parametrize("kind", ["occupy_draw", "sail_draw"])
def test_A5_one_target_of_either_part_is_enough(kind: str) -> None:
    closed = Position(4).cards(1, "europe.0").cards(2, "slavery.0").tokens(0, kind).discs(0, harbor=1)
    game = play(closed.game(), f"spend:{kind}")
    assert not any(move.startswith("draw:") for move in legal(game))
    penniless = Position(4).tokens(0, kind).discs(0, harbor=0)
    assert legal(play(penniless.game(), f"spend:{kind}")) == moves("draw", "europe", "slavery")


def test_A5_spending_needs_the_token() -> None:
    game = ready(harbor=6).tokens(0, "attack").tokens(1, "pay").game()
    assert {move for move in legal(game) if move.startswith("spend:")} == {"spend:attack"}
    refuse(game, "spend:pay", "spend:sail_draw", "spend:occupy_draw")


def test_R7_2_colonial_house_is_on_every_mat() -> None:
    game = Position(5).discs(3, harbor=2).turn(3).game()
    assert legal(game) == {"activate:colonial_house", "pass"}
