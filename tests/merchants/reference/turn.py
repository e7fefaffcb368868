"""A turn: production, then actions in any order (K4.1, K4.2), its end and that of the game (K10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.merchants.reference import building, cards, driving, production, trade, walking
from tests.merchants.reference.agenda import Decision, Draw

if TYPE_CHECKING:
    from tests.merchants.reference.game import ReferenceGame

DICE = {f"dice:{total}": 6 - abs(7 - total) for total in range(2, 13)}
"""Ways of the sum of two dice, of 36 (K4.2)."""


def begin(game: ReferenceGame) -> None:
    """Begin the turn of the mover."""
    game.push(Production(game.table.mover))


@dataclass(frozen=True)
class Production(Decision):
    """The roll, before which one development card may be played (K4.2)."""

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return the roll and the cards that can be played."""
        return ["roll", *cards.playable(game, self.seat)]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Roll, or play a card and come back."""
        if verb == "play":
            game.cite("K4.2 card before the roll")
            game.push(self)
            cards.play(game, self.seat, words[0])
            return
        game.cite("K4.2")
        game.table.rolls += 1
        game.push(Draw(lambda game: DICE, production.dice), Action(self.seat))


@dataclass(frozen=True)
class Action(Decision):
    """Any number of actions in any order, then the end of the turn (K4.1)."""

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return what can be paid and done."""
        return [
            "end",
            *cards.playable(game, self.seat),
            *building.card_moves(game, self.seat),
            *trade.buys(game, self.seat),
            *trade.banks(game, self.seat),
            *building.merchant_moves(game, self.seat),
            *building.caravan_moves(game, self.seat),
            *building.route_moves(game, self.seat),
            *walking.walks(game, self.seat, walking.reach_of(game, self.seat)),
            *driving.drives(game, self.seat, driving.PAID),
            *driving.deliveries(game, self.seat, game.table.seats[self.seat].caravans),
            *trade.gives(game, self.seat),
        ]

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Carry out an action and come back, or end the turn."""
        if verb == "end":
            _end(game)
            return
        game.push(self)
        deeds = {
            "play": cards.play,
            "card": building.buy_card,
            "buy": trade.buy,
            "bank": trade.bank,
            "merchant": building.recruit,
            "caravan": building.form,
            "route": building.pay_route,
            "walk": walking.walk_for_wheat,
            "drive": driving.drive_for_salt,
            "deliver": driving.deliver,
            "give": trade.begin_offer,
        }
        deeds[verb](game, self.seat, *words)


def _end(game: ReferenceGame) -> None:
    """Hand the turn on clockwise, unless the limit of rolls ends the game (K4.1, K10.3)."""
    table = game.table
    if table.rolls >= game.max_rolls:
        game.cite("K10.3")
        game.truncated = True
        if len(game.winners()) > 1:
            game.cite("K10.3 several winners")
        return
    for paid in table.seats[table.mover].tolls:
        paid.clear()
    table.bought, table.has_played, table.buys, table.offers = None, False, 0, 0
    table.mover = game.clockwise(table.mover)[1]
    game.cite("K4.1")
    begin(game)
