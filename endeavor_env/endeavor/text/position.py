"""A position as plain JSON values, complete: ``tests/kits/text_reader.py`` makes the same state of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.exploits.table import FOLLOW_UPS
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.results import Ladder, is_solo, scorers
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.text.structures import (
    ActionUnderWay,
    City,
    Connection,
    Deck,
    Event,
    Mat,
    Neutral,
    Position,
    Region,
    Result,
    ShippingSpace,
    Solitaire,
    Waiting,
)

# --- The pieces of the Exploits by name: a row says how each field of the state is written ---------------------------

Write = Callable[[Board, int, Any], Any]
"""(board, number of seats, value of the field) -> plain JSON."""


def city_name(board: Board, city: int) -> str:
    """Return the id of a city of the board or of the tile of the East India Company."""
    return c.TILE_CITY_NAMES[city - c.BATAVIA] if city >= c.BATAVIA else board.cities[city]


def bits(value: int, width: int = 64) -> list[int]:
    """Return the numbers of the bits that are set."""
    return [bit for bit in range(width) if int(value) >> bit & 1]


def _seat(board: Board, seats: int, value: Any) -> Any:
    return None if value == c.NONE else int(value)


def _seats(board: Board, seats: int, value: Any) -> Any:
    return [_seat(board, seats, one) for one in value]


def _by_seat(board: Board, seats: int, value: Any) -> Any:
    return [int(one) for one in value[:seats]]


def _flag(board: Board, seats: int, value: Any) -> Any:
    return bool(value)


def _holders(board: Board, seats: int, value: Any) -> Any:
    return [{c.ON_TILE: "tile", c.GONE: "gone"}.get(int(one), int(one)) for one in value]


def _place(names: dict[int, str], board: Board, place: Any) -> str:
    """Return where a piece is: a city, or one of the places with other names."""
    return names.get(int(place)) or city_name(board, int(place))


def _named(names: tuple[str, ...], number: Any) -> str | None:
    return None if number == c.NONE else names[number]


_MISSIONARY_PLACES = {c.ON_TILE: "tile", c.GONE: "gone"}
_PIRATE_PLACES = {c.PIRATE_AT_NASSAU: "nassau", c.PIRATE_GONE: "gone"}
FIELDS: dict[str, Write] = {
    "fortified": lambda board, _, value: [city_name(board, city) for city in bits(value)],
    "blocked": lambda board, _, value: [board.connections[at] for at in bits(value)],
    "follow_up": lambda _board, _, value: None if value == c.NONE else FOLLOW_UPS[value].name,
    "follow_item": _seat,  # the number of a region, city, building, card ..., as the follow-up has it
    "follow_left": lambda _board, _, value: int(value),
    "turn_seat": _seat,
    "with_cannon": _flag,
    "manila": _by_seat,
    "galleons": _by_seat,
    "pile_head": lambda board, _, value: [_named(board.cards, one) for one in value],
    "pile_below": lambda board, _, value: {
        board.cards[at]: board.cards[below] for at, below in enumerate(value) if below != c.NONE
    },
    "blockades": _by_seat,
    "missionary": lambda board, _, value: [_place(_MISSIONARY_PLACES, board, one) for one in value],
    "nassau": _seat,
    "nassau_governor": _seat,
    "pirate_at": lambda board, _, value: _place(_PIRATE_PLACES, board, value),
    "railroad": _seats,
    "freedom_holder": _holders,
    "cannon_seat": _holders,
    "cannon_building": lambda board, _, value: [_named(board.buildings, one) for one in value],
    "casualty_disc": _by_seat,
    "invested": _seats,
    "share_holder": _holders,
    "burst": _flag,
    "mains_paid": _by_seat,
    "spice_discs": lambda _, seats, value: [{"finance": int(row[0]), "politics": int(row[1])} for row in value[:seats]],
    "sun": _by_seat,
    "pacific": _seats,
    "transit_holder": _holders,
    "financier": lambda _board, _, value: [bool(one) for one in value],
    "tile_city_owner": _seats,
}
"""Writer of each field; options and the Exploits in play stand elsewhere in a position."""


def exploit_pieces(board: Board, state: Any, seats: int) -> dict[str, Any]:
    """Return every piece of the Exploits in a STATE record."""
    return {name: write(board, seats, state[name]) for name, write in FIELDS.items()}


# --- A position as plain JSON values, complete: ``tests/kits/text_reader.py`` makes the same state of it -------------

Owner = int | str | None
ELSEWHERE = {c.CARD_OUT_OF_GAME: "out_of_game", c.CARD_RETAINED: "retained", c.CARD_ON_HAITI: "on_haiti"}


def side_names(game: Game) -> list[int | str]:
    """Return the names of all that own discs, in the order of the sides of a state."""
    seats: list[int | str] = list(range(game.num_players))
    if game.variant == "solo":
        return [*seats, *c.COLOUR_NAMES[c.FIRST_COLOUR :]]
    if game.variant == "neutral_2":
        return [*seats, "neutral_0", "neutral_1"]
    return [*seats, "neutral"] if game.variant.startswith("soloplay") else seats


class PositionReader:
    """A reader of a game's state that gives its numbers their names."""

    def __init__(self, game: Game) -> None:
        """Look at ``game``."""
        self.game, self.board, self.state = game, game.board, game.state[0]
        self.sides = side_names(game)

    def position(self) -> Position:
        """Return the whole position."""
        game, state, board = self.game, self.state, self.board
        variants = game.variant in ("soloplay_2", "soloplay_3", "neutral_2")
        return Position(
            board=board.id,
            board_hash=board.hash,
            variant=game.variant,
            players=game.num_players,
            options=game.options,
            exploits=list(game.exploits),
            rounds=int(board.array["num_rounds"][0]),
            round=game.round,
            phase=game.phase,
            decision=game.decision,
            seat=None if game.over else game.seat,
            first_player=int(state.first_player),
            seats_done=int(state.sweep),
            payments_left=int(state.payments_left),
            slavery_abolished=bool(state.abolished),
            action=self._action(),
            mats=[self._mat(row) for row in range(len(scorers(game.state)))],
            supplies={str(name): int(state.supply[side]) for side, name in enumerate(self.sides)},
            building_supply={name: int(state.building_supply[at]) for at, name in enumerate(board.buildings)},
            decks=[self._deck(deck) for deck in range(c.NUM_DECKS)],
            cards_elsewhere={
                card: ELSEWHERE[place]
                for card, place in zip(board.cards, map(int, state.card_place), strict=True)
                if place in ELSEWHERE
            },
            cities=[
                City(id=name, owner=self._owner(state.city_owner[at]), token=self._token(at))
                for at, name in enumerate(board.cities)
            ],
            connections=[
                Connection(id=name, token=self._token(c.CONNECTION_SPACES + at))
                for at, name in enumerate(board.connections)
            ],
            regions=[self._region(at) for at in range(c.NUM_REGIONS)],
            neutral=self._neutral() if variants or is_solo(game.state) else None,
            solitaire=self._solitaire() if is_solo(game.state) else None,
            exploit_pieces=exploit_pieces(board, state, game.num_players) if game.variant == "exploits" else None,
        )

    def _owner(self, side: Any) -> Owner:
        if side == c.SPACE_CLOSED:
            return "closed"
        return None if side < 0 else self.sides[side]

    def _token(self, space: int) -> str | None:
        kind = int(self.state.token[space])
        return None if kind == c.NONE else c.TOKEN_NAMES[kind]

    def _building(self, number: Any) -> str | None:
        return None if number < 0 else self.board.buildings[number]

    def _regions_in(self, mask: Any) -> list[str]:
        return [self.board.regions[at] for at in bits(mask, c.NUM_REGIONS)]

    def _action(self) -> ActionUnderWay:
        state, board = self.state, self.board
        return ActionUnderWay(
            building=self._building(state.source),
            mode=c.MODE_NAMES[state["mode"]],
            open_parts=[None if part < 0 else c.ACTION_NAMES[part] for part in state.parts],
            parts_done=int(state.parts_done),
            region=None if state.lock_region < 0 else board.regions[state.lock_region],
            deck=None if state.lock_deck < 0 else board.decks[state.lock_deck],
        )

    def _mat(self, row: int) -> Mat:
        state, board = self.state, self.board
        owned = [at for at in range(len(board.buildings)) if state.buildings[row, at]]
        return Mat(
            owner=row if row < self.game.num_players else "opposition",
            passed=bool(state.passed[row]),
            statuses={name: int(state.status[row, at]) for at, name in enumerate(c.STATUS_NAMES)},
            harbor=int(state.harbor[row]),
            tokens={name: int(state.tokens[row, at]) for at, name in enumerate(c.TOKEN_NAMES) if state.tokens[row, at]},
            buildings=[
                {
                    "id": board.buildings[at],
                    "copies": int(state.buildings[row, at]),
                    "occupied": int(state.occupied[row, at]),
                }
                for at in owned
            ],
            cards=self._cards_at(row),
            face_down=self._cards_at(c.CARD_FACE_DOWN + row),
            neutral_reserve=int(state.neutral_reserve[row]),
            neutral_harbor=int(state.neutral_harbor[row]),
        )

    def _cards_at(self, place: int) -> list[str]:
        return [card for card, at in zip(self.board.cards, self.state.card_place, strict=True) if at == place]

    def _deck(self, deck: int) -> Deck:
        first = deck * c.CARDS_PER_DECK
        cards = range(first, first + c.CARDS_PER_DECK)
        pile = [self.board.cards[card] for card in cards if self.state.card_place[card] == c.CARD_IN_PILE]
        return Deck(id=self.board.decks[deck], top=int(self.state.pile_top[deck]), pile=pile)

    def _region(self, at: int) -> Region:
        state = self.state
        length = int(self.board.array["track_length"][0, at])
        first = c.TRACK_SPACES + at * c.MAX_TRACK
        return Region(
            id=self.board.regions[at],
            open=bool(state.open[at]),
            next=int(state.track_next[at]),
            track=[
                ShippingSpace(owner=self._owner(state.track_owner[at, space]), token=self._token(first + space))
                for space in range(length)
            ],
            beside={
                str(name): int(state.beside[side, at]) for side, name in enumerate(self.sides) if state.beside[side, at]
            },
        )

    def _neutral(self) -> Neutral:
        due = int(self.state.neutral_due)
        return Neutral(
            removals_left=int(self.state.removals_left),
            regions=self._regions_in(self.state.neutral_regions),
            due=None if due < 0 else c.ACTION_NAMES[due],
        )

    def _solitaire(self) -> Solitaire:
        state = self.state
        waiting = range(int(state.num_waiting))
        return Solitaire(
            scale=[self._owner(side) for side in state.scale],
            marker=int(state.ipf),
            bonus_due=bool(state.bonus_due),
            grid=[[self._building(tile) for tile in row] for row in state.grid],
            last_built=self._building(state.last_built),
            crown=[int(state.isb_level) + 1, int(state.isb_column) + 1],
            pending=[self._building(tile) for tile in state.pending],
            europe_order=[self._owner(side) for side in state.europe_order],
            opposition_first=bool(state.opposition_first),
            task=c.TASK_NAMES[state.task],
            task_step=int(state.task_step),
            acting=self._owner(state.acting),
            waiting=[
                Waiting(kind=c.TOKEN_NAMES[state.waiting_kind[at]], regions=self._regions_in(state.waiting_regions[at]))
                for at in waiting
            ],
            choices=bits(state.choices),
            first_choice=int(state.choices_at),
        )


def position(game: Game) -> Position:
    """Return everything that the position of a game is, as plain JSON values."""
    return PositionReader(game).position()


def events(game: Game, last: int | None = None) -> list[Event]:
    """Return the last moves of a game, all of them by default, the newest last."""
    made = game.history if last is None else game.history[len(game.history) - min(last, len(game.history)) :]
    return [Event(seat=seat, move=game.describe(action)) for seat, action in made]


def result(game: Game) -> Result | None:
    """Return how a game ended; None if it has not."""
    if not game.over:
        return None
    ladder: Ladder | None = game.ladder() if is_solo(game.state) else None
    return Result(
        scores=game.scores(),
        breakdown=[game.breakdown(row) for row in scorers(game.state)],
        winners=game.winners(),
        ladder=None if ladder is None else ladder.name,
    )
