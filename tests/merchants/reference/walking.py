"""Merchants: walking, founding posts and placing tokens (K7)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.merchants.reference.agenda import Decision, Do, Draw
from tests.merchants.reference.reading import merchants_on, number_of
from tests.merchants.reference.table import PIECES

if TYPE_CHECKING:
    from tests.merchants.reference.game import ReferenceGame

STEPS_OF_WHEAT, STEPS_OF_TREATY = 3, 7


# --- walking ---------------------------------------------------------------------------------------------------------
def reach_of(game: ReferenceGame, seat: int) -> int:
    """Return how many paths a seat can pay for in wheat (K7.1)."""
    return STEPS_OF_WHEAT * game.table.seats[seat].hand["wheat"]


def walks(game: ReferenceGame, seat: int, reach: int) -> list[str]:
    """Return the merchants that can go somewhere (K12.1)."""
    return [f"walk:{slot}" for slot in range(PIECES) if destinations(game, seat, slot, reach)] if reach else []


def destinations(game: ReferenceGame, seat: int, slot: int, reach: int) -> list[int]:
    """Return the crossroads where a walk of so many paths can end, ascending; anything may be passed (K7.1, K7.2)."""
    table, cities = game.table, game.map.city_at
    who = table.seats[seat]
    start = who.merchants[slot]
    if start is None:
        return []
    taken = merchants_on(game)
    found = []
    for place, distance in enumerate(game.map.distance[start]):
        if distance > reach or place in taken:
            continue
        owner = table.posts.get(place)
        if owner == seat or (owner is None and (who.stock or place not in cities)):
            found.append(place)
    return found


def walk_for_wheat(game: ReferenceGame, seat: int, slot: str) -> None:
    """Ask where a merchant goes for wheat."""
    game.push(Destination(seat, int(slot), reach_of(game, seat), paid=True))


@dataclass(frozen=True)
class Destination(Decision):
    """Where a merchant goes (K7.1, and K9.1 without payment)."""

    slot: int
    reach: int
    paid: bool

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return what is in reach."""
        return [f"to:{game.map.names[place]}" for place in destinations(game, self.seat, self.slot, self.reach)]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Pay a wheat for each three paths, and go; in a city without post one is founded."""
        who, place = game.table.seats[self.seat], game.map.by_name[words[0]]
        start = who.merchants[self.slot]
        assert start is not None
        if self.paid:
            cost = -(-game.map.distance[start][place] // STEPS_OF_WHEAT)
            game.cite(f"K7.1 {min(cost, 3)} wheat{' or more' if cost >= 3 else ''}")
            game.pay(self.seat, wheat=cost)
        who.merchants[self.slot] = place
        if game.table.posts.get(place) == self.seat:
            game.cite("K7.2 onto an own post")
        elif place in game.map.city_at:
            _found(game, self.seat, self.slot, place)


# --- founding --------------------------------------------------------------------------------------------------------
def _found(game: ReferenceGame, seat: int, slot: int, place: int) -> None:
    """Change the merchant for the next post of the stock; good, gold and token follow (K7.3-K7.5)."""
    game.cite("K7.3")
    who = game.table.seats[seat]
    who.merchants[slot] = None
    who.stock -= 1
    who.founded += 1
    if not who.stock:
        game.cite("K7.4 the last post of the stock")
    game.table.posts[place] = seat
    coins = game.map.coins[game.map.city_at[place]]
    if coins:
        game.cite("K7.4 gold of the city")
    game.push(Do(lambda game: game.pay_out({seat: coins})), PlaceToken(seat, place))


def _in_sea(game: ReferenceGame, terrain: int) -> bool:
    """Return whether a token of the kind of a terrain lies in the sea."""
    return bool(game.table.sea[game.map.kinds[terrain]])


@dataclass(frozen=True)
class PlaceToken(Decision):
    """Which terrain beside a new post gets a token (K7.5)."""

    place: int

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return the terrains without number; with no fitting token in the sea all can be declined (K-R25)."""
        bare = [terrain for terrain in sorted(game.map.grounds[self.place]) if number_of(game, terrain) is None]
        declinable = not any(_in_sea(game, terrain) for terrain in bare)
        return [*(["done"] if declinable else []), *(f"token:t{terrain}" for terrain in bare)]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Draw a token from the sea, or take one from another terrain."""
        if verb == "done":
            game.cite("K7.5 declined")
            return
        terrain = int(words[0][1:])
        if _in_sea(game, terrain):
            game.push(Draw(lambda game: _values(game, terrain), _value, (terrain,)))
        else:
            game.push(TakeToken(self.seat, terrain))


def _values(game: ReferenceGame, terrain: int) -> dict[str, int]:
    """Return how many tokens of each value of the kind of a terrain lie in the sea."""
    return {f"value:{value}": number for value, number in Counter(game.table.sea[game.map.kinds[terrain]]).items()}


def _value(game: ReferenceGame, value: str, terrain: int) -> None:
    """Put the token that was drawn on its terrain."""
    game.cite("K7.5 from the sea")
    game.table.sea[game.map.kinds[terrain]].remove(int(value))
    game.table.tokens[terrain] = int(value)


@dataclass(frozen=True)
class TakeToken(Decision):
    """From which terrain a token comes, as none of the kind lies in the sea (K7.5)."""

    terrain: int

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return the terrains with a token of that kind."""
        kinds = game.map.kinds
        return [f"take:t{terrain}" for terrain in sorted(game.table.tokens) if kinds[terrain] == kinds[self.terrain]]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Move it: its old terrain has no number any more."""
        game.cite("K7.5 from another terrain")
        old = int(words[0][1:])
        if old == game.table.robber:
            game.cite("K7.5 from the terrain of the robber")
        game.table.tokens[self.terrain] = game.table.tokens.pop(old)
