"""Positions for the tests of the observations: played ones, and ones with every field drawn at random."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env import Game
from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.core import entry
from endeavor_env.core.actions import NUM_ACTIONS
from endeavor_env.core.rng import seeded
from endeavor_env.observation import observe

State = npt.NDArray[np.void]
KINDS = ("features", "compact")

ROWS = (
    *("status", "passed", "supply", "harbor", "tokens", "buildings", "occupied", "num_cards", "num_governors"),
    *("num_slavery", "num_face_down", "beside", "presence"),
)
"""Fields with a row for every seat."""
SEATS = ("first_player", "seat", "city_owner", "track_owner")
"""Fields that hold seat numbers or NONE."""


def played(players: int, seed: int, decisions: int, board: Board | None = None) -> Game:
    """Returns a game after so many random legal decisions, or at its end."""
    game = Game.new(players, seed=seed, board=board)
    mask = np.zeros(NUM_ACTIONS, np.int8)
    entry.play_random(game.board.array, game.state, seeded(seed), mask, c.MAX_SEATS, decisions)
    return game


def scrambled(players: int, seed: int, board: Board | None = None) -> Game:
    """Returns a game with every field of its state drawn from its range, whether the rules could lead there or not."""
    game = Game.new(players, seed=0, board=board)
    rng = np.random.default_rng(seed)
    for name, choices in ranges(game).items():
        game.state[name] = rng.integers(choices[0], choices[1] + 1)
    for region, length in enumerate(game.board.array["track_length"][0]):
        filled = np.arange(c.MAX_TRACK) < game.state["track_next"][0, region]
        game.state["track_owner"][0, region] = np.where(filled, rng.integers(0, players, c.MAX_TRACK), c.NONE)
        game.state["token"][0, c.TRACK_SPACES + region * c.MAX_TRACK :][length : c.MAX_TRACK] = c.NONE
    gone = np.array([c.CARD_OUT_OF_GAME, *(c.CARD_FACE_DOWN + seat for seat in range(players))])
    places = np.array([*range(players), c.CARD_IN_PILE, *gone])
    game.state["card_place"] = rng.choice(places, c.NUM_CARDS)
    return game


def ranges(game: Game) -> dict[str, tuple[Any, Any]]:
    """Returns lowest and highest value of every field but tracks and cards, as arrays of the field's shape."""
    board, state, players = game.board.array[0], game.state, game.num_players
    here = (np.arange(c.MAX_SEATS) < players).astype(int)
    owned = here[:, None] * (board["building_copies"] + board["building_start"])
    city = np.arange(c.MAX_CITIES) < board["num_cities"]
    space = np.array([name is not None for name in game.board.spaces])
    high: dict[str, Any] = {
        "first_player": players - 1,
        "round_number": 7,
        "phase": 5,
        "decision": 6,
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
        "passed": here,
        "supply": 30 * here,
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
        "city_owner": np.where(city, players - 1, -1),
        "track_next": board["track_length"],
        "beside": 30 * here[:, None],
        "presence": 30 * here[:, None],
    }
    none = {"seat", "source", "parts", "lock_region", "lock_deck", "token", "city_owner"}
    shapes = {name: state[name].shape for name in high}
    return {
        name: (np.full(shapes[name], -1 if name in none else 0), np.broadcast_to(value, shapes[name]))
        for name, value in high.items()
    }


def rotated(state: State, by: int) -> State:
    """Returns the same position with every seat number raised by ``by``, modulo the number of players."""
    players = int(state["num_seats"][0])
    turned = state.copy()
    for name in ROWS:
        turned[name][0, :players] = np.roll(state[name][0, :players], by, axis=0)
    for name in SEATS:
        turned[name] = np.where(state[name] >= 0, (state[name] + by) % players, state[name])
    place = state["card_place"]
    down = c.CARD_FACE_DOWN + (place - c.CARD_FACE_DOWN + by) % players
    held = np.where(place >= 0, (place + by) % players, place)
    turned["card_place"] = np.where(place >= c.CARD_FACE_DOWN, down, held)
    return turned


def with_state(game: Game, state: State) -> Game:
    """Returns a game on the same board in another position."""
    other = game.clone()
    other.state = state
    return other


def digest() -> str:
    """Returns one hash over many observations, to compare processes with."""
    total = hashlib.sha256()
    for players in (3, 4, 5):
        games = [played(players, players, decisions) for decisions in (0, 40, 80, 120, 1000)]
        games += [scrambled(players, seed) for seed in range(5)]
        for game in games:
            for kind in KINDS:
                total.update(observe(game, players - 1, kind).tobytes())
    return total.hexdigest()
