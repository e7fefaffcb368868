"""Building: development cards, merchants, caravans and routes (K6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.merchants.reference.agenda import Decision, Do, Draw
from tests.merchants.reference.income import pay_income, ways_to_pay
from tests.merchants.reference.reading import MOST_ON_ROUTE, caravans_on, merchants_on
from tests.merchants.reference.table import PIECES

if TYPE_CHECKING:
    from tests.merchants.reference.game import ReferenceGame

CARD_COST = {"wool": 1, "salt": 1}
MERCHANT_COST = {"wool": 1, "wheat": 1, "wood": 1}
CARAVAN_COST = {"ore": 1, "wood": 1, "salt": 1}
ROUTE_COST = {"ore": 1, "wood": 1}


# --- development cards -----------------------------------------------------------------------------------------------
def card_moves(game: ReferenceGame, seat: int) -> list[str]:
    """Return the purchase of a card, once a turn while pile or played cards have one (K6.1)."""
    table = game.table
    left = any(table.pile.values()) or any(table.played.values())
    return ["card"] if left and table.bought is None and table.seats[seat].holds(CARD_COST) else []


def buy_card(game: ReferenceGame, seat: int) -> None:
    """Pay, make the played cards the pile if it is empty, and draw (K6.2)."""
    table = game.table
    game.pay(seat, **CARD_COST)
    if not any(table.pile.values()):
        game.cite("K6.2 the played cards become the pile")
        table.pile, table.played = table.played, dict.fromkeys(table.played, 0)
    game.push(
        Draw(
            lambda game: {f"drawn:{kind}": number for kind, number in game.table.pile.items()},
            _drawn,
            (seat,),
            frozenset((seat,)),
        )
    )


def _drawn(game: ReferenceGame, kind: str, seat: int) -> None:
    """Take the card; it may not be played this turn."""
    game.cite("K6.2")
    game.table.pile[kind] -= 1
    game.table.seats[seat].cards[kind] += 1
    game.table.bought = kind


# --- merchants and caravans ------------------------------------------------------------------------------------------
def merchant_moves(game: ReferenceGame, seat: int) -> list[str]:
    """Return the cities where a merchant can be recruited: own posts without a merchant (K6.1, K-R19)."""
    if not game.table.seats[seat].holds(MERCHANT_COST):
        return []
    taken, posts = merchants_on(game), game.table.posts
    own = [place for place in sorted(posts) if posts[place] == seat]
    if not taken.isdisjoint(own):
        game.cite("K6.1 own post with a merchant (K-R19)")
    return [f"merchant:{game.map.names[place]}" for place in own if place not in taken]


def recruit(game: ReferenceGame, seat: int, city: str) -> None:
    """Pay, and put the lowest free merchant there, or lift one (K6.3)."""
    game.pay(seat, **MERCHANT_COST)
    _put_piece(game, seat, "merchants", game.map.site[city])


def caravan_moves(game: ReferenceGame, seat: int) -> list[str]:
    """Return the own routes at own posts with room for a caravan (K6.1)."""
    table = game.table
    if not table.seats[seat].holds(CARAVAN_COST):
        return []
    own = [
        path
        for path in sorted(table.routes)
        if table.routes[path] == seat and any(table.posts.get(end) == seat for end in game.map.ends[path])
    ]
    free = [path for path in own if caravans_on(game, path) < MOST_ON_ROUTE]
    if len(free) < len(own):
        game.cite("K6.1 no room for a caravan")
    return [f"caravan:p{path}" for path in free]


def form(game: ReferenceGame, seat: int, path: str) -> None:
    """Pay, and put the lowest free caravan there, or lift one (K6.3)."""
    game.pay(seat, **CARAVAN_COST)
    _put_piece(game, seat, "caravans", int(path[1:]))


def _put_piece(game: ReferenceGame, seat: int, pieces: str, place: int) -> None:
    places = getattr(game.table.seats[seat], pieces)
    if None in places:
        game.cite(f"K6.3 {pieces}")
        _place(game, seat, pieces, places.index(None), place)
    else:
        game.push(Lift(seat, pieces, place))


def _place(game: ReferenceGame, seat: int, pieces: str, slot: int, place: int) -> None:
    """Put a piece on its place; a caravan has paid nobody yet (K8.3)."""
    who = game.table.seats[seat]
    getattr(who, pieces)[slot] = place
    if pieces == "caravans":
        if who.tolls[slot]:
            game.cite("K8.3 a lifted caravan is a new one (K-R27)")
        who.tolls[slot].clear()


@dataclass(frozen=True)
class Lift(Decision):
    """Which piece leaves its place for the new one (K6.3)."""

    pieces: str
    place: int

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return both slots."""
        return [f"lift:{slot}" for slot in range(PIECES)]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Move it."""
        game.cite(f"K6.3 lifted, {self.pieces}")
        _place(game, self.seat, self.pieces, int(words[0]), self.place)


# --- routes ----------------------------------------------------------------------------------------------------------
def open_paths(game: ReferenceGame, seat: int) -> list[int]:
    """Return the paths where a seat can build a route: at an own post or beside an own route (K6.4)."""
    table = game.table
    if not table.seats[seat].routes:
        return []
    found: set[int] = set()
    for place, owner in table.posts.items():
        if owner == seat:
            found.update(game.map.paths_at[place])
    for path, owner in table.routes.items():
        if owner == seat:
            found.update(game.map.beside[path])
    return sorted(found - table.routes.keys())


def route_moves(game: ReferenceGame, seat: int) -> list[str]:
    """Return the paths where a route can be paid for (K6.1)."""
    who = game.table.seats[seat]
    if not who.holds(ROUTE_COST):
        return []
    if not who.routes:
        game.cite("K6.1 no route in supply")
    return [f"route:p{path}" for path in open_paths(game, seat)]


def pay_route(game: ReferenceGame, seat: int, path: str) -> None:
    """Pay for a route and build it."""
    game.cite("K6.4")
    game.pay(seat, **ROUTE_COST)
    build_route(game, seat, int(path[1:]))


def build_route(game: ReferenceGame, seat: int, path: int) -> None:
    """Place a route; then comes its income, then the free route of a double arrow (K6.5-K6.7)."""
    table = game.table
    ways = ways_to_pay(game, path, seat)
    table.routes[path] = seat
    table.seats[seat].routes -= 1
    arrow = [ArrowRoute(seat, path)] if path in game.map.arrows else []
    game.push(Do(pay_income, seat, ways), *arrow)


@dataclass(frozen=True)
class ArrowRoute(Decision):
    """A free route beside a path with a double arrow, or none (K6.7)."""

    path: int

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return the unbuilt neighbours of that path while the supply lasts."""
        table = game.table
        if not table.seats[self.seat].routes:
            game.cite("K6.7 no route in supply")
            return []
        return ["done", *(f"route:p{path}" for path in game.map.beside[self.path] if path not in table.routes)]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Build it, or decline."""
        if verb == "done":
            game.cite("K6.7 declined")
            return
        path = int(words[0][1:])
        game.cite("K6.7 onto another double arrow (K-R21)" if path in game.map.arrows else "K6.7")
        build_route(game, self.seat, path)
