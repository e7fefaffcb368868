"""Checked board data as the BOARD array, and the ids by which moves and records name the parts of a board."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board.data import DATA
from endeavor_env.endeavor.board.format import GOVERNOR, BoardData
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.board_array import BOARD, DISC_SHIFT, GLORY_DIGITS, NO_CITY, SPANS_AT_ONCE

# --- The tiles of the Exploits, from ``data/exploits.toml`` (X7); the file comes with the package --------------------

_FACE_NAMES = (*c.STATUS_NAMES, "glory")


@functools.cache
def _tiles() -> dict[str, Any]:
    """Return the file's tables."""
    return tomllib.loads((DATA / "exploits.toml").read_text(encoding="utf-8"))


def fill_exploits(board: Any, data: BoardData) -> None:
    """Write the Exploits' fields of a BOARD record; regions that the board lacks are NONE."""
    tiles = _tiles()
    numbers = {region["id"]: number for number, region in enumerate(data["regions"])}
    for exploit, name in enumerate(c.EXPLOIT_NAMES):
        board.exploit_region[exploit] = [numbers.get(region, c.NONE) for region in tiles["regions"][name]]
    board.tile_city_glory[:] = tiles["voc"]["city_glory"]
    board.tile_connection_glory = tiles["voc"]["connection_glory"]
    board.share_space[:] = _flags(tiles["south_sea"]["share_spaces"], c.NUM_INVESTMENTS)
    board.share_kind[:] = _indices(tiles["south_sea"]["shares"], c.SHARE_NAMES)
    railroad, venus = tiles["railroad"], tiles["venus"]
    board.railroad_status[:] = _indices(railroad["status"], c.STATUS_NAMES)
    board.railroad_least[:] = railroad["least"]
    board.railroad_glory[:] = railroad["glory"]
    board.railroad_link[:] = _flags(railroad["links"], c.NUM_RAILROAD)
    board.freedom_status[:] = _indices(railroad["tokens"], c.STATUS_NAMES)
    board.pacific_part[:] = _indices(venus["part"], c.ACTION_NAMES)
    board.pacific_glory[:] = venus["glory"]
    board.pacific_link[:] = _flags(venus["links"], c.NUM_PACIFIC)
    board.transit_face[:] = _indices(venus["tokens"], _FACE_NAMES)
    board.financier_discs[:] = venus["financier_discs"]
    board.financier_payments[:] = venus["financier_payments"]
    board.bonus_discs = tiles["constants"]["bonus_discs"]
    board.exploit_discs = tiles["constants"]["discs"]


def _flags(spaces: Sequence[int], size: int) -> list[int]:
    """Return 1 for each space that is named, counted from 1."""
    return [int(space + 1 in spaces) for space in range(size)]


def _indices(words: Sequence[str], names: Sequence[str]) -> list[int]:
    """Return the place of each word among the names."""
    return [names.index(word) for word in words]


# --- Checked board data as the BOARD array, and the ids by which moves and records name the parts of a board ---------
# The functions here trust their input: they are called only with what ``endeavor.board.loading.read_board`` has
# accepted.

BoardArray = npt.NDArray[np.void]
"""A (1,) array of the BOARD dtype."""


def connection_id(connection: BoardData) -> str:
    """Return ``<city>--<city>`` in the order of the data file (notation, section 1)."""
    return "--".join(connection["cities"])


def card_position(value: int | str) -> int:
    """Return the place of a card in its deck, 0..5 from the top; the Governor and value 0 lie on top (R2.2)."""
    return 0 if value == GOVERNOR else int(value)


def card_ids(data: BoardData) -> tuple[str, ...]:
    """Return the 48 ids ``<deck>.<value>`` or ``<deck>.governor``, by card number: deck * 6 + position."""
    ids = []
    for deck in data["decks"]:
        for card in sorted(deck["cards"], key=lambda card: card_position(card["value"])):
            ids.append(f"{deck['id']}.{card['value']}")
    return tuple(ids)


def space_ids(data: BoardData) -> tuple[str | None, ...]:
    """Return the id of each of the NUM_SPACES token spaces, None where this board has no such space."""
    ids: list[str | None] = [None] * c.NUM_SPACES
    for number, city in enumerate(data["cities"]):
        ids[c.CITY_SPACES + number] = city["id"]
    for number, connection in enumerate(data["connections"]):
        ids[c.CONNECTION_SPACES + number] = connection_id(connection)
    for number, region in enumerate(data["regions"]):
        for place in range(region["track_length"]):
            ids[c.TRACK_SPACES + number * c.MAX_TRACK + place] = f"{region['id']}.{place + 1}"
    return tuple(ids)


def display_names(data: BoardData) -> dict[str, str]:
    """Return the name to show for every region, city, connection, deck and building id."""
    names = {entry["id"]: entry["name"] for key in ("regions", "decks", "cities", "buildings") for entry in data[key]}
    for connection in data["connections"]:
        names[connection_id(connection)] = " - ".join(names[city] for city in connection["cities"])
    return names


def build_array(data: BoardData) -> BoardArray:
    """Return a fresh, writable (1,) BOARD array of the checked ``data``."""
    array = np.zeros(1, BOARD)
    board = array[0]
    _fill_map(board, data)
    _fill_decks(board, data)
    _fill_buildings(board, data)
    for kind, name in enumerate(c.TOKEN_NAMES):
        board.token_count[kind] = data["tokens"][name]
    _fill_status_tracks(board, data["status_tracks"])
    constants = data["constants"]
    board.num_rounds = constants["rounds"]
    for key in (
        "discs_per_player",
        "building_spaces",
        "card_slots",
        "empty_governor_slot_glory",
        "discs_per_glory",
        "slavery_penalty",
        "connection_glory",
    ):
        board[key] = constants[key]
    fill_exploits(board, data)
    _derive_sets(board)
    _derive_spans(board)
    _derive_shares(board)
    return array


def _index(entries: list[BoardData]) -> dict[str, int]:
    """Return the number of each entry by its id."""
    return {entry["id"]: number for number, entry in enumerate(entries)}


def _fill_map(board: Any, data: BoardData) -> None:
    """Write regions, cities and connections; ``_fill_decks`` writes ``governor_card``."""
    regions, cities = _index(data["regions"]), _index(data["cities"])
    for key in ("track_length", "open_at_start"):
        board[key][: len(regions)] = [region[key] for region in data["regions"]]
    board.num_cities = len(cities)
    board.city_region[:] = c.NONE
    region_of = [regions[city["region"]] for city in data["cities"]]
    board.city_region[: len(cities)] = region_of
    board.city_glory[: len(cities)] = [city["glory"] for city in data["cities"]]
    for number, region in enumerate(region_of):
        board.region_cities[region] |= 1 << number
    _fill_connections(board, [[cities[city] for city in connection["cities"]] for connection in data["connections"]])


def _fill_connections(board: Any, connections: list[list[int]]) -> None:
    """Write the connections, each given by the numbers of its two cities."""
    board.num_connections = len(connections)
    board.connection_city[:] = c.NONE
    board.connection_city[: len(connections)] = connections
    board.city_connection[:] = c.NONE
    own: list[list[int]] = [[] for _ in range(board.num_cities)]
    neighbours = [0] * len(own)
    for number, (first, second) in enumerate(connections):
        for city, other in ((first, second), (second, first)):
            own[city].append(number)
            neighbours[city] |= 1 << other
    board.city_neighbours[: len(own)] = neighbours
    board.city_degree[: len(own)] = [len(numbers) for numbers in own]
    for city, numbers in enumerate(own):
        board.city_connection[city, : len(numbers)] = numbers


def _fill_decks(board: Any, data: BoardData) -> None:
    """Write decks and cards, each card at deck * 6 + position, in whatever order the file has them."""
    regions = _index(data["regions"])
    cards: list[BoardData] = [{}] * c.NUM_CARDS
    board.governor_card[:] = c.NONE
    for number, deck in enumerate(data["decks"]):
        region = regions[deck["region"]]
        board.deck_region[number] = region
        for entry in deck["cards"]:
            card = number * c.CARDS_PER_DECK + card_position(entry["value"])
            governor = entry["value"] == GOVERNOR
            cards[card] = {**entry, "value": 0 if governor else entry["value"], "governor": governor}
            cards[card] |= {"slavery": deck["slavery"], "icons": [entry["icons"][name] for name in c.STATUS_NAMES]}
            if governor:
                board.governor_card[region] = card
    for key in ("value", "icons", "glory", "governor", "slavery", "abolition"):
        board[f"card_{key}"][: len(cards)] = [card[key] for card in cards]


def _fill_buildings(board: Any, data: BoardData) -> None:
    """Write the building types."""
    buildings = data["buildings"]
    board.num_building_types = len(buildings)
    for key in ("level", "copies", "start", "glory"):
        board[f"building_{key}"][: len(buildings)] = [building[key] for building in buildings]
    modes = [c.MODE_NAMES.index(building["mode"]) for building in buildings]
    board.building_mode[: len(buildings)] = modes
    icons = [[building["icons"][status] for status in c.STATUS_NAMES] for building in buildings]
    board.building_icons[: len(buildings)] = icons
    board.building_action[:] = c.NONE
    for number, building in enumerate(buildings):
        actions = [c.ACTION_NAMES.index(action) for action in building["actions"]]
        board.building_action[number, : len(actions)] = actions


def _fill_status_tracks(board: Any, tracks: BoardData) -> None:
    """Write what each marker position 0..15 gives (R1.8, R1.9)."""
    for marker in range(c.NUM_MARKERS):
        level = sum(marker >= threshold for threshold in tracks["thresholds"]) - 1
        board.build_level[marker] = tracks["build_level"][level]
        board.growth[marker] = tracks["growth"][level]
        board.payments[marker] = tracks["payments"][level]
        board.card_limit[marker] = tracks["card_limit"][level]
        board.status_glory[marker] = max(glory for glory in tracks["glory_spaces"] if glory <= marker)
    board.status_max = tracks["max"]


def _derive_sets(board: Any) -> None:
    """Write the sets and factors by which Glory is counted, from what is printed (``endeavor.rules.base.glory``)."""
    board.track_spaces = _where(np.arange(c.MAX_TRACK) < board.track_length[:, None])
    board.rich_cities = _where(board.city_glory == 2)
    for digit in range(GLORY_DIGITS):
        board.glory_cards[digit] = _where(board.card_glory >> digit & 1 == 1)
    board.glory_buildings = _where(board.building_glory != 0)
    board.glory_of_discs = (1 << DISC_SHIFT) // int(board.discs_per_glory) + 1


def _derive_spans(board: Any) -> None:
    """Write the connections by how far apart the numbers of their cities are."""
    cities: dict[int, int] = {}
    for first, second in board.connection_city[: board.num_connections].tolist():
        span = abs(first - second)
        cities[span] = cities.get(span, 0) | 1 << min(first, second)
    board.num_spans = -(-len(cities) // SPANS_AT_ONCE) * SPANS_AT_ONCE
    board.span[: len(cities)], board.span_cities[: len(cities)] = list(cities), list(cities.values())
    board.first_end[:], board.second_end[:] = np.where(
        board.connection_city == c.NONE, NO_CITY, board.connection_city
    ).T


def _where(found: Any) -> int:
    """Return the indices at which a bool array is True, as bits."""
    return sum(1 << int(index) for index in np.flatnonzero(found))


def _derive_shares(board: Any) -> None:
    """Write the factors that scale counts to [0, 1], and the shares of the levels of every status."""
    copies = board.building_copies.astype(float)
    board.token_share[:] = 1.0 / np.maximum(1.0, board.token_count)
    board.building_share[:] = 1.0 / np.maximum(1.0, copies + board.building_start)
    board.supply_share[:] = 1.0 / np.maximum(1.0, copies)
    for status, given in enumerate((board.build_level, board.growth, board.payments, board.card_limit)):
        factor = 1.0 / max(1, int(given[board.status_max]))
        board.level_share[status] = np.minimum(1.0, given.astype(float) * factor)
    board.value_share[: c.NUM_CARDS] = np.minimum(1.0, board.card_value.astype(float) * 0.2)
    board.icons_share[: c.NUM_CARDS] = np.minimum(1.0, board.card_icons.astype(float) * 0.25)
    board.glory_share[: c.NUM_CARDS] = np.minimum(1.0, board.card_glory.astype(float) * 0.25)
