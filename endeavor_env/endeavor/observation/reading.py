"""Observations of a game: taking one, turning one back into a position, and putting one into words.

from endeavor_env.endeavor.observation import describe, observe, to_state

vector = observe(game)                             # as the seat to move sees it
print(describe(vector, game.board))                # what it says
state = to_state(observe(game, observation="compact"), game.board)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import whole_number
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game_like import PositionLike, no_game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.observation.layouts import (
    COMPACT,
    EXPLOIT_COMPACT,
    EXPLOIT_FEATURES,
    FEATURES,
    LAYOUT,
    VARIANT_COMPACT,
    VARIANT_FEATURES,
    layout_for,
)
from endeavor_env.endeavor.observation.words import ObservationWords
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import EMPTY_STATE
from endeavor_env.engine.layouts import Layout, Vector, kind_of
from endeavor_env.errors import InvalidOptionError, shown

_KERNELS: dict[str, Callable[..., None]] = {
    "features": entry.observe_features,
    "compact": entry.observe_compact,
}


def observe(game: PositionLike, seat: int | None = None, observation: str = "features") -> Vector:
    """Return what ``seat`` sees of ``game``, as a fresh array in the layout ``layout_for(game.variant, observation)``.

    Args:
        game: Any game, also a finished one.
        seat: The observer; None is the seat to move, or seat 0 when the game is over.
        observation: "features" (float32) or "compact" (int8).

    Raises:
        InvalidOptionError: No game, an unknown kind of observation, or a seat that is not at the table.
    """
    try:
        board, state = game.board.array, game.state
        variant, to_move, num_players = (int(state[name][0]) for name in ("variant", "seat", "num_seats"))
    except Exception as error:
        raise no_game(game) from error
    layout = layout_for(c.VARIANT_NAMES[variant], observation)
    observer = max(0, to_move) if seat is None else whole_number(seat)
    if observer is None or not 0 <= observer < num_players:
        known = "seats are 0 to" if num_players > 1 else "the only seat is"
        raise InvalidOptionError(f"seat {shown(seat)} is not at the table: {known} {num_players - 1}")
    vector = np.empty(layout.size, layout.dtype)
    _KERNELS[observation](board, state, observer, vector)
    return vector


_STATE_FIELDS = {
    "round": "round_number",
    "to_move": "seat",
    "tokens_held": "tokens",
    "cards_held": "num_cards",
    "governors_held": "num_governors",
    "slavery_held": "num_slavery",
    "face_down": "num_face_down",
    "region_open": "open",
    "crown_level": "isb_level",
    "crown_column": "isb_column",
    "spice": "spice_discs",
}
"""The STATE fields of those slices of ``compact`` that have another name."""
_DERIVED = {"glory"}
"""Slices of ``compact`` that STATE does not hold."""
_BITS = {"exploit": "exploits", "blocked": "blocked", "fortified": "fortified"}
"""Slices of flags that STATE holds as the bits of one number, and its field."""


def to_state(vector: Vector, board: Board | None = None) -> npt.NDArray[np.void]:
    """Return the position that a compact observation shows, in which the observer is seat 0.

    Only the numbers of the seats are lost. (Counts above 127, which no printed board allows, come back as 127.)

    Args:
        vector: (COMPACT.size,), (VARIANT_COMPACT.size,) or (EXPLOIT_COMPACT.size,) int8.
        board: The board of the game, None for the board of 2009; needed only while the player decides for the
            Opposition, to find the possible choices.

    Returns:
        (1,) STATE, fresh.

    Raises:
        InvalidOptionError: ``vector`` does not have the shape, type or ranges of a compact observation.
    """
    layout = _layout_of(vector, (COMPACT, VARIANT_COMPACT, EXPLOIT_COMPACT), "single compact observation")
    state = EMPTY_STATE.copy()
    if layout is EXPLOIT_COMPACT:
        state["variant"] = c.VARIANT_EXPLOITS
    for part in layout:
        seen = vector[part.span]
        if part.name in _BITS:
            state[_BITS[part.name]] = sum(1 << int(bit) for bit in np.flatnonzero(seen))
        elif part.name not in _DERIVED:
            field = state[_STATE_FIELDS.get(part.name, part.name)]
            field[...] = seen.reshape(field.shape)
    if state["decision"][0] == c.DECIDE_OPPOSITION:
        entry.recount_choices(Board.resolve(board).array, state)
    return state


def describe(vector: Vector, board: Board | None = None) -> str:
    """Return an observation in words, with a line for every slice that is not empty.

    Zeros, and -1 where it means none, are left out: what is not mentioned is zero or absent. The slices about the
    Opposition are left out where there is none.

    Args:
        vector: One observation in any layout, which is recognised by its length.
        board: The board, for the ids of cities, cards and so on; without it they are numbered.

    Raises:
        InvalidOptionError: ``vector`` does not have the shape, type or ranges of any layout, or there is no such board.
    """
    layout = _layout_of(vector, LAYOUT, "observation")
    words, lines = ObservationWords(_variant_of(layout, vector), None if board is None else Board.resolve(board)), []
    for part in layout:
        said = words.say(part, layout.view(vector, part.name))
        if said:
            lines.append(f"{part.name}: {', '.join(said)}")
    return "\n".join(lines)


def _layout_of(vector: object, layouts: Sequence[Layout], what: str) -> Layout:
    """Return the layout that has the length of ``vector``; raise InvalidOptionError if the vector does not fit it."""
    layout = next((one for one in layouts if isinstance(vector, np.ndarray) and vector.shape == (one.size,)), None)
    if layout is None:
        sizes = " or ".join(f"({layout.size},) of {layout.name}" for layout in layouts)
        raise InvalidOptionError(f"{kind_of(vector)} is no {what}: its shape must be {sizes}")
    assert isinstance(vector, np.ndarray)
    if vector.dtype.kind not in ("f" if layout.dtype.kind == "f" else "iu"):
        raise InvalidOptionError(
            f"an array of type {vector.dtype} is no {layout.name} observation: give {layout.dtype}"
        )
    outside = ~((vector >= layout.low) & (vector <= layout.high))  # NaN is outside, too
    if outside.any():
        at = int(outside.argmax())
        part = next(part for part in layout if at < part.offset + part.size)
        raise InvalidOptionError(
            f"entry {at} is {vector[at]}, which no {layout.name} observation has there: {part.name} goes from "
            f"{part.low:g} to {part.high:g}"
        )
    return layout


def _variant_of(layout: Layout, vector: Vector) -> str:
    """Return the variant of the game that ``vector`` shows."""
    if layout in (FEATURES, COMPACT):
        return c.VARIANT_NAMES[0]
    if layout in (EXPLOIT_FEATURES, EXPLOIT_COMPACT):
        return c.VARIANT_NAMES[c.VARIANT_EXPLOITS]
    code = layout.view(vector, "variant")
    return c.VARIANT_NAMES[int(code.argmax() if layout is VARIANT_FEATURES else code[0])]
