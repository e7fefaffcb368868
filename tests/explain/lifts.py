"""What takes away the obstacles that reasons name, so that a test can see whether nothing else stands in the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.rules import constants as c


def set_open(state: Any, seat: int, at: int, region: int) -> None:
    state.open[region] = 1


def free_city(state: Any, seat: int, at: int, region: int) -> None:
    state.city_owner[at] = c.NONE


def give_city(state: Any, seat: int, at: int, region: int) -> None:
    state.city_owner[at] = (seat + 1) % c.MAX_SEATS


def more_presence(state: Any, seat: int, at: int, region: int) -> None:
    state.presence[seat, region] += 6


def more_harbor(state: Any, seat: int, at: int, region: int) -> None:
    state.harbor[seat] = 9


def no_region_lock(state: Any, seat: int, at: int, region: int) -> None:
    state.lock_region = c.NONE


def no_pile_lock(state: Any, seat: int, at: int, region: int) -> None:
    state.lock_deck = c.NONE


def no_pirate(state: Any, seat: int, at: int, region: int) -> None:
    state.pirate_at = c.PIRATE_GONE


def no_missionary(state: Any, seat: int, at: int, region: int) -> None:
    state.missionary[:] = c.GONE


def fill_pile(state: Any, seat: int, at: int, region: int) -> None:
    state.pile_top[at], state.pile_head[at] = 1, at * c.CARDS_PER_DECK + 1


def fill_supply(state: Any, seat: int, at: int, region: int) -> None:
    state.building_supply[at] = 1


def put_on_grid(state: Any, seat: int, at: int, region: int) -> None:
    state.grid[0, 0] = at


def more_industry(state: Any, seat: int, at: int, region: int) -> None:
    state.status[seat, c.INDUSTRY] = 15


def no_top_level(state: Any, seat: int, at: int, region: int) -> None:
    state.buildings[seat][Board.default().array[0].building_level == 5] = 0


def give_building(state: Any, seat: int, at: int, region: int) -> None:
    state.buildings[seat, at] = 1


def empty_building(state: Any, seat: int, at: int, region: int) -> None:
    state.occupied[seat, at] = 0
    state.cannon_building[state.cannon_seat == seat] = c.NONE


def fill_building(state: Any, seat: int, at: int, region: int) -> None:
    state.occupied[seat, at] = 1


def another_copy(state: Any, seat: int, at: int, region: int) -> None:
    state.buildings[seat, at], state.occupied[seat, at] = 2, 2


def give_token(state: Any, seat: int, at: int, region: int) -> None:
    state.tokens[seat, at] = 1


def give_card(state: Any, seat: int, at: int, region: int) -> None:
    state.card_place[at] = seat


def fill_track(state: Any, seat: int, at: int, region: int) -> None:
    first = c.TRACK_SPACES + region * c.MAX_TRACK
    state.token[first : first + int(Board.default().array[0].track_length[region])] = 0


def follow(state: Any, seat: int, at: int, region: int) -> None:
    state.neutral_regions |= 1 << region


def sail_due(state: Any, seat: int, at: int, region: int) -> None:
    state.neutral_due = c.SAIL


def occupy_due(state: Any, seat: int, at: int, region: int) -> None:
    state.neutral_due = c.OCCUPY


def space_on_track(state: Any, seat: int, at: int, region: int) -> None:
    state.track_next[region] -= 1


def colour_there(state: Any, seat: int, at: int, region: int) -> None:
    state.presence[state.num_seats + seat, region] += 1


def anywhere(state: Any, seat: int, at: int, region: int) -> None:
    state.neutral_regions = 0


LIFTS: dict[str, Callable[[Any, int, int, int], None]] = {
    "harbor": more_harbor,
    "discs": more_harbor,
    "closed": set_open,
    "taken": free_city,
    "empty": give_city,
    "own": give_city,
    "presence": more_presence,
    "value": more_presence,
    "region lock": no_region_lock,
    "pile lock": no_pile_lock,
    "pirate": no_pirate,
    "missionary": no_missionary,
    "pile": fill_pile,
    "supply": fill_supply,
    "grid": put_on_grid,
    "level": more_industry,
    "top": no_top_level,
    "owned": give_building,
    "used": empty_building,
    "free": fill_building,
    "own pay": another_copy,
    "token": give_token,
    "held": give_card,
    "no token": fill_track,
    "removals": fill_track,
    "follows": follow,
    "city due": sail_due,
    "track due": occupy_due,
    "full": space_on_track,
    "colour": colour_there,
    "same region": anywhere,
}
"""What takes an obstacle away, by the kind of the reason: writes to the state of a seat, target and region."""
