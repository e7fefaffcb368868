"""The parts of a ``View``: named tuples of names and Python numbers, without arrays and without codes.

Regions, cities, decks, cards and buildings go by the ids of the board, statuses and tokens by their names, and whoever
owns discs by the name of a *side*: "0" to "4" for the seats; "white", "red", "green", "violet" and "black" in ``solo``;
"neutral", or "neutral-0" and "neutral-1", for discs that no seat owns.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.ladder import Ladder
from endeavor_env.endeavor.opposition import Step
from endeavor_env.engine.played import in_sentence


class Space(NamedTuple):
    """A place for a trade token, and in a city or on a track for a disc."""

    token: str | None
    """The kind of the token lying there."""
    owner: str | None = None
    """The side whose disc lies there; on a connection, the side that controls it (R8.4.1)."""
    closed: bool = False
    """Its token was removed in set-up, and it takes no disc (V2S.5)."""


class City(NamedTuple):
    """A city."""

    id: str
    glory: int
    space: Space
    pieces: tuple[str, ...] = ()
    """What an Exploit put there: "fortified", "missionary", "pirate"."""


class Connection(NamedTuple):
    """A connection between two cities."""

    id: str
    space: Space
    blocked: bool = False
    """Whether a blockade lies on it (E3); its token is shown nevertheless, as players may look."""


class Deck(NamedTuple):
    """A pile of asset cards."""

    id: str
    cards: tuple[str, ...]
    """The ids of the cards left in it, top first."""
    governor_apart: bool = False
    """Whether its Governor still lies beside it; only in games with Exploits (X0)."""


class Region(NamedTuple):
    """A region with everything that lies in it."""

    id: str
    open: bool
    track: tuple[Space, ...]
    """Its shipping spaces from the far end; the region open at the start has none."""
    beside: dict[str, int]
    """Discs beside a full track, by side; sides without one are left out."""
    cities: tuple[City, ...]
    decks: tuple[Deck, ...]


class Building(NamedTuple):
    """All copies of a building type on one mat."""

    id: str
    copies: int
    occupied: int
    """Copies with a disc on them."""


class Mat(NamedTuple):
    """What a seat, or the Opposition of ``solo``, has before it."""

    name: str
    """The number of the seat; in ``solo`` "player" or "Opposition"."""
    title: str
    """What people read: the name of who plays, or "Seat 0", "Player"; see ``engine.played.seat_titles``."""
    decides: bool
    first_player: bool
    """Whether it holds the first-player marker."""
    passed: bool
    """Whether it has passed in this round."""
    statuses: dict[str, int]
    """Icons by status, not capped at the end of the track."""
    levels: dict[str, int]
    """What each status gives at present: building level, discs of Growth, payments and card limit (R1.8)."""
    harbor: int | None
    """Discs in harbor; None for the Opposition, which has no harbor."""
    supply: int | None
    """Discs in supply; None for the Opposition, whose colours each have their own (``SolitaireTable.supply``)."""
    neutral: dict[str, int]
    """Neutral discs that belong to the seat, by where they lie; empty in variants without them."""
    glory: int
    """Total, as if the game ended now."""
    glory_by_source: dict[str, int]
    """The parts of the total; those of 0 are left out."""
    buildings: tuple[Building, ...]
    cards: tuple[str, ...]
    """Ids of the cards held face up."""
    face_down: int
    """Slavery cards set aside face down."""
    tokens: dict[str, int]
    """Trade tokens by kind; kinds it has none of are left out."""
    items: dict[str, int]
    """Pieces of Exploits by name, such as "cannon" or "Freedom token of culture"; what it has none of is left out."""


class Tile(NamedTuple):
    """An Exploit in play."""

    id: str
    regions: tuple[str, str]
    active: bool
    """Whether both regions are open (X1.3)."""
    shields: tuple[str, ...]
    """The seats that have a shield on it (X1.4)."""
    spaces: dict[str, str | None]
    """Whose disc lies on each space that takes one, by its name; None if it is free."""
    discs: dict[str, dict[str, int]]
    """Discs by place and seat, where any number of discs can lie; seats without one are left out."""
    left: dict[str, int]
    """Pieces that still lie on the tile, by name; a kind that is used up is left out."""
    notes: tuple[str, ...]
    """What else is to be seen: where the pirate is, cards of the stack, that the bubble has burst."""


class SolitaireTable(NamedTuple):
    """What only ``solo`` has on the table (S0)."""

    acting: str | None
    """The colour that acts for the Opposition now, if one does."""
    opposition_first: bool
    """Whether the Opposition acts before the player in this round (S3.3)."""
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
    """Whether the marker shows its Action side: a bonus draw is due (S3.5)."""
    acting_position: int | None
    """Position of the disc on the scale that acts now, if one does."""
    grid: tuple[tuple[str | None, ...], ...]
    """The building grid, level 1 first."""
    crown: tuple[int, int]
    """Index of the row and the column of the tile that bears the crown."""
    pending: tuple[str | None, ...]
    """The building waiting to refill each row, level 1 first (S7.3)."""
    result: Ladder | None
    """How the game ended; None before its end (S8.3)."""


class Move(NamedTuple):
    """A move that was made."""

    seat: int
    text: str


class View(NamedTuple):
    """Everything there is to see of one position."""

    board: Board
    """Names and all that never changes."""
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
    """What the ability under way brings, in words (X8 N2); None when no follow-up is to be decided."""
    open_actions: tuple[str, ...]
    """What is left of the action under way, such as "sail" and "draw"; empty when no target is to be decided."""
    seat: int
    """The seat that decides; -1 when the game is over."""
    removals_left: int
    """Tokens that still leave the tracks in set-up (V2S.4)."""
    slavery_abolished: bool
    sides: tuple[str, ...]
    """The names of all that own discs on the map."""
    mats: tuple[Mat, ...]
    """One for each seat, then the Opposition's."""
    neutral_out: int
    """Neutral discs that were attacked and left the game (V2S.13)."""
    regions: tuple[Region, ...]
    connections: tuple[Connection, ...]
    building_supply: dict[str, int]
    """Copies left in the common supply; in ``solo`` without those on the grid."""
    solitaire: SolitaireTable | None
    """Only in ``solo``."""
    exploits: tuple[Tile, ...]
    """The Exploits in play; empty in other games."""
    moves: tuple[Move, ...]
    """The last moves, as many as were asked for, oldest first."""
    opposition_steps: tuple[Step, ...]
    """What the Opposition did during and after ``moves``, and why."""

    def who(self, seat: int) -> str:
        """Return what a seat is called inside a sentence."""
        return in_sentence(self.mats[seat].title)
