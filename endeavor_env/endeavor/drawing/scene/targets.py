"""Which part of the picture a move is about, so that legal moves can be shown and clicked."""

from __future__ import annotations

from collections.abc import Iterable

from endeavor_env.drawing.shapes import Area, Circle, Label, Rect, Scene
from endeavor_env.endeavor.drawing.scene.theme import Theme
from endeavor_env.endeavor.drawing.words import exploit_of

_PLACES = {
    "build": "build:{0}",
    "activate": "building:{seat}:{0}",
    "pay": "building:{seat}:{0}",
    "spend": "token:{seat}:{0}",
    "sail": "track:{0}",
    "neutral_sail": "track:{0}",
    "occupy": "city:{0}",
    "neutral_occupy": "city:{0}",
    "attack": "city:{0}",
    "draw": "deck:{0}",
    "discard": "card:{seat}:{0}",
    "take": "status:{seat}:{0}",
}
"""The key of the area of each verb of the base game and the variants; {0} is the target."""
_KINDS = ("city", "track", "connection", "building:{seat}", "deck", "card:{seat}", "token:{seat}")
"""What the target of an ability can be, in the order in which areas are looked for."""


def keys_of_move(move: str, seat: str) -> list[str]:
    """Return the keys that the area of a move may have, the best first; none for "pass" and "done".

    Args:
        move: The move in words, such as "occupy:london".
        seat: The name of the mat of who decides: the number of the seat, or "player".
    """
    verb, _, target = move.partition(":")
    if verb in _PLACES:
        return [_PLACES[verb].format(target, seat=seat)]
    if verb == "remove":
        region = target.partition(".")[0]
        return [f"city:{target}", f"track:{region}"]
    tile = exploit_of(verb)
    if not tile:
        return []
    there = [f"{kind.format(seat=seat)}:{target}" for kind in _KINDS] if target else []
    return [*there, f"exploit:{tile}"]


def areas_of_moves(scene: Scene, moves: Iterable[str], seat: str) -> dict[str, Area]:
    """Return the area of each move that the picture shows; moves without one are left out."""
    areas = _areas_of(scene)
    found = {}
    for move in moves:
        key = next((key for key in keys_of_move(move, seat) if key in areas), None)
        if key is not None:
            found[move] = areas[key]
    return found


def _areas_of(scene: Scene) -> dict[str, Area]:
    """Return the areas of a picture by their keys."""
    return {shape.key: shape for shape in scene.shapes if isinstance(shape, Area)}


def framed(scene: Scene, keys: Iterable[str | None], theme: Theme) -> Scene:
    """Return a picture with frames round the areas of these keys, below the names of places that have a halo.

    Keys that the picture does not have are left out. Each frame has an edge in the colour of the background, because a
    map of one colour in all themes can be as light as the frame.
    """
    areas, shapes = _areas_of(scene), scene.shapes
    lines = frames((areas[key] for key in keys if key in areas), theme)
    edges = [line._replace(stroke=theme.background, line=2 * line.line) for line in lines]
    found = [shape for pair in zip(edges, lines, strict=True) for shape in pair]
    names = (place for place, shape in enumerate(shapes) if isinstance(shape, Label) and shape.halo)
    first = next(names, len(shapes))
    return scene._replace(shapes=(*shapes[:first], *found, *shapes[first:]))


def frames(areas: Iterable[Area], theme: Theme) -> list[Rect | Circle]:
    """Return a frame round each area, for the targets of legal moves; a ring round cities, whose names stand near."""
    return [_frame(area, theme) for area in dict.fromkeys(areas)]


def _frame(area: Area, theme: Theme) -> Rect | Circle:
    if area.key.startswith("city:"):
        middle = area.x + area.width / 2, area.y + area.height / 2
        return Circle(*middle, area.width / 2 + 2, None, theme.highlight, 2.0)
    return Rect(area.x - 2, area.y - 2, area.width + 4, area.height + 4, None, theme.highlight, 2.0, 5.0)
