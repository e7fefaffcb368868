"""The structures of a game in words, as TypedDicts; ``schema.json`` beside this file is made from them.

A seat is its number. Other owners of discs have names: "neutral", "neutral_0" and "neutral_1" (of seats 0 and 1),
"red", "green", "violet" and "black". Ids of cities, cards, buildings and so on are those of the moves.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

FORMAT: Literal["endeavor-text/1"] = "endeavor-text/1"
"""The name and version of the structures: the number grows when a field changes its meaning or goes away."""


class ActionUnderWay(TypedDict):
    """The action whose targets are being decided; also the remains of the last one."""

    building: str | None
    """The building that was activated, null for a token."""
    mode: str
    open_parts: list[str | None]
    parts_done: int
    region: str | None
    """The region that the next part is bound to."""
    deck: str | None


class OwnBuilding(TypedDict):
    """Copies of one building on a mat."""

    id: str
    copies: int
    occupied: int
    """Copies with a disc on them."""


class Mat(TypedDict):
    """A seat's mat, or the Opposition's."""

    owner: int | str
    passed: bool
    statuses: dict[str, int]
    """Symbols, not capped at 15."""
    harbor: int
    tokens: dict[str, int]
    buildings: list[OwnBuilding]
    cards: list[str]
    face_down: list[str]
    neutral_reserve: int
    neutral_harbor: int


class Deck(TypedDict):
    """A pile of cards."""

    id: str
    top: int
    """Number of its six places above the top card, 6 for an empty pile."""
    pile: list[str]


class City(TypedDict):
    """A city of the board."""

    id: str
    owner: int | str | None
    token: str | None


class Connection(TypedDict):
    """A connection between two cities."""

    id: str
    token: str | None


class ShippingSpace(TypedDict):
    """A space of a shipping track; the owner is "closed" where no disc may lie."""

    owner: int | str | None
    token: str | None


class Region(TypedDict):
    """A region with its track, whose first space is farthest from the pile."""

    id: str
    open: bool
    next: int
    """Index of the next space to fill; the length of the track when it is full."""
    track: list[ShippingSpace]
    beside: dict[str, int]
    """Discs beside the full track, by owner."""


class Neutral(TypedDict):
    """The state of the variants with neutral discs."""

    removals_left: int
    regions: list[str]
    """Regions that may take a neutral disc after this action."""
    due: str | None
    """The part that calls for a neutral disc."""


class Waiting(TypedDict):
    """A blue token that the Opposition has to carry out."""

    kind: str
    regions: list[str]


class Solitaire(TypedDict):
    """The state of the solitaire game."""

    scale: list[str | int | None]
    marker: int
    bonus_due: bool
    grid: list[list[str | None]]
    last_built: str | None
    crown: list[int]
    """Level and column of the last tile built, from 1; 0 for none."""
    pending: list[str | None]
    europe_order: list[str | int | None]
    opposition_first: bool
    task: str
    task_step: int
    acting: str | int | None
    waiting: list[Waiting]
    choices: list[int]
    """Places, counted from the first action id, of what the player chooses from for the Opposition."""
    first_choice: int


class Position(TypedDict):
    """Everything that a position is, apart from how it came about."""

    board: str
    board_hash: str
    variant: str
    players: int
    options: dict[str, str | bool | int]
    exploits: list[str]
    rounds: int
    """Number of rounds in the game."""
    round: int
    phase: str
    decision: str
    seat: int | None
    """Seat to move."""
    first_player: int
    seats_done: int
    """Number of seats done in a phase that goes round the table once."""
    payments_left: int
    slavery_abolished: bool
    action: ActionUnderWay
    mats: list[Mat]
    supplies: dict[str, int]
    """Discs in supply, by owner."""
    building_supply: dict[str, int]
    decks: list[Deck]
    cards_elsewhere: dict[str, str]
    """Cards in no pile and on no mat: "out_of_game", "retained" or "on_haiti"."""
    cities: list[City]
    connections: list[Connection]
    regions: list[Region]
    neutral: Neutral | None
    solitaire: Solitaire | None
    exploit_pieces: dict[str, Any] | None
    """The pieces of the Exploits by name.

    One entry for each seat: ``manila``, ``galleons``, ``blockades``, ``casualty_disc``, ``mains_paid``,
    ``spice_discs``, ``sun``. One for each space of a tile, whose disc lies there: ``railroad``, ``invested``,
    ``pacific``, ``tile_city_owner``. One for each piece, who has it, "tile" or "gone": ``freedom_holder``,
    ``share_holder``, ``cannon_seat``, ``transit_holder``.
    """


class Event(TypedDict):
    """A move that was made."""

    seat: int
    move: str


class Result(TypedDict):
    """The result of a game."""

    scores: list[int]
    breakdown: list[dict[str, int]]
    winners: list[int]
    ladder: str | None
    """The name of the result of a solitaire game."""


class Message(TypedDict):
    """The message to a player at a decision, or after the end."""

    format: Literal["endeavor-text/1"]
    position: Position
    legal_moves: list[str] | int | None
    """The moves, how many there are, or null if the player is told neither."""
    events: list[Event]
    """The last moves, the newest last."""
    result: Result | None
