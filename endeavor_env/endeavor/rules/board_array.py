"""BOARD: everything that kernels know about a board, as one structured record, which they only read.

Every table is padded to the limits of ``constants``; the ``num_*`` fields say how many rows are in use. As in STATE,
fields are aligned, the widest first. Cards are numbered deck * 6 + position; position 0 is the Governor, or in the
Europe and Slavery decks the card of value 0.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c

GLORY_DIGITS = 4  # binary digits of the Glory on a card, which is at most 9
DISC_SHIFT = 16  # a number of discs times ``glory_of_discs``, shifted by it, is the Glory of discs in harbor
SPANS_AT_ONCE = 4  # a multiple of it is looked at, so that a loop over vectors has no rest
NO_CITY = 63  # a number that is in no set of cities

_FIELDS = [
    ("region_cities", np.int64, (c.NUM_REGIONS,)),  # bit c: city c lies in the region
    ("city_neighbours", np.int64, (c.MAX_CITIES,)),  # bit c: a connection leads to city c
    ("span", np.int64, (c.MAX_CONNECTIONS,)),  # by how much the numbers of connected cities differ: each such number
    ("span_cities", np.int64, (c.MAX_CONNECTIONS,)),  # bit c: a connection leads from city c to city c + span
    ("num_spans", np.int64),  # rounded up to a multiple of SPANS_AT_ONCE; the last ones may have no cities
    ("track_spaces", np.int64),  # bit 8 * r + n: the track of region r has a space n
    ("rich_cities", np.int64),  # bit c: city c has 2 Glory
    ("glory_cards", np.int64, (GLORY_DIGITS,)),  # bit c: the Glory of card c has this binary digit, lowest first
    ("glory_buildings", np.int64),  # bit b: building type b has Glory
    ("glory_of_discs", np.int64),  # see DISC_SHIFT
    # factors that scale a count to [0, 1]; 1 where the most that can be counted is 0
    ("token_share", np.float64, (c.NUM_TOKEN_KINDS,)),  # tokens of a kind
    ("building_share", np.float64, (c.MAX_BUILDING_TYPES,)),  # copies of the supply and of a mat at the start
    ("supply_share", np.float64, (c.MAX_BUILDING_TYPES,)),  # copies of the supply
    ("level_share", np.float32, (c.NUM_STATUSES, c.NUM_MARKERS)),  # what a status gives, of what it gives at its end
    # shares of the cards as a pile shows them; the row after the last is for an empty pile
    ("value_share", np.float32, (c.NUM_CARDS + 1,)),
    ("icons_share", np.float32, (c.NUM_CARDS + 1, c.NUM_STATUSES)),
    ("glory_share", np.float32, (c.NUM_CARDS + 1,)),
    # how many rows of the padded tables are in use
    ("num_cities", np.int8),
    ("num_connections", np.int8),
    ("num_building_types", np.int8),
    # regions
    ("track_length", np.int8, (c.NUM_REGIONS,)),  # 0..8 shipping spaces; 0 marks the start region
    ("open_at_start", np.int8, (c.NUM_REGIONS,)),  # 0/1
    ("governor_card", np.int8, (c.NUM_REGIONS,)),  # card given when the region opens, or NONE
    # cities
    ("city_region", np.int8, (c.MAX_CITIES,)),
    ("city_glory", np.int8, (c.MAX_CITIES,)),  # 1..2
    ("city_degree", np.int8, (c.MAX_CITIES,)),  # 0..8, connections that meet here
    ("city_connection", np.int8, (c.MAX_CITIES, c.MAX_DEGREE)),  # their numbers, then NONE
    # connections
    ("connection_city", np.int8, (c.MAX_CONNECTIONS, 2)),  # the two end cities
    ("first_end", np.int8, (c.MAX_CONNECTIONS,)),  # the same two cities; where there is no connection NO_CITY
    ("second_end", np.int8, (c.MAX_CONNECTIONS,)),
    # decks and cards
    ("deck_region", np.int8, (c.NUM_DECKS,)),
    ("card_value", np.int8, (c.NUM_CARDS,)),  # own discs needed to draw it; 0 for a Governor
    ("card_icons", np.int8, (c.NUM_CARDS, c.NUM_STATUSES)),
    ("card_glory", np.int8, (c.NUM_CARDS,)),
    ("card_governor", np.int8, (c.NUM_CARDS,)),  # 0/1
    ("card_slavery", np.int8, (c.NUM_CARDS,)),  # 0/1
    ("card_abolition", np.int8, (c.NUM_CARDS,)),  # 0/1, the card that ends slavery (R8.9.1)
    # buildings
    ("building_level", np.int8, (c.MAX_BUILDING_TYPES,)),  # 0 for a start building
    ("building_copies", np.int8, (c.MAX_BUILDING_TYPES,)),  # in the common supply
    ("building_start", np.int8, (c.MAX_BUILDING_TYPES,)),  # copies on every mat at the start
    ("building_icons", np.int8, (c.MAX_BUILDING_TYPES, c.NUM_STATUSES)),
    ("building_glory", np.int8, (c.MAX_BUILDING_TYPES,)),
    ("building_mode", np.int8, (c.MAX_BUILDING_TYPES,)),  # MODE_*; MODE_NONE = no activation space
    ("building_action", np.int8, (c.MAX_BUILDING_TYPES, c.MAX_ACTION_PARTS)),  # SAIL..PAY or NONE
    # trade tokens
    ("token_count", np.int8, (c.NUM_TOKEN_KINDS,)),
    # what a status gives, by the position 0..15 of its marker (R1.8, R1.9)
    ("build_level", np.int8, (c.NUM_MARKERS,)),
    ("growth", np.int8, (c.NUM_MARKERS,)),
    ("payments", np.int8, (c.NUM_MARKERS,)),
    ("card_limit", np.int8, (c.NUM_MARKERS,)),
    ("status_glory", np.int8, (c.NUM_MARKERS,)),
    ("status_max", np.int8),  # highest marker position, at most 15
    # constants of the rules
    ("num_rounds", np.int8),
    ("discs_per_player", np.int8),
    ("building_spaces", np.int8),
    ("card_slots", np.int8),
    ("empty_governor_slot_glory", np.int8),
    ("discs_per_glory", np.int8),
    ("slavery_penalty", np.int8),
    ("connection_glory", np.int8),
    # the Exploits: what their tiles show, the same on every board but for the numbers of the regions
    ("exploit_region", np.int8, (c.NUM_EXPLOITS, 2)),  # the two regions of each, NONE where the board lacks one
    ("tile_city_glory", np.int8, (2,)),  # E5: Batavia, Cape Town
    ("tile_connection_glory", np.int8),  # E5
    ("share_space", np.int8, (c.NUM_INVESTMENTS,)),  # E7: 0/1, the space shows a share
    ("share_kind", np.int8, (c.NUM_SHARES,)),  # E7: index in SHARE_NAMES
    ("railroad_status", np.int8, (c.NUM_RAILROAD,)),  # E9: the status that a space asks for
    ("railroad_least", np.int8, (c.NUM_RAILROAD,)),  # E9: the marker position it asks for
    ("railroad_glory", np.int8, (c.NUM_RAILROAD,)),
    ("railroad_link", np.int8, (c.NUM_RAILROAD,)),  # E9: 1 = a connection with Glory to the next space
    ("freedom_status", np.int8, (c.NUM_FREEDOM,)),  # E9: the status on each token
    ("pacific_part", np.int8, (c.NUM_PACIFIC,)),  # E10: SAIL or OCCUPY
    ("pacific_glory", np.int8, (c.NUM_PACIFIC,)),
    ("pacific_link", np.int8, (c.NUM_PACIFIC,)),  # E10: 1 = a connection with Glory to the next space
    ("transit_face", np.int8, (c.NUM_TRANSIT,)),  # E10: a status, or NUM_STATUSES for Glory
    ("financier_discs", np.int8, (c.NUM_FINANCIER,)),  # E10: discs gained
    ("financier_payments", np.int8, (c.NUM_FINANCIER,)),  # E10: payments gained
    ("bonus_discs", np.int8),  # X0: discs for the card of value 1
    ("exploit_discs", np.int8),  # discs of a player in games with Exploits
]
BOARD = np.dtype((np.record, np.dtype(_FIELDS, align=True)))

DERIVED = (
    *("region_cities", "city_neighbours", "span", "span_cities", "num_spans", "first_end", "second_end"),
    *("track_spaces", "rich_cities", "glory_cards", "glory_buildings", "glory_of_discs"),
    *("token_share", "building_share", "supply_share", "level_share", "value_share", "icons_share", "glory_share"),
)
"""Fields that are computed from other fields."""
_FIRST_OF_EXPLOITS = [name for name, *_ in _FIELDS].index("exploit_region")
EXPLOIT_FACTS = tuple(name for name, *_ in _FIELDS[_FIRST_OF_EXPLOITS:])
"""Fields that describe the tiles of the Exploits, which come with the package and not with a board."""
FACTS = tuple(name for name in BOARD.names or () if name not in (*DERIVED, *EXPLOIT_FACTS))
"""All other fields; boards that are equal in these are equal."""
