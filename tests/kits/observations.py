"""Positions for the tests of the observations: played ones, and ones with every field drawn at random."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env import Game
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.observation import observe
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.rng import seeded
from tests.kits import exploit_observations

State = npt.NDArray[np.void]
KINDS = ("features", "compact")
VARIANTS = tuple(name for name in c.VARIANT_NAMES[1:] if name != "exploits")
"""The variants that share the layout of the variants."""
TABLES = (
    ("standard", 3),
    ("standard", 4),
    ("standard", 5),
    *((name, c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(name)][0]) for name in VARIANTS),
    ("exploits", 3),
    ("exploits", 5),
)
"""Every variant with a number of players."""

MAT_ROWS = (
    *("status", "passed", "harbor", "tokens", "buildings", "occupied", "num_cards", "num_governors", "num_slavery"),
    *("num_face_down", "neutral_reserve", "neutral_harbor"),
)
"""Fields with a row for every mat."""
SIDE_ROWS = ("supply", "beside", "presence")
"""Fields with a row for every side."""
SEATS = ("first_player", "seat")
"""Fields that hold seat numbers or NONE."""
SIDES = ("city_owner", "track_owner")
"""Fields that hold sides, NONE or SPACE_CLOSED."""


def played(
    players: int, seed: int, decisions: int, board: Board | None = None, variant: str = "standard", **options: Any
) -> Game:
    """Return a game after so many random legal decisions, or at its end; with Exploits, odd seeds have all of them."""
    exploits = (c.EXPLOIT_NAMES if seed % 2 else "random") if variant == "exploits" else None
    game = Game.new(players, variant, seed, board=board, exploits=exploits, options=options)
    entry.play_random(game.board.array, game.state, seeded(seed), c.MAX_SEATS, decisions)
    return game


def mats(game: Game) -> int:
    """Return the number of mats: one for each seat, and the Opposition's."""
    return 2 if game.variant == "solo" else game.num_players


def sides(game: Game) -> int:
    """Return the number of sides that own discs on the map."""
    return game.num_players + {"standard": 0, "exploits": 0, "solo": 4, "neutral_2": 2}.get(game.variant, 1)


def scrambled(players: int, seed: int, board: Board | None = None, variant: str = "standard") -> Game:
    """Return a game with every field of its state drawn from its range, whether the rules could lead there or not."""
    game = Game.new(players, variant, seed=0, board=board)
    rng = np.random.default_rng(seed)
    for name, choices in ranges(game).items():
        game.state[name] = rng.integers(choices[0], choices[1] + 1)
    for region, length in enumerate(game.board.array["track_length"][0]):
        _scramble_track(game, rng, region, int(length))
    gone = np.array([c.CARD_OUT_OF_GAME, *(c.CARD_FACE_DOWN + mat for mat in range(mats(game)))])
    places = np.array([*range(mats(game)), c.CARD_IN_PILE, *gone])
    game.state["card_place"] = rng.choice(places, c.NUM_CARDS)
    if variant == "solo":
        _scramble_solo(game, rng)
    if variant == "exploits":
        exploit_observations.scramble(game, rng)
    return game


def _scramble_track(game: Game, rng: np.random.Generator, region: int, length: int) -> None:
    """Draw the discs on one track, and in SoloPlay's variants its closed spaces."""
    space = np.arange(c.MAX_TRACK)
    owner = np.where(space < game.state["track_next"][0, region], rng.integers(0, sides(game), c.MAX_TRACK), c.NONE)
    token = game.state["token"][0, c.TRACK_SPACES + region * c.MAX_TRACK :][: c.MAX_TRACK]
    if game.variant in ("soloplay_2", "soloplay_3"):
        closed = (space < length) & (rng.random(c.MAX_TRACK) < 0.2)
        owner[closed] = c.SPACE_CLOSED
        token[closed] = c.NONE
    game.state["track_owner"][0, region] = owner
    token[length:] = c.NONE


def _scramble_solo(game: Game, rng: np.random.Generator) -> None:
    """Draw what only a solo game has; a type lies on the grid once at most, and only Governors are retained."""
    state, board = game.state[0], game.board.array[0]
    for level in range(c.GRID_LEVELS):
        types = np.flatnonzero(board["building_level"] == level + 1)[: c.GRID_COLUMNS]
        state["grid"][level] = np.where(rng.random(c.GRID_COLUMNS) < 0.8, rng.permutation(types), c.NONE)
        state["pending"][level] = rng.choice([c.NONE, *types])
    state["europe_order"] = rng.permutation(np.arange(1, 5))
    state["acting"] = rng.choice([c.NONE, 1, 2, 3, 4])
    waits = np.arange(c.MAX_WAITING) < state["num_waiting"]
    state["waiting_kind"] = np.where(waits, rng.integers(c.FIRST_BLUE, c.NUM_TOKEN_KINDS, c.MAX_WAITING), c.NONE)
    state["waiting_regions"] = np.where(waits, rng.integers(1, 128, c.MAX_WAITING), 0)
    kept = board["card_governor"].astype(bool) & (rng.random(c.NUM_CARDS) < 0.5)
    state["card_place"][kept] = c.CARD_RETAINED


def ranges(game: Game) -> dict[str, tuple[Any, Any]]:
    """Return lowest and highest value of every field but tracks and cards, as arrays of the field's shape."""
    high = _common_ranges(game)
    if game.variant in VARIANTS:
        high |= _neutral_ranges(game)
    if game.variant == "solo":
        high |= _SOLO_RANGES
    lows = dict.fromkeys(("seat", "source", "parts", "lock_region", "lock_deck", "token", "city_owner"), -1)
    lows |= {"neutral_due": -1, "scale": 1, "ipf": 1, "last_built": -1}
    shapes = {name: game.state[name].shape for name in high}
    return {
        name: (np.full(shapes[name], lows.get(name, 0)), np.broadcast_to(value, shapes[name]))
        for name, value in high.items()
    }


def _common_ranges(game: Game) -> dict[str, Any]:
    board, players = game.board.array[0], game.num_players
    here, beside = (np.arange(c.MAX_SEATS) < count for count in (mats(game), sides(game)))
    owned = here[:, None] * (board["building_copies"] + board["building_start"])
    city = np.arange(c.MAX_CITIES) < board["num_cities"]
    space = np.array([name is not None for name in game.board.spaces])
    return {
        "first_player": players - 1,
        "round_number": 7,
        "phase": 5,
        "decision": {"standard": c.NUM_DECISIONS - 1, "exploits": c.NUM_DECISIONS}.get(
            game.variant, c.NUM_VARIANT_DECISIONS - 1
        ),
        "seat": players - 1,
        "sweep": players,
        "payments_left": 5,
        "abolished": 1,
        "source": board["num_building_types"] - 1,
        "mode": 5,
        "parts": [4, 4],
        "parts_done": 2,
        "lock_region": 6,
        "lock_deck": 7,
        "status": 45 * here[:, None],
        "passed": here.astype(int),
        "supply": 30 * beside,
        "harbor": 30 * here,
        "tokens": here[:, None] * board["token_count"],
        "buildings": owned,
        "occupied": owned,
        "num_cards": 12 * here,
        "num_governors": 7 * here,
        "num_slavery": 6 * here,
        "num_face_down": 6 * here,
        "building_supply": board["building_copies"],
        "pile_top": 6,
        "token": np.where(space, 7, -1),
        "open": 1,
        "city_owner": np.where(city, sides(game) - 1, -1),
        "track_next": board["track_length"],
        "beside": 30 * beside[:, None],
        "presence": 30 * beside[:, None],
    }


def _neutral_ranges(game: Game) -> dict[str, Any]:
    seats = np.arange(c.MAX_SEATS) < game.num_players
    return {
        "ties_first": 1,
        "difficulty": 2,
        "ignore_industry": 1,
        "removed_stay": 1,
        "removals_left": 8,
        "neutral_reserve": 3 * seats,
        "neutral_harbor": 3 * seats,
        "neutral_regions": 127,
        "neutral_due": 1,
    }


_SOLO_RANGES: dict[str, Any] = {
    "scale": 4,
    "ipf": 8,
    "bonus_due": 1,
    "last_built": 15,
    "isb_level": 4,
    "isb_column": 2,
    "opposition_first": 1,
    "task": 7,
    "task_step": 3,
    "num_waiting": 16,
}


def turned_seats(state: State, by: int) -> npt.NDArray[np.int64]:
    """Return the new number of every seat when each is raised by ``by``; mats without a seat keep theirs."""
    numbers, players = np.arange(c.MAX_SEATS), int(state["num_seats"][0])
    return np.where(numbers < players, (numbers + by) % players, numbers)


def turned_sides(state: State, by: int) -> npt.NDArray[np.int64]:
    """Return the new number of every side; the neutral sides of ``neutral_2`` go with their seats."""
    numbers = turned_seats(state, by)
    if state["variant"][0] == c.VARIANT_NEUTRAL_2:
        numbers[2:4] = 2 + numbers[:2]
    return numbers


def rotated(state: State, by: int) -> State:
    """Return the same position with every seat number raised by ``by``, modulo the number of players."""
    to_seat, to_side = turned_seats(state, by), turned_sides(state, by)
    turned = state.copy()
    for names, to in ((MAT_ROWS, to_seat), (SIDE_ROWS, to_side)):
        for name in names:
            turned[name][0, to] = state[name][0]
    for names, to in ((SEATS, to_seat), (SIDES, to_side)):
        for name in names:
            turned[name] = np.where(state[name] >= 0, to[np.maximum(state[name], 0)], state[name])
    place = state["card_place"]
    down = c.CARD_FACE_DOWN + to_seat[np.clip(place - c.CARD_FACE_DOWN, 0, 4)]
    held = np.where(place >= 0, to_seat[np.clip(place, 0, 4)], place)
    turned["card_place"] = np.where(place >= c.CARD_FACE_DOWN, down, held)
    exploit_observations.rotate(turned, state, to_seat)
    return turned


def with_state(game: Game, state: State) -> Game:
    """Return a game on the same board in another position."""
    other = game.clone()
    other.take_position(state)
    return other


def digest() -> str:
    """Return one hash over many observations, to compare processes with."""
    total = hashlib.sha256()
    for variant, players in TABLES:
        games = [played(players, players, decisions, variant=variant) for decisions in (0, 40, 80, 120, 1000)]
        games += [scrambled(players, seed, variant=variant) for seed in range(5)]
        for game in games:
            for kind in KINDS:
                total.update(observe(game, players - 1, kind).tobytes())
    return total.hexdigest()
