"""Trade with the reserve and with other players (K5)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tests.merchants.reference.agenda import Decision, Do
from tests.merchants.reference.map import GOLD, RESOURCES
from tests.merchants.reference.table import Offer

if TYPE_CHECKING:
    from tests.merchants.reference.game import ReferenceGame

RATE, PRICE = 3, 2
MOST_BUYS, MOST_OFFERS, MOST_ITEMS = 2, 3, 3
ITEMS = (*RESOURCES, GOLD)


# --- the reserve -----------------------------------------------------------------------------------------------------
def banks(game: ReferenceGame, seat: int) -> list[str]:
    """Return the exchanges of three equal resources for another or for gold that the reserve has (K5.1, K5.5)."""
    if game.trade == "none":
        return []
    hand, table = game.table.seats[seat].hand, game.table
    held = [resource for resource in RESOURCES if table.reserve[resource]] + [GOLD] * (table.gold > 0)
    return [f"bank:{give}:{get}" for give in RESOURCES if hand[give] >= RATE for get in held if get != give]


def bank(game: ReferenceGame, seat: int, give: str, get: str) -> None:
    """Exchange."""
    game.cite("K5.1 for gold" if get == GOLD else "K5.1 for a resource")
    game.take(seat, give, -RATE)
    game.take(seat, get)


def buys(game: ReferenceGame, seat: int) -> list[str]:
    """Return the resources that can be bought for gold, twice a turn (K5.2)."""
    table = game.table
    if game.trade == "none" or table.buys >= MOST_BUYS or table.seats[seat].gold < PRICE:
        return []
    return [f"buy:{resource}" for resource in RESOURCES if table.reserve[resource]]


def buy(game: ReferenceGame, seat: int, resource: str) -> None:
    """Buy it."""
    game.table.buys += 1
    game.cite("K5.2" if game.table.buys < MOST_BUYS else "K5.2 for the second time")
    game.pay(seat, gold=PRICE)
    game.take(seat, resource)


# --- players ---------------------------------------------------------------------------------------------------------
def gives(game: ReferenceGame, seat: int) -> list[str]:
    """Return the items with which an offer can begin, three times a turn (K5.3a)."""
    if game.trade != "offers" or game.table.offers >= MOST_OFFERS:
        return []
    return [f"give:{item}" for item in ITEMS if game.table.seats[seat].holds({item: 1})]


def begin_offer(game: ReferenceGame, seat: int, item: str) -> None:
    """Begin an offer with one item."""
    game.cite("K5.3a")
    game.table.offers += 1
    game.table.offer = Offer((item,))
    game.push(MakeOffer(seat))


def _offered(game: ReferenceGame) -> Offer:
    offer = game.table.offer
    assert offer is not None
    return offer


@dataclass(frozen=True)
class MakeOffer(Decision):
    """What the offer of the mover still gets (K5.3a)."""

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return further items in ascending order, given ones first, and what ends the offer."""
        offer, who, moves = _offered(game), game.table.seats[self.seat], []
        given = Counter(offer.given)
        if not offer.wanted and len(offer.given) < MOST_ITEMS:
            last = ITEMS.index(offer.given[-1])
            moves += [f"give:{item}" for item in ITEMS[last:] if who.holds({item: given[item] + 1})]
        if len(offer.wanted) < MOST_ITEMS:
            last = ITEMS.index(offer.wanted[-1]) if offer.wanted else 0
            moves += [f"want:{item}" for item in ITEMS[last:] if item not in given]
        return [*moves, *(["propose"] if offer.wanted else []), "cancel"]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Add an item, propose, or give up: the offer is used up all the same."""
        offer = _offered(game)
        if verb == "cancel":
            game.cite("K5.3a cancelled")
            game.table.offer = None
        elif verb == "propose":
            game.cite("K5.3b")
            game.push(*(Reply(seat) for seat in game.others(self.seat)), Do(_settle_offer, self.seat))
        else:
            item = words[0]
            if verb == "give":
                game.table.offer = replace(offer, given=(*offer.given, item))
            else:
                game.table.offer = replace(offer, wanted=(*offer.wanted, item))
            game.push(self)


@dataclass(frozen=True)
class Reply(Decision):
    """Whether a seat takes the offer; asked also if it can only refuse (K5.3b)."""

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return both answers, or the refusal of who does not hold what is wanted."""
        can = game.table.seats[self.seat].holds(Counter(_offered(game).wanted))
        return ["accept", "refuse"] if can else ["refuse"]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Note who accepts."""
        offer = _offered(game)
        if verb == "accept":
            game.table.offer = replace(offer, accepted=(*offer.accepted, self.seat))
        elif not game.table.seats[self.seat].holds(Counter(offer.wanted)):
            game.cite("K5.3b can only refuse")


def _settle_offer(game: ReferenceGame, mover: int) -> None:
    """Exchange with who has accepted; with several, let the mover pick (K5.3c)."""
    accepted = _offered(game).accepted
    if len(accepted) > 1:
        game.cite("K5.3c several accept")
        game.push(Partner(mover))
    elif accepted:
        game.cite("K5.3c one accepts")
        _exchange(game, mover, accepted[0])
    else:
        game.cite("K5.3c nobody accepts")
        game.table.offer = None


@dataclass(frozen=True)
class Partner(Decision):
    """With whom of those who accept the mover exchanges; it cannot withdraw (K5.3c)."""

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return who has accepted, clockwise."""
        return [f"partner:{seat}" for seat in _offered(game).accepted]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Exchange."""
        _exchange(game, self.seat, int(words[0]))


def _exchange(game: ReferenceGame, mover: int, partner: int) -> None:
    """Hand over both sides of the offer."""
    offer = _offered(game)
    for items, giver, taker in ((offer.given, mover, partner), (offer.wanted, partner, mover)):
        for item in items:
            if item == GOLD:
                game.cite("K5.3 gold between players")
                game.table.seats[giver].gold -= 1
                game.table.seats[taker].gold += 1
            else:
                game.table.seats[giver].hand[item] -= 1
                game.table.seats[taker].hand[item] += 1
    game.table.offer = None
