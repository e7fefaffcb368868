"""What stands on a board during a game, and how it is drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from endeavor_env.drawing.shapes import Circle, Label, Line, Polygon, Rect, Shape
from endeavor_env.merchants.drawing.palette import DARK_LETTER, GOLD, NEUTRAL, PIECES
from endeavor_env.merchants.drawing.plane import Plane, Point

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
