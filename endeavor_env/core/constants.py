"""Limits and codes shared by every kernel. Codes are plain ints, because kernels compile them in.

The order of statuses, token kinds and deck positions is the order of the board data file.
"""

from __future__ import annotations

NONE = -1
"""The only "absent" value: no owner, no token, no region, no building."""

# --- limits of a board and a table -------------------------------------------------------------------------
MAX_SEATS = 5
NUM_REGIONS = 7
MAX_CITIES = 40  # ten in Europe and at most five in each of six overseas regions (R1.3)
MAX_CONNECTIONS = 40
MAX_TRACK = 8  # shipping spaces of a region (R1.3)
MAX_DEGREE = 8  # connections that meet in one city
NUM_DECKS = 8
CARDS_PER_DECK = 6
NUM_CARDS = NUM_DECKS * CARDS_PER_DECK  # R1.4
MAX_BUILDING_TYPES = 16
MAX_ACTION_PARTS = 2
NUM_MARKERS = 16  # status tracks are numbered 0..15 (R1.7)

# --- statuses and trade tokens (R1.2) ----------------------------------------------------------------------
INDUSTRY, CULTURE, FINANCE, POLITICS = 0, 1, 2, 3
NUM_STATUSES = 4
TOKEN_ATTACK, TOKEN_OCCUPY_DRAW, TOKEN_SAIL_DRAW, TOKEN_PAY = 4, 5, 6, 7
NUM_TOKEN_KINDS = 8
FIRST_BLUE = TOKEN_ATTACK
NUM_BLUE = 4
STATUS_NAMES = ("industry", "culture", "finance", "politics")
TOKEN_NAMES = (*STATUS_NAMES, "attack", "occupy_draw", "sail_draw", "pay")

# --- spaces that hold a trade token: cities, then connections, then shipping spaces --------------------------
CITY_SPACES = 0
CONNECTION_SPACES = CITY_SPACES + MAX_CITIES
TRACK_SPACES = CONNECTION_SPACES + MAX_CONNECTIONS  # region r, n-th from the far end: + r * MAX_TRACK + n - 1
NUM_SPACES = TRACK_SPACES + NUM_REGIONS * MAX_TRACK

# --- actions and how a building or token combines them (R8.8) -----------------------------------------------
SAIL, OCCUPY, ATTACK, DRAW, PAY = 0, 1, 2, 3, 4
ACTION_NAMES = ("sail", "occupy", "attack", "draw", "pay")
MODE_NONE, MODE_ONE, MODE_EITHER, MODE_BOTH, MODE_BOTH_SAME_REGION, MODE_BOTH_SAME_DECK = 0, 1, 2, 3, 4, 5
MODE_NAMES = ("none", "one", "either", "both", "both_same_region", "both_same_deck")

# --- where a card is (`card_place`): a seat 0..4 holds it face up, or one of these ---------------------------
CARD_IN_PILE = -1
CARD_OUT_OF_GAME = -2
CARD_FACE_DOWN = 8  # + seat: a set-aside Slavery card (R8.9.2, R9.7)

# --- phases and decisions (notation, sections 1 and 3) -------------------------------------------------------
PHASE_SETUP, PHASE_BUILD, PHASE_GROWTH, PHASE_SALARY, PHASE_ACTION, PHASE_OVER = 0, 1, 2, 3, 4, 5
PHASE_NAMES = ("setup", "build", "growth", "salary", "action", "over")
DECIDE_NOTHING = 0
DECIDE_BUILD = 1
DECIDE_SALARY = 2
DECIDE_TURN = 3
DECIDE_TARGET = 4
DECIDE_DISCARD = 5  # at the pass: mandatory, then optional (R9.8)
DECIDE_ROUND_END_DISCARD = 6  # R11.2, mandatory part only
NUM_DECISIONS = 7
DECISION_NAMES = ("nothing", "build", "salary", "turn", "target", "discard", "round_end_discard")

# --- variants: codes are fixed here so that records and states keep their meaning when more are played --------
VARIANT_STANDARD = 0
VARIANT_NAMES = ("standard",)
MIN_PLAYERS, MAX_PLAYERS = 3, 5

# --- scoring (R12), in the order of the breakdown ------------------------------------------------------------
BREAKDOWN_KEYS = (
    "cities",
    "connections",
    "industry",
    "culture",
    "finance",
    "politics",
    "cards",
    "governor_slot",
    "university",
    "harbor",
    "slavery",
)
NUM_BREAKDOWN = len(BREAKDOWN_KEYS)
SCORE_CITIES, SCORE_CONNECTIONS, SCORE_STATUSES = 0, 1, 2  # four statuses from SCORE_STATUSES on
SCORE_CARDS, SCORE_GOVERNOR_SLOT, SCORE_UNIVERSITY, SCORE_HARBOR, SCORE_SLAVERY = 6, 7, 8, 9, 10
