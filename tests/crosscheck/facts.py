"""The facts of a position in ids, read off a Game and off the reference, in one shape for comparing."""

from __future__ import annotations

from typing import Any

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules import constants as c
from tests.crosscheck.reference import STATUSES, Reference

TOKENS = (*STATUSES, "attack", "occupy_draw", "sail_draw", "pay")


def counted(names: Any, counts: Any) -> dict[str, int]:
    """Return the counts that are not zero, by name."""
    return {name: int(count) for name, count in zip(names, counts, strict=False) if count}


def of_game(game: Game) -> dict[str, Any]:
    """Return the facts of a game, from the arrays of its state."""
    state, board = game.state[0], game.board
    lying = {space: int(state["token"][at]) for space, at in board.space_index.items()}
    places = dict(zip(board.cards, state["card_place"].tolist(), strict=True))
    facts: dict[str, Any] = {
        "round": int(state["round_number"]),
        "first player": int(state["first_player"]),
        "abolished": bool(state["abolished"]),
        "tokens lying": {space: TOKENS[kind] for space, kind in lying.items() if kind >= 0},
        "owners": {city: int(seat) for city, seat in zip(board.cities, state["city_owner"], strict=False) if seat >= 0},
        "stock": counted(board.buildings, state["building_supply"]),
        "open": {region for region, is_open in zip(board.regions, state["open"], strict=True) if is_open},
        "tracks": {
            region: [int(seat) for seat in owners if seat >= 0]
            for region, owners in zip(board.regions, state["track_owner"], strict=True)
        },
        "piles": {
            deck: [card for card in board.cards if card.split(".")[0] == deck and places[card] == c.CARD_IN_PILE]
            for deck in board.decks
        },
    }
    for seat in range(game.num_players):
        facts[f"seat {seat}"] = _seat_of_game(game, seat)
    return facts


def _seat_of_game(game: Game, seat: int) -> dict[str, Any]:
    state, board = game.state[0], game.board
    places = dict(zip(board.cards, state["card_place"].tolist(), strict=True))
    return {
        "statuses": dict(zip(STATUSES, state["status"][seat].tolist(), strict=True)),
        "supply": int(state["supply"][seat]),
        "harbor": int(state["harbor"][seat]),
        "passed": bool(state["passed"][seat]),
        "tokens": counted(TOKENS, state["tokens"][seat]),
        "owned": counted(board.buildings, state["buildings"][seat]),
        "occupied": counted(board.buildings, state["occupied"][seat]),
        "cards": {card for card, place in places.items() if place == seat},
        "face down": {card for card, place in places.items() if place == c.CARD_FACE_DOWN + seat},
        "beside": counted(board.regions, state["beside"][seat]),
        "presence": counted(board.regions, state["presence"][seat]),
        "breakdown": game.breakdown(seat),
    }


def of_reference(table: Reference) -> dict[str, Any]:
    """Return the facts of the reference, counted from what lies on its table."""
    facts: dict[str, Any] = {
        "round": table.round,
        "first player": table.first,
        "abolished": table.abolished,
        "tokens lying": dict(table.token),
        "owners": dict(table.owner),
        "stock": counted(table.stock, table.stock.values()),
        "open": set(table.open),
        "tracks": {region: list(seats) for region, seats in table.track.items()},
        "piles": {deck: list(cards) for deck, cards in table.piles.items()},
    }
    for number, seat in enumerate(table.seats):
        facts[f"seat {number}"] = {
            "statuses": {name: table.status(number, name) for name in STATUSES},
            "supply": seat.supply,
            "harbor": seat.harbor,
            "passed": seat.passed,
            "tokens": dict(+seat.tokens),
            "owned": dict(+seat.owned),
            "occupied": dict(+seat.occupied),
            "cards": set(seat.cards),
            "face down": set(seat.face_down),
            "beside": counted(table.length, [table.beside[region, number] for region in table.length]),
            "presence": counted(table.length, [table.discs_in(number, region) for region in table.length]),
            "breakdown": table.breakdown(number),
        }
    return facts


def differences(first: dict[str, Any], second: dict[str, Any], path: str = "") -> list[str]:
    """Return one line for each fact that differs."""
    lines = []
    for key in {**first, **second}:
        one, other = first.get(key), second.get(key)
        if isinstance(one, dict) and isinstance(other, dict):
            lines += differences(one, other, f"{path}{key} / ")
        elif one != other:
            lines.append(f"{path}{key}: {one!r} against {other!r}")
    return lines
