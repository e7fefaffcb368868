"""Boards as the kernels get them say the same as the reference reads from the data (K2)."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env.merchants.board import Board, load_board
from tests.merchants.crosscheck.boards import NAMES, board_named
from tests.merchants.crosscheck.kernels import KernelGame, parsed
from tests.merchants.reference.ids import texts
from tests.merchants.reference.map import CARDS, COLOURS, PRODUCTS, Map

KINDS = list(PRODUCTS)


@pytest.fixture(params=[*NAMES, "short_3", "expert_4"])
def maps(request: pytest.FixtureRequest) -> tuple[Map, Board]:
    """A board of each name, read by both."""
    return board_named(request.param), parsed(board_named(request.param))


def rows(array: np.ndarray) -> list[list[int]]:
    """Return rows without the -1 that fill them up."""
    return [[number for number in row if number >= 0] for row in array.tolist()]


def test_K2_2_terrains_have_kinds_and_crossroads(maps: tuple[Map, Board]) -> None:
    plain, board = maps
    assert [tuple(cell) for cell in board.terrain_cells.tolist()] == plain.cells
    assert [KINDS[kind] for kind in board.terrain_kind] == plain.kinds
    assert [sorted(row) for row in board.terrain_crossroads.tolist()] == [sorted(row) for row in plain.around]
    assert rows(board.crossroads_terrains) == [sorted(row) for row in plain.grounds]


def test_K2_3_paths_lie_beside_a_terrain_or_are_listed(maps: tuple[Map, Board]) -> None:
    plain, board = maps
    assert [tuple(ends) for ends in board.path_ends.tolist()] == plain.ends
    assert int(board.path_sea.sum()) == len(plain.data["sea_paths"])
    assert rows(board.crossroads_paths) == [sorted(row) for row in plain.paths_at]


def test_K2_4_neighbours_of_a_path_share_an_end_with_it(maps: tuple[Map, Board]) -> None:
    plain, board = maps
    assert rows(board.path_neighbours) == plain.beside
    assert board.distances.tolist() == plain.distance
    assert [board.crossroads_name(number) for number in range(board.num_crossroads)] == plain.names


def test_K2_5_K2_6_cities_have_places_colours_and_gold(maps: tuple[Map, Board]) -> None:
    plain, board = maps
    assert list(board.city_ids) == plain.cities
    assert board.city_crossroads.tolist() == [plain.site[city] for city in plain.cities]
    assert board.city_violet.tolist() == [city in plain.violet for city in plain.cities]
    assert board.city_gold.tolist() == [plain.coins[city] for city in plain.cities]


def test_K2_7_terrains_have_a_number_or_a_place_for_a_token(maps: tuple[Map, Board]) -> None:
    plain, board = maps
    assert [number or None for number in board.terrain_number.tolist()] == plain.printed
    dotted = {KINDS[board.terrain_kind[terrain]]: int(terrain) for terrain in np.flatnonzero(board.terrain_place == 2)}
    assert dotted == plain.dotted
    assert ((board.terrain_place > 0) == (board.terrain_number == 0)).all()
    assert board.tokens.tolist() == [plain.data["tokens"][kind] for kind in KINDS]
    assert board.robber == plain.robber
    assert board.development.tolist() == [plain.data["development"][card] for card in CARDS]
    assert set(np.flatnonzero(board.path_arrow).tolist()) == plain.arrows


def test_K2_11_the_declared_boards_are_those_of_the_package() -> None:
    for side in ("short", "expert"):
        assert load_board(side) == parsed(board_named(side))


def test_the_places_of_the_fixed_start_are_the_same() -> None:
    plain, board = board_named("short"), parsed(board_named("short"))
    cities = [[plain.cities[city] for city in row] for row in board.start_posts.tolist()]
    assert cities == [plain.data["start"][colour]["posts"] for colour in COLOURS]
    assert board.start_routes.tolist() == [plain.start_path(colour) for colour in COLOURS]


@pytest.mark.parametrize("players", [3, 4])
def test_K11_1_every_id_has_the_same_text_in_both(players: int) -> None:
    plain = board_named("expert")
    game = KernelGame(plain, players, "free", "offers", 300).game
    for mover in range(players):
        named = texts(plain, mover, players)
        found = {number: game.rules.words.text(number, mover, players) for number in range(max(named) + 1)}
        assert {number: text for number, text in found.items() if text is not None} == named
