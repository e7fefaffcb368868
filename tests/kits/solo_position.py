"""A kit for positions of the solitaire game: `SoloPosition` builds them, `SoloSee` and `deeds` read them, in ids.

Discs belong to *sides*: WHITE is the player, RED, GREEN, VIOLET and BLACK are the Opposition's colours. Everything that
lies on a mat belongs to PLAYER or MAT::

    game = (
        SoloPosition(RED, GREEN)                     # bottom of the scale; the other discs follow in a fixed order
        .ipf(2)                                      # only Red acts (else 3, 4 or 5, as the round has it)
        .mat(culture=3, politics=1)                  # the Opposition's true icon counts
        .europe(GREEN, "paris").city("london", RED)  # the last one named for a city has it; Paris is free
        .token("paris", "culture")
        .game()
    )
    assert deeds(game, "pass") == ["red occupy:paris"]   # what the Opposition did until something is asked again

The methods of `SoloPosition` stand before those it has from `Position`, whose results are typed as a `Position`.
What differs from there:

* The position is that of round 2 after the player has built ``market``: the player is to move, the Opposition has not
  acted (`acted` says that it has). `build` makes it a Build phase instead, with grid, crown and waiting tiles as named.
* A blue token lies only where `token` names one, and is held only where `tokens` does; the others were spent.
  Connections lose their tokens for that, the last of the board first.
* `mat` without counts, or not called, leaves the Opposition the icons it happens to have.
* Brown tokens left over go to the player, who then needs to be without a `status` call: give it one where its tokens
  matter, so that the kit complains.
* A track that must be full but is not said by whom is filled with discs of BLACK (then VIOLET, ...).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from endeavor_env import Game
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.rules import constants as c
from tests.kits.actions import CITIES, TRACKS
from tests.kits.position import STATUSES, Position, See, assert_sound, play
from tests.kits.see import KINDS

__all__ = [
    "BASE_IPF",
    "BLACK",
    "CITIES",
    "EUROPE",
    "GREEN",
    "LEVELS",
    "MAT",
    "PLAYER",
    "RED",
    "STATUSES",
    "TRACKS",
    "TRACK_DISCS",
    "VIOLET",
    "WHITE",
    "SoloPosition",
    "SoloSee",
    "acting",
    "asked",
    "assert_sound",
    "at_sea",
    "deeds",
    "drawing",
    "play",
    "solo_setup",
]

PLAYER, MAT = 0, c.OPPOSITION
WHITE, RED, GREEN, VIOLET, BLACK = range(1 + c.NUM_COLOURS)
EUROPE = CITIES["europe"]
LEVELS = (
    ("market", "shipyard", "workshop"),
    ("bank", "barracks", "guild_hall"),
    ("dock", "fortress", "theater"),
    ("cartographer", "trade_office", "university"),
    ("exchange", "museum", "parliament"),
)
TRACK_DISCS = {
    "far_east": ("red", "green"),
    "india": ("green", "violet"),
    "north_america": ("violet", "black"),
    "caribbean": ("black", "red"),
    "south_america": ("red", "violet"),
    "africa": ("green", "black"),
}
BASE_IPF = {1: 3, 2: 3, 3: 3, 4: 4, 5: 4, 6: 5, 7: 5}


def solo_setup(
    tokens: Mapping[str, str] | None = None,
    *,
    grid: tuple[tuple[str, ...], ...] = LEVELS,
    scale: tuple[int, ...] = (),
    discs: Mapping[str, tuple[str, str]] = TRACK_DISCS,
    order: tuple[str, ...] = ("red", "green", "violet", "black"),
) -> dict[str, Any]:
    """A set-up in which these spaces hold these tokens, and every other space one of those left, kinds taking turns."""
    board, named = Board.default(), dict(tokens or {})
    pool: Counter[str] = Counter({kind: int(board.array[0].token_count[i]) for i, kind in enumerate(KINDS)})
    pool.subtract(named.values())
    assert min(pool.values()) >= 0, f"the game has too few tokens: {pool}"
    rest = (kind for turn in range(pool.total()) for kind in KINDS if turn < pool[kind])
    return {
        "tokens": {space: named[space] if space in named else next(rest) for space in board.space_index},
        "grid": [list(row) for row in grid],
        "scale": [c.COLOUR_NAMES[side] for side in whole_scale(*scale)],
        "track_discs": {region: list(pair) for region, pair in discs.items()},
        "europe_order": list(order),
    }


def whole_scale(*sides: int) -> list[int]:
    """Eight sides: those given at the bottom, above them what is left of two of each colour."""
    left = [side for _ in range(2) for side in (GREEN, VIOLET, BLACK, RED)]
    for side in sides:
        left.remove(side)
    return [*sides, *left]


class SoloPosition(Position):
    """A position under construction; see the top of this file."""

    def __init__(self, *scale: int, board: Board | None = None) -> None:
        """Start a position with these sides at the bottom of the scale."""
        super().__init__(1 + c.NUM_COLOURS, board=board)
        for side in range(RED, BLACK + 1):
            self._own[side].clear()
            if side != MAT:
                self._goals[side] = dict.fromkeys(STATUSES, 0)  # no mat of their own: no tokens
        self._round = 2
        self._scale = whole_scale(*scale)
        self._ipf: int | None = None
        self._grid: dict[int, tuple[str | None, ...]] = {}
        self._isb = (1, 1)
        self._pending: dict[int, str] = {}
        self._flags: dict[str, int] = {}

    def mat(self, **counts: int) -> SoloPosition:
        """Set all four icon counts of the Opposition; those not named become 0."""
        self.status(MAT, **counts)
        return self

    def retained(self, *governors: str) -> SoloPosition:
        """Governors the Opposition has discarded."""
        self._deal(c.CARD_RETAINED, governors)
        return self

    def europe(self, side: int, *free: str) -> SoloPosition:
        """Fill the cities of Europe, those named aside, with discs of one side."""
        self.cities(side, *[city for city in EUROPE if city not in free])
        return self

    def mixed_europe(self, *free: str) -> SoloPosition:
        """Fill the cities of Europe, those named aside, with discs of Green and Violet that make no connection."""
        violet = ("amsterdam", "paris", "tangier", "venice", "alexandria")
        self.cities(VIOLET, *[city for city in violet if city not in free])
        self.cities(GREEN, *[city for city in EUROPE if city not in (*violet, *free)])
        return self

    def ipf(self, position: int) -> SoloPosition:
        """Move the marker to another position than that of the round."""
        self._ipf = position
        return self

    def bonus(self) -> SoloPosition:
        """A bonus draw is owed."""
        return self.flag(bonus_due=1)

    def acted(self) -> SoloPosition:
        """The Opposition has already acted in this round."""
        return self.flag(opposition_first=1)

    def ties_first(self) -> SoloPosition:
        """The first option settles the Opposition's ties."""
        return self.flag(ties_first=1)

    def easier(self) -> SoloPosition:
        """The easier game."""
        return self.flag(difficulty=c.DIFFICULTY_EASIER)

    def harder(self) -> SoloPosition:
        """The harder game."""
        return self.flag(difficulty=c.DIFFICULTY_HARDER)

    def flag(self, **fields: int) -> SoloPosition:
        """Give fields of the state a value."""
        self._flags.update(fields)
        return self

    def grid(self, level: int, *tiles: str | None) -> SoloPosition:
        """Lay a row of the grid, columns 1 to 3."""
        assert len(tiles) == c.GRID_COLUMNS
        self._grid[level] = tiles
        return self

    def isb(self, level: int, column: int) -> SoloPosition:
        """Set the crown, in the Build phase."""
        self._isb = (level, column)
        return self

    def pending(self, level: int, building: str) -> SoloPosition:
        """A type waits to refill its row."""
        self._pending[level] = building
        return self

    def build(self, seat: int = PLAYER) -> SoloPosition:
        """Build phase."""
        super().build(seat)
        return self

    # --- the result ----------------------------------------------------------------------------------------
    @property
    def _building(self) -> bool:
        return self._when[0] == c.PHASE_BUILD

    def _new_game(self) -> Game:
        game = Game.new(variant="solo", setup=solo_setup(), board=self.on, options={"opposition_ties": "first"})
        if not self._building:
            game.play("build:market")
            self._own[PLAYER]["market"] = max(1, self._own[PLAYER]["market"])
        state = game.state[0]
        state.city_owner[:] = c.NONE
        state.track_owner[:] = c.NONE
        if MAT not in self._goals:
            self.status(MAT, **self._icons_of_the_mat())
        return game

    def _icons_of_the_mat(self) -> dict[str, int]:
        board = self.on.array[0]
        cards = [self.on.cards.index(card) for card, place in self._cards.items() if place == MAT]
        icons = board.card_icons[cards].sum(axis=0) if cards else np.zeros(len(STATUSES), int)
        return {name: int(icons[i]) + self._tokens[MAT][name] for i, name in enumerate(STATUSES)}

    def _supply_of_tokens(self) -> Counter[str]:
        in_use = Counter(self._token.values())
        for tokens in self._tokens.values():
            in_use += tokens
        supply = super()._supply_of_tokens()
        return Counter({kind: n if kind in STATUSES else min(n, in_use[kind]) for kind, n in supply.items()})

    def _fill_buildings(self, state: np.record) -> None:
        rows = np.array(state.grid)
        super()._fill_buildings(state)
        for level in range(c.GRID_LEVELS):
            row = [None if tile == c.NONE else self.on.buildings[tile] for tile in rows[level]]
            row = list(self._grid.get(level + 1, [tile if tile and self._left(tile) > 0 else None for tile in row]))
            state.grid[level] = [self.on.buildings.index(tile) if tile else c.NONE for tile in row]
            for tile in filter(None, row):
                assert self._left(tile) > 0, f"no {tile} is left for the grid"
                state.building_supply[self.on.buildings.index(tile)] -= 1

    def _fill_time(self, state: np.record) -> None:
        state.round_number = self._round
        state.phase, state.decision, state.seat = self._when[:3]
        state.scale = self._scale
        state.ipf = BASE_IPF[self._round] if self._ipf is None else self._ipf
        state.ties_first = 0
        if self._building:
            state.isb_level, state.isb_column = self._isb[0] - 1, self._isb[1] - 1
            for level, building in self._pending.items():
                state.pending[level - 1] = self.on.buildings.index(building)
        for field, value in self._flags.items():
            state[field] = value


class SoloSee(See):
    """Reads a solitaire game in ids."""

    def scale(self) -> list[int]:
        """The discs of the scale, position 1 first."""
        return [int(side) for side in self.state.scale]

    @property
    def ipf(self) -> int:
        """Position of the marker."""
        return int(self.state.ipf)

    @property
    def bonus_due(self) -> bool:
        """Its face."""
        return bool(self.state.bonus_due)

    def row(self, level: int) -> list[str | None]:
        """A row of the grid."""
        return [None if tile == c.NONE else self.board.buildings[tile] for tile in self.state.grid[level - 1]]

    @property
    def isb(self) -> tuple[int, int]:
        """Level and column of the crown."""
        return int(self.state.isb_level) + 1, int(self.state.isb_column) + 1

    def pending(self) -> dict[int, str]:
        """The types that wait to refill a row."""
        return {
            level: self.board.buildings[tile]
            for level, tile in enumerate(self.state.pending, start=1)
            if tile != c.NONE
        }

    def retained(self) -> set[str]:
        """Governors the Opposition has discarded."""
        return {card for card in self.board.cards if self.place(card) == c.CARD_RETAINED}

    def discs_in(self, region: str, side: int) -> int:
        """Discs of a side on and beside a track."""
        return self.track(region).count(side) + self.beside(region, side)


def deeds(game: Game, *moves: str) -> list[str]:
    """Play moves on ``game`` and returns, sorted, what changed hands on the map, among the cards and by Pay tokens.

    ``red occupy:london``, ``green attack:paris``, ``red sail:india``; ``draw:africa`` and ``governor:africa`` are cards
    the Opposition got, ``discard:africa.1`` one it lost, ``take:culture`` a token that left the player.
    """
    before = SoloSee(game.clone())
    after = SoloSee(play(game, *moves))
    return sorted([*_on_the_map(before, after), *_among_the_cards(before, after), *_taken(before, after)])


def _on_the_map(before: SoloSee, after: SoloSee) -> list[str]:
    found = []
    for city in after.board.cities:
        old, new = before.owner(city), after.owner(city)
        if new is not None and old != new:
            found.append(f"{c.COLOUR_NAMES[new]} {'occupy' if old is None else 'attack'}:{city}")
    for region in after.board.regions:
        for side, name in enumerate(c.COLOUR_NAMES):
            found += [f"{name} sail:{region}"] * (after.discs_in(region, side) - before.discs_in(region, side))
    return found


def _among_the_cards(before: SoloSee, after: SoloSee) -> list[str]:
    found = []
    for card in after.board.cards:
        deck, _, value = card.partition(".")
        old, new = before.place(card), after.place(card)
        if new == MAT != old:
            found.append(f"{'governor' if value == 'governor' else 'draw'}:{deck}")
        elif old == MAT != new:
            found.append(f"discard:{card}")
    return found


def _taken(before: SoloSee, after: SoloSee) -> list[str]:
    return [
        f"take:{name}" for name in STATUSES for _ in range(before.tokens(PLAYER)[name] - after.tokens(PLAYER)[name])
    ]


def asked(game: Game, *moves: str) -> set[str]:
    """Play moves and return the options of the choice for the Opposition that the player is then asked for."""
    play(game, *moves)
    assert (game.decision, game.seat) == ("opposition", PLAYER), f"{game!r} asks for no such choice"
    options = game.legal_moves()
    assert len(options) == len(set(options)) > 1, f"no choice: {options}"
    return set(options)


def acting(side: int = RED) -> SoloPosition:
    """A position in which one disc of this side acts after the player's pass."""
    return SoloPosition(side).ipf(2)


def at_sea(side: int = RED) -> SoloPosition:
    """The same with no city free in Europe, and no city of the side there."""
    return acting(side).europe(GREEN if side != GREEN else VIOLET)


def drawing(side: int = RED) -> SoloPosition:
    """A position in which the player's pass ends the round with the bonus draw of this side.

    There is room for high icon counts: others hold Europe, the Far East and North America.
    """
    position = SoloPosition(GREEN, VIOLET, BLACK, side).bonus().acted().mixed_europe()
    position.track("far_east", *[GREEN] * 8).track("north_america", *[VIOLET] * 6).round(4)
    return position
