"""The map: regions with their cities, shipping tracks and piles, and the connections between the cities."""

from __future__ import annotations

from endeavor_env.board import Board
from endeavor_env.render.scene.cards import card_title, icon_labels
from endeavor_env.render.scene.pieces import disc, shortened, stars, token
from endeavor_env.render.scene.places import FOOT, Box, city_places, region_box
from endeavor_env.render.scene.shapes import Area, Circle, Label, Line, Rect, Shape
from endeavor_env.render.scene.theme import SIDES, Theme
from endeavor_env.render.view import City, Connection, Deck, Region, View

RADIUS = 11.0
"""Of the disc in a city, pixels."""
SPACE = 8.0
"""Radius of a shipping space."""
FRACTIONS = (0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7)
"""Places on a line that a token may lie, the middle first."""
CARD = (78.0, 26.0)
"""Width and height of a pile."""


def map_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the whole map, drawn into ``area``."""
    places = city_places(view.board, area)
    taken = _taken(view, area, places)
    shapes: list[Shape] = [Rect(*area, fill=theme.sea, radius=8)]
    for region in view.regions:
        shapes += _region_ground(view.board, region, region_box(region.id, area), theme)
    for connection in view.connections:
        shapes += _connection(view.board, connection, places, taken, theme)
    for region in view.regions:
        for city in region.cities:
            ground = theme.land if region.open else theme.closed
            shapes += _city(view.board, city, region.id, places[city.id], ground, theme)
        shapes += _foot(view.board, region, region_box(region.id, area), theme)
    return shapes


def _region_ground(board: Board, region: Region, box: Box, theme: Theme) -> list[Shape]:
    """Return the ground of a region and its name."""
    fill = theme.land if region.open else theme.closed
    name = shortened(board.names[region.id], 13, box.width - 90)
    shapes: list[Shape] = [
        Rect(*box, fill=fill, stroke=theme.muted if region.open else theme.faint, line=1.2, radius=8),
        Label(box.x + 10, box.y + 13, name, 13, theme.ink if region.open else theme.muted, bold=True),
    ]
    if not region.open:
        shapes.append(Label(box.x + box.width - 10, box.y + 13, "closed", 11, theme.muted, "end"))
    title = f"{board.names[region.id]}: {'open' if region.open else 'closed'}"
    shapes.append(Area(box.x + 4, box.y + 2, box.width - 8, 22, f"region:{region.id}", title))
    return shapes


def _connection(
    board: Board, connection: Connection, places: dict[str, tuple[float, float]], taken: list[list[Box]], theme: Theme
) -> list[Shape]:
    """Return the line between two cities, in the colour of who controls it, and its token."""
    first, second = (
        board.cities[end] for end in board.array["connection_city"][0, board.connections.index(connection.id)]
    )
    (x1, y1), (x2, y2) = places[first], places[second]
    owner = connection.space.owner
    shapes: list[Shape] = []
    if owner is not None:
        shapes.append(Line(x1, y1, x2, y2, theme.ink, 6.0))
    stroke = SIDES[owner].fill if owner is not None else theme.muted
    shapes.append(Line(x1, y1, x2, y2, stroke, 4.0 if owner is not None else 1.6, dashed=owner is None))
    x, y = _token_place((x1, y1), (x2, y2), taken)
    if connection.space.token is not None:
        shapes += token(x, y, 14, connection.space.token)
    if connection.blocked:
        shapes += [
            Line(x - 8, y - 8, x + 8, y + 8, theme.highlight, 3),
            Line(x - 8, y + 8, x + 8, y - 8, theme.highlight, 3),
        ]
    shapes.append(Area(x - 9, y - 9, 18, 18, f"connection:{connection.id}", _connection_title(board, connection)))
    return shapes


def _taken(view: View, area: Box, places: dict[str, tuple[float, float]]) -> list[list[Box]]:
    """Return where no token of a connection should lie: tracks, piles, discs, names; then without the names."""
    boxes = [region_box(region.id, area) for region in view.regions]
    feet = [Box(box.x, box.y + box.height - FOOT, box.width, FOOT) for box in boxes]
    discs = [Box(x - 18, y - 18, 36, 36) for x, y in places.values()]
    names = [Box(x - 26, y + 4, 52, 24) for x, y in places.values()]
    return [[*feet, *discs, *names], [*feet, *discs]]


def _token_place(
    first: tuple[float, float], second: tuple[float, float], taken: list[list[Box]]
) -> tuple[float, float]:
    """Return the place on the line between two cities, as near its middle as possible, that is free."""
    for boxes in taken:
        for part in FRACTIONS:
            x, y = (one + part * (other - one) for one, other in zip(first, second, strict=True))
            if not any(box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height for box in boxes):
                return x, y
    return (first[0] + second[0]) / 2, (first[1] + second[1]) / 2


def _connection_title(board: Board, connection: Connection) -> str:
    space = connection.space
    lies = f"{space.token.replace('_', ' or ')} token" if space.token else "no token"
    whose = f", controlled by {space.owner}" if space.owner else ""
    return f"{board.names[connection.id]}: {lies}{whose}{', blocked' if connection.blocked else ''}"


def _city(board: Board, city: City, region: str, place: tuple[float, float], ground: str, theme: Theme) -> list[Shape]:
    """Return a city with its disc or its token, its name and its Glory."""
    x, y = place
    owner, kind = city.space.owner, city.space.token
    shapes: list[Shape] = []
    if city.glory > 1:
        shapes.append(Circle(x, y, RADIUS + 3.5, theme.gold, None))
    if owner is not None:
        shapes += disc(x, y, RADIUS, owner)
    else:
        shapes.append(Circle(x, y, RADIUS, theme.panel, theme.ink, 1.2))
        if kind is not None:
            shapes += token(x, y, 14, kind)
    name = board.names[city.id]
    short = name.removeprefix(f"{board.names[region]} ")
    shapes.append(Label(x, y + RADIUS + 9, short, 10.5, theme.ink, "middle", halo=ground))
    for index, piece in enumerate(city.pieces):
        shapes.append(Label(x + RADIUS + 2, y - 8 + 10 * index, piece[:4], 9, theme.highlight, bold=True))
    whose = f"disc of {owner}" if owner is not None else f"{kind.replace('_', ' or ')} token" if kind else "empty"
    title = f"{name}: {whose}, {city.glory} Glory{', ' + ', '.join(city.pieces) if city.pieces else ''}"
    shapes.append(Area(x - 16, y - 15, 32, 36, f"city:{city.id}", title))
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
            shapes += [Circle(x, y, SPACE, theme.closed, theme.faint), Line(x - 5, y - 5, x + 5, y + 5, theme.muted)]
        else:
            shapes.append(Circle(x, y, SPACE, theme.panel, theme.muted))
            if space.token is not None:
                shapes += token(x, y, 12.5, space.token)
    taken = sum(space.owner is not None for space in region.track)
    title = f"{board.names[region.id]}: {taken} of {len(region.track)} shipping spaces taken"
    shapes.append(Area(box.x + 4, y - SPACE - 3, right - box.x - 4, 2 * SPACE + 6, f"track:{region.id}", title))
    return shapes + _beside(region, far_end, y - SPACE - 9, theme)


def _beside(region: Region, x: float, y: float, theme: Theme) -> list[Shape]:
    """Return the discs beside a full track, as a disc and a number for each side."""
    shapes: list[Shape] = []
    for index, (side, count) in enumerate(region.beside.items()):
        shapes += disc(x + 30 * index, y, 6, side)
        shapes.append(Label(x + 8 + 30 * index, y, f"x{count}", 10, theme.ink))
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
        shapes.append(
            Label(box.x + 5, box.y + 10, shortened(name.replace("_", " "), 8.5, box.width - 30), 8.5, theme.muted)
        )
        shapes.append(Label(right, box.y + 10, f"{left}x", 8.5, theme.muted, "end"))
        said, size, ink = ("Gov", 11, theme.gold) if value == "governor" else (value, 14, theme.ink)
        shapes.append(Label(box.x + 5, box.y + 25, said, size, ink, bold=True))
        shapes += icon_labels(board, card, right, box.y + 25, 9.5, theme)
    else:
        shapes.append(Label(box.x + box.width / 2, box.y + box.height / 2, "empty", 10, theme.muted, "middle"))
    title = f"pile {deck.id}, " + (f"{left} cards left, on top {card_title(board, deck.cards[0])}" if left else "empty")
    if deck.governor_apart:
        shapes += stars(box.x + box.width - 10, box.y + 4, 1, theme)
        title += ", Governor beside it"
    shapes.append(Area(*box, f"deck:{deck.id}", title))
    return shapes
