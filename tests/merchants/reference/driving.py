"""Caravans: driving, tolls and deliveries (K8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tests.merchants.reference.agenda import Decision
from tests.merchants.reference.reading import MOST_ON_ROUTE, caravans_on
from tests.merchants.reference.table import PIECES

if TYPE_CHECKING:
    from tests.merchants.reference.game import ReferenceGame

STEPS_OF_SALT, STEPS_OF_BRIBE = 3, 5
PAID, BRIBED = False, True


@dataclass(frozen=True)
class Way:
    """A caravan on its way, with what it can still pay.

    Attributes:
        seat: Its owner.
        slot: Which of his caravans it is.
        path: Where it is.
        steps: Steps that are left.
        bribed: Whether it drives without salt and toll (K9.1).
        salt: Salt of its owner.
        gold: Gold of its owner.
        tolls: Opponents whom it has paid this turn.
    """

    seat: int
    slot: int
    path: int
    steps: int
    bribed: bool
    salt: int
    gold: int
    tolls: frozenset[int]


def _way(game: ReferenceGame, seat: int, slot: int, steps: int, bribed: bool) -> Way | None:
    """Return where a caravan stands and what it can pay; None if it is not on the board."""
    who = game.table.seats[seat]
    path = who.caravans[slot]
    if path is None:
        return None
    return Way(seat, slot, path, steps, bribed, who.hand["salt"], who.gold, frozenset(who.tolls[slot]))


def _onto(game: ReferenceGame, way: Way, path: int) -> Way | None:
    """Return a way after a step onto a route; None if there is no route or it cannot be paid (K8.1, K8.3)."""
    owner = game.table.routes.get(path)
    if owner is None:
        return None
    steps, salt, gold, tolls = way.steps, way.salt, way.gold, way.tolls
    if steps == 0:
        if way.bribed or salt == 0:
            return None
        steps, salt = STEPS_OF_SALT, salt - 1
    if not way.bribed and owner != way.seat and owner not in tolls:
        if gold == 0:
            return None
        gold, tolls = gold - 1, tolls | {owner}
    return replace(way, path=path, steps=steps - 1, salt=salt, gold=gold, tolls=tolls)


def _has_room(game: ReferenceGame, way: Way) -> bool:
    """Return whether a caravan can rest where it is."""
    return caravans_on(game, way.path, without=(way.seat, way.slot)) < MOST_ON_ROUTE


def _can_rest(game: ReferenceGame, way: Way) -> bool:
    """Return whether a caravan can rest where it is, or go on to a route with room (K8.2)."""
    seen, todo = {way}, [way]
    while todo:
        here = todo.pop()
        if _has_room(game, here):
            return True
        onward = {after for path in game.map.beside[here.path] if (after := _onto(game, here, path)) is not None} - seen
        seen |= onward
        todo += onward
    return False


def _steps(game: ReferenceGame, way: Way) -> dict[int, Way]:
    """Return the legal steps of a caravan by their path, ascending, with the way after each."""
    found = {}
    for path in game.map.beside[way.path]:
        after = _onto(game, way, path)
        if after is None:
            if path in game.table.routes and (way.steps or way.salt) and not way.bribed:
                game.cite("K8.3 no gold for the toll")
        elif _can_rest(game, after):
            found[path] = after
        else:
            game.cite("K8.2 a full route that could not be left")
    return found


def drives(game: ReferenceGame, seat: int, bribed: bool) -> list[str]:
    """Return the caravans that can make a first step (K12.1)."""
    if not bribed and not game.table.seats[seat].hand["salt"]:
        return []
    steps = STEPS_OF_BRIBE if bribed else 0
    ways = [_way(game, seat, slot, steps, bribed) for slot in range(PIECES)]
    return [f"drive:{slot}" for slot, way in enumerate(ways) if way is not None and _steps(game, way)]


def drive_for_salt(game: ReferenceGame, seat: int, slot: str) -> None:
    """Begin a drive, whose first step pays a salt (K8.1)."""
    game.push(Drive(seat, int(slot), 0, PAID))


def drive_for_bribe(game: ReferenceGame, seat: int, slot: str) -> None:
    """Begin a drive of five steps without salt and toll (K9.1)."""
    game.push(Drive(seat, int(slot), STEPS_OF_BRIBE, BRIBED))


@dataclass(frozen=True)
class Drive(Decision):
    """What a driving caravan does next (K8)."""

    slot: int
    steps: int
    bribed: bool
    under_way: bool = False

    def _now(self, game: ReferenceGame) -> Way:
        way = _way(game, self.seat, self.slot, self.steps, self.bribed)
        assert way is not None
        return way

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return the steps; after the first one the stop and the deliveries too (K8.1, K8.2, K8.4, K8.6)."""
        way = self._now(game)
        moves = [f"step:p{path}" for path in _steps(game, way)]
        if self.under_way:
            moves += ["stop"] if _has_room(game, way) else []
            moves += deliveries(game, self.seat, [way.path])
        return moves

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Make a step, stop, or deliver."""
        if verb == "stop":
            game.cite("K8.1 stop with steps left" if self.steps else "K8.1 stop")
            return
        if verb == "deliver":
            game.cite("K8.4 in the middle of a drive")
            game.push(self)
            deliver(game, self.seat, words[0])
            return
        before = self._now(game)
        after = _onto(game, before, int(words[0][1:]))
        assert after is not None
        self._move(game, before, after)
        game.push(replace(self, steps=after.steps, under_way=True))

    def _move(self, game: ReferenceGame, before: Way, after: Way) -> None:
        """Move the caravan, and pay salt and toll."""
        who = game.table.seats[self.seat]
        who.caravans[self.slot] = after.path
        if not _has_room(game, after):
            game.cite("K8.2 passes a full route")
        if after.salt < before.salt:
            game.cite("K8.1 a further salt" if self.under_way else "K8.1 the first salt")
            game.pay(self.seat, salt=1)
        for owner in after.tolls - before.tolls:
            game.cite("K8.3 toll")
            who.gold -= 1
            game.table.seats[owner].gold += 1
            who.tolls[self.slot].add(owner)
        owner = game.table.routes[after.path]
        if owner != self.seat and self.bribed:
            game.cite("K9.2 no toll under bribe")
        elif owner in before.tolls:
            game.cite("K8.3 no second toll")


# --- deliveries ------------------------------------------------------------------------------------------------------
def deliveries(game: ReferenceGame, seat: int, paths: Iterable[int | None]) -> list[str]:
    """Return the cities where a free good can go, beside caravans on these paths (K8.4)."""
    table = game.table
    if table.seats[seat].free_goods < 1:
        return []
    ends = {end for path in paths if path is not None for end in game.map.ends[path]}
    places = [end for end in sorted(ends) if table.posts.get(end, seat) != seat and end not in table.goods]
    return [f"deliver:{game.map.names[place]}" for place in places]


def deliver(game: ReferenceGame, seat: int, city: str) -> None:
    """Put a good under a post; the last one wins at once (K10.1)."""
    table, place = game.table, game.map.site[city]
    game.cite("K8.4 under a neutral post" if table.posts[place] < 0 else "K8.4")
    table.goods[place] = seat
    who = table.seats[seat]
    who.delivered += 1
    if who.delivered == who.goods:
        game.cite("K10.1")
        game.cite("K10.1 in a drive" if isinstance(game.agenda[-1], Drive) else "K10.1 outside a drive")
        game.winning = seat
