"""Production and the seven (K4)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.merchants.reference.agenda import Decision, Do, Draw
from tests.merchants.reference.map import PRODUCTS, RESOURCES
from tests.merchants.reference.reading import number_of
from tests.merchants.reference.table import NEUTRAL

if TYPE_CHECKING:
    from tests.merchants.reference.game import ReferenceGame

SEVEN, HAND_LIMIT = 7, 7


def dice(game: ReferenceGame, total: str) -> None:
    """Settle a roll."""
    if int(total) == SEVEN:
        _seven(game)
    else:
        _produce(game, int(total))


# --- any other number ------------------------------------------------------------------------------------------------
def _produce(game: ReferenceGame, total: int) -> None:
    """Give each post its cards, and gold to who has no post on such a terrain (K4.4)."""
    table = game.table
    due: dict[str, Counter[int]] = {resource: Counter() for resource in RESOURCES}
    touching: set[int] = set()
    for terrain, kind in enumerate(game.map.kinds):
        if number_of(game, terrain) != total:
            continue
        owners = [table.posts[place] for place in game.map.around[terrain] if place in table.posts]
        if NEUTRAL in owners:
            game.cite("K4.4 a neutral post gets nothing")
        seats = [owner for owner in owners if owner != NEUTRAL]
        touching.update(seats)
        if terrain == table.robber:
            if seats:
                game.cite("K4.6 no production under the robber")
            continue
        if terrain in table.tokens and seats:
            game.cite("K2.8 production of a token")
        due[PRODUCTS[kind]].update(seats)
    given = sum([_hand_out(game, resource, seats) for resource, seats in due.items()], Counter())
    without = [seat for seat in range(game.players) if seat not in touching]
    if len(without) + len(given) < game.players:
        game.cite("K4.4b neither cards nor gold")
    if without:
        game.cite("K4.4b gold for no post there")
    game.pay_out(dict.fromkeys(without, 1))


def _hand_out(game: ReferenceGame, resource: str, due: Counter[int]) -> Counter[int]:
    """Give the cards of one kind, all or none; return who got how many (K4.4a)."""
    if due.total() > game.table.reserve[resource]:
        game.cite("K4.4a shortage")
        return Counter()
    for seat, number in due.items():
        game.cite("K4.4")
        game.take(seat, resource, number)
    return due


# --- seven -----------------------------------------------------------------------------------------------------------
def _seven(game: ReferenceGame) -> None:
    """Let all with many cards discard, then the mover move the robber and steal (K4.3)."""
    game.cite("K4.3")
    mover = game.table.mover
    discards = [
        Discard(seat, count // 2)
        for seat in game.clockwise(mover)
        if (count := game.table.seats[seat].count()) > HAND_LIMIT
    ]
    if len(discards) > 1:
        game.cite("K4.3a several seats discard (K-R33)")
    game.push(*discards, Robber(mover), Steal(mover))


@dataclass(frozen=True)
class Discard(Decision):
    """One card to the reserve, of ``left`` (K4.3a)."""

    left: int

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return the kinds in the hand."""
        hand = game.table.seats[self.seat].hand
        return [f"discard:{resource}" for resource in RESOURCES if hand[resource]]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Put it there, and go on until half is gone."""
        game.cite("K4.3a")
        game.take(self.seat, words[0], -1)
        if self.left > 1:
            game.push(Discard(self.seat, self.left - 1))


@dataclass(frozen=True)
class Robber(Decision):
    """Where the robber goes: it must move (K4.6, K-R15)."""

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return the other terrains with a number."""
        terrains = range(len(game.map.kinds))
        return [
            f"robber:t{terrain}"
            for terrain in terrains
            if terrain != game.table.robber and number_of(game, terrain) is not None
        ]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Put it there."""
        game.cite("K4.6")
        game.table.robber = int(words[0][1:])


@dataclass(frozen=True)
class Steal(Decision):
    """Whom the mover robs (K4.7)."""

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return the others with a post at the robber and a card, clockwise."""
        table = game.table
        there = {table.posts.get(place) for place in game.map.around[table.robber]}
        return [f"steal:{seat}" for seat in game.others(self.seat) if seat in there and table.seats[seat].count()]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Draw a card of that hand, each alike."""
        game.cite("K4.7")
        victim = int(words[0])
        hand = game.table.seats[victim].hand
        game.push(
            Draw(
                lambda game: {f"stolen:{kind}": game.table.seats[victim].hand[kind] for kind in hand},
                _stolen,
                (self.seat, victim),
                frozenset((self.seat, victim)),
            )
        )


def _stolen(game: ReferenceGame, resource: str, thief: int, victim: int) -> None:
    """Hand the card over."""
    game.table.seats[victim].hand[resource] -= 1
    game.table.seats[thief].hand[resource] += 1


def lancer(game: ReferenceGame, seat: int) -> None:
    """Move the robber, take 2 gold, steal; nobody discards (K9.1)."""
    game.push(Robber(seat), Do(lambda game: game.pay_out({seat: 2})), Steal(seat))
