"""Pictures of boards of Merchants of Europe, and of what stands on them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from endeavor_env.drawing.shapes import Area, Circle, Label, Line, Polygon, Rect, Scene, Shape
from endeavor_env.engine.presenter import Piece
from endeavor_env.merchants.board import content as v
from endeavor_env.merchants.board.board import Board
from endeavor_env.merchants.words import city_name, place_names

# --- Colours of the map: what lies on land has its own in every theme, the rest follows the theme --------------------
# Every text has a contrast of at least 4.5 to 1 with what it stands on, and no colour says anything alone: terrains are
# named, and the pieces of a seat bear its letter.


class MapTheme(NamedTuple):
    """The colours that follow a theme; those of Endeavor's pictures have the same names."""

    background: str
    """Background of the picture."""
    panel: str
    """Background of texts on the map."""
    sea: str
    ink: str
    """Texts and double arrows."""
    muted: str
    """Thin lines."""


LIGHT = MapTheme(background="#f4f1ea", panel="#fffdf8", sea="#d9e6ee", ink="#22262b", muted="#5b6067")
DARK = MapTheme(background="#15181d", panel="#20252c", sea="#1c2b37", ink="#eef0f2", muted="#9aa2ab")
THEMES = {"light": LIGHT, "dark": DARK}

DARK_LETTER, LIGHT_LETTER = "#101214", "#ffffff"
DISC = "#ffffff"
"""Numbers stand on it."""
EDGE = "#6b5f4a"
"""Paths on land."""
GOLD = "#e0b62a"
TERRAINS = {
    "forest": "#9cc58a",
    "meadow": "#d3e6a2",
    "field": "#f2dc86",
    "mountain": "#c4b8ab",
    "salt_works": "#e9e4ee",
}
"""All of them carry dark letters."""
CITIES = {"brown": "#8f5a2b", "violet": "#7a3fa0"}


PIECES = (
    Piece("#b3261e", LIGHT_LETTER, "R"),
    Piece("#0072b2", LIGHT_LETTER, "B"),
    Piece("#ffffff", DARK_LETTER, "W"),
    Piece("#e69f00", DARK_LETTER, "O"),
    Piece("#8a8f96", DARK_LETTER, "N"),
)
"""The pieces of red, blue, white and orange, by seat (K1.2), then the neutral ones."""
NEUTRAL = 4


# --- Where the places of a board lie in the picture ------------------------------------------------------------------

Point = tuple[float, float]
WIDTH = 1280
MARGIN = 36
LARGEST_EDGE = 64.0
"""Pixels of the edge of a hex on boards that leave room for more."""
_ROW = 3**0.5 / 2
"""Half the width of a hex, as a part of its edge."""


@dataclass(frozen=True)
class Plane:
    """The scale of a map of a board, and where it begins."""

    board: Board
    edge: float
    """Pixels of the edge of a hex."""
    left: float
    top: float

    @classmethod
    @lru_cache(maxsize=8)  # a film has hundreds of pictures of one board
    def of(cls, board: Board, top: float) -> Plane:
        """Return the plane of a board below ``top``: as large as the width allows, in the middle."""
        rows, columns = board.crossroads_yx[:, 0], board.crossroads_yx[:, 1]
        first, across = int(columns.min()), int(columns.max() - columns.min())
        edge = min(LARGEST_EDGE, (WIDTH - 2 * MARGIN) / (across * _ROW))
        left = (WIDTH - across * _ROW * edge) / 2 - first * _ROW * edge
        return cls(board, edge, left, top - int(rows.min()) * edge / 2)

    def at(self, y: float, x: float) -> Point:
        """Return the pixels of a place in half edge lengths and half hex widths."""
        return self.left + x * _ROW * self.edge, self.top + y * self.edge / 2

    @cached_property
    def _crossroads(self) -> list[Point]:
        """The pixels of all crossroads."""
        return [self.at(y, x) for y, x in self.board.crossroads_yx.tolist()]

    @cached_property
    def _terrains(self) -> list[Point]:
        """The pixels of the middles of all terrains."""
        return [self.at(3 * r, 2 * q + r) for q, r in self.board.terrain_cells.tolist()]

    def crossroads(self, crossroads: int) -> Point:
        """Return the pixels of a crossroads."""
        return self._crossroads[crossroads]

    def terrain(self, terrain: int) -> Point:
        """Return the pixels of the middle of a terrain."""
        return self._terrains[terrain]

    def path(self, path: int, part: float = 0.5) -> Point:
        """Return the pixels of a place on a path, which lies ``part`` of the way from its lower to its higher end."""
        (x1, y1), (x2, y2) = map(self.crossroads, self.board.path_ends[path].tolist())
        return x1 + part * (x2 - x1), y1 + part * (y2 - y1)

    def outward(self, crossroads: int) -> int:
        """Return 1 if the cell of a crossroads lies below it, as that of a top does, -1 if it lies above."""
        return 1 if int(self.board.crossroads_yx[crossroads, 0]) % 3 == 1 else -1

    @property
    def bottom(self) -> float:
        """The lowest pixels of the map."""
        return self.at(int(self.board.crossroads_yx[:, 0].max()), 0)[1]


# --- What stands on a board during a game, and how it is drawn -------------------------------------------------------

_POST, _MERCHANT, _CARAVAN = 11.0, 9.0, 8.5
_LETTER = 12.0
_ROUTE = 9.0


@dataclass(frozen=True)
class Pieces:
    """The pieces of all seats; an owner is a seat, or ``NEUTRAL``."""

    robber: int
    """The terrain where it stands."""
    tokens: Mapping[int, int] = field(default_factory=dict)
    """The values of the tokens by terrain, the dotted ones of the start included."""
    routes: Mapping[int, int] = field(default_factory=dict)
    """Owners by path."""
    posts: Mapping[int, int] = field(default_factory=dict)
    """Owners by city."""
    goods: Collection[int] = ()
    """The cities whose post has a good."""
    merchants: Mapping[int, int] = field(default_factory=dict)
    """Owners by crossroads."""
    caravans: Sequence[tuple[int, int]] = ()
    """A path and an owner each."""


def route_shapes(plane: Plane, pieces: Pieces) -> Iterator[Shape]:
    """Yield the routes: thick lines in the colour of their owner."""
    for path, owner in pieces.routes.items():
        (x1, y1), (x2, y2) = plane.path(path, 0.12), plane.path(path, 0.88)
        yield Line(x1, y1, x2, y2, DARK_LETTER, _ROUTE)
        yield Line(x1, y1, x2, y2, PIECES[owner].fill, _ROUTE - 3)


def piece_shapes(plane: Plane, pieces: Pieces) -> Iterator[Shape]:
    """Yield posts, goods, merchants and caravans, each with the letter of its owner."""
    under_caravans = {path for path, _ in pieces.caravans}
    for path, owner in pieces.routes.items():
        if path not in under_caravans:
            disc = Circle(*plane.path(path, _middle(plane, path)), 7.5, PIECES[owner].fill, DARK_LETTER)
            yield from _lettered(disc, owner, 10)
    for city, owner in pieces.posts.items():
        x, y = plane.crossroads(int(plane.board.city_crossroads[city]))
        square = Rect(x - _POST, y - _POST, 2 * _POST, 2 * _POST, PIECES[owner].fill, DARK_LETTER, 1.5, 3)
        yield from _lettered(square, owner, _LETTER)
        if city in pieces.goods:
            above = plane.outward(int(plane.board.city_crossroads[city])) * _POST
            yield Circle(x - _POST, y - above, 5, GOLD, DARK_LETTER)
    for crossroads, owner in pieces.merchants.items():
        x, y = plane.crossroads(crossroads)
        yield from _merchant((x - 1.9 * _POST, y), owner)
    yield from _caravans(plane, pieces)


def _middle(plane: Plane, path: int) -> float:
    """Return the part of a path where pieces stand: the middle, or away from its only city, where the name stands."""
    low, high = (int(plane.board.crossroads_city[end]) >= 0 for end in plane.board.path_ends[path].tolist())
    return 0.5 + 0.2 * (low - high)


def _merchant(at: Point, owner: int) -> Iterator[Shape]:
    x, y = at
    body = ((x, y - 1.5 * _MERCHANT), (x + _MERCHANT, y + _MERCHANT), (x - _MERCHANT, y + _MERCHANT))
    yield Polygon(body, PIECES[owner].fill, DARK_LETTER, 1.5)
    yield Label(x, y + 1.5, PIECES[owner].letter, 10, PIECES[owner].ink, "middle", True)


def _caravans(plane: Plane, pieces: Pieces) -> Iterator[Shape]:
    """Yield the caravans: those on one path beside each other."""
    seen: dict[int, int] = {}
    for path, owner in pieces.caravans:
        together = sum(other == path for other, _ in pieces.caravans)
        number = seen[path] = seen.get(path, -1) + 1
        x, y = plane.path(path, _middle(plane, path) + (0 if together == 1 else 0.4 * number - 0.2))
        size = (2.6 * _CARAVAN, 2 * _CARAVAN)
        wagon = Rect(x - size[0] / 2, y - size[1] / 2, *size, PIECES[owner].fill, DARK_LETTER, 1.5, 7)
        yield from _lettered(wagon, owner, _LETTER)


def _lettered(shape: Circle | Rect, owner: int, size: float) -> Iterator[Shape]:
    """Yield a piece and its letter in the middle."""
    x, y = (shape.x, shape.y) if isinstance(shape, Circle) else (shape.x + shape.width / 2, shape.y + shape.height / 2)
    yield shape
    yield Label(x, y, PIECES[owner].letter, size, PIECES[owner].ink, "middle", True)


def robber_shapes(at: Point) -> Iterator[Shape]:
    """Yield the robber: a black pawn."""
    x, y = at
    yield Polygon(((x, y - 4), (x + 9, y + 14), (x - 9, y + 14)), DARK_LETTER, "#ffffff", 1)
    yield Circle(x, y - 7, 6, DARK_LETTER, "#ffffff", 1)


def piece_words(plane: Plane, pieces: Pieces) -> Mapping[str, str]:
    """Return what tooltips say of the pieces in each place, by the key of the place."""
    words: dict[str, list[str]] = {}

    def say(key: str, text: str) -> None:
        words.setdefault(key, []).append(text)

    for path, owner in pieces.routes.items():
        say(f"path:p{path}", f"route of {_owner(owner)}")
    for path, owner in pieces.caravans:
        say(f"path:p{path}", f"caravan of {_owner(owner)}")
    for city, owner in pieces.posts.items():
        good = " with a good" if city in pieces.goods else ""
        say(f"crossroads:{plane.board.city_ids[city]}", f"post of {_owner(owner)}{good}")
    for crossroads, owner in pieces.merchants.items():
        say(f"crossroads:{plane.board.crossroads_name(crossroads)}", f"merchant of {_owner(owner)}")
    say(f"terrain:t{pieces.robber}", "the robber")
    return {key: ", ".join(found) for key, found in words.items()}


def _owner(owner: int) -> str:
    return "nobody" if owner == NEUTRAL else f"seat {owner}"


# --- The pieces of a position as a seat sees it (K14.1) --------------------------------------------------------------


def pieces_seen(board: Board, seen: Mapping[str, Any]) -> Pieces:
    """Return the pieces of a position on ``board``; ``seen`` is what ``MerchantsGame.view`` returns of it."""
    cities = {name: city for city, name in enumerate(board.city_ids)}
    crossroads = {board.crossroads_name(number): number for number in range(board.num_crossroads)}
    seats = list(enumerate(seen["seats"]))
    return Pieces(
        robber=_number(seen["robber"]),
        tokens={_number(terrain): value for terrain, value in seen["tokens"].items()},
        routes={_number(path): owner for path, owner in seen["routes"].items()},
        posts={cities[city]: NEUTRAL if owner == "neutral" else owner for city, owner in seen["posts"].items()},
        goods={cities[city] for city in seen["goods"]},
        merchants={crossroads[place]: seat for seat, has in seats for place in has["merchants"] if place is not None},
        caravans=[(_number(path), seat) for seat, has in seats for path in has["caravans"] if path is not None],
    )


def _number(name: str) -> int:
    """Return the number in the name of a terrain or a path."""
    return int(name[1:])


# --- The map: sea, terrains with their numbers and token places, paths, double arrows and cities ---------------------

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


def path_shapes(plane: Plane, theme: MapTheme) -> Iterator[Shape]:
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


def name_shapes(plane: Plane, theme: MapTheme) -> Iterator[Shape]:
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


# --- What the signs of the map mean, in rows below it ----------------------------------------------------------------

_LEGEND_SIZE, _ROW_HEIGHT, _LEGEND_COLUMNS = 13.0, 44, 7
_PRODUCTS = dict(zip(v.KINDS, ("wood", "wool", "wheat", "ore", "salt"), strict=True))
Drawn = Callable[[Point], Iterator[Shape]]
HEIGHT = 2 * _ROW_HEIGHT


def legend_shapes(top: float, theme: MapTheme) -> Iterator[Shape]:
    """Yield a sign and its meaning for each kind of place."""
    for number, (draw, words) in enumerate(_entries(theme)):
        x = MARGIN + 24 + number % _LEGEND_COLUMNS * (WIDTH - 2 * MARGIN) / _LEGEND_COLUMNS
        y = top + _ROW_HEIGHT * (number // _LEGEND_COLUMNS + 0.5)
        yield from draw((x, y))
        yield Label(x + 26, y, words, _LEGEND_SIZE, theme.ink)


def _entries(theme: MapTheme) -> Iterator[tuple[Drawn, str]]:
    for kind in v.KINDS:
        yield _swatch(TERRAINS[kind]), f"{KIND_WORDS[kind]}: {_PRODUCTS[kind]}"
    for colour in v.CITY_COLOURS:
        yield _dot(CITIES[colour]), f"{colour} city"
    yield lambda at: _plate(at, number_shapes(at, 9, 0)), "printed number"
    yield lambda at: _plate(at, number_shapes(at, 0, 9)), "token"
    yield lambda at: _plate(at, number_shapes(at, 0, 0)), "token place"
    yield lambda at: coin_shapes(at, 2), "gold of a city"
    yield lambda at: arrow_shapes((at[0] - 26, at[1]), (at[0] + 26, at[1]), theme.ink), "double arrow"
    yield lambda at: iter([Line(at[0] - 18, at[1], at[0] + 18, at[1], theme.muted, 2.5, True)]), "sea path"
    yield robber_shapes, "robber"


def _swatch(colour: str) -> Drawn:
    return lambda at: iter([Rect(at[0] - 16, at[1] - 12, 32, 24, colour, DARK_LETTER)])


def _dot(colour: str) -> Drawn:
    return lambda at: iter([Circle(*at, 8, colour, DISC, 1.5)])


def _plate(at: Point, signs: Iterator[Shape]) -> Iterator[Shape]:
    """Yield signs on a piece of land, as they stand on the map."""
    yield Rect(at[0] - 20, at[1] - 20, 40, 40, TERRAINS["salt_works"])
    yield from signs


# --- The picture of a board, and of what stands on it ----------------------------------------------------------------

_LINE, _SIZE = 22, 14.0
LINES, _COLUMNS = 14, 140
"""Number of lines of text, and letters per line, that a picture has room for, so that all pictures of a game have the
same size."""


def draw_board(board: Board, pieces: Pieces | None = None, theme: MapTheme = LIGHT, lines: Sequence[str] = ()) -> Scene:
    """Return the picture of a board, 1280 pixels wide; ``drawing.svg.to_svg`` writes it.

    Args:
        board: The board.
        pieces: What stands on it; at first, if None, the robber and the dotted tokens.
        theme: The colours of sea, texts and background.
        lines: Texts below the map, such as what each seat has; with any of them there is room for ``LINES`` lines, into
            which long ones are broken.
    """
    shown = Pieces(board.robber, start_tokens(board)) if pieces is None else pieces
    plane = Plane.of(board, 2.0 * MARGIN)
    sea = plane.bottom + MARGIN
    height = sea + HEIGHT + (_LINE * LINES + MARGIN / 2 if lines else 0) + MARGIN / 2
    shapes = (
        Rect(MARGIN / 2, MARGIN / 2, WIDTH - MARGIN, sea - MARGIN / 2, theme.sea, radius=8),
        *_map_shapes(plane, shown, theme),
        *legend_shapes(sea + MARGIN / 4, theme),
        *_text_shapes(lines, sea + HEIGHT + MARGIN / 2, theme),
        *areas(plane, piece_words(plane, shown)),
    )
    return Scene(WIDTH, round(height), theme.background, f"Merchants of Europe: {board.id}", shapes)


def _map_shapes(plane: Plane, pieces: Pieces, theme: MapTheme) -> Iterator[Shape]:
    """Yield land, routes, cities and pieces from below to above."""
    paths, cities, names = _printed(plane, theme)
    yield from terrain_shapes(plane, pieces.tokens)
    yield from paths
    yield from route_shapes(plane, pieces)
    yield from cities
    x, y = plane.terrain(pieces.robber)
    yield from robber_shapes((x + 0.55 * plane.edge, y))
    yield from piece_shapes(plane, pieces)
    yield from names


@lru_cache(maxsize=BOARDS)
def _printed(plane: Plane, theme: MapTheme) -> tuple[tuple[Shape, ...], ...]:
    """Return paths, cities and names of cities, which no move changes."""
    return tuple(path_shapes(plane, theme)), tuple(city_shapes(plane)), tuple(name_shapes(plane, theme))


def _text_shapes(lines: Sequence[str], top: float, theme: MapTheme) -> Iterator[Shape]:
    """Yield lines of text, and a sign if there are more than fit."""
    broken = [part for line in lines for part in textwrap.wrap(line, _COLUMNS, subsequent_indent="    ")]
    if len(broken) > LINES:
        broken = [*broken[: LINES - 1], "..."]
    for number, line in enumerate(broken):
        yield Label(MARGIN, top + _LINE * (number + 0.5), line, _SIZE, theme.ink)


# --- Pictures of boards of Merchants of Europe, and of what stands on them, as shapes --------------------------------

__all__ = ["NEUTRAL", "Pieces", "draw_board", "pieces_seen"]
