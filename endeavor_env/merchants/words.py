"""Moves in words (K11.2): the texts of the action ids on a board."""

from __future__ import annotations

from endeavor_env.merchants.board.board import Board
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c

_RELATIVE = {"steal": actions.STEAL_AT, "partner": actions.PARTNER_AT}
"""The moves whose index counts opponents clockwise from the mover, with their first ids."""


def move_texts(board: Board) -> tuple[str | None, ...]:
    """Return the text of every action id on a board; None for those that name nothing there, or a seat."""
    texts: list[str | None] = []
    for block in actions.BLOCKS:
        names = _names(board, block.counts)
        known = [f"{block.verb}:{name}" for name in names] if block.counts else [block.verb]
        texts += [*known, *[None] * (block.size - len(known))]
    _strike_empty_exchanges(texts)
    return tuple(texts)


def _names(board: Board, counts: str) -> list[str]:
    """Return the names of what the indices of a block count, as far as the board has it."""
    names = {
        "": [],
        "card": list(c.CARD_NAMES),
        "resource": list(c.RESOURCE_NAMES),
        "item": list(c.ITEM_NAMES),
        "exchange": [f"{give}:{get}" for give in c.RESOURCE_NAMES for get in c.ITEM_NAMES],
        "city": list(board.city_ids),
        "path": [f"p{path}" for path in range(board.num_paths)],
        "crossroads": [board.crossroads_name(where) for where in range(board.num_crossroads)],
        "terrain": [f"t{terrain}" for terrain in range(board.num_terrains)],
        "slot": [str(slot) for slot in range(c.SLOTS)],
        "opponent": [],  # depends on the mover
        "choice": [str(choice) for choice in range(c.MOST_INCOMES)],
        "seat": [str(seat) for seat in range(c.MAX_SEATS)],
        "sum": [str(c.LEAST_DICE + index) for index in range(c.DICE_SUMS)],
        "value": [str(value) for value in c.VALUES],
    }
    return names[counts]


def _strike_empty_exchanges(texts: list[str | None]) -> None:
    """Take out the exchanges of a resource for itself."""
    for kind in range(c.NUM_RESOURCES):
        texts[actions.BANK_AT + c.NUM_ITEMS * kind + kind] = None


class BoardWords:
    """The texts of the moves on a board, as the engine asks for them."""

    def __init__(self, board: Board) -> None:
        """Write all texts."""
        self._texts = move_texts(board)
        self._actions = {text: action for action, text in enumerate(self._texts) if text is not None}

    def text(self, action: int, seat: int = c.NONE, seats: int = 0) -> str | None:
        """Return the text of an action id as a move of ``seat``; None if the id names no move on this board."""
        for verb, first in _RELATIVE.items():
            if first <= action < first + c.MAX_SEATS - 1:
                distance = action - first + 1
                return f"{verb}:{(seat + distance) % seats}" if seat >= 0 and distance < seats else None
        return self._texts[action] if action < len(self._texts) else None

    def action(self, text: str, seat: int = c.NONE, seats: int = 0) -> int | None:
        """Return the action id of a text as a move of ``seat``; None if the text names no move on this board."""
        for verb, first in _RELATIVE.items():
            for distance in range(1, seats if seat >= 0 else 0):
                if text == f"{verb}:{(seat + distance) % seats}":
                    return first + distance - 1
        return self._actions.get(text)
