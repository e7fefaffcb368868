"""What lies on the table: everything of a position but the decision that is asked."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tests.merchants.reference.map import CARDS, GOLD, RESOURCES

NEUTRAL = -1
"""The owner of the posts of the fourth colour in a game of three (K3.6, K3.8)."""
ROUTES, PIECES = 30, 2
COPIES, ALL_GOLD = 19, 100
GOODS = {("short", 3): 6, ("short", 4): 5, ("expert", 3): 10, ("expert", 4): 8}
"""Goods of a seat by side and players (K3.4)."""
POSTS = {("short", 3): 8, ("short", 4): 7, ("expert", 3): 12, ("expert", 4): 10}


@dataclass
class Seat:
    """What one player has.

    Attributes:
        hand: Resource cards by kind.
        gold: Sum of the coins.
        cards: Development cards by kind, that of this turn too.
        routes: Routes in supply.
        goods: Goods at the start.
        stock: Posts that lie on goods.
        founded: Posts built from the stock.
        delivered: Goods under posts of others.
        merchants: Crossroads of the merchants by slot, None in supply.
        caravans: Paths of the caravans by slot, None in supply.
        tolls: Opponents whom each caravan has paid this turn.
    """

    goods: int
    stock: int
    hand: dict[str, int] = field(default_factory=lambda: dict.fromkeys(RESOURCES, 0))
    gold: int = 0
    cards: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CARDS, 0))
    routes: int = ROUTES
    founded: int = 0
    delivered: int = 0
    merchants: list[int | None] = field(default_factory=lambda: [None] * PIECES)
    caravans: list[int | None] = field(default_factory=lambda: [None] * PIECES)
    tolls: list[set[int]] = field(default_factory=lambda: [set() for _ in range(PIECES)])

    @property
    def free_goods(self) -> int:
        """Goods that can be delivered (K8.5)."""
        return 1 + self.founded - self.delivered

    def count(self) -> int:
        """Return the number of resource cards; gold and development cards are none (K4.3a)."""
        return sum(self.hand.values())

    def holds(self, items: dict[str, int]) -> bool:
        """Return whether the seat has such resources and gold."""
        return all((self.gold if item == GOLD else self.hand[item]) >= number for item, number in items.items())

    def copy(self) -> Seat:
        """Return an independent copy."""
        return replace(
            self,
            hand=dict(self.hand),
            cards=dict(self.cards),
            merchants=list(self.merchants),
            caravans=list(self.caravans),
            tolls=[set(paid) for paid in self.tolls],
        )


@dataclass(frozen=True)
class Offer:
    """What the mover offers (K5.3): items in the order in which they were named, and who has accepted."""

    given: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    accepted: tuple[int, ...] = ()


@dataclass
class Table:
    """The table of all.

    Attributes:
        seats: What each player has.
        reserve: Resource cards of each kind in the reserve.
        gold: Gold in the reserve.
        pile: Development cards of each kind in the pile.
        played: Development cards of each kind that were played.
        sea: Values of the tokens of each kind that lie in the sea, ascending.
        tokens: Value of the token on each terrain that has one.
        robber: Terrain of the robber.
        posts: Owner of the post on each crossroads that has one.
        goods: Seat whose good lies under the post of a crossroads.
        routes: Owner of the route on each path that has one.
        first: The first player.
        mover: The seat whose turn it is.
        rolls: Rolls made.
        bought: Kind of the development card that was bought this turn.
        has_played: Whether a development card was played this turn.
        buys: How often resources were bought for gold this turn.
        offers: Offers begun this turn.
        offer: The offer that is being made.
    """

    seats: list[Seat]
    pile: dict[str, int]
    sea: dict[str, list[int]]
    tokens: dict[int, int]
    robber: int
    reserve: dict[str, int] = field(default_factory=lambda: dict.fromkeys(RESOURCES, COPIES))
    gold: int = ALL_GOLD
    played: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CARDS, 0))
    posts: dict[int, int] = field(default_factory=dict)
    goods: dict[int, int] = field(default_factory=dict)
    routes: dict[int, int] = field(default_factory=dict)
    first: int = 0
    mover: int = 0
    rolls: int = 0
    bought: str | None = None
    has_played: bool = False
    buys: int = 0
    offers: int = 0
    offer: Offer | None = None

    def copy(self) -> Table:
        """Return an independent copy."""
        return replace(
            self,
            seats=[seat.copy() for seat in self.seats],
            pile=dict(self.pile),
            sea={kind: list(values) for kind, values in self.sea.items()},
            tokens=dict(self.tokens),
            reserve=dict(self.reserve),
            played=dict(self.played),
            posts=dict(self.posts),
            goods=dict(self.goods),
            routes=dict(self.routes),
        )
