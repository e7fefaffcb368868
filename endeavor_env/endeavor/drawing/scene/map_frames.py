"""Moves names and tokens of the map where the frame of a target would run through letters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from endeavor_env.endeavor.drawing.scene.places import Box

Point = tuple[float, float]

RING = 16.6
"""Radius of the ring round a city, with its stroke."""
FRAME = (24.2, 24.2)
"""Width and height of the frame round the token of a connection, with its stroke."""
LETTERS = (11.0, 8.0)
"""Width and height of the letters of a token or a disc."""
BESIDE = 2.0
"""Pixels between a ring and a name on its left or right."""
ASIDE = (6.0, -6.0, 12.0, -12.0)
"""How far a name may stand to the side of the middle of its city, in the order in which places are tried."""
SWEEPS = 8
"""How often each name and token may move; most boards need two."""


class Thing(NamedTuple):
    """A city, a name or a token of the map; sizes are width and height."""

    letters: Point
    body: Point
    """The size of all of it, without its frame."""
    frame: Point | None = None
    """The size of the frame that it gets as a target."""
    ring: float = 0.0
    """The radius of the ring that it gets instead."""
    choices: tuple[Point, ...] = ()
    """Where it may lie, the best place first; nothing for what stands still."""


def around(x: float, y: float, width: float, height: float) -> Box:
    """Return the rectangle around a middle."""
    return Box(x - width / 2, y - height / 2, width, height)


def hits(box: Box, others: Iterable[Box]) -> int:
    """Return how many boxes overlap one."""
    return sum(
        abs(box.x + box.width / 2 - other.x - other.width / 2) < (box.width + other.width) / 2
        and abs(box.y + box.height / 2 - other.y - other.height / 2) < (box.height + other.height) / 2
        for other in others
    )


def name_choices(city: Point, apart: float, size: Point, region: Box, chips: bool) -> tuple[Point, ...]:
    """Return where the name of a city may stand within its region, the best place first.

    Args:
        city: The middle of the city.
        apart: How far a name below or above stands from it.
        size: Width and height of the name.
        region: The rectangle of the region.
        chips: Whether pieces may lie on the right of the city, so that the name cannot.
    """
    x, y = city
    found = [(x + aside, y + down) for aside in (0.0, *ASIDE) for down in (apart, -apart)]
    far = RING + BESIDE + size[0] / 2
    found += [(x - far, y)] if chips else [(x + far, y), (x - far, y)]
    return tuple(place for place in found if _is_inside(around(*place, *size), region))


def clear(things: Mapping[str, Thing], places: dict[str, Point], written: Sequence[Box]) -> None:
    """Move things whose frame or letters touch others to where they touch least, until nothing gets better.

    Args:
        things: The cities, names and tokens, by id.
        places: Their middles, changed in place.
        written: What stands on the map besides.
    """

    def faults(key: str, place: Point) -> tuple[int, int]:
        """Return how often frames would run through letters if a thing lay at a place, and how often bodies overlap."""
        thing = things[key]
        touched = sum(_touches(thing, place, box) for box in written)
        covered = 0
        body = around(*place, *thing.body)
        for other_key, other in things.items():
            if other_key != key:
                at = places[other_key]
                touched += _touches(thing, place, around(*at, *other.letters)) or _touches(
                    other, at, around(*place, *thing.letters)
                )
                covered += hits(body, [around(*at, *other.body)])
        return touched, covered

    for _ in range(SWEEPS):
        moved = False
        for key, thing in things.items():
            here = faults(key, places[key])
            if thing.choices and here[0]:
                found = [faults(key, place) for place in thing.choices]
                if min(found) < here:
                    places[key], moved = thing.choices[found.index(min(found))], True
        if not moved:
            return


def _touches(thing: Thing, place: Point, box: Box) -> bool:
    """Return whether the frame or ring of a thing at a place, or its letters if it has none, touches a box."""
    if thing.ring:
        x, y = place
        across = max(box.x - x, 0.0, x - box.x - box.width)
        down = max(box.y - y, 0.0, y - box.y - box.height)
        return math.hypot(across, down) < thing.ring
    return bool(hits(around(*place, *(thing.frame or thing.letters)), [box]))


def _is_inside(box: Box, outer: Box) -> bool:
    """Return whether a box lies in another one."""
    return (
        outer.x <= box.x
        and outer.y <= box.y
        and box.x + box.width <= outer.x + outer.width
        and box.y + box.height <= outer.y + outer.height
    )
