"""The facts of a solitaire position in ids, read off a Game and off the reference, in one shape for comparing."""

from __future__ import annotations

from typing import Any

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules import constants as c
from tests.crosscheck import facts
from tests.crosscheck.facts import TOKENS, counted
from tests.crosscheck.reference import STATUSES
from tests.crosscheck.reference_solo_parts import COLOURS, MAT, SIDES, SoloTable


def of_game(game: Game) -> dict[str, Any]:
    """Return the facts of a solitaire game, from the arrays of its state."""
    state, board = game.state[0], game.board
    waiting = enumerate(state["pending"].tolist())
    stock = state["building_supply"].tolist()
    return {
        **facts.of_game(game),
        **{SIDES[side]: _colour_of_game(game, side) for side in COLOURS},
        "opposition": _mat_of_game(game),
        "grid": [[board.buildings[at] if at >= 0 else None for at in row] for row in state["grid"].tolist()],
        "crown": (int(state["isb_level"]), int(state["isb_column"])),
        "pending": {level: board.buildings[at] for level, at in waiting if at >= 0 and stock[at]},
        "scale": [SIDES[side] for side in state["scale"].tolist()],
        "ipf": 0 if game.over else int(state["ipf"]),  # it marks the coming round (S7.6): after the last there is none
        "bonus due": bool(state["bonus_due"]),
    }


def _colour_of_game(game: Game, side: int) -> dict[str, Any]:
    state, regions = game.state[0], game.board.regions
    return {
        "supply": int(state["supply"][side]),
        "beside": counted(regions, state["beside"][side]),
        "presence": counted(regions, state["presence"][side]),
    }


def _mat_of_game(game: Game) -> dict[str, Any]:
    state, places = game.state[0], game.state[0]["card_place"].tolist()

    def lying(*where: int) -> set[str]:
        return {card for card, place in zip(game.board.cards, places, strict=True) if place in where}

    return {
        "statuses": dict(zip(STATUSES, state["status"][MAT].tolist(), strict=True)),
        "tokens": counted(TOKENS, state["tokens"][MAT]),
        "cards": lying(MAT),
        "card counts": [int(state[name][MAT]) for name in ("num_cards", "num_governors", "num_slavery")],
        "face down": lying(c.CARD_FACE_DOWN + MAT),
        "retained": lying(c.CARD_RETAINED),
        "on no mat": lying(*COLOURS[1:], *(c.CARD_FACE_DOWN + side for side in COLOURS[1:])),
        "breakdown": game.breakdown("opposition"),
    }


def of_reference(table: SoloTable) -> dict[str, Any]:
    """Return the facts of the reference, counted from what lies on its table."""
    base = facts.of_reference(table)
    return {
        **{key: value for key, value in base.items() if key not in [f"seat {side}" for side in COLOURS]},
        **{SIDES[side]: _colour_of_reference(table, base[f"seat {side}"], side) for side in COLOURS},
        "opposition": _mat_of_reference(table),
        "grid": [list(row) for row in table.grid],
        "crown": table.crown,
        "pending": {level: name for level, name in table.pending.items() if table.stock[name]},
        "scale": [SIDES[side] for side in table.scale],
        "ipf": table.ipf,  # 0 after the last round
        "bonus due": table.bonus_due,
    }


def _colour_of_reference(table: SoloTable, base: dict[str, Any], side: int) -> dict[str, Any]:
    return {"supply": table.supply(side), "beside": base["beside"], "presence": base["presence"]}


def _mat_of_reference(table: SoloTable) -> dict[str, Any]:
    cards = set(table.mat.cards)
    governors = [card for card in cards if card.endswith(".governor")]
    slavery = [card for card in cards if table.decks[card.split(".")[0]]["slavery"]]
    return {
        "statuses": {name: table.status(MAT, name) for name in STATUSES},
        "tokens": dict(+table.mat.tokens),
        "cards": cards,
        "card counts": [len(cards), len(governors), len(slavery)],
        "face down": set(table.mat.face_down),
        "retained": set(table.retained),
        "on no mat": set(),
        "breakdown": table.breakdown(MAT),
    }
