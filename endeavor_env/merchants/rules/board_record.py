"""BOARD: a board as one fixed-size record, with everything about its geometry that kernels ask for, worked out before.

Crossroads, paths and terrains have the numbers of K2.4; NONE stands for none, and beyond those that the board has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from endeavor_env.kernels.intrinsics import record_at
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import sets

if TYPE_CHECKING:
    from endeavor_env.merchants.board.board import Board

BOARD = np.dtype(
    (
        np.record,
        [
            # --- sets -------------------------------------------------------------------------------------------------
            ("brown", np.int64),  # cities
            ("violet", np.int64),
            ("terrain_cities", np.int64, (c.MAX_TERRAINS,)),  # at the corners of each terrain
            ("path_cities", np.int64, (c.MAX_PATHS,)),  # at the ends of each path
            # --- graph ------------------------------------------------------------------------------------------------
            ("path_ends", np.int16, (c.MAX_PATHS, 2)),
            ("path_neighbours", np.int16, (c.MAX_PATHS, c.NEIGHBOURS)),  # ascending
            ("crossroads_paths", np.int16, (c.MAX_CROSSROADS, c.MEETING)),
            ("crossroads_ends", np.int16, (c.MAX_CROSSROADS, c.MEETING)),  # the other ends of these paths
            ("city_crossroads", np.int16, (c.MAX_CITIES,)),
            ("start_routes", np.int16, (c.MAX_SEATS,)),  # paths
            ("num_paths", np.int16),
            ("num_crossroads", np.int16),
            # --- bytes ------------------------------------------------------------------------------------------------
            # fewest paths; FAR beyond the board
            ("distances", np.int8, (c.MAX_CROSSROADS, sets.CROSSROADS_WORDS, sets.CROSSROADS_BITS)),
            ("crossroads_city", np.int8, (c.MAX_CROSSROADS,)),
            ("crossroads_terrains", np.int8, (c.MAX_CROSSROADS, c.MEETING)),
            ("path_arrow", np.int8, (c.MAX_PATHS,)),  # 0/1
            ("kinds", np.int8, (c.MAX_TERRAINS,)),  # of terrains: the resource
            ("numbers", np.int8, (c.MAX_TERRAINS,)),  # printed, or of a dotted token (K3.2)
            ("token_places", np.int8, (c.MAX_TERRAINS,)),  # 0/1
            ("city_gold", np.int8, (c.MAX_CITIES,)),
            ("start_posts", np.int8, (c.MAX_SEATS, c.START_POSTS)),  # cities, by colour
            ("sea", np.int8, (c.NUM_RESOURCES, c.NUM_VALUES)),  # tokens that are not dotted, by kind and value
            ("development", np.int8, (c.NUM_CARDS,)),
            ("robber", np.int8),
            ("side", np.int8),
            ("num_terrains", np.int8),
            ("num_cities", np.int8),
            ("room", np.int8, (2,)),
        ],
    )
)
board_at = record_at(BOARD)


def board_record(board: Board) -> npt.NDArray[np.void]:
    """Return (1,) BOARD, read only, with all that kernels know of a board."""
    record = np.zeros(1, BOARD)
    _write_sizes(board, record)
    _write_terrains(board, record)
    _write_graph(board, record)
    _write_cities(board, record)
    record.flags.writeable = False
    return record


def _write_sizes(board: Board, record: npt.NDArray[np.void]) -> None:
    record["num_terrains"], record["num_crossroads"] = board.num_terrains, board.num_crossroads
    record["num_paths"], record["num_cities"] = board.num_paths, board.num_cities
    record["side"], record["robber"] = c.SIDE_NAMES.index(board.side), board.robber
    record["development"] = board.development


def _write_terrains(board: Board, record: npt.NDArray[np.void]) -> None:
    number = board.num_terrains
    first = np.asarray(board.tokens)[:, 0]
    dotted, kinds = np.asarray(board.terrain_place) == 2, np.asarray(board.terrain_kind)
    record["kinds"][0, :number] = kinds
    record["numbers"][0, :number] = np.where(dotted, first[kinds], board.terrain_number)
    record["token_places"][0, :number] = np.asarray(board.terrain_place) > 0
    for kind, values in enumerate(np.asarray(board.tokens).tolist()):
        for value in values[1:]:
            record["sea"][0, kind, c.VALUES.index(value)] += 1
    for terrain, corners in enumerate(board.terrain_crossroads.tolist()):
        record["terrain_cities"][0, terrain] = _bits(_cities_of(board, corners))


def _write_graph(board: Board, record: npt.NDArray[np.void]) -> None:
    paths, crossroads = board.num_paths, board.num_crossroads
    ends = np.asarray(board.path_ends)
    for name, given, size in (
        ("path_ends", ends, paths),
        ("path_neighbours", board.path_neighbours, paths),
        ("crossroads_paths", board.crossroads_paths, crossroads),
        ("crossroads_terrains", board.crossroads_terrains, crossroads),
        ("crossroads_city", board.crossroads_city, crossroads),
    ):
        record[name] = c.NONE
        record[name][0, :size] = given
    record["path_arrow"][0, :paths] = board.path_arrow
    record["crossroads_ends"] = c.NONE
    for where, meeting in enumerate(board.crossroads_paths.tolist()):
        for place, path in enumerate(meeting):
            if path != c.NONE:
                record["crossroads_ends"][0, where, place] = ends[path].sum() - where
    for path, both in enumerate(ends.tolist()):
        record["path_cities"][0, path] = _bits(_cities_of(board, both))
    far = np.full((c.MAX_CROSSROADS, c.MAX_CROSSROADS), c.FAR, np.int8)
    far[:crossroads, :crossroads] = board.distances
    record["distances"][0] = far.reshape(record["distances"].shape[1:])


def _write_cities(board: Board, record: npt.NDArray[np.void]) -> None:
    number = board.num_cities
    record["city_crossroads"] = c.NONE
    record["city_crossroads"][0, :number] = board.city_crossroads
    record["city_gold"][0, :number] = board.city_gold
    record["violet"] = _bits(np.flatnonzero(board.city_violet))
    record["brown"] = _bits(np.flatnonzero(~np.asarray(board.city_violet)))
    record["start_posts"], record["start_routes"] = board.start_posts, board.start_routes


def _cities_of(board: Board, crossroads: list[int]) -> list[int]:
    return [int(board.crossroads_city[where]) for where in crossroads if board.crossroads_city[where] != c.NONE]


def _bits(members: Any) -> int:
    return sum(1 << int(member) for member in members)
