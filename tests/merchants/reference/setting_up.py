"""Set-up (K3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.merchants.reference import turn
from tests.merchants.reference.agenda import Decision, Do, Draw
from tests.merchants.reference.map import COLOURS, PRODUCTS, Map
from tests.merchants.reference.reading import cities_of, net_of, number_of
from tests.merchants.reference.table import GOODS, NEUTRAL, POSTS, Seat, Table

if TYPE_CHECKING:
    from tests.merchants.reference.game import ReferenceGame

START_GOLD, START_POSTS = 3, 3
START_CARDS = {
    "red": ("wood", "wheat", "salt"),
    "blue": ("salt", "wool", "ore"),
    "white": ("wood", "wheat", "wool"),
    "orange": ("ore", "salt", "wheat"),
}


def laid_out(board: Map, players: int) -> Table:
    """Return the table before the first player is drawn: tokens, robber and what the seats get (K3.2-K3.4)."""
    game = (board.side, players)
    seats = [Seat(GOODS[game], POSTS[game] - START_POSTS) for _ in range(players)]
    values = board.data["tokens"]
    tokens = {terrain: values[kind][0] for kind, terrain in board.dotted.items()}
    sea = {kind: sorted(values[kind][1:]) for kind in PRODUCTS}
    table = Table(seats, dict(board.data["development"]), sea, tokens, board.robber)
    for seat in seats:
        seat.gold += START_GOLD
        table.gold -= START_GOLD
    return table


def first_player() -> Draw:
    """Return the draw of the first player (K3.1)."""
    return Draw(lambda game: {f"first:{seat}": 1 for seat in range(game.players)}, _begin)


def _begin(game: ReferenceGame, seat: str) -> None:
    """Put the first pieces on the board, or let the seats choose their places (K3.5)."""
    game.cite("K3.1")
    game.table.first = game.table.mover = int(seat)
    if game.start == "fixed":
        _place_fixed(game)
    else:
        _ask_for_places(game)


def _place_fixed(game: ReferenceGame) -> None:
    """Put the pieces where the board file says, and begin (K3.6)."""
    game.cite("K3.6")
    for number, colour in enumerate(COLOURS):
        owner = number if number < game.players else NEUTRAL
        for city in game.map.data["start"][colour]["posts"]:
            game.table.posts[game.map.site[city]] = owner
        if owner != NEUTRAL:
            _put_first_route(game, owner, game.map.start_path(colour))
            for resource in START_CARDS[colour]:
                game.take(owner, resource)
    turn.begin(game)


def _ask_for_places(game: ReferenceGame) -> None:
    """Ask for posts forward, back and forward again, then for neutral posts and routes in reverse (K3.7-K3.9)."""
    forward = game.clockwise(game.table.first)
    back = forward[::-1]
    rounds = [(seat, number) for number, order in enumerate((forward, back, forward)) for seat in order]
    posts = [StartPost(seat, number) for seat, number in rounds]
    neutral = [StartNeutral(seat) for seat in back] if game.players == 3 else []
    game.push(*posts, *neutral, *(StartRoute(seat) for seat in back), Do(turn.begin))


def _free_cities(game: ReferenceGame, violet: bool) -> list[str]:
    """Return the cities of a colour without a post."""
    places = game.map.site
    return [
        city for city in game.map.cities if (city in game.map.violet) == violet and places[city] not in game.table.posts
    ]


@dataclass(frozen=True)
class StartPost(Decision):
    """Where a post of the start goes; ``number`` counts from 0 (K3.7)."""

    number: int

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return the free brown cities."""
        return [f"post:{city}" for city in _free_cities(game, violet=False)]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Put it there; the third one gives a card for each terrain it touches."""
        game.cite("K3.7")
        crossroads = game.map.site[words[0]]
        game.table.posts[crossroads] = self.seat
        if self.number == START_POSTS - 1:
            kinds = [game.map.kinds[terrain] for terrain in game.map.grounds[crossroads]]
            game.cite(f"K3.7 {len(kinds)} cards")
            if len(set(kinds)) < len(kinds):
                game.cite("K3.7 two cards of a kind (K-R34)")
            if any(number_of(game, terrain) is None for terrain in game.map.grounds[crossroads]):
                game.cite("K3.7 card of a terrain without number (K-R32)")
            for kind in kinds:
                game.take(self.seat, PRODUCTS[kind])


@dataclass(frozen=True)
class StartNeutral(Decision):
    """Where a seat puts a neutral post (K3.8)."""

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return the free violet cities."""
        return [f"neutral:{city}" for city in _free_cities(game, violet=True)]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Put it there."""
        game.cite("K3.8")
        game.table.posts[game.map.site[words[0]]] = NEUTRAL


@dataclass(frozen=True)
class StartRoute(Decision):
    """Where a seat puts its first route, with a caravan (K3.9)."""

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return the unbuilt paths at own posts that join no two cities; without any, nothing is placed (K-R13)."""
        table = game.table
        own = [crossroads for crossroads, owner in table.posts.items() if owner == self.seat]
        paths = sorted({path for crossroads in own for path in game.map.paths_at[crossroads]} - table.routes.keys())
        fitting = [path for path in paths if not _joins_cities(game, path)]
        if len(fitting) < len(paths):
            game.cite("K3.9 a path that would join two cities")
        return [f"route:p{path}" for path in fitting]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Put route and caravan there; no income, no double arrow (K3.10)."""
        game.cite("K3.9")
        path = int(words[0][1:])
        if path in game.map.arrows:
            game.cite("K3.10 double arrow without effect")
        _put_first_route(game, self.seat, path)


def _put_first_route(game: ReferenceGame, seat: int, path: int) -> None:
    who = game.table.seats[seat]
    game.table.routes[path] = seat
    who.routes -= 1
    who.caravans[0] = path


def _joins_cities(game: ReferenceGame, path: int) -> bool:
    """Return whether two cities are joined by routes of any owners once a path has one (K3.9)."""
    one, other = game.map.ends[path]
    return len(cities_of(game, net_of(game, one) | net_of(game, other))) >= 2
