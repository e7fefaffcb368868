"""Reads what only the solitaire game has on the table (S0)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from endeavor_env.endeavor import results
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.view.description import SolitaireTable
from endeavor_env.endeavor.opposition import acting_position
from endeavor_env.endeavor.rules import constants as c

_COLOURS = slice(c.FIRST_COLOUR, c.FIRST_COLOUR + c.NUM_COLOURS)


def read_solitaire_table(board: Board, states: results.States) -> SolitaireTable:
    """Return scale, grid and the rest of a position of ``solo``, (1,) STATE."""
    state = states[0]
    waiting = state.waiting_kind[: state.num_waiting][::-1]
    retained = [card for card, place in zip(board.cards, state.card_place, strict=True) if place == c.CARD_RETAINED]
    return SolitaireTable(
        acting=c.COLOUR_NAMES[state.acting] if state.acting >= c.FIRST_COLOUR else None,
        opposition_first=bool(state.opposition_first),
        waiting_tokens=tuple(c.TOKEN_NAMES[kind] for kind in waiting),
        supply=dict(zip(c.COLOUR_NAMES[_COLOURS], state.supply[_COLOURS].tolist(), strict=True)),
        retained=tuple(retained),
        scale=tuple(c.COLOUR_NAMES[side] for side in state.scale),
        marker=int(state.ipf),
        bonus_due=bool(state.bonus_due),
        acting_position=acting_position(states),
        grid=tuple(_building_ids(board, row) for row in state.grid),
        crown=(int(state.isb_level), int(state.isb_column)),
        pending=_building_ids(board, state.pending),
        result=results.ladder(board, states) if state.phase == c.PHASE_OVER else None,
    )


def _building_ids(board: Board, numbers: Any) -> tuple[str | None, ...]:
    ids: Sequence[str] = board.buildings
    return tuple(ids[number] if number != c.NONE else None for number in numbers)
