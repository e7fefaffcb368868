"""The action ids (K11.1), counted from the table of blocks."""

from __future__ import annotations

from tests.merchants.reference.map import CARDS, GOLD, RESOURCES, Map

TERRAINS, CROSSROADS, PATHS, CITIES = 72, 208, 288, 48
ITEMS = (*RESOURCES, GOLD)
MOST_SEATS = 4
VALUES = (3, 4, 5, 9, 10, 11)


def texts(board: Map, mover: int, players: int) -> dict[int, str]:
    """Return the text of every id that names something on a board in the turn of a mover, outcomes of chance too."""
    blocks = _moves(board, mover, players) + _outcomes()
    found, offset = {}, 0
    for verb, size, names in blocks:
        for index, name in enumerate(names):
            if name is not None:
                found[offset + index] = f"{verb}:{name}" if name else verb
        offset += size
    return found


def _moves(board: Map, mover: int, players: int) -> list[tuple[str, int, list[str | None]]]:
    """Return the verb, size and names of each block of moves, in order."""
    alone: list[str | None] = [""]
    cities: list[str | None] = [*board.cities]
    paths: list[str | None] = [f"p{path}" for path in range(len(board.ends))]
    terrains: list[str | None] = [f"t{terrain}" for terrain in range(len(board.kinds))]
    slots: list[str | None] = ["0", "1"]
    others: list[str | None] = [str((mover + distance) % players) for distance in range(1, players)]
    resources: list[str | None] = [*RESOURCES]
    items: list[str | None] = [*ITEMS]
    banks = [None if give == get else f"{give}:{get}" for give in RESOURCES for get in ITEMS]
    return [
        *(("roll", 1, alone), ("end", 1, alone), ("done", 1, alone), ("play", 4, [*CARDS]), ("card", 1, alone)),
        *(("buy", 5, resources), ("bank", 30, banks), ("merchant", CITIES, cities), ("caravan", PATHS, paths)),
        *(("route", PATHS, paths), ("lift", 2, slots), ("walk", 2, slots), ("to", CROSSROADS, [*board.names])),
        *(("drive", 2, slots), ("step", PATHS, paths), ("stop", 1, alone), ("deliver", CITIES, cities)),
        *(("discard", 5, resources), ("robber", TERRAINS, terrains), ("steal", 3, others)),
        *(("token", TERRAINS, terrains), ("take", TERRAINS, terrains), ("income", 16, [str(k) for k in range(16)])),
        *(("gold", 1, alone), ("post", CITIES, cities), ("neutral", CITIES, cities), ("give", 6, items)),
        *(("want", 6, items), ("propose", 1, alone), ("cancel", 1, alone), ("accept", 1, alone), ("refuse", 1, alone)),
        ("partner", 3, others),
    ]


def _outcomes() -> list[tuple[str, int, list[str | None]]]:
    """Return the blocks of what chance draws, which follow those of moves."""
    return [
        ("first", 4, [str(seat) for seat in range(MOST_SEATS)]),
        ("dice", 11, [str(total) for total in range(2, 13)]),
        ("stolen", 5, [*RESOURCES]),
        ("drawn", 4, [*CARDS]),
        ("value", 6, [str(value) for value in VALUES]),
    ]
