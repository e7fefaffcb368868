"""The map: regions with their cities, shipping tracks and piles, and the connections between the cities."""

from __future__ import annotations

from endeavor_env.drawing.shapes import Area, Circle, Label, Line, Rect, Shape
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.scene.cards import card_title, icon_shapes, icons_width
from endeavor_env.endeavor.drawing.scene.map_places import (
    CLOSED,
    NAME,
    REGION,
    MapPlaces,
    ends_of,
    map_places,
    name_of_city,
    region_name,
)
from endeavor_env.endeavor.drawing.scene.pieces import SMALLEST, TOKEN, barrier, chip, disc, shortened, stars, token
from endeavor_env.endeavor.drawing.scene.places import FOOT, Box, region_box
from endeavor_env.endeavor.drawing.scene.theme import IN_CITIES, SIDES, Theme
from endeavor_env.endeavor.drawing.view import City, Connection, Deck, Region, View

RADIUS = 11.0
"""Of the disc in a city, pixels."""
SPACE = 8.0
"""Radius of a shipping space."""
CARD = (78.0, 26.0)
"""Width and height of a pile."""


def map_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the whole map, drawn into ``area``."""
    places = map_places(view.board, area, bool(view.exploits))
    shapes: list[Shape] = [Rect(*area, fill=theme.sea, radius=8)]
    for region in view.regions:
        shapes.append(_region_ground(region, region_box(region.id, area), theme))
    for connection in view.connections:
        ends = ends_of(view.board, connection.id, places.cities)
        shapes += connection_line(*ends, connection.space.owner, theme)
    for region in view.regions:
        shapes += _region_name(view.board, region, places, region_box(region.id, area), theme)
        for city in region.cities:
            shapes += _city(view.board, city, places, _ground_of(region, theme), theme)
        shapes += _foot(view.board, region, region_box(region.id, area), theme)
    for connection in view.connections:
        shapes += _on_line(view.board, connection, *places.tokens[connection.id])
    return shapes


def _ground_of(region: Region, theme: Theme) -> str:
    """Return the colour of the ground of a region."""
    return theme.land if region.open else theme.closed


def _region_ground(region: Region, box: Box, theme: Theme) -> Shape:
    """Return the ground of a region."""
    edge = theme.muted if region.open else theme.faint
    return Rect(*box, fill=_ground_of(region, theme), stroke=edge, line=1.2, radius=8)


def _region_name(board: Board, region: Region, places: MapPlaces, box: Box, theme: Theme) -> list[Shape]:
    """Return the name of a region, and whether it is closed, on top of the lines that cross it."""
    name, halo = region_name(board, region.id, box), _ground_of(region, theme)
    ink = theme.ink if region.open else theme.muted
    shapes: list[Shape] = [Label(box.x + 10, box.y + 13, name, REGION, ink, bold=True, halo=halo)]
    if not region.open:
        shapes.append(Label(*places.closed[region.id], CLOSED, 11, theme.muted, "middle", halo=halo))
    title = f"{board.names[region.id]}: {'open' if region.open else 'closed'}"
    shapes.append(Area(box.x + 4, box.y + 2, box.width - 8, 22, f"region:{region.id}", title))
    return shapes


def connection_line(
    first: tuple[float, float], second: tuple[float, float], owner: str | None, theme: Theme
) -> list[Shape]:
    """Return the line between two places, thick and in the colour of the side that controls it."""
    if owner is None:
        return [Line(*first, *second, theme.muted, 1.6, dashed=True)]
    return [Line(*first, *second, theme.ink, 6.0), Line(*first, *second, SIDES[owner].fill, 4.0)]


def _on_line(board: Board, connection: Connection, x: float, y: float) -> list[Shape]:
    """Return the token of a connection, with bars beside it if it is blocked."""
    shapes: list[Shape] = []
    if connection.blocked:
        shapes += barrier(x, y)
    if connection.space.token is not None:
        shapes += token(x, y, TOKEN, connection.space.token)
    return [*shapes, Area(x - 9, y - 9, 18, 18, f"connection:{connection.id}", _connection_title(board, connection))]


def _connection_title(board: Board, connection: Connection) -> str:
    space = connection.space
    lies = f"{space.token.replace('_', ' or ')} token" if space.token else "no token"
    whose = f", controlled by {space.owner}" if space.owner else ""
    return f"{board.names[connection.id]}: {lies}{whose}{', blocked' if connection.blocked else ''}"


def _city(board: Board, city: City, places: MapPlaces, ground: str, theme: Theme) -> list[Shape]:
    """Return a city with its disc or its token, its name and its Glory."""
    x, y = places.cities[city.id]
    owner, kind = city.space.owner, city.space.token
    shapes: list[Shape] = []
    if city.glory > 1:
        shapes.append(Circle(x, y, RADIUS + 3.5, theme.ring, None))
    if owner is not None:
        shapes += disc(x, y, RADIUS, owner)
    else:
        shapes.append(Circle(x, y, RADIUS, theme.panel, theme.ink, 1.2))
        if kind is not None:
            shapes += token(x, y, TOKEN, kind)
    name = name_of_city(board, city.id)
    shapes.append(Label(*places.names[city.id], name, NAME, theme.ink, "middle", halo=ground))
    for index, piece in enumerate(city.pieces):
        shapes += chip(x + RADIUS + 8, y - 12 + 13 * index, 14, 12, IN_CITIES[piece])
    whose = f"disc of {owner}" if owner is not None else f"{kind.replace('_', ' or ')} token" if kind else "empty"
    pieces = "".join(f", {piece}" for piece in city.pieces)
    title = f"{board.names[city.id]}: {whose}, {city.glory} Glory{pieces}"
    shapes.append(Area(x - 13.5, y - 13.5, 27, 27, f"city:{city.id}", title))
    return shapes


def _foot(board: Board, region: Region, box: Box, theme: Theme) -> list[Shape]:
    """Return the shipping track, which fills from the far end towards the pile, and the piles."""
    y = box.y + box.height - FOOT / 2 + 2
    width, height = CARD
    shapes: list[Shape] = []
    right = box.x + box.width - (8 if region.track else 60)  # a line leaves Europe in its corner
    for deck in reversed(region.decks):
        right -= width
        shapes += _deck(board, deck, Box(right, y - height / 2 - 4, width, height + 8), theme)
        right -= 6
    if not region.track:
        return shapes
    left, step = box.x + 8 + SPACE, (right - box.x - 12 - 2 * SPACE) / max(1, len(region.track) - 1)
    step = min(step, 2 * SPACE + 6)
    far_end = left
    shapes.append(Line(far_end, y, far_end + step * (len(region.track) - 1), y, theme.muted, 1.2))
    for index, space in enumerate(region.track):
        x = far_end + step * index
        if space.owner is not None:
            shapes += disc(x, y, SPACE, space.owner)
        elif space.closed:
            shapes += closed_space(x, y, theme)
        else:
            shapes.append(Circle(x, y, SPACE, theme.panel, theme.muted))
            if space.token is not None:
                shapes += token(x, y, TOKEN, space.token)
    taken = sum(space.owner is not None for space in region.track)
    title = f"{board.names[region.id]}: {taken} of {len(region.track)} shipping spaces taken"
    shapes.append(Area(box.x + 4, y - SPACE - 3, right - box.x - 4, 2 * SPACE + 6, f"track:{region.id}", title))
    return shapes + _beside(region, far_end, y - SPACE - 9, theme)


def closed_space(x: float, y: float, theme: Theme) -> list[Shape]:
    """Return a shipping space that takes no disc."""
    return [Circle(x, y, SPACE, theme.closed, theme.muted), Line(x - 5, y - 5, x + 5, y + 5, theme.muted)]


def _beside(region: Region, x: float, y: float, theme: Theme) -> list[Shape]:
    """Return the discs beside a full track, as a disc and a number for each side."""
    shapes: list[Shape] = []
    for index, (side, count) in enumerate(region.beside.items()):
        shapes += disc(x + 30 * index, y, 7, side)
        shapes.append(Label(x + 9 + 30 * index, y, f"x{count}", 10, theme.ink))
    return shapes


def _deck(board: Board, deck: Deck, box: Box, theme: Theme) -> list[Shape]:
    """Return a pile with the number of cards left, and value and icons of the one on top."""
    left = len(deck.cards)
    shapes: list[Shape] = []
    for back in range(min(2, max(0, left - 1)), 0, -1):
        shapes.append(Rect(box.x + 2 * back, box.y - 2 * back, box.width, box.height, theme.panel, theme.muted, 0.8, 4))
    shapes.append(Rect(*box, fill=theme.panel if left else None, stroke=theme.muted, line=1, radius=4))
    if left:
        card = deck.cards[0]
        name, _, value = card.partition(".")
        right = box.x + box.width - 5
        crowded = icons_width(board, card, 9) > box.width - 18  # the icons need the place of the value
        named = f"{name} {value}" if crowded else name.replace("_", " ")
        shapes.append(Label(box.x + 5, box.y + 9, shortened(named, SMALLEST, box.width - 28), SMALLEST, theme.muted))
        shapes.append(Label(right, box.y + 9, f"{left}x", SMALLEST, theme.muted, "end"))
        said, size, ink = ("Gov", 10, theme.gold) if value == "governor" else (value, 14, theme.ink)
        if not crowded:
            shapes.append(Label(box.x + 4, box.y + 25, said, size, ink, bold=True))
        shapes += icon_shapes(board, card, right + 2, box.y + 25, 9, theme)
    else:
        shapes.append(Label(box.x + box.width / 2, box.y + box.height / 2, "empty", 10, theme.muted, "middle"))
    title = f"pile {deck.id}, " + (f"{left} cards left, on top {card_title(board, deck.cards[0])}" if left else "empty")
    if deck.governor_apart:
        shapes += stars(box.x + box.width - 10, box.y + 4, 1, theme)
        title += ", Governor beside it"
    shapes.append(Area(*box, f"deck:{deck.id}", title))
    return shapes
