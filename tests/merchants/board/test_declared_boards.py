"""The two declared boards, and the tables that the rules read."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from endeavor_env.merchants.board import Board, load_board

SIZES = {"short": (40, 114, 155, 28), "expert": (52, 153, 206, 40)}


@pytest.fixture(params=SIZES)
def board(request: pytest.FixtureRequest) -> Board:
    """A declared board."""
    return load_board(request.param)


def test_sizes(board: Board) -> None:
    assert (board.num_terrains, board.num_crossroads, board.num_paths, board.num_cities) == SIZES[board.side]


def test_counts(board: Board) -> None:
    kinds, places, dotted, arrows, sea = {
        "short": ([8, 8, 8, 8, 8], 17, 5, 8, 2),
        "expert": ([10, 10, 10, 11, 11], 22, 5, 11, 3),
    }[board.side]
    assert np.bincount(board.terrain_kind).tolist() == kinds
    assert (np.count_nonzero(board.terrain_place), np.count_nonzero(board.terrain_place == 2)) == (places, dotted)
    assert (board.path_arrow.sum(), board.path_sea.sum(), board.city_violet.sum()) == (arrows, sea, 12)


def test_numbers_follow_the_places(board: Board) -> None:
    cells, crossroads = board.terrain_cells[:, ::-1].tolist(), board.crossroads_yx.tolist()
    assert cells == sorted(cells)
    assert crossroads == sorted(crossroads)
    assert board.path_ends.tolist() == sorted(board.path_ends.tolist())
    assert (board.path_ends[:, 0] < board.path_ends[:, 1]).all()
    assert (np.diff(board.city_crossroads) > 0).all()


def test_terrains_and_crossroads_name_each_other(board: Board) -> None:
    for terrain, around in enumerate(board.terrain_crossroads):
        assert len(set(around)) == 6
        assert all(terrain in board.crossroads_terrains[crossroads] for crossroads in around)
    assert (board.crossroads_terrains >= 0).sum() == 6 * board.num_terrains
    top_y = board.crossroads_yx[board.terrain_crossroads, 0]
    assert (np.argmin(top_y, axis=1) == 0).all()
    assert (np.argmax(top_y, axis=1) == 3).all()
    assert (np.argmax(board.crossroads_yx[board.terrain_crossroads[:, :3], 1], axis=1) >= 1).all()  # the east is second


def test_paths_and_crossroads_name_each_other(board: Board) -> None:
    for path, (low, high) in enumerate(board.path_ends.tolist()):
        assert path in board.crossroads_paths[low]
        assert path in board.crossroads_paths[high]
        beside = [other for other in board.path_neighbours[path].tolist() if other >= 0]
        ends = board.path_ends[beside]
        assert beside == sorted(set(beside))
        assert path not in beside
        assert all({low, high} & set(pair) for pair in ends.tolist())
    assert (board.crossroads_paths >= 0).sum() == 2 * board.num_paths
    assert (board.path_neighbours >= 0).sum() == sum(n * (n - 1) for n in (board.crossroads_paths >= 0).sum(axis=1))


def test_sea_paths_touch_no_terrain_on_both_ends(board: Board) -> None:
    for path, (low, high) in enumerate(board.path_ends):
        shared = set(board.crossroads_terrains[low]) & set(board.crossroads_terrains[high]) - {-1}
        assert bool(shared) != bool(board.path_sea[path])


def test_distances_are_those_of_the_paths(board: Board) -> None:
    far = np.where(np.eye(board.num_crossroads, dtype=bool), 0, 10_000)
    for low, high in board.path_ends:
        far[low, high] = far[high, low] = 1
    for middle in range(board.num_crossroads):
        far = np.minimum(far, far[:, middle, None] + far[None, middle])
    assert (board.distances == far).all()


def test_cities_and_names(board: Board) -> None:
    for city, crossroads in enumerate(board.city_crossroads):
        assert board.crossroads_city[crossroads] == city
        assert board.crossroads_name(int(crossroads)) == board.city_ids[city]
    assert (board.crossroads_city >= 0).sum() == board.num_cities
    assert board.crossroads_name(int(np.argmin(board.crossroads_city))).removeprefix("c").isdigit()


def test_start_places() -> None:
    board = load_board("short")
    assert [[board.city_ids[city] for city in posts] for posts in board.start_posts] == [
        ["hamburg", "nuremberg", "kiev"],
        ["rome", "krakow", "vilnius"],
        ["ragusa", "cologne", "wroclaw"],
        ["budapest", "copenhagen", "prague"],
    ]
    ends = [{board.crossroads_name(end) for end in board.path_ends[path]} for path in board.start_routes]
    assert [names & set(board.city_ids) for names in ends] == [{"nuremberg"}, {"rome"}, {"wroclaw"}, {"copenhagen"}]
    assert (load_board("expert").start_posts == -1).all()
    assert (load_board("expert").start_routes == -1).all()


def test_boards_are_read_once_and_never_change(board: Board) -> None:
    assert load_board(board.side) is board
    assert copy.copy(board) is copy.deepcopy(board) is board
    with pytest.raises(ValueError, match="read-only"):
        board.terrain_number[0] = 5
    with pytest.raises(ValueError, match="cannot set WRITEABLE"):
        board.terrain_number.flags.writeable = True


def test_a_pickled_board_is_equal_and_read_only(board: Board) -> None:
    again = pickle.loads(pickle.dumps(board))
    assert again == board
    assert hash(again) == hash(board)
    assert again != load_board("expert" if board.side == "short" else "short")
    assert board != board.id
    assert not again.distances.flags.writeable
    assert repr(again).startswith(f"Board('{board.side}_reconstructed', '{board.side}', ")
