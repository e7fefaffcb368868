"""Playing development cards (K9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.merchants.reference import building, driving, production, walking
from tests.merchants.reference.agenda import Decision
from tests.merchants.reference.map import CARDS

if TYPE_CHECKING:
    from tests.merchants.reference.game import ReferenceGame

FREE_ROUTES, TREATY_GOLD = 2, 3


def playable(game: ReferenceGame, seat: int) -> list[str]:
    """Return the cards that can be played: one a turn, not that of this turn, not without effect (K9.1, K-R29)."""
    table = game.table
    if table.has_played:
        return []
    found = []
    for card in CARDS:
        held = table.seats[seat].cards[card]
        if held and held == (table.bought == card):
            game.cite("K9.1 not the one bought this turn")
        elif held and not _has_effect(game, seat, card):
            game.cite("K9.1 without effect (K-R29)")
        elif held:
            found.append(f"play:{card}")
    return found


def _has_effect(game: ReferenceGame, seat: int, card: str) -> bool:
    """Return whether a card can do anything now (K-R29)."""
    if card == "safe_conduct":
        return bool(building.open_paths(game, seat))
    if card == "trade_treaty":
        return game.table.gold > 0 or bool(walking.walks(game, seat, walking.STEPS_OF_TREATY))
    if card == "bribe":
        return bool(driving.drives(game, seat, driving.BRIBED))
    return True


def play(game: ReferenceGame, seat: int, card: str) -> None:
    """Put a card to the played ones and do what it says."""
    game.cite(f"K9.1 {card}")
    table = game.table
    table.seats[seat].cards[card] -= 1
    table.played[card] += 1
    table.has_played = True
    if card == "safe_conduct":
        game.push(SafeConduct(seat, FREE_ROUTES))
    elif card == "trade_treaty":
        game.push(Treaty(seat))
    elif card == "bribe":
        game.push(Bribe(seat))
    else:
        production.lancer(game, seat)


@dataclass(frozen=True)
class SafeConduct(Decision):
    """A free route, of ``left``, or the end of the card (K9.1)."""

    left: int

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return the paths where a route can be built."""
        return ["done", *(f"route:p{path}" for path in building.open_paths(game, self.seat))]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Build it, with income and double arrow before the second one, or end the card."""
        if verb == "done":
            game.cite("K9.1 safe_conduct, declined (K-R35)")
            return
        if self.left > 1:
            game.push(SafeConduct(self.seat, self.left - 1))
        else:
            game.cite("K9.1 safe_conduct, second route")
        building.build_route(game, self.seat, int(words[0][1:]))


@dataclass(frozen=True)
class Treaty(Decision):
    """Gold, or a walk without wheat (K9.1)."""

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return the merchants that can go somewhere, and the gold if the reserve has any."""
        walks = walking.walks(game, self.seat, walking.STEPS_OF_TREATY)
        return [*walks, "gold"] if game.table.gold else walks

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Take the gold, or ask where the merchant goes."""
        if verb == "gold":
            game.cite("K9.1 trade_treaty, gold")
            game.pay_out({self.seat: TREATY_GOLD})
        else:
            game.cite("K9.1 trade_treaty, walk")
            game.push(walking.Destination(self.seat, int(words[0]), walking.STEPS_OF_TREATY, paid=False))


@dataclass(frozen=True)
class Bribe(Decision):
    """Which caravan drives (K9.1)."""

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return the caravans that can make a step."""
        return driving.drives(game, self.seat, driving.BRIBED)

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Let it drive."""
        driving.drive_for_bribe(game, self.seat, words[0])
