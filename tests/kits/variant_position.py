"""Sound positions of the variants with neutral discs, on top of `position.Position`.

Everything `Position` can do works here, with sides in place of seats where discs lie on the map: `NEUTRAL[variant]` is
the neutral side of `soloplay_2` and `soloplay_3`, `N1` and `N2` are those of seats 0 and 1 in `neutral_2`::

    position = Variant("soloplay_2").neutral(0, harbor=1)      # neutral discs of a seat; the rest stays in reserve
    position.closed("india", 1, 5).track("india", 0, 2)        # discs on spaces 2 and 3; 2 is the neutral side
    position.city("bombay", 2)                                 # opens India: the last seat fills the track

What the kit fills in:

* `soloplay_2` closes 12 spaces and `soloplay_3` closes 8, the far ones first, besides those named with `closed`
  (which, in `soloplay_2`, must include the far one). With `removed_stay` they have no token but take discs.
* Neutral discs neither in reserve, in harbor nor on the map have left the game; seats not named with `neutral`
  keep in reserve what is left of theirs.
* The tokens of closed spaces, and in `neutral_2` those under neutral discs, are out of the game.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Self

import numpy as np

from endeavor_env import Game
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.rules import constants as c
from tests.kits.position import DISCS, Position, _spread
from tests.kits.see import See

PLAYERS = {"soloplay_2": 2, "soloplay_3": 3, "neutral_2": 2}
SOLOPLAY = ("soloplay_2", "soloplay_3")
NEUTRAL = {"soloplay_2": 2, "soloplay_3": 3}
N1, N2 = 2, 3
NEUTRAL_DISCS = {"soloplay_2": 3, "soloplay_3": 2}
"""Neutral discs of a seat."""
REMOVED = {"soloplay_2": 12, "soloplay_3": 8, "neutral_2": 0}
"""Tokens removed from the tracks in set-up, and (next line) how many of them from one track at most."""
MOST_REMOVED = {"soloplay_2": 3, "soloplay_3": 2}


class Variant(Position):
    """A position of a variant under construction; see the top of this file."""

    def __init__(self, variant: str, *, removed_stay: bool = False, board: Board | None = None) -> None:
        """Start a position of ``variant``; ``removed_stay`` is its option variant_removed_spaces_stay."""
        super().__init__(PLAYERS[variant], board=board)
        self.variant, self.removed_stay = variant, removed_stay
        self.sides = 4 if variant == "neutral_2" else self.players + 1
        self._neutral: dict[int, tuple[int, int | None]] = {}
        self._closed: dict[str, list[int]] = {}
        self._all_closed: dict[str, list[int]] | None = None

    def neutral(self, seat: int, *, harbor: int = 0, reserve: int | None = None) -> Self:
        """Set the neutral discs of a seat; what it lacks of them is on the map or has left the game."""
        self._neutral[seat] = (harbor, reserve)
        return self

    def closed(self, region: str, *numbers: int) -> Self:
        """Close exactly these shipping spaces of a region, counted from 1 at the far end."""
        self._closed[region] = sorted(numbers)
        return self

    def _new_game(self) -> Game:
        options = {"variant_removed_spaces_stay": True} if self.removed_stay else None
        setup = {"first_player": self._first, "tokens": self._layout()}
        return Game.new(variant=self.variant, board=self.on, setup=setup, options=options)

    def _closing(self) -> dict[str, list[int]]:
        """The numbers of the closed spaces of every region; fixed once asked for."""
        if self._all_closed is None:
            self._all_closed = self._close()
        return self._all_closed

    def _close(self) -> dict[str, list[int]]:
        closed = {region: list(self._closed.get(region, [])) for region in self.on.regions}
        free = [region for region in self.on.regions if region not in self._closed and Position._spaces(self, region)]
        missing = REMOVED[self.variant] - sum(map(len, closed.values()))
        if missing:
            for region in islice(free * MOST_REMOVED[self.variant], missing):
                closed[region].append(len(closed[region]) + 1)
        assert sum(map(len, closed.values())) == REMOVED[self.variant], f"these spaces cannot be closed: {closed}"
        if self.variant == "soloplay_2":
            assert all(1 in closed[region] for region in self.on.regions[1:]), f"the far spaces are closed: {closed}"
        return closed

    def _spaces(self, region: str) -> list[int]:
        closed = [] if self.removed_stay else self._closing()[region]
        return [index for index in super()._spaces(region) if index + 1 not in closed]

    def _copies(self, building: str) -> int:
        level = int(self.on.array[0].building_level[self.on.buildings.index(building)])
        return super()._copies(building) - (self.variant == "soloplay_2" and 1 <= level <= 4)

    def _taken(self) -> set[str]:
        lost = {f"{region}.{number}" for region, numbers in self._closing().items() for number in numbers}
        return super()._taken() | lost

    def _spend_surplus(self, pool: Counter[str], surplus: int, held: dict[int, Counter[str]]) -> None:
        lost = REMOVED[self.variant]
        if self.variant == "neutral_2":
            lost = sum(side >= self.players for side in self._city.values())
            lost += sum(side >= self.players for discs in self._track.values() for side in discs)
        out = Counter(islice(_spread(pool), min(lost, surplus)))
        pool.subtract(out)
        super()._spend_surplus(pool, surplus - out.total(), held)

    def _fill_board(self, state: np.record) -> None:
        state.track_owner[:] = c.NONE
        super()._fill_board(state)
        if not self.removed_stay:
            for region, numbers in self._closing().items():
                for number in numbers:
                    state.track_owner[self.on.regions.index(region), number - 1] = c.SPACE_CLOSED

    def _placed(self, seat: int) -> int:
        if seat < self.players:
            return super()._placed(seat)
        on_tracks = sum(discs.count(seat) for discs in self._track.values())
        beside = sum(n for (owner, _), n in self._beside.items() if owner == seat)
        return on_tracks + beside + list(self._city.values()).count(seat)

    def _fill_discs(self, state: np.record) -> None:
        super()._fill_discs(state)
        if self.variant == "neutral_2":
            for side in (N1, N2):
                state.supply[side] = DISCS - self._placed(side)
                assert state.supply[side] >= 0, f"side {side} has more than {DISCS} discs on the map"
            return
        each = NEUTRAL_DISCS[self.variant]
        left = each * self.players - self._placed(self.players)
        seats = sorted(range(self.players), key=lambda seat: seat not in self._neutral)
        for seat in seats:
            harbor, reserve = self._neutral.get(seat, (0, None))
            if reserve is None:
                reserve = min(each, left) - harbor
            left -= harbor + reserve
            assert reserve >= 0, f"seat {seat} has no {harbor} neutral discs for its harbor"
            assert harbor + reserve <= each, f"seat {seat} has {each} neutral discs in all"
            state.neutral_harbor[seat], state.neutral_reserve[seat] = harbor, reserve
        assert left >= 0, "there are not so many neutral discs"
        state.supply[self.players] = left  # these have left the game

    def _fill_time(self, state: np.record) -> None:
        super()._fill_time(state)
        state.removals_left = 0


def reserve(game: Game, seat: int) -> int:
    """Neutral discs beside the mat of a seat."""
    return int(game.state[0].neutral_reserve[seat])


def in_harbor(game: Game, seat: int) -> int:
    """Neutral discs in the harbor of a seat."""
    return int(game.state[0].neutral_harbor[seat])


def spaces(game: Game, region: str) -> list[int | str | None]:
    """The spaces of a track from the far end: the side of the disc, None for a free space, or "closed"."""
    at = game.board.regions.index(region)
    owners = game.state[0].track_owner[at, : int(game.board.array[0].track_length[at])].tolist()
    return ["closed" if owner == c.SPACE_CLOSED else None if owner == c.NONE else owner for owner in owners]


def tokens_lying(game: Game) -> dict[str, str]:
    """The kind of every token on the board, by its space."""
    lying = {space: See(game).token_on(space) for space in game.board.space_index}
    return {space: kind for space, kind in lying.items() if kind is not None}
