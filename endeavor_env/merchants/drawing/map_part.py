"""The map: sea, terrains with their numbers and token places, paths, double arrows and cities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from endeavor_env.drawing.shapes import Area, Circle, Label, Line, Polygon, Shape
from endeavor_env.merchants.board import vocabulary as v
from endeavor_env.merchants.board.board import Board
from endeavor_env.merchants.drawing.palette import CITIES, DARK_LETTER, DISC, EDGE, GOLD, TERRAINS, MapColours
from endeavor_env.merchants.drawing.plane import Plane, Point
from endeavor_env.merchants.place_names import city_name, place_names

_NUMBER, _WORD, _NAME, _GOLD = 18.0, 11.0, 11.0, 11.0
_DISC = 16.0
_CITY = 8.0
_FREQUENT = (6, 8)
BOARDS = 8
"""Boards of which is kept what is the same in all pictures of a game."""
KIND_WORDS = {kind: kind.replace("_", "-") for kind in v.KINDS}


def start_tokens(board: Board) -> dict[int, int]:
    """Return the values of the tokens that lie on the board at first: the dotted ones, by terrain (K3.2)."""
    return {
        terrain: int(board.tokens[board.terrain_kind[terrain], 0])
        for terrain in (board.terrain_place == 2).nonzero()[0].tolist()
    }


def terrain_shapes(plane: Plane, tokens: Mapping[int, int]) -> Iterator[Shape]:
    """Yield each terrain with its kind, and its printed number, token or empty place."""
    board = plane.board
    for terrain in range(board.num_terrains):
        kind = v.KINDS[board.terrain_kind[terrain]]
        corners = tuple(plane.crossroads(crossroads) for crossroads in board.terrain_crossroads[terrain].tolist())
        x, y = plane.terrain(terrain)
        yield Polygon(corners, TERRAINS[kind], EDGE, 1)
        yield from number_shapes((x, y), int(board.terrain_number[terrain]), tokens.get(terrain, 0))
        if board.terrain_place[terrain] == 2:
            yield Circle(x + _DISC, y - _DISC, 3, DARK_LETTER)
        yield Label(x, y + _DISC + 9, KIND_WORDS[kind], _WORD, DARK_LETTER, "middle")


def number_shapes(at: Point, printed: int, token: int) -> Iterator[Shape]:
    """Yield a printed number on a disc, a token on a disc with a ring, or an empty place."""
    x, y = at
    number = printed or token
    if printed:
        yield Circle(x, y, _DISC, DISC)
    else:
        yield Circle(x, y, _DISC, DISC if token else None, DARK_LETTER, 2.5 if token else 1)
    if number:
        yield Label(x, y, str(number), _NUMBER, DARK_LETTER, "middle", number in _FREQUENT)


def path_shapes(plane: Plane, theme: MapColours) -> Iterator[Shape]:
    """Yield the sea paths as dashes, and both heads of each double arrow."""
    board = plane.board
    for path in range(board.num_paths):
        (x1, y1), (x2, y2) = map(plane.crossroads, board.path_ends[path].tolist())
        if board.path_sea[path]:
            yield Line(x1, y1, x2, y2, theme.muted, 2.5, True)
        if board.path_arrow[path]:
            yield from arrow_shapes((x1, y1), (x2, y2), theme.ink if board.path_sea[path] else DARK_LETTER)


def arrow_shapes(first: Point, second: Point, colour: str) -> Iterator[Shape]:
    """Yield a double arrow between two points."""
    across, down = second[0] - first[0], second[1] - first[1]

    def on(part: float, aside: float) -> Point:
        return first[0] + part * across - aside * down, first[1] + part * down + aside * across

    yield Line(*on(0.34, 0), *on(0.66, 0), colour, 3)
    for tip, back in ((0.22, 0.38), (0.78, 0.62)):
        yield Polygon((on(tip, 0), on(back, 0.1), on(back, -0.1)), colour)


def city_shapes(plane: Plane) -> Iterator[Shape]:
    """Yield each city, and its gold on a coin."""
    board = plane.board
    for city, crossroads in enumerate(board.city_crossroads.tolist()):
        x, y = plane.crossroads(crossroads)
        side = plane.outward(crossroads)
        colour = v.CITY_COLOURS[int(board.city_violet[city])]
        yield Circle(x, y, _CITY, CITIES[colour], DISC, 1.5)
        if board.city_gold[city]:
            yield from coin_shapes((x + 1.9 * _CITY, y - side * 2.4 * _CITY), int(board.city_gold[city]))


def name_shapes(plane: Plane, theme: MapColours) -> Iterator[Shape]:
    """Yield the name of each city, in the cell whose top or bottom it is."""
    for city, name in enumerate(plane.board.city_ids):
        crossroads = int(plane.board.city_crossroads[city])
        x, y = plane.crossroads(crossroads)
        below = plane.outward(crossroads) * 2.2 * _CITY
        yield Label(x, y + below, city_name(name), _NAME, theme.ink, "middle", halo=theme.panel)


def coin_shapes(at: Point, gold: int) -> Iterator[Shape]:
    """Yield an amount of gold on a coin."""
    yield Circle(*at, 8, GOLD, DARK_LETTER)
    yield Label(*at, str(gold), _GOLD, DARK_LETTER, "middle", True)


def areas(plane: Plane, words: Mapping[str, str]) -> Iterator[Area]:
    """Yield the terrain, path and crossroads under each place, with what tooltips say of it."""
    for area in _places(plane):
        said = words.get(area.key)
        yield area if said is None else area._replace(title=f"{area.title}: {said}")


@lru_cache(maxsize=BOARDS)
def _places(plane: Plane) -> tuple[Area, ...]:
    """Return the areas of a board on which nothing stands."""
    board, half, found = plane.board, plane.edge / 5, list[Area]()
    for terrain in range(board.num_terrains):
        found.append(_area(plane.terrain(terrain), 2 * half, f"terrain:t{terrain}", _title(board, f"t{terrain}")))
    for path in range(board.num_paths):
        title = _title(board, f"p{path}") + (", double arrow" if board.path_arrow[path] else "")
        found.append(_area(plane.path(path), half, f"path:p{path}", title))
    for crossroads in range(board.num_crossroads):
        name, city = board.crossroads_name(crossroads), int(board.crossroads_city[crossroads])
        title = _title(board, name) if city < 0 else _city_title(board, city)
        found.append(_area(plane.crossroads(crossroads), half, f"crossroads:{name}", title))
    return tuple(found)


def _title(board: Board, name: str) -> str:
    """Return the name of a place as a title."""
    words = place_names(board)[name].removeprefix("the ")
    return words[:1].upper() + words[1:]


def _city_title(board: Board, city: int) -> str:
    """Return the name, colour and gold of a city."""
    gold = f", {board.city_gold[city]} gold" if board.city_gold[city] else ""
    return f"{city_name(board.city_ids[city])}, {v.CITY_COLOURS[int(board.city_violet[city])]} city{gold}"


def _area(at: Point, half: float, key: str, title: str) -> Area:
    """Return a square around a point."""
    return Area(at[0] - half, at[1] - half, 2 * half, 2 * half, key, title)
