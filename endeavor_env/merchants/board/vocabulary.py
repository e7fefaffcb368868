"""The words, sizes and fixed values that every board of Merchants of Europe is written with (K1, K2, K11.1)."""

from __future__ import annotations

FORMAT = "merchants-board/1"
SIDES = ("short", "expert")
KINDS = ("forest", "meadow", "field", "mountain", "salt_works")
"""Kinds of terrain; in this order they give wood, wool, wheat, ore and salt (K2.2)."""
CITY_COLOURS = ("brown", "violet")
PLAYER_COLOURS = ("red", "blue", "white", "orange")
"""Seat i plays colour i (K1.2)."""
DEVELOPMENT_KINDS = ("safe_conduct", "trade_treaty", "bribe", "lancer")
PLACE, DOTTED = "place", "dotted"
"""What the ``token`` of a terrain may be (K2.7)."""
TOKEN_WORDS = (PLACE, DOTTED)

PRINTED_NUMBERS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
"""The sums of two dice but seven."""
TOKEN_VALUES = (3, 3, 4, 4, 5, 5, 9, 9, 9, 10, 10, 10, 11, 11, 11)
"""The values of the fifteen tokens (K-R5)."""
TOKENS_OF_KIND = 3
DEVELOPMENT_CARDS = 25
MOST_GOLD = 5
START_POSTS = 3
START_KINDS = {
    "red": ("forest", "field", "salt_works"),
    "blue": ("salt_works", "meadow", "mountain"),
    "white": ("forest", "field", "meadow"),
    "orange": ("mountain", "salt_works", "field"),
}
"""The kinds of terrain that give the start cards of each colour (K3.6)."""

MAX_TERRAINS, MAX_CROSSROADS, MAX_PATHS, MAX_CITIES = 72, 208, 288, 48
"""What the action ids have room for (K11.1)."""
MIN_CITIES = {"short": 28, "expert": 40}
"""So that every post in play can stand (K2.9)."""
MIN_VIOLET = {"short": 12, "expert": 3}
MIN_BROWN_AT_NUMBER = 12
FARTHEST = 1000
"""The largest coordinate that a board file may use, so that places fit into 16 bits."""
MAX_TEXT = 60
"""The longest id of a board or a city."""
