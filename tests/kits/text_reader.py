"""A second program for the structures: it makes the state of a position again, from JSON or from lines."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.exploits.table import FOLLOW_UPS
from endeavor_env.endeavor.options import OPTIONS
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import EMPTY_STATE

Json = Any
_ELSEWHERE = {"out_of_game": c.CARD_OUT_OF_GAME, "retained": c.CARD_RETAINED, "on_haiti": c.CARD_ON_HAITI}
_PLACES = {None: c.NONE, "tile": c.ON_TILE, "gone": c.GONE, "nassau": c.PIRATE_AT_NASSAU}


# --- from lines to JSON -----------------------------------------------------------------------------------------------
def read_lines(text: str) -> Json:
    """Return the structure that ``endeavor_env.endeavor.text.short`` wrote."""
    rows = [(len(line) - len(line.lstrip()), line.strip()) for line in text.splitlines()]
    value, rest = _block(rows, 0)
    assert not rest
    return value


def _block(rows: list[tuple[int, str]], indent: int) -> tuple[Json, list[tuple[int, str]]]:
    if rows[0][1].startswith("- "):
        items = []
        while rows and rows[0][0] == indent and rows[0][1].startswith("- "):
            items.append(_Words(rows[0][1][2:]).value())
            rows = rows[1:]
        return items, rows
    found = {}
    while rows and rows[0][0] == indent:
        name, _, inner = rows[0][1].partition(":")
        rows = rows[1:]
        if inner.strip():
            found[name] = _Words(inner.strip()).value()
        else:
            found[name], rows = _block(rows, rows[0][0])
    return found, rows


class _Words:
    """Reads one value of a line."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def value(self) -> Json:
        first = self.text[self.at]
        if first == "{":
            return dict(self._items("}", named=True))
        if first == "[":
            return self._items("]", named=False)
        word = self._word(",}]")
        words = {"null": None, "true": True, "false": False}
        return words[word] if word in words else int(word) if word.lstrip("-").isdecimal() else word

    def _items(self, end: str, named: bool) -> list[Any]:
        found: list[Any] = []
        self.at += 1
        while self.text[self.at] != end:
            self.at += 2 * self.text.startswith(", ", self.at)
            if named:
                name = self._word("=")
                self.at += 1
                found.append((name, self.value()))
            else:
                found.append(self.value())
        self.at += 1
        return found

    def _word(self, ends: str) -> str:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in ends:
            self.at += 1
        return self.text[start : self.at]


# --- from JSON to a state ---------------------------------------------------------------------------------------------
def read_position(position: Json, board: Board) -> npt.NDArray[np.void]:
    """Return the (1,) STATE of a position."""
    return _Filler(position, board).fill()


class _Filler:
    """Fills one state."""

    def __init__(self, position: Json, board: Board) -> None:
        self.here, self.board, self.out = position, board, EMPTY_STATE.copy()
        self.state = self.out[0]
        seats = list(range(position["players"]))
        colours = list(c.COLOUR_NAMES[1:])
        more = {"solo": colours, "neutral_2": ["neutral_0", "neutral_1"], "standard": [], "exploits": []}
        self.sides = [*seats, *more.get(position["variant"], ["neutral"])]

    def fill(self) -> npt.NDArray[np.void]:
        self._table()
        for row, mat in enumerate(self.here["mats"]):
            self._mat(row, mat)
        self._board()
        if self.here["neutral"] is not None:
            self._neutral(self.here["neutral"])
        if self.here["solitaire"] is not None:
            self._solitaire(self.here["solitaire"])
        if self.here["exploit_pieces"] is not None:
            self._pieces(dict(self.here["exploit_pieces"]))
        return self.out

    def _side(self, owner: Json) -> int:
        return c.SPACE_CLOSED if owner == "closed" else c.NONE if owner is None else self.sides.index(owner)

    def _table(self) -> None:
        here, state = self.here, self.state
        state.num_seats = here["players"]
        state.variant = c.VARIANT_NAMES.index(here["variant"])
        for option in OPTIONS:
            if option.name in here["options"]:
                state[option.field] = option.values.index(here["options"][option.name])
        state.exploits = sum(1 << c.EXPLOIT_NAMES.index(name) for name in here["exploits"])
        state.round_number, state.sweep = here["round"], here["seats_done"]
        state.phase = c.PHASE_NAMES.index(here["phase"])
        state.decision = c.DECISION_NAMES.index(here["decision"])
        state.seat = c.NONE if here["seat"] is None else here["seat"]
        state.first_player, state.payments_left = here["first_player"], here["payments_left"]
        state.abolished = here["slavery_abolished"]
        action = here["action"]
        state.source = _index(self.board.buildings, action["building"])
        state["mode"] = c.MODE_NAMES.index(action["mode"])
        state.parts = [_index(c.ACTION_NAMES, part) for part in action["open_parts"]]
        state.parts_done = action["parts_done"]
        state.lock_region = _index(self.board.regions, action["region"])
        state.lock_deck = _index(self.board.decks, action["deck"])

    def _mat(self, row: int, mat: Json) -> None:
        state, board = self.state, self.board
        state.passed[row], state.harbor[row] = mat["passed"], mat["harbor"]
        state.status[row] = [mat["statuses"][name] for name in c.STATUS_NAMES]
        state.neutral_reserve[row], state.neutral_harbor[row] = mat["neutral_reserve"], mat["neutral_harbor"]
        for name, count in mat["tokens"].items():
            state.tokens[row, c.TOKEN_NAMES.index(name)] = count
        for one in mat["buildings"]:
            at = board.buildings.index(one["id"])
            state.buildings[row, at], state.occupied[row, at] = one["copies"], one["occupied"]
        cards = [board.cards.index(card) for card in mat["cards"]]
        state.card_place[cards] = row
        state.card_place[[board.cards.index(card) for card in mat["face_down"]]] = c.CARD_FACE_DOWN + row
        state.num_cards[row], state.num_face_down[row] = len(cards), len(mat["face_down"])
        state.num_governors[row] = board.array["card_governor"][0, cards].sum()
        state.num_slavery[row] = board.array["card_slavery"][0, cards].sum()

    def _board(self) -> None:
        here, state, board = self.here, self.state, self.board
        for name, count in here["supplies"].items():
            state.supply[[str(side) for side in self.sides].index(name)] = count
        for name, count in here["building_supply"].items():
            state.building_supply[board.buildings.index(name)] = count
        for at, deck in enumerate(here["decks"]):
            state.pile_top[at] = deck["top"]
        for card, place in here["cards_elsewhere"].items():
            state.card_place[board.cards.index(card)] = _ELSEWHERE[place]
        for at, city in enumerate(here["cities"]):
            state.city_owner[at] = self._side(city["owner"])
            state.token[at] = _index(c.TOKEN_NAMES, city["token"])
            self._be_present(city["owner"], int(board.array["city_region"][0, at]))
        for at, one in enumerate(here["connections"]):
            state.token[c.CONNECTION_SPACES + at] = _index(c.TOKEN_NAMES, one["token"])
        for at, region in enumerate(here["regions"]):
            self._region(at, region)

    def _region(self, at: int, region: Json) -> None:
        state = self.state
        state.open[at], state.track_next[at] = region["open"], region["next"]
        for space, one in enumerate(region["track"]):
            state.track_owner[at, space] = self._side(one["owner"])
            state.token[c.TRACK_SPACES + at * c.MAX_TRACK + space] = _index(c.TOKEN_NAMES, one["token"])
            self._be_present(one["owner"], at)
        for name, count in region["beside"].items():
            side = [str(one) for one in self.sides].index(name)
            state.beside[side, at] = count
            state.presence[side, at] += count

    def _be_present(self, owner: Json, region: int) -> None:
        if owner is not None and owner != "closed":
            self.state.presence[self.sides.index(owner), region] += 1

    def _bits(self, names: list[str]) -> int:
        return sum(1 << self.board.regions.index(name) for name in names)

    def _neutral(self, neutral: Json) -> None:
        self.state.removals_left = neutral["removals_left"]
        self.state.neutral_regions = self._bits(neutral["regions"])
        self.state.neutral_due = _index(c.ACTION_NAMES, neutral["due"])

    def _solitaire(self, solo: Json) -> None:
        state, buildings = self.state, self.board.buildings
        state.scale = [self._side(one) for one in solo["scale"]]
        state.ipf, state.bonus_due = solo["marker"], solo["bonus_due"]
        state.grid = [[_index(buildings, tile) for tile in row] for row in solo["grid"]]
        state.last_built = _index(buildings, solo["last_built"])
        state.isb_level, state.isb_column = (place - 1 for place in solo["crown"])
        state.pending = [_index(buildings, tile) for tile in solo["pending"]]
        state.europe_order = [self._side(one) for one in solo["europe_order"]]
        state.opposition_first = solo["opposition_first"]
        state.task, state.task_step = c.TASK_NAMES.index(solo["task"]), solo["task_step"]
        state.acting, state.num_waiting = self._side(solo["acting"]), len(solo["waiting"])
        for at, one in enumerate(solo["waiting"]):
            state.waiting_kind[at] = c.TOKEN_NAMES.index(one["kind"])
            state.waiting_regions[at] = self._bits(one["regions"])
        state.choices, state.choices_at = sum(1 << bit for bit in solo["choices"]), solo["first_choice"]

    def _pieces(self, pieces: Json) -> None:
        state, board = self.state, self.board
        state.fortified = sum(1 << self._city(city) for city in pieces.pop("fortified"))
        state.blocked = sum(1 << board.connections.index(one) for one in pieces.pop("blocked"))
        state.follow_up = _index([one.name for one in FOLLOW_UPS], pieces.pop("follow_up"))
        for card, below in pieces.pop("pile_below").items():
            state.pile_below[board.cards.index(card)] = board.cards.index(below)
        state.pile_head = [_index(board.cards, card) for card in pieces.pop("pile_head")]
        state.cannon_building = [_index(board.buildings, one) for one in pieces.pop("cannon_building")]
        for seat, one in enumerate(pieces.pop("spice_discs")):
            state.spice_discs[seat] = one["finance"], one["politics"]
        for name, value in pieces.items():
            if isinstance(value, list):
                state[name][: len(value)] = [self._place(one) for one in value]
            else:
                state[name] = c.PIRATE_GONE if (name, value) == ("pirate_at", "gone") else self._place(value)

    def _city(self, city: str) -> int:
        if city in c.TILE_CITY_NAMES:
            return c.BATAVIA + c.TILE_CITY_NAMES.index(city)
        return self.board.cities.index(city)

    def _place(self, value: Json) -> int:
        if isinstance(value, (bool, int)):
            return int(value)
        return _PLACES[value] if value in _PLACES else self._city(value)


def _index(names: Any, name: str | None) -> int:
    return c.NONE if name is None else list(names).index(name)
