"""What a seat sees: observations of the kernels against the view of the reference (K14.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.merchants.observe.layout import LAYOUTS
from tests.merchants.crosscheck.twins import Twins
from tests.merchants.reference.game import ReferenceGame
from tests.merchants.reference.ids import ITEMS, VALUES
from tests.merchants.reference.map import CARDS, PRODUCTS, RESOURCES
from tests.merchants.reference.reading import number_of
from tests.merchants.reference.table import NEUTRAL

SEATS, NEUTRAL_OWNER, NOBODY, HUNDRED = 4, 4, -1, 100
KINDS = list(PRODUCTS)


def compact_of(twins: Twins, seat: int) -> dict[str, npt.NDArray[Any]]:
    """Return the rows of the compact observation of a seat."""
    layout, vector = LAYOUTS["compact"], twins.fast.game.observe(seat, "compact")
    return {row.name: layout.view(vector, row.name).astype(int) for row in layout.slices}


def expected_of(game: ReferenceGame, seat: int) -> dict[str, Any]:
    """Return what the rows of the compact observation must be, read from the view of a seat."""
    view = game.view(seat)
    return {**_numbers(game, view, seat), **_places(game, view, seat)}


def _listed(counts: Mapping[str, int], names: tuple[str, ...]) -> list[int]:
    return [counts.get(name, 0) for name in names]


def _by_seat(game: ReferenceGame, seat: int, values: list[Any], nothing: Any = 0) -> list[Any]:
    """Return values of seats in the order in which an observer counts them, filled up."""
    found = [values[other] for other in game.clockwise(seat)]
    return found + [nothing] * (SEATS - len(found))


def _relative(game: ReferenceGame, seat: int, owner: int) -> int:
    return NEUTRAL_OWNER if owner == NEUTRAL else (owner - seat) % game.players


def _numbers(game: ReferenceGame, view: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return the rows of small numbers."""
    seats, own, offer = view["seats"], view["seats"][seat], view["offer"]
    counts = [own["hand"] if number == seat else who["hand"] for number, who in enumerate(seats)]
    cards = [sum(who["cards"].values()) if number == seat else who["cards"] for number, who in enumerate(seats)]
    goods = [game.table.seats[number].goods - who["delivered"] for number, who in enumerate(seats)]
    paid = view["seats"][view["mover"]]["tolls"]
    assert len(counts) == game.players
    return {
        "hand": _listed(own["hand"], RESOURCES),
        "cards": _listed(own["cards"], CARDS),
        "bought": [int(view["bought"] == card) for card in CARDS],
        "gold": _by_seat(game, seat, [who["gold"] for who in seats]),
        "num_cards": _by_seat(game, seat, cards),
        "routes_left": _by_seat(game, seat, [who["routes"] for who in seats]),
        "stock": _by_seat(game, seat, [who["stock"] for who in seats]),
        "free_goods": _by_seat(game, seat, [who["free_goods"] for who in seats]),
        "delivered": _by_seat(game, seat, [who["delivered"] for who in seats]),
        "to_deliver": _by_seat(game, seat, goods),
        "playing": _by_seat(game, seat, [1] * game.players),
        "mover": _by_seat(game, seat, [int(other == view["mover"]) for other in range(game.players)]),
        "asked": _by_seat(game, seat, [int(other == view["to_move"]) for other in range(game.players)]),
        "accepted": _by_seat(game, seat, [int(offer is not None and n in offer.accepted) for n in range(game.players)]),
        "tolls": [_by_seat(game, seat, [int(n in one) for n in range(game.players)]) for one in paid],
        "reserve": _listed(view["reserve"], RESOURCES),
        "gold_left": view["gold"],
        "pile": view["pile"],
        "used": _listed(view["played"], CARDS),
        "sea": [[view["sea"][kind].count(value) for value in VALUES] for kind in KINDS],
        "card_played": int(view["has_played"]),
        "has_bought": int(view["has_bought"]),
        "buys": view["buys"],
        "offers": view["offers"],
        "gives": _listed(Counter(offer.given if offer else ()), ITEMS),
        "wants": _listed(Counter(offer.wanted if offer else ()), ITEMS),
        "hundreds_of_rolls": view["rolls"] // HUNDRED,
        "rolls": view["rolls"] % HUNDRED,
        "hundreds_of_rolls_left": (game.max_rolls - view["rolls"]) // HUNDRED,
        "rolls_left": (game.max_rolls - view["rolls"]) % HUNDRED,
    }


def _filled(values: list[int], size: int, nothing: int) -> list[int]:
    return values + [nothing] * (size - len(values))


def _parts(place: int | None) -> list[int]:
    return [NOBODY, NOBODY] if place is None else [place // HUNDRED, place % HUNDRED]


def _places(game: ReferenceGame, view: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return the rows of what stands where."""
    board, terrains = game.map, range(len(game.map.kinds))
    sites = [board.site[city] for city in board.cities]
    owners = [_relative(game, seat, view["posts"][site]) if site in view["posts"] else NOBODY for site in sites]
    built = [
        _relative(game, seat, view["routes"][path]) if path in view["routes"] else NOBODY
        for path in range(len(board.ends))
    ]
    nowhere = [_parts(None)] * 2
    return {
        "terrain_kind": _filled([KINDS.index(kind) for kind in board.kinds], 72, NOBODY),
        "terrain_number": _filled([number_of(game, terrain) or 0 for terrain in terrains], 72, 0),
        "terrain_token": _filled([int(terrain in view["tokens"]) for terrain in terrains], 72, 0),
        "robber": view["robber"],
        "post": _filled(owners, 48, NOBODY),
        "good": _filled([int(site in view["goods"]) for site in sites], 48, 0),
        "route": _filled(built, 288, NOBODY),
        "city_gold": _filled([board.coins[city] for city in board.cities], 48, 0),
        "arrows": _filled([int(path in board.arrows) for path in range(len(board.ends))], 288, 0),
        "caravans": _by_seat(game, seat, [list(map(_parts, who["caravans"])) for who in view["seats"]], nowhere),
        "merchants": _by_seat(game, seat, [list(map(_parts, who["merchants"])) for who in view["seats"]], nowhere),
    }


def _check_features(twins: Twins, seat: int, found: dict[str, npt.NDArray[Any]]) -> None:
    """Assert that features say the same as the compact observation where both have a row of one form."""
    layout, vector = LAYOUTS["features"], twins.fast.game.observe(seat, "features")
    greatest = {row.name: row.high for row in LAYOUTS["compact"].slices}
    found = {**found, "arrows": found["arrows"] * (found["route"] == NOBODY)}  # features show those of free paths alone
    for row in layout.slices:
        if row.name in found and found[row.name].shape == row.shape:
            assert np.allclose(layout.view(vector, row.name) * greatest[row.name], found[row.name]), row.name


def check_observations(twins: Twins) -> None:
    """Assert that every seat observes what the rules let it see, and that both kinds of observation agree."""
    for seat in range(twins.plain.players):
        found, expected = compact_of(twins, seat), expected_of(twins.plain, seat)
        wrong = [name for name, row in expected.items() if not np.array_equal(found[name], row)]
        assert not wrong, {name: (found[name].tolist(), expected[name]) for name in wrong}
        _check_known(twins.plain, seat, found)
        _check_features(twins, seat, found)


def _check_known(game: ReferenceGame, seat: int, found: dict[str, npt.NDArray[Any]]) -> None:
    """Assert that what a seat knows of hands is true, and all of it but for cards that it did not see stolen."""
    stolen = sum(
        text.startswith("stolen") and seat not in game.seers[index] for index, (_, text) in enumerate(game.moves)
    )
    for distance, other in enumerate(game.clockwise(seat)):
        who, known, unknown = game.table.seats[other], found["known"][distance], int(found["unknown"][distance])
        assert all(known[number] <= who.hand[kind] for number, kind in enumerate(RESOURCES)), (seat, other)
        assert known.sum() + unknown == who.count()
        assert unknown == 0 or (other != seat and stolen > 0)
