"""The building grid: what the player may build, how the grid is refilled, and what waits (S6, S7.2 to S7.4)."""

from __future__ import annotations

import pytest

from endeavor_env import Game
from tests.kits.actions import legal, moves, refuse
from tests.kits.solo_position import LEVELS, PLAYER, SoloPosition, SoloSee, play

A, B, C = LEVELS[0]
LOW, MIDDLE, TOP = LEVELS[0], LEVELS[2], LEVELS[4]


def building(**flags: int) -> SoloPosition:
    """The player is to build; ties of the Opposition settle themselves."""
    return SoloPosition().ties_first().build().flag(**flags)


def any_level() -> SoloPosition:
    """The same with Industry left aside."""
    return building(ignore_industry=1)


def end_round(game: Game, tile: str | None = None) -> SoloSee:
    """Build a tile, unless that has been done, and passes, so that the round ends."""
    if tile:
        play(game, f"build:{tile}")
    assert (game.phase, game.decision) == ("action", "turn")
    play(game, "pass")
    assert game.over or game.phase == "build"
    return SoloSee(game)


# --- what may be built ------------------------------------------------------------------------------------------


def test_S6_1_a_tile_of_the_grid_not_of_the_stock() -> None:
    game = building().grid(1, A, B, None).isb(1, 3).pending(1, C).game()
    assert SoloSee(game).left(C) == 5
    assert legal(game) == moves("build", A, B)
    refuse(game, f"build:{C}", "pass")
    play(game, f"build:{A}")
    assert SoloSee(game).own(PLAYER) == {"colonial_house": 1, A: 1}


@pytest.mark.parametrize(("industry", "levels"), [(0, 1), (1, 1), (2, 2), (5, 3), (7, 4), (10, 5), (11, 5)])
def test_S6_2_SA3_industry_limits_the_level_in_any_column(industry: int, levels: int) -> None:
    position = building().status(PLAYER, industry=industry)
    assert legal(position.game()) == moves("build", *[tile for row in LEVELS[:levels] for tile in row])


def test_S6_2_the_option_leaves_industry_aside() -> None:
    game = any_level().status(PLAYER, industry=0).game()
    assert legal(game) == moves("build", *[tile for row in LEVELS for tile in row])


@pytest.mark.parametrize("ignore", [0, 1])
def test_S6_2_SC10_one_building_of_level_5_at_most(ignore: int) -> None:
    position = building(ignore_industry=ignore).grid(5, "museum", None, "parliament")
    game = position.own(PLAYER, "exchange").status(PLAYER, industry=10, finance=2).game()
    assert legal(game) == moves("build", *[tile for row in LEVELS[:4] for tile in row])


def test_SC10_the_next_level_of_the_grid_if_none_at_or_below_is_left() -> None:
    position = building().grid(1, None, None, None).grid(2, None, None, None).grid(3, None, "dock", "theater")
    assert legal(position.status(PLAYER, industry=3).game()) == moves("build", "dock", "theater")


def test_SC10_a_tile_at_or_below_the_level_is_enough() -> None:
    position = building().grid(1, None, B, None).grid(2, None, None, None)
    assert legal(position.status(PLAYER, industry=3).game()) == moves("build", B)


def test_S6_3_the_crown_moves_to_the_vacated_cell() -> None:
    game = any_level().isb(1, 1).grid(1, A, B, C).game()
    play(game, "build:fortress")
    see = SoloSee(game)
    assert see.isb == (3, 2)
    assert see.row(3) == ["dock", None, "theater"]
    assert see.left("fortress") == 2


def test_S6_4_icons_count_at_once_and_serve_growth_and_salary() -> None:
    position = any_level().own(PLAYER, "shipyard").workers(PLAYER, "shipyard").status(PLAYER, culture=2)
    game = play(position.discs(PLAYER, harbor=0).round(3).game(), "build:theater")
    see = SoloSee(game)
    assert see.status(PLAYER, "culture") == 4
    assert see.harbor(PLAYER) == 4 + 1
    assert see.workers(PLAYER).total() == 0


# --- the row of the tile taken, T-S14 -----------------------------------------------------------------------------


@pytest.mark.parametrize(("taken", "row"), [(A, [B, C, A]), (B, [A, C, B])])
def test_TS14_S7_2_S7_3_the_row_moves_left_and_is_refilled_from_the_stock(taken: str, row: list[str]) -> None:
    see = end_round(building().game(), taken)
    assert see.row(1) == row
    assert see.pending() == {}
    assert see.left(taken) == 5 - 1 - 1
    assert see.own(PLAYER)[taken] == 1


def test_TS14_S7_3_a_tile_of_column_3_waits_until_the_crown_leaves_the_column() -> None:
    game = building().game()
    see = end_round(game, C)
    assert see.row(1) == [A, B, None]
    assert see.pending() == {1: C}
    assert see.left(C) == 4
    assert f"build:{C}" not in game.legal_moves()
    see = end_round(game, A)
    assert see.row(1) == [B, C, A]
    assert see.pending() == {}
    assert see.left(C) == 3


def test_S7_3_nothing_moves_before_the_end_of_the_round() -> None:
    game = play(building().game(), f"build:{A}")
    assert SoloSee(game).row(1) == [None, B, C]


def test_S7_3_a_waiting_type_fills_its_own_row() -> None:
    game = any_level().game()
    end_round(game, C)
    see = end_round(game, "bank")
    assert see.row(1) == [A, B, C]
    assert see.row(2) == ["barracks", "guild_hall", "bank"]
    assert see.pending() == {}


def test_S7_3_a_tile_of_column_2_lets_the_waiting_ones_return_too() -> None:
    game = any_level().game()
    end_round(game, C)
    see = end_round(game, "fortress")
    assert see.row(1) == [A, B, C]
    assert see.row(3) == ["dock", "theater", "fortress"]


def test_S7_4_SA9_another_tile_of_column_3_at_no_extra_action() -> None:
    game = any_level().game()
    end_round(game, C)
    play(game, "build:theater")
    see = SoloSee(game)
    assert (see.ipf, see.isb) == (3, (3, 3))
    see = end_round(game)
    assert see.pending() == {1: C, 3: "theater"}
    assert (see.row(1), see.row(3)) == ([A, B, None], ["dock", "fortress", None])
    see = end_round(game, "bank")
    assert see.pending() == {}
    assert (see.row(1), see.row(3)) == ([A, B, C], ["dock", "fortress", "theater"])


def test_S7_3_a_waiting_type_takes_the_leftmost_empty_cell() -> None:
    position = any_level().grid(1, A, None, None).isb(1, 3).pending(1, C)
    see = end_round(position.game(), "bank")
    assert see.row(1) == [A, C, None]


def test_S7_3_a_waiting_type_comes_before_the_copy_of_the_tile_taken() -> None:
    position = building().grid(1, A, B, None).isb(1, 3).pending(1, C)
    see = end_round(position.game(), B)
    assert see.row(1) == [A, C, B]


@pytest.mark.parametrize(("taken", "row"), [(0, [1, 2, None]), (1, [0, 2, None]), (2, [0, 1, None])])
def test_S7_3_without_stock_nothing_is_refilled(taken: int, row: list[int | None]) -> None:
    see = end_round(any_level().game(), TOP[taken])
    assert see.row(5) == [None if tile is None else TOP[tile] for tile in row]


def test_SC12_a_waiting_type_without_stock_is_dropped() -> None:
    game = any_level().game()
    see = end_round(game, TOP[2])
    assert see.row(5) == [TOP[0], TOP[1], None]
    see = end_round(game, A)
    assert see.pending() == {}
    assert see.row(5) == [TOP[0], TOP[1], None]
    assert see.row(1) == [B, C, A]


def test_SC12_the_last_copy_is_taken() -> None:
    position = any_level().grid(4, "university", "cartographer", "trade_office")
    game = position.own(PLAYER, "university").game()
    assert SoloSee(game).left("university") == 0
    assert end_round(game, "university").row(4) == ["cartographer", "trade_office", None]


def test_S7_2_other_rows_stay() -> None:
    see = end_round(any_level().game(), MIDDLE[1])
    assert [see.row(level) for level in (1, 2, 4, 5)] == [list(LEVELS[level - 1]) for level in (1, 2, 4, 5)]


def test_S7_2_empty_cells_move_too() -> None:
    game = any_level().grid(5, TOP[0], TOP[1], None).own(PLAYER, "workshop").game()
    assert end_round(game, TOP[0]).row(5) == [TOP[1], None, None]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_S7_2_S7_3_no_tile_is_lost_over_a_whole_game(seed: int) -> None:
    game = Game.new(variant="solo", seed=seed, options={"opposition_ties": "first", "solo_ignore_industry": True})
    for number in range(1, 8):
        assert game.round == number
        see = SoloSee(game)
        for level in range(1, 6):
            tiles = [tile for tile in see.row(level) if tile]
            assert len(tiles) == len(set(tiles))
        end_round(game, game.legal_moves()[(seed * number) % len(game.legal_moves())].removeprefix("build:"))
    assert game.over
