"""Limits and codes of the rules. Codes are plain ints, which kernels compile in as constants."""

from __future__ import annotations

from endeavor_env.engine.kernels.rules import CHANCE as CHANCE
from endeavor_env.engine.kernels.rules import NONE as NONE

# --- limits of a board and a table (K11.1) ---------------------------------------------------------------------------
MAX_TERRAINS, MAX_CROSSROADS, MAX_PATHS, MAX_CITIES = 72, 208, 288, 48
MAX_SEATS, MIN_SEATS = 4, 3
NUM_OBSERVERS, PUBLIC = MAX_SEATS + 1, MAX_SEATS
"""Observers of hands: the seats, and PUBLIC, somebody beside the table who sees what all see."""
MOST_THEFTS, MOST_CARD_EVENTS = 40, 248
"""Thefts, and draws and plays of development cards, that a position remembers."""
LOST = -1
"""Stands for the number of either when there were more: what they showed is forgotten."""
DREW, PLAYED, PLAYED_OLDER, SHUFFLED = range(4)
"""Events of development cards: PLAYED_OLDER is a play in a turn in which the seat has bought a card, SHUFFLED the
reshuffle of played cards into the pile."""
NEUTRAL = 4
"""The row of posts that nobody owns (K3.6, K3.8)."""
NUM_OWNERS = MAX_SEATS + 1
CORNERS, MEETING, NEIGHBOURS = 6, 3, 4
"""Crossroads of a terrain; terrains or paths that meet on a crossroads; neighbours of a path at most."""
FAR = 127
"""The distance to crossroads that the board does not have."""

# --- sides, resources and cards (K0, K1) -----------------------------------------------------------------------------
SHORT, EXPERT = range(2)
SIDE_NAMES = ("short", "expert")
WOOD, WOOL, WHEAT, ORE, SALT, GOLD = range(6)
NUM_RESOURCES, NUM_ITEMS = 5, 6
RESOURCE_NAMES = ("wood", "wool", "wheat", "ore", "salt")
ITEM_NAMES = (*RESOURCE_NAMES, "gold")
KIND_NAMES = ("forest", "meadow", "field", "mountain", "salt_works")
"""Kinds of terrain: that of number i gives the resource i (K2.2)."""
SAFE_CONDUCT, TRADE_TREATY, BRIBE, LANCER = range(4)
NUM_CARDS = 4
CARD_NAMES = ("safe_conduct", "trade_treaty", "bribe", "lancer")
VALUES = (3, 4, 5, 9, 10, 11)
"""The values of tokens (K-R5)."""
NUM_VALUES, TOKENS_OF_KIND = 6, 3
CARDS_OF_KIND, ALL_GOLD, ALL_DEVELOPMENT = 19, 100, 25
FIRST_GOLD, ALL_ROUTES, SLOTS = 3, 30, 2  # K3.4, K1.1
GOODS = ((6, 5), (10, 8))
"""The goods of a seat by side, with three and with four seats (K3.4); a post lies on each but the first."""

# --- numbers of the rules --------------------------------------------------------------------------------------------
START_POSTS = 3
SEVEN, HAND_LIMIT, LEAST_DICE, DICE_SUMS = 7, 7, 2, 11
BANK_RATE, GOLD_PRICE, MOST_BUYS = 3, 2, 2  # K5.1, K5.2
MOST_OFFERS, MOST_ITEMS = 3, 3  # K5.3
STEPS_OF_WHEAT, STEPS_OF_SALT = 3, 3  # K7.1, K8.1
ROOM_ON_ROUTE = 2  # K8.2
CONDUCT_ROUTES, TREATY_GOLD, TREATY_STEPS, BRIBE_STEPS, LANCER_GOLD = 2, 3, 7, 5, 2  # K9.1
MOST_INCOMES = 16  # K6.6
USUAL_ROLLS = 300  # K10.3

# --- options (K15.2) -------------------------------------------------------------------------------------------------
OPTION_START, OPTION_TRADE, OPTION_ROLLS = range(3)
FIXED, FREE = range(2)
OFFERS, BANK_ONLY, NO_TRADE = range(3)

# --- decisions (K12), and after them what chance decides (K13) -------------------------------------------------------
(
    DECIDE_NOTHING,
    DECIDE_POST,
    DECIDE_NEUTRAL,
    DECIDE_START_ROUTE,
    DECIDE_PRODUCTION,
    DECIDE_DISCARD,
    DECIDE_ROBBER,
    DECIDE_STEAL,
    DECIDE_ACTION,
    DECIDE_LIFT_MERCHANT,
    DECIDE_LIFT_CARAVAN,
    DECIDE_DESTINATION,
    DECIDE_TOKEN,
    DECIDE_TAKE,
    DECIDE_DRIVE,
    DECIDE_INCOME,
    DECIDE_FREE_ROUTE,
    DECIDE_TREATY,
    DECIDE_BRIBE,
    DECIDE_OFFER,
    DECIDE_REPLY,
    DECIDE_PARTNER,
    CHANCE_FIRST,
    CHANCE_DICE,
    CHANCE_STOLEN,
    CHANCE_DRAWN,
    CHANCE_VALUE,
) = range(27)
NUM_DECISIONS = CHANCE_FIRST
DECISION_NAMES = (
    "nothing", "post", "neutral", "start_route", "production", "discard", "robber", "steal", "action", "lift", "lift",
    "destination", "token", "take", "drive", "income", "free_route", "treaty", "bribe", "offer", "reply", "partner",
    "first", "dice", "stolen", "drawn", "value",
)  # fmt: skip

# --- how a game ended: the note of the score -------------------------------------------------------------------------
GOES_ON, ALL_DELIVERED, OUT_OF_ROLLS = range(3)
