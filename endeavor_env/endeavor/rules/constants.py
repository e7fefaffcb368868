"""Limits and codes shared by every kernel. Codes are plain ints, which kernels compile in as constants.

The order of statuses, token kinds and deck positions is the order of the board data file.
"""

from __future__ import annotations

from endeavor_env.engine.kernels.rules import MAX_SEATS as MAX_SEATS
from endeavor_env.engine.kernels.rules import NONE as NONE  # also: no owner, no token, no region, no building

# --- limits of a board and a table -------------------------------------------------------------------------
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
CARD_RETAINED = -3  # solo: a Governor the Opposition discarded, kept for its Glory only (S7.1)
CARD_ON_HAITI = -4  # on the stack of the Haitian Revolution (E15)
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
NUM_DECISIONS = 7  # kinds of the base game; those of the variants follow
DECIDE_REMOVE = 7  # set-up of soloplay_2 and soloplay_3: which token leaves its track (V2S.4)
DECIDE_NEUTRAL = 8  # where a neutral disc goes (V2S.7, V2F.2, V2F.3)
DECIDE_OPPOSITION = 9  # solo: what the rules of the Opposition leave to the player (S10)
NUM_VARIANT_DECISIONS = 10  # kinds of the base game and of the variants; those of the Exploits follow
DECIDE_FOLLOW_UP = 10  # what an ability of an Exploit brings: FOLLOW_* (X8 N2)
NUM_ALL_DECISIONS = 11
DECISION_NAMES = (
    *("nothing", "build", "salary", "turn", "target", "discard", "round_end_discard"),
    *("remove", "neutral", "opposition"),
    "follow_up",
)

# --- variants: codes are fixed so that records and states keep their meaning ------------------------------------
VARIANT_STANDARD, VARIANT_SOLO, VARIANT_SOLOPLAY_2, VARIANT_SOLOPLAY_3, VARIANT_NEUTRAL_2 = 0, 1, 2, 3, 4
VARIANT_EXPLOITS = 5  # the standard game with Exploits
VARIANT_NAMES = ("standard", "solo", "soloplay_2", "soloplay_3", "neutral_2", "exploits")
NUM_VARIANTS = len(VARIANT_NAMES)
MIN_PLAYERS, MAX_PLAYERS = 3, 5  # of the standard game
VARIANT_PLAYERS = ((MIN_PLAYERS, MAX_PLAYERS), (1, 1), (2, 2), (3, 3), (2, 2), (MIN_PLAYERS, MAX_PLAYERS))
"""Fewest and most players, by variant."""

# --- options of the variants (notation 4), in the order kernels take them; the default of each is 0 --------------
OPTION_TIES, OPTION_DIFFICULTY, OPTION_IGNORE_INDUSTRY, OPTION_REMOVED_STAY = 0, 1, 2, 3
OPTION_EXPLOIT_DISCS, OPTION_VALUE1_BONUS = 4, 5
OPTION_EXPLOITS = 6  # the Exploits in play as bits, or NONE for those of the set-up
NUM_OPTIONS = 7
DIFFICULTY_NORMAL, DIFFICULTY_EASIER, DIFFICULTY_HARDER = 0, 1, 2
DIFFICULTY_NAMES = ("normal", "easier", "harder")

# --- sides: owners of discs on the map. Seats come first, owners without a seat follow --------------------------------
COLOUR_NAMES = ("white", "red", "green", "violet", "black")  # sides of a solo game: the player, then the Opposition
FIRST_COLOUR = 1  # solo: sides 1..4 are the four opposing colours
NUM_COLOURS = 4
OPPOSITION = 1  # solo: the mat that the four colours share, as a row of statuses, tokens and cards (S0)
SPACE_CLOSED = -2  # `track_owner` of a shipping space that takes no disc (V2S.5)

# --- the solitaire game (S0) ---------------------------------------------------------------------------------------
SCALE_SIZE = 8
GRID_LEVELS, GRID_COLUMNS = 5, 3
MAX_WAITING = 16  # blue tokens that the Opposition can have to carry out; boards with more cannot be played solo
TASK_NONE = 0  # the Opposition has nothing to do
TASK_EUROPE = 1  # set-up: place the disc of `acting` in a European city (S1.8)
TASK_REMOVE = 2  # set-up: one blue token leaves Europe (S1.9)
TASK_ACTION = 3  # one action of the disc `acting` on the scale (S4)
TASK_TOKEN = 4  # carry out the last of the waiting blue tokens (S5.5)
TASK_DISCARD = 5  # discard to the card limit after its actions (S7.1)
TASK_BONUS = 6  # the bonus draw at the end of the round (S3.6)
TASK_END_DISCARD = 7  # discard to the card limit at the end of the round (S7.1)
NUM_TASKS = 8
TASK_NAMES = ("none", "europe", "remove", "action", "token", "discard", "bonus", "end_discard")

# --- the Age of Sail Exploits (X0-X8), in the order of their ids ---------------------------------------------------
SALTPETRE, PIRATES, IMPERIALISM, SPANISH_MAIN, VOC, JESUITS, SOUTH_SEA, GALLEONS = range(8)
RAILROAD, VENUS, SUN, SPICE, GLOBALISATION, MARQUE, HAITI = range(8, 15)
NUM_EXPLOITS = 15
EXPLOIT_NAMES = (
    *("saltpetre", "pirates", "imperialism", "spanish_main", "voc", "jesuits", "south_sea", "galleons"),
    *("railroad", "venus", "sun", "spice", "globalisation", "marque", "haiti"),
)
BATAVIA, CAPE_TOWN = MAX_CITIES, MAX_CITIES + 1  # the cities on the tile of the East India Company (E5)
NUM_ALL_CITIES = MAX_CITIES + 2
TILE_CITY_NAMES = ("batavia", "cape_town")
NUM_CANNONS = 6  # E1
NUM_FORTIFICATIONS = 8  # of E4 (XA1); E5 has one for each of its two cities
NUM_MISSIONARIES = 5  # E6
NUM_GALLEONS = 8  # E8
NUM_INVESTMENTS, NUM_SHARES = 10, 5  # E7
NUM_RAILROAD, NUM_FREEDOM = 5, 5  # E9
NUM_PACIFIC, NUM_TRANSIT, NUM_FINANCIER = 8, 8, 3  # E10
ON_TILE, GONE = -1, -2  # where a piece is that nobody has: on its tile, or out of the game
PIRATE_AT_NASSAU, PIRATE_GONE = -1, -2  # `pirate_at` when it is no city (E2)
SHARE_NAMES = ("s1", "s2", "s3")
PACIFIC_NAMES = (
    *("pacific_1", "pacific_2", "pacific_3", "tahiti", "new_zealand_1", "new_zealand_2"),
    *("australia_1", "australia_2"),
)
FINANCIER_NAMES = ("three_discs", "two_discs", "two_payments")

# --- rewards -------------------------------------------------------------------------------------------------
MARGIN_SCALE = 50.0  # Glory that counts as a reward of 1 in "margin" and the shaping potential
SOLO_MARGIN_SCALE = 100.0  # the same in solo, whose leads and deficits are about twice as large
