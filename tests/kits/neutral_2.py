"""What the tests of neutral_2 share."""

from __future__ import annotations

from endeavor_env import Game
from tests.kits.actions import CITIES, TRACKS, legal, moves
from tests.kits.variant_position import Variant

SAILS = moves("neutral_sail", *TRACKS)


def cities(*regions: str) -> set[str]:
    """A neutral Occupy move to every city of these regions."""
    return moves("neutral_occupy", *(city for region in regions for city in CITIES[region]))


def acting(*own: str, harbor: int = 5) -> Variant:
    """Seat 0 to move with these buildings and discs in harbor."""
    return Variant("neutral_2").own(0, *own).discs(0, harbor=harbor)


def asked(game: Game, wanted: set[str], seat: int = 0) -> None:
    """Assert that a seat must place a disc of its neutral side in one of exactly these ways."""
    assert (game.phase, game.decision, game.seat) == ("action", "neutral", seat)
    assert legal(game) == wanted
