"""What the slices of ``features`` must hold, worked out with NumPy from the words of the reference page.

What only the variants have is in ``expected_variants``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from endeavor_env import Game
from endeavor_env.endeavor.rules import constants as c
from tests.kits.observations import mats, sides, turned_seats, turned_sides

Values = dict[str, Any]


def features(game: Game, observer: int) -> Values:
    """Return every slice of the standard layout by name, in its shape."""
    seats = [int(mat) for mat in np.argsort(turned_seats(game.state, -observer))[: mats(game)]]
    owners = [int(side) for side in np.argsort(turned_sides(game.state, -observer))[: sides(game)]]
    values = table(game, seats) | action(game) | on_mats(game, seats) | discs(game, owners)
    return values | cards(game, seats) | board_map(game, owners)


def one_hot(index: Any, size: int) -> Any:
    """Return 1 at each index, zeros where it is negative or beyond the last."""
    return (np.arange(size) == np.asarray(index)[..., None]).astype(float)


def relative(owners: Any, order: list[int]) -> Any:
    """Return the places of seats or sides in ``order``; negative numbers stay."""
    owners = np.asarray(owners, int)
    return np.where(owners < 0, owners, np.argsort([*order, *range(len(order), c.MAX_SEATS)])[np.maximum(owners, 0)])


def by_place(rows: Any, order: list[int]) -> Any:
    """Return the rows of ``order``, then rows of zeros."""
    out = np.zeros((c.MAX_SEATS, *np.shape(rows)[1:]))
    out[: len(order)] = np.asarray(rows, float)[order]
    return out


def table(game: Game, order: list[int]) -> Values:
    state, board = game.state[0], game.board.array[0]
    return {
        "players": one_hot(game.num_players - 3, 3),
        "round": [state["round_number"] / board["num_rounds"]],
        "last_round": [state["round_number"] == board["num_rounds"]],
        "phase": one_hot(state["phase"], 6),
        "decision": one_hot(state["decision"], 7),
        "to_move": one_hot(relative(state["seat"], order), 5),
        "first_player": one_hot(relative(state["first_player"], order), 5),
        "sweep": [state["sweep"] / game.num_players],
        "payments_left": [state["payments_left"] / board["payments"].max()],
        "abolished": [state["abolished"]],
    }


def action(game: Game) -> Values:
    state = game.state[0]
    return {
        "source": one_hot(state["source"], c.MAX_BUILDING_TYPES),
        "mode": one_hot(state["mode"], 6),
        "open_parts": one_hot(state["parts"], 5).sum(axis=0) / 2,
        "parts_done": [state["parts_done"] / 2],
        "lock_region": one_hot(state["lock_region"], c.NUM_REGIONS),
        "lock_deck": one_hot(state["lock_deck"], c.NUM_DECKS),
    }


def on_mats(game: Game, order: list[int]) -> Values:
    state, board = game.state[0], game.board.array[0]
    marker = np.minimum(state["status"], board["status_max"])
    gives = [board[name] for name in ("build_level", "growth", "payments", "card_limit")]
    level = np.stack([steps[marker[:, k]] / steps[board["status_max"]] for k, steps in enumerate(gives)], axis=1)
    copies = np.maximum(board["building_copies"] + board["building_start"], 1)
    values = {
        "present": np.arange(c.MAX_SEATS) < game.num_players,
        "passed": state["passed"],
        "harbor": state["harbor"] / 10,
        "harbor_at_least": state["harbor"][:, None] >= np.arange(1, 7),
        "marker": marker / 15,
        "surplus": (state["status"] - marker) / 15,
        "level": level,
        "glory": np.pad(game.scores(), (0, c.MAX_SEATS - len(order))) / 100,
        "tokens_held": state["tokens"] / board["token_count"],
        "buildings": state["buildings"] / copies,
        "occupied": state["occupied"] / copies,
        "cards_held": state["num_cards"] / 12,
        "governors_held": state["num_governors"] / 7,
        "slavery_held": state["num_slavery"] / 6,
        "face_down": state["num_face_down"] / 6,
    }
    return {name: by_place(rows, order) for name, rows in values.items()}


def discs(game: Game, order: list[int]) -> Values:
    state, board = game.state[0], game.board.array[0]
    near_end = 0.5 ** (c.MAX_TRACK - np.arange(c.MAX_TRACK))
    tracks = [state["track_owner"] == side for side in range(c.MAX_SEATS)]
    values = {
        "supply": np.minimum(state["supply"] / board["discs_per_player"], 1),
        "presence": state["presence"] / 5,
        "beside": state["beside"] / 5,
        "track_discs": [own.sum(axis=1) / 8 for own in tracks],
        "track_order": [own @ near_end for own in tracks],
    }
    return {name: by_place(rows, order) for name, rows in values.items()}


def cards(game: Game, order: list[int]) -> Values:
    state, board = game.state[0], game.board.array[0]
    top = state["pile_top"].astype(int)
    there = top < c.CARDS_PER_DECK
    card = np.where(there, np.arange(c.NUM_DECKS) * c.CARDS_PER_DECK + top, 0)
    missing = board["card_value"][card] - state["presence"][order[0]][board["deck_region"]].astype(int)
    held = np.where(state["card_place"] < c.MAX_SEATS, state["card_place"], -1)
    return {
        "building_supply": state["building_supply"] / np.maximum(board["building_copies"], 1),
        "pile_top": one_hot(top, 7),
        "pile_value": board["card_value"][card] / 5 * there,
        "pile_icons": board["card_icons"][card] / 4 * there[:, None],
        "pile_glory": board["card_glory"][card] / 4 * there,
        "pile_missing": np.maximum(missing, 0) / 5 * there,
        "card_in_pile": state["card_place"] == c.CARD_IN_PILE,
        "card_holder": one_hot(relative(held, order), c.MAX_SEATS),
    }


def board_map(game: Game, order: list[int]) -> Values:
    state, board = game.state[0], game.board.array[0]
    token = state["token"]
    on_track = one_hot(token[c.TRACK_SPACES :].reshape(c.NUM_REGIONS, c.MAX_TRACK), c.NUM_TOKEN_KINDS)
    ahead = np.arange(c.MAX_TRACK) - state["track_next"].astype(int)[:, None]  # 0 for the space filled next
    free = (ahead >= 0) & (np.arange(c.MAX_TRACK) < board["track_length"][:, None])
    ends = state["city_owner"][board["connection_city"]] == order[0]
    return {
        "region_open": state["open"],
        "track_left": (free & (state["track_owner"] != c.SPACE_CLOSED)).sum(axis=1) / 8,
        "track_next": (on_track * (free & (ahead == 0))[..., None]).sum(axis=1),
        "track_tokens": (on_track * np.where(free, 0.5 ** (ahead + 1.0), 0.0)[..., None]).sum(axis=1),
        "city_token": one_hot(token[: c.MAX_CITIES], c.NUM_TOKEN_KINDS),
        "city_owner": one_hot(relative(state["city_owner"], order), c.MAX_SEATS),
        "connection_token": one_hot(token[c.CONNECTION_SPACES : c.TRACK_SPACES], c.NUM_TOKEN_KINDS),
        "connection_ends": ends.sum(axis=1) / 2 * (np.arange(c.MAX_CONNECTIONS) < board["num_connections"]),
    }
