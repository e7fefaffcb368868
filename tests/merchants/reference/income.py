"""What a new route earns: an isolated city is connected for the first time (K6.5, K6.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.merchants.reference.agenda import Decision
from tests.merchants.reference.reading import cities_of, net_of

if TYPE_CHECKING:
    from tests.merchants.reference.game import ReferenceGame

MOST_CHOICES = 16
Payments = tuple[int, ...]
"""Gold of each seat, from the mover clockwise."""


def ways_to_pay(game: ReferenceGame, path: int, builder: int) -> list[Payments]:
    """Return what a route on ``path``, which has none yet, can earn: no payments, one, or several, largest first."""
    one, other = (net_of(game, end) for end in game.map.ends[path])
    if one == other:
        game.cite("K6.5 inside one net")
        return []
    cities = sorted((cities_of(game, net) for net in (one, other)), key=len)
    few, many = cities
    if not few:
        return []
    if len(few) > 1:
        game.cite("K6.5 two nets of several cities")
        return []
    game.cite("K6.5 two isolated cities" if len(many) == 1 else "K6.5 one isolated city")
    found = _payments(game, few[0], game.table.routes | {path: builder})
    return sorted(found, reverse=True)


def _payments(game: ReferenceGame, start: int, routes: dict[int, int]) -> set[Payments]:
    """Return the different payments of the shortest ways by routes from a city to another one."""
    mover = game.table.mover
    layer: dict[int, set[Payments]] = {start: {(0,) * game.players}}
    seen = {start}
    while True:
        reached: dict[int, set[Payments]] = {}
        for here, payments in layer.items():
            for way in game.map.paths_at[here]:
                there = sum(game.map.ends[way]) - here
                if way in routes and there not in seen:
                    place = (routes[way] - mover) % game.players
                    more = {(*paid[:place], paid[place] + 1, *paid[place + 1 :]) for paid in payments}
                    reached.setdefault(there, set()).update(more)
        layer = reached
        seen.update(layer)
        ends = [payments for crossroads, payments in layer.items() if crossroads in game.map.city_at]
        if ends:
            return set[Payments]().union(*ends)


def pay_income(game: ReferenceGame, seat: int, ways: list[Payments]) -> None:
    """Pay the only way, or let the mover choose (K6.6)."""
    if len(ways) > 1:
        game.cite("K6.6")
        if len(ways) > MOST_CHOICES:
            game.cite("K6.6 more than 16 choices")
        game.push(Income(seat, tuple(ways[:MOST_CHOICES])))
    elif ways:
        _pay(game, ways[0])


def _pay(game: ReferenceGame, payments: Payments) -> None:
    """Pay the owners of the routes on a way, clockwise from the mover."""
    if sum(amount > 0 for amount in payments) > 1:
        game.cite("K6.5 several owners are paid")
    game.pay_out(dict(zip(game.clockwise(game.table.mover), payments, strict=True)))


@dataclass(frozen=True)
class Income(Decision):
    """Which of several shortest ways is paid (K6.6)."""

    ways: tuple[Payments, ...]

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return a choice for each different payment."""
        return [f"income:{number}" for number in range(len(self.ways))]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Pay it."""
        _pay(game, self.ways[int(words[0])])
