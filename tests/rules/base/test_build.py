"""Build phase (section 4)."""

from __future__ import annotations

import pytest

from tests.kits.position import Position, See, play

LEVELS = {
    1: {"market", "shipyard", "workshop"},
    2: {"bank", "barracks", "guild_hall"},
    3: {"dock", "fortress", "theater"},
    4: {"cartographer", "trade_office", "university"},
    5: {"exchange", "museum", "parliament"},
}


def up_to(level: int) -> set[str]:
    """Every building type of at most this level."""
    return set().union(*(LEVELS[n] for n in range(1, level + 1)))


@pytest.mark.parametrize(
    ("industry", "level"),
    [(0, 1), (1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (6, 3), (7, 4), (9, 4), (10, 5), (12, 5), (15, 5), (17, 5)],
)
def test_R4_2_levels_up_to_the_build_level(industry: int, level: int) -> None:
    game = Position(4).status(0, industry=industry).build(0).game()
    assert See(game).moves("build") == up_to(level)


def test_R4_1_building_is_mandatory() -> None:
    game = Position(3).status(0, industry=2).build(0).game()
    assert game.decision == "build"
    assert set(game.legal_moves()) == {f"build:{building}" for building in up_to(2)}


def test_R4_1_the_tile_goes_from_supply_to_the_mat() -> None:
    game = Position(3).status(0, industry=2).build(0).game()
    see = See(game)
    play(game, "build:barracks")
    assert see.own(0) == {"colonial_house": 1, "barracks": 1}
    assert see.left("barracks") == 3
    assert see.workers(0).total() == 0
    assert (game.seat, game.decision) == (1, "build")


def test_R4_2_a_type_without_copies_left_cannot_be_built() -> None:
    game = Position(3).status(0).sold_out("market", to=(1, 2)).build(0).game()
    assert See(game).left("market") == 0
    assert See(game).moves("build") == {"shipyard", "workshop"}


def test_R4_2_the_last_copy_can_be_built_by_one_player_only() -> None:
    position = Position(3).own(2, "market", "market").own(1, "market", "market").build(0)
    game = position.status(0).status(1).game()
    assert "market" in See(game).moves("build")
    play(game, "build:market")
    assert See(game).moves("build") == {"shipyard", "workshop"}


def test_R4_2_the_colonial_house_is_never_built() -> None:
    game = Position(3).status(0, industry=15).build(0).game()
    assert "colonial_house" not in See(game).moves("build")


def test_R4_3_takes_the_next_level_when_the_own_one_is_empty() -> None:
    game = Position(5).status(0).sold_out("market", "shipyard", "workshop", to=(1, 2, 3, 4)).build(0).game()
    assert See(game).moves("build") == LEVELS[2]


def test_R4_3_stays_at_its_level_while_one_copy_is_left() -> None:
    position = Position(5).status(0).sold_out("market", "shipyard", to=(1, 2, 3, 4)).own(1, *["workshop"] * 3)
    game = position.own(2, "workshop").build(0).game()
    assert See(game).moves("build") == {"workshop"}


def test_R4_3_A7_climbs_past_an_empty_level() -> None:
    position = Position(5).status(0).sold_out(*LEVELS[1], *LEVELS[2], to=(1, 2, 3, 4))
    assert See(position.build(0).game()).moves("build") == LEVELS[3]


def test_R4_3_only_types_with_a_copy_left_at_the_next_level() -> None:
    position = Position(5).status(0).sold_out(*LEVELS[1], "bank", "guild_hall", to=(1, 2, 3, 4))
    assert See(position.build(0).game()).moves("build") == {"barracks"}


def test_R4_3_climbs_from_a_higher_build_level_too() -> None:
    position = Position(5).status(0, industry=2).sold_out(*LEVELS[1], *LEVELS[2], to=(1, 2, 3, 4))
    assert See(position.build(0).game()).moves("build") == LEVELS[3]


def test_R4_3_lower_levels_serve_before_the_next_one() -> None:
    position = Position(5).status(0, industry=2).sold_out(*LEVELS[2], to=(1, 2, 3, 4))
    assert See(position.build(0).game()).moves("build") == LEVELS[1]


def test_R4_4_duplicates_are_allowed() -> None:
    game = Position(3).status(0).own(0, "market", "market").build(0).game()
    play(game, "build:market")
    assert See(game).own(0)["market"] == 3


@pytest.mark.parametrize("owned", ["exchange", "museum", "parliament"])
def test_R4_4_one_level_five_building_a_player(owned: str) -> None:
    game = Position(3).own(0, owned).tokens(0, *["industry"] * 12).build(0).game()
    assert See(game).moves("build") == up_to(4)


def test_R4_4_a_level_five_building_of_another_player_does_not_count() -> None:
    game = Position(3).own(1, "museum").status(0, industry=10).build(0).game()
    assert See(game).moves("build") == up_to(4) | {"exchange", "parliament"}


ICONS = {
    "market": {},
    "shipyard": {"culture": 1},
    "workshop": {"industry": 2},
    "bank": {"finance": 2},
    "barracks": {},
    "guild_hall": {},
    "dock": {},
    "fortress": {"politics": 1},
    "theater": {"culture": 2},
    "cartographer": {},
    "trade_office": {},
    "university": {},
    "exchange": {"finance": 2},
    "museum": {"culture": 2},
    "parliament": {"politics": 2},
}


@pytest.mark.parametrize("building", ICONS)
def test_R4_5_icons_count_at_once(building: str) -> None:
    game = Position(3).status(0, industry=10, culture=1, finance=1, politics=1).build(0).game()
    play(game, f"build:{building}")
    before = {"industry": 10, "culture": 1, "finance": 1, "politics": 1}
    assert See(game).statuses(0) == {name: n + ICONS[building].get(name, 0) for name, n in before.items()}
    assert game.seat == 1


def test_R4_5_A21_culture_built_raises_growth_of_the_same_round() -> None:
    game = Position(3).status(2, industry=4).build(2).game()
    play(game, "build:theater")
    assert See(game).harbor(2) == 3


def test_R4_5_finance_built_raises_payments_of_the_same_round() -> None:
    position = Position(3).status(2, industry=2, culture=1).own(2, "market", "shipyard").build(2)
    game = position.workers(2, "market", "shipyard").game()
    play(game, "build:bank")
    assert game.phase == "action"
    assert See(game).workers(2).total() == 0


def test_R4_5_industry_built_only_helps_from_the_next_building_on() -> None:
    position = Position(3).status(0).build(0)
    game = position.game()
    assert See(game).moves("build") == up_to(1)
    play(game, "build:workshop")
    assert See(game).status(0, "industry") == 2
    assert game.seat == 1


def test_D1_build_is_asked_with_a_single_type_too() -> None:
    position = Position(5).status(0).sold_out("market", "workshop", to=(1, 2, 3, 4)).build(0)
    game = position.game()
    assert game.decision == "build"
    assert game.legal_moves() == ["build:shipyard"]
    play(game, "build:shipyard")
    assert game.seat == 1
