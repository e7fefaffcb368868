"""One plain description of a position, read from the state once, from which all pictures are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from endeavor_env.basics.inputs import whole_number
from endeavor_env.endeavor import results
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.exploits.row import Exploit
from endeavor_env.endeavor.exploits.table import EXPLOITS, FOLLOW_UPS, pieces_in_city
from endeavor_env.endeavor.flow.scoring import PARTS
from endeavor_env.endeavor.game_like import GameLike, no_game
from endeavor_env.endeavor.notation import to_text
from endeavor_env.endeavor.opposition import Step, acting_position, explain_since
from endeavor_env.endeavor.options import options_of_state
from endeavor_env.endeavor.results import Ladder, States, breakdowns, is_solo
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.players_info import PlayersInfo, in_sentence, played_of, seat_titles
from endeavor_env.errors import InvalidOptionError, shown

# --- The parts of a ``View``: named tuples of names and Python numbers, without arrays and without codes -------------
# Regions, cities, decks, cards and buildings go by the ids of the board, statuses and tokens by their names, and
# whoever owns discs by the name of a *side*: "0" to "4" for the seats; "white", "red", "green", "violet" and "black" in
# ``solo``; "neutral", or "neutral-0" and "neutral-1", for discs that no seat owns.


class SpaceView(NamedTuple):
    """A place for a trade token, and in a city or on a track for a disc."""

    token: str | None
    """The kind of the token lying there."""
    owner: str | None = None
    """The side whose disc lies there; on a connection, the side that controls it (R8.4.1)."""
    closed: bool = False
    """Its token was removed in set-up, and it takes no disc (V2S.5)."""


class CityView(NamedTuple):
    """A city."""

    id: str
    glory: int
    space: SpaceView
    pieces: tuple[str, ...] = ()
    """Pieces of Exploits in it: "fortified", "missionary", "pirate"."""


class ConnectionView(NamedTuple):
    """A connection between two cities."""

    id: str
    space: SpaceView
    blocked: bool = False
    """True under a blockade (E3); its token is shown nevertheless, as players may look."""


class DeckView(NamedTuple):
    """A pile of asset cards."""

    id: str
    cards: tuple[str, ...]
    """Ids of the remaining cards, top first."""
    governor_apart: bool = False
    """True while its Governor lies beside it; only in games with Exploits (X0)."""


class RegionView(NamedTuple):
    """A region with everything that lies in it."""

    id: str
    open: bool
    track: tuple[SpaceView, ...]
    """Its shipping spaces from the far end; the region open at the start has none."""
    beside: dict[str, int]
    """Discs beside a full track, by side; sides without one are left out."""
    cities: tuple[CityView, ...]
    decks: tuple[DeckView, ...]


class BuildingView(NamedTuple):
    """All copies of a building type on one mat."""

    id: str
    copies: int
    occupied: int
    """Copies with a disc on them."""


class MatView(NamedTuple):
    """The possessions of a seat, or of the Opposition in ``solo``."""

    name: str
    """The number of the seat; in ``solo`` "player" or "Opposition"."""
    title: str
    """Name for people: the player's name, or "Seat 0", "Player"; see ``engine.players_info.seat_titles``."""
    decides: bool
    first_player: bool
    """True with the first-player marker."""
    passed: bool
    """True if it has passed in this round."""
    statuses: dict[str, int]
    """Icons by status, not capped at the end of the track."""
    levels: dict[str, int]
    """Current value of each status: building level, discs of Growth, payments and card limit (R1.8)."""
    harbor: int | None
    """Discs in harbor; None for the Opposition, which has no harbor."""
    supply: int | None
    """Discs in supply; None for the Opposition, whose colours each have their own (``SolitaireView.supply``)."""
    neutral: dict[str, int]
    """Neutral discs that belong to the seat, by where they lie; empty in variants without them."""
    glory: int
    """Total, as if the game ended now."""
    glory_by_source: dict[str, int]
    """The parts of the total; those of 0 are left out."""
    buildings: tuple[BuildingView, ...]
    cards: tuple[str, ...]
    """Ids of the cards held face up."""
    face_down: int
    """Slavery cards set aside face down."""
    tokens: dict[str, int]
    """Trade tokens by kind; kinds without any are left out."""
    items: dict[str, int]
    """Pieces of Exploits by name, such as "cannon" or "Freedom token of culture"; pieces without any are left out."""


class TileView(NamedTuple):
    """An Exploit in play."""

    id: str
    regions: tuple[str, str]
    active: bool
    """True if both regions are open (X1.3)."""
    shields: tuple[str, ...]
    """Seats that have a shield on it (X1.4)."""
    spaces: dict[str, str | None]
    """Owner of the disc on each space that takes one, by the space's name; None if it is free."""
    discs: dict[str, dict[str, int]]
    """Discs by place and seat, where any number of discs can lie; seats without one are left out."""
    left: dict[str, int]
    """Pieces that still lie on the tile, by name; a kind that is used up is left out."""
    notes: tuple[str, ...]
    """Further facts: where the pirate is, cards of the stack, that the bubble has burst."""


class SolitaireView(NamedTuple):
    """The parts of the table that only ``solo`` has (S0)."""

    acting: str | None
    """Colour that acts for the Opposition now, if one does."""
    opposition_first: bool
    """True if the Opposition acts before the player in this round (S3.3)."""
    waiting_tokens: tuple[str, ...]
    """Blue tokens still to be carried out, the next one first (S5.5)."""
    supply: dict[str, int]
    """Discs in supply, by colour of the Opposition."""
    retained: tuple[str, ...]
    """Ids of the Governors kept for their Glory (S7.1)."""
    scale: tuple[str, ...]
    """The colours on the action scale, position 1 first."""
    marker: int
    """Position, 1 to 8, of the marker on the scale that says how many colours act (S2)."""
    bonus_due: bool
    """True if the marker shows its Action side: a bonus draw is due (S3.5)."""
    acting_position: int | None
    """Position of the disc on the scale that acts now, if one does."""
    grid: tuple[tuple[str | None, ...], ...]
    """The building grid, level 1 first."""
    crown: tuple[int, int]
    """Row and column indices of the tile that bears the crown."""
    pending: tuple[str | None, ...]
    """The building waiting to refill each row, level 1 first (S7.3)."""
    result: Ladder | None
    """Result of the game; None before its end (S8.3)."""


class MoveView(NamedTuple):
    """A move that was made."""

    seat: int
    text: str


class View(NamedTuple):
    """A position as it can be seen."""

    board: Board
    """The board: names, and everything that never changes."""
    variant: str
    options: dict[str, Any]
    """The value of every option that the variant has."""
    round: int
    """1 to ``num_rounds``; 0 in the set-up."""
    num_rounds: int
    phase: str
    """A name of PHASE_NAMES."""
    decision: str
    """A name of DECISION_NAMES."""
    follow_up: str | None
    """Sentence about the pending follow-up of an ability (X8 N2); None when no follow-up is to be decided."""
    open_actions: tuple[str, ...]
    """Actions left of the current one, such as "sail" and "draw"; empty when no target is to be decided."""
    seat: int
    """The seat that decides; -1 when the game is over."""
    removals_left: int
    """Tokens that still leave the tracks in set-up (V2S.4)."""
    slavery_abolished: bool
    sides: tuple[str, ...]
    """Names of all sides that own discs on the map."""
    mats: tuple[MatView, ...]
    """One for each seat, then the Opposition's."""
    neutral_out: int
    """Neutral discs that were attacked and left the game (V2S.13)."""
    regions: tuple[RegionView, ...]
    connections: tuple[ConnectionView, ...]
    building_supply: dict[str, int]
    """Copies left in the common supply; in ``solo`` without those on the grid."""
    solitaire: SolitaireView | None
    """Only in ``solo``."""
    exploits: tuple[TileView, ...]
    """The Exploits in play; empty in other games."""
    moves: tuple[MoveView, ...]
    """The last moves, as many as were asked for, oldest first."""
    opposition_steps: tuple[Step, ...]
    """Steps of the Opposition during and after ``moves``, with their reasons."""

    def who(self, seat: int) -> str:
        """Return what a seat is called inside a sentence."""
        return in_sentence(self.mats[seat].title)


# --- Reads what the Exploits have on the table: the tiles in play, their pieces, and what an ability brings ----------


def _name(names: Sequence[str], number: int) -> str | None:
    """Return a name by its number, None if there is no such number."""
    return names[number] if 0 <= number < len(names) else None


def follow_up_words(board: Board, state: Any, titles: Sequence[str]) -> str | None:
    """Return what the follow-up to be decided asks for, None if there is none; ``titles`` are those of the seats."""
    if state.decision != c.DECIDE_FOLLOW_UP:
        return None
    item = int(state.follow_item)
    return FOLLOW_UPS[int(state.follow_up)].question.format(
        victim=in_sentence(_name(titles, item) or ""),
        left=int(state.follow_left),
        region=_name(board.regions, item),
        building=_name(board.buildings, item),
        card=_name(board.cards, item),
        token=_name(c.TOKEN_NAMES, item),
    )


def cards_of_pile(state: Any, deck: int) -> list[int]:
    """Return the cards of a pile, the top one first; foreign ones can be among them (E13)."""
    cards, card = [], int(state.pile_head[deck])
    while card != c.NONE:
        cards.append(card)
        card = int(state.pile_below[card])
    return cards


def governor_lies_apart(board: Board, state: Any, deck: int) -> bool:
    """Return whether the Governor of a deck has not been given out; it is in no pile (X0)."""
    cards = slice(deck * c.CARDS_PER_DECK, (deck + 1) * c.CARDS_PER_DECK)
    return bool((board.array[0].card_governor[cards] & (state.card_place[cards] == c.CARD_IN_PILE)).any())


# --- mats -------------------------------------------------------------------------------------------------------------


def read_items(board: Board, state: Any, mat: int) -> dict[str, int]:
    """Return the pieces of Exploits that a seat has, by name."""
    if state.variant != c.VARIANT_EXPLOITS or mat >= state.num_seats:
        return {}
    items: Counter[str] = Counter()
    for holder, building in zip(state.cannon_seat.tolist(), state.cannon_building.tolist(), strict=True):
        if holder == mat:
            items["cannon in harbor" if building == c.NONE else f"cannon on {board.buildings[building]}"] += 1
    items.update(_held(board, state, mat))
    for name, number in (("blockade", state.blockades[mat]), ("galleon", state.galleons[mat])):
        items[name] += int(number)
    return {name: number for name, number in items.items() if number}


def _held(board: Board, state: Any, holder: int) -> list[str]:
    """Return the names of the tokens with a picture that a seat has."""
    return [name for one in EXPLOITS if one.tokens for name in one.tokens.of(board.array[0], state, holder)]


# --- tiles ------------------------------------------------------------------------------------------------------------


def read_tiles(board: Board, state: Any, sides: Sequence[str]) -> tuple[TileView, ...]:
    """Return the Exploits in play, in their order (X8 N1)."""
    return tuple(
        _read_tile(board, state, sides, exploit) for exploit in EXPLOITS if state.exploits >> exploit.number & 1
    )


def _read_tile(board: Board, state: Any, sides: Sequence[str], exploit: Exploit) -> TileView:
    first, second = board.array[0].exploit_region[exploit.number].tolist()
    active = bool(state.open[first] and state.open[second])
    shields = [seat for seat in range(state.num_seats) if active and state.presence[seat, [first, second]].all()]
    spaces = exploit.spaces(state) if exploit.spaces else {}
    discs = {place: _of_sides(sides, count(state)) for place, count in exploit.discs.items()}
    return TileView(
        id=exploit.name,
        regions=(board.regions[first], board.regions[second]),
        active=active,
        shields=tuple(sides[seat] for seat in shields),
        spaces={name: _name(sides, int(owner)) for name, owner in spaces.items()},
        discs={place: counts for place, counts in discs.items() if counts},
        left=_pieces_left(board, state, exploit),
        notes=exploit.notes(board, state) if exploit.notes else (),
    )


def _of_sides(sides: Sequence[str], counts: Any) -> dict[str, int]:
    """Return how many discs each side has that has any."""
    return {side: count for side, count in zip(sides, counts.tolist(), strict=False) if count}


def _pieces_left(board: Board, state: Any, exploit: Exploit) -> dict[str, int]:
    """Return the pieces that still lie on a tile."""
    left = Counter(exploit.tokens.of(board.array[0], state, c.ON_TILE) if exploit.tokens else ())
    if exploit.pieces:
        name, number = exploit.pieces
        left[name] = int(number(state))
    return {name: number for name, number in left.items() if number}


# --- Reads what only the solitaire game has on the table (S0) --------------------------------------------------------

_COLOURS = slice(c.FIRST_COLOUR, c.FIRST_COLOUR + c.NUM_COLOURS)


def read_solitaire_table(board: Board, states: results.States) -> SolitaireView:
    """Return scale, grid and the rest of a position of ``solo``, (1,) STATE."""
    state = states[0]
    waiting = state.waiting_kind[: state.num_waiting][::-1]
    retained = [card for card, place in zip(board.cards, state.card_place, strict=True) if place == c.CARD_RETAINED]
    return SolitaireView(
        acting=c.COLOUR_NAMES[state.acting] if state.acting >= c.FIRST_COLOUR else None,
        opposition_first=bool(state.opposition_first),
        waiting_tokens=tuple(c.TOKEN_NAMES[kind] for kind in waiting),
        supply=dict(zip(c.COLOUR_NAMES[_COLOURS], state.supply[_COLOURS].tolist(), strict=True)),
        retained=tuple(retained),
        scale=tuple(c.COLOUR_NAMES[side] for side in state.scale),
        marker=int(state.ipf),
        bonus_due=bool(state.bonus_due),
        acting_position=acting_position(states),
        grid=tuple(_building_ids(board, row) for row in state.grid),
        crown=(int(state.isb_level), int(state.isb_column)),
        pending=_building_ids(board, state.pending),
        result=results.ladder(board, states) if state.phase == c.PHASE_OVER else None,
    )


def _building_ids(board: Board, numbers: Any) -> tuple[str | None, ...]:
    ids: Sequence[str] = board.buildings
    return tuple(ids[number] if number != c.NONE else None for number in numbers)


# --- Reads a ``View`` from a game or from a bare position ------------------------------------------------------------

_ONE_NEUTRAL_SIDE = (c.VARIANT_SOLOPLAY_2, c.VARIANT_SOLOPLAY_3)
_LEVEL_TABLES = ("build_level", "growth", "payments", "card_limit")  # of BOARD, in the order of STATUS_NAMES


class _Fields(SimpleNamespace):
    """The fields of a record, by attribute and by name, which a record itself looks up slowly at each reading."""

    def __init__(self, record: Any) -> None:
        """Look all fields up once."""
        super().__init__(**dict(zip(record.dtype.names, record.item(), strict=True)))

    def __getitem__(self, name: str) -> Any:
        """Return a field."""
        return getattr(self, name)


def view_game(game: GameLike, since: int | None = None) -> View:
    """Return the view of a game with its last moves and, in ``solo``, what the Opposition then did.

    Args:
        game: Any game, also a finished one.
        since: How many moves the reader has seen already; None stands for all but the last. Without new moves the
            last one is shown again.

    Raises:
        InvalidOptionError: No game, or ``since`` is no whole number from 0 on.
    """
    try:
        made, _, _ = len(game.history), game.board.array, game.state["variant"][0]
    except Exception as error:  # whatever an object that is no game raises
        raise no_game(game) from error
    known = 0 if since is None else whole_number(since)
    if known is None or known < 0:
        raise InvalidOptionError(f"since={shown(since)} is not possible: give a number of moves, or None")
    all_but_last = max(0, made - 1)
    seen = all_but_last if since is None else min(known, all_but_last)
    steps: Sequence[Step] = ()
    if is_solo(game.state):
        from_the_start = (since is not None and known == 0) or not game.history
        steps = explain_since(game, -1 if from_the_start else seen)
    return view_position(game.board, game.state, game.history[seen:], steps, played_of(game))


def view_position(
    board: Board,
    states: States,
    moves: Sequence[tuple[int, int]] = (),
    steps: Sequence[Step] = (),
    played: PlayersInfo | None = None,
) -> View:
    """Return the view of a bare position.

    Args:
        board: The board played on.
        states: (1,) STATE, read only.
        moves: The (seat, action id) pairs to show as the last moves, oldest first.
        steps: What the Opposition did, oldest first.
        played: Who plays; None if nobody knows.
    """
    state, rules, sides = _Fields(states[0]), _Fields(board.array[0]), _side_names(states)
    titles = seat_titles(played, int(state.num_seats), is_solo(states))
    return View(
        board=board,
        variant=c.VARIANT_NAMES[state.variant],
        options=options_of_state(states),
        round=int(state.round_number),
        num_rounds=int(rules.num_rounds),
        phase=c.PHASE_NAMES[state.phase],
        decision=c.DECISION_NAMES[state.decision],
        follow_up=follow_up_words(board, state, titles),
        open_actions=_open_actions(state),
        seat=int(state.seat),
        removals_left=int(state.removals_left),
        slavery_abolished=bool(state.abolished),
        sides=sides,
        mats=_read_mats(board, state, states, titles),
        neutral_out=int(state.supply[state.num_seats]) if state.variant in _ONE_NEUTRAL_SIDE else 0,
        regions=tuple(_read_region(board, rules, state, region, sides) for region in range(len(board.regions))),
        connections=_read_connections(board, rules, state, sides, is_solo(states)),
        building_supply=_counted(board.buildings, state.building_supply),
        solitaire=read_solitaire_table(board, states) if is_solo(states) else None,
        exploits=read_tiles(board, state, sides),
        moves=tuple(MoveView(seat, to_text(board, action)) for seat, action in moves),
        opposition_steps=tuple(steps),
    )


def _side_names(states: States) -> tuple[str, ...]:
    """Return the names of the sides that own discs on the map."""
    seats = tuple(str(seat) for seat in range(states["num_seats"][0]))
    variant = states["variant"][0]
    if variant == c.VARIANT_SOLO:
        return c.COLOUR_NAMES
    if variant in _ONE_NEUTRAL_SIDE:
        return (*seats, "neutral")
    return (*seats, *(f"neutral-{seat}" for seat in seats)) if variant == c.VARIANT_NEUTRAL_2 else seats


def _open_actions(state: Any) -> tuple[str, ...]:
    """Return the verbs of the parts of the action under way that are still open."""
    if state.decision != c.DECIDE_TARGET:
        return ()
    return tuple(c.ACTION_NAMES[part] for part in state.parts.tolist() if part != c.NONE)


def _counted(names: Sequence[str], counts: Any) -> dict[str, int]:
    """Return the counts other than 0 by name; ``counts`` may be longer than ``names``."""
    return {name: int(count) for name, count in zip(names, counts, strict=False) if count}


# --- mats -----------------------------------------------------------------------------------------------------------


def _read_mats(board: Board, state: Any, states: States, titles: Sequence[str]) -> tuple[MatView, ...]:
    """Return the mats of the seats, then the Opposition's."""
    names = ("player", "Opposition") if is_solo(states) else [str(seat) for seat in range(states["num_seats"][0])]
    glory = breakdowns(board, states)
    return tuple(
        _read_mat(board, state, is_solo(states), mat, name, title, glory[mat].tolist())
        for mat, (name, title) in enumerate(zip(names, titles, strict=True))
    )


def _read_mat(board: Board, state: Any, alone: bool, mat: int, name: str, title: str, glory: list[int]) -> MatView:
    has_seat = bool(mat < state.num_seats)
    return MatView(
        name=name,
        title=title,
        decides=bool(state.seat == mat),
        first_player=bool(state.first_player == mat) and not alone,  # alone, nobody is the first
        passed=has_seat and bool(state.passed[mat]),
        statuses=dict(zip(c.STATUS_NAMES, state.status[mat].tolist(), strict=True)),
        levels=_read_levels(board, state.status[mat].tolist()),
        harbor=int(state.harbor[mat]) if has_seat else None,
        supply=int(state.supply[mat]) if has_seat else None,
        neutral=_read_neutral_discs(state, mat) if has_seat else {},
        glory=sum(glory),
        glory_by_source=_counted([part.key for part in PARTS], glory),
        buildings=tuple(
            BuildingView(name, int(copies), int(occupied))
            for name, copies, occupied in zip(board.buildings, state.buildings[mat], state.occupied[mat], strict=False)
            if copies
        ),
        cards=tuple(card for card, place in zip(board.cards, state.card_place, strict=True) if place == mat),
        face_down=int((state.card_place == c.CARD_FACE_DOWN + mat).sum()),
        tokens=_counted(c.TOKEN_NAMES, state.tokens[mat]),
        items=read_items(board, state, mat),
    )


def _read_levels(board: Board, icons: Sequence[int]) -> dict[str, int]:
    """Return what each status gives; its marker stays on the track (R10.1)."""
    rules = board.array[0]
    levels = {}
    for name, table, count in zip(c.STATUS_NAMES, _LEVEL_TABLES, icons, strict=True):
        levels[name] = int(rules[table][max(0, min(rules.status_max, count))])
    return levels


def _read_neutral_discs(state: Any, seat: int) -> dict[str, int]:
    """Return the neutral discs that belong to a seat, by where they lie (V2S.2, V2S.6, V2F.1)."""
    if state.variant in _ONE_NEUTRAL_SIDE:
        return {"neutral harbor": int(state.neutral_harbor[seat]), "reserve": int(state.neutral_reserve[seat])}
    if state.variant == c.VARIANT_NEUTRAL_2:
        return {"neutral supply": int(state.supply[state.num_seats + seat])}
    return {}


# --- map ------------------------------------------------------------------------------------------------------------


def _read_space(token: int, owner: int, sides: Sequence[str]) -> SpaceView:
    return SpaceView(
        token=c.TOKEN_NAMES[token] if token != c.NONE else None,
        owner=sides[owner] if owner >= 0 else None,
        closed=bool(owner == c.SPACE_CLOSED),
    )


def _read_region(board: Board, rules: Any, state: Any, region: int, sides: Sequence[str]) -> RegionView:
    first_space = c.TRACK_SPACES + region * c.MAX_TRACK
    cities = np.flatnonzero(rules.city_region[: len(board.cities)] == region).tolist()
    return RegionView(
        id=board.regions[region],
        open=bool(state.open[region]),
        track=tuple(
            _read_space(state.token[first_space + index], state.track_owner[region, index], sides)
            for index in range(rules.track_length[region])
        ),
        beside=_counted(sides, state.beside[:, region]),
        cities=tuple(
            CityView(
                id=board.cities[city],
                glory=int(rules.city_glory[city]),
                space=_read_space(state.token[c.CITY_SPACES + city], state.city_owner[city], sides),
                pieces=pieces_in_city(state, city),
            )
            for city in cities
        ),
        decks=tuple(
            _read_deck(board, state, deck) for deck in range(len(board.decks)) if rules.deck_region[deck] == region
        ),
    )


def _read_deck(board: Board, state: Any, deck: int) -> DeckView:
    if state.variant == c.VARIANT_EXPLOITS:
        apart = governor_lies_apart(board, state, deck)
        return DeckView(board.decks[deck], tuple(board.cards[card] for card in cards_of_pile(state, deck)), apart)
    cards = range(deck * c.CARDS_PER_DECK, (deck + 1) * c.CARDS_PER_DECK)
    return DeckView(
        board.decks[deck], tuple(board.cards[card] for card in cards if state.card_place[card] == c.CARD_IN_PILE)
    )


def _read_connections(
    board: Board, rules: Any, state: Any, sides: Sequence[str], alone: bool
) -> tuple[ConnectionView, ...]:
    """Return every connection with its token and the side that controls it (R8.4.1).

    Neutral discs control none (V2S.10, V2F.7), and nobody a blocked one (E3).
    """
    controlling = range(len(sides) if alone else state.num_seats)
    connections = []
    for number, name in enumerate(board.connections):
        first, second = (int(state.city_owner[city]) for city in rules.connection_city[number])
        blocked = bool(state.blocked >> number & 1)
        owner = first if first == second and first in controlling and not blocked else c.NONE
        space = _read_space(state.token[c.CONNECTION_SPACES + number], owner, sides)
        connections.append(ConnectionView(name, space, blocked))
    return tuple(connections)


# --- One plain description of a position, read from the state once, from which every renderer draws ------------------

__all__ = [
    "BuildingView",
    "CityView",
    "ConnectionView",
    "DeckView",
    "MatView",
    "MoveView",
    "RegionView",
    "SolitaireView",
    "SpaceView",
    "TileView",
    "View",
    "view_game",
    "view_position",
]
