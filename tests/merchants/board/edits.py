"""Mistakes to make in a declared board."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

from endeavor_env.merchants.data import DATA

Data = dict[str, Any]
Edit = Callable[[Data], object]
Case = tuple[str, str, Edit, str]
"""The name of the fault, the side of the board, the mistake, and how the sentence about it begins."""
TEXTS = {side: (DATA / f"merchants_{side}.toml").read_text(encoding="utf-8") for side in ("short", "expert")}


def fresh(side: str) -> Data:
    """Return a declared board as a dictionary of one's own."""
    return tomllib.loads(TEXTS[side])


def terrain(data: Data, q: int, r: int) -> Data:
    """Return the terrain at a cell."""
    return next(entry for entry in data["terrains"] if entry["at"] == [q, r])


def city(data: Data, name: str) -> Data:
    """Return a city by its id."""
    return next(entry for entry in data["cities"] if entry["id"] == name)


def numbered(data: Data, q: int, r: int, number: int) -> None:
    """Give a terrain a printed number in place of its token."""
    terrain(data, q, r).pop("token", None)
    terrain(data, q, r)["number"] = number


def placed(data: Data, q: int, r: int, token: str = "place") -> None:
    """Give a terrain a token place in place of its number."""
    terrain(data, q, r).pop("number", None)
    terrain(data, q, r)["token"] = token


def without(data: Data, key: str, name: str) -> None:
    """Remove a city."""
    data[key] = [entry for entry in data[key] if entry["id"] != name]


def start(colour: str, key: str, value: object) -> Edit:
    """Return an edit of one start place."""
    return lambda data: data["start"][colour].update({key: value})


def put(key: str, value: object) -> Edit:
    """Return an edit of one key of the file."""
    return lambda data: data.update({key: value})


def far_from_numbers(data: Data) -> None:
    """Paint all brown cities at a printed number violet but for eleven."""
    for name in ("stockholm", "moscow"):
        city(data, name)["colour"] = "violet"


def all_violet_gone(data: Data) -> None:
    """Leave two violet cities."""
    for entry in [entry for entry in data["cities"] if entry["colour"] == "violet"][2:]:
        entry["colour"] = "brown"


def larger(data: Data) -> None:
    """Add a row of terrains in the north: with them the board has 73."""
    have = len(data["terrains"])
    cells = [(q, -3) for q in range(1, 8)] + [(q, -4) for q in range(2, 8)] + [(q, -5) for q in range(2, 14)]
    cells += [(q, -6) for q in range(3, 14)]
    for q, r in cells[: 73 - have]:
        data["terrains"].append({"at": [q, r], "kind": "forest", "number": 8})


def more_cities(data: Data) -> None:
    """Add nine cities without a number: with them the expert board has 49."""
    taken = [entry["at"] for entry in data["cities"]]
    free = [[*entry["at"], end] for entry in data["terrains"] for end in "NS" if [*entry["at"], end] not in taken]
    names = ("aa", "bb", "cc", "dd", "ee", "ff", "gg", "hh", "ii")
    data["cities"] += [
        {"id": name, "at": at, "colour": "brown", "gold": 0} for name, at in zip(names, free, strict=False)
    ]


def lyon_in_the_east(data: Data) -> None:
    """Put a city Lyon, with its meadow 5, on the short side."""
    city(data, "constantinople")["id"] = "lyon"
    numbered(data, 1, 5, 5)
