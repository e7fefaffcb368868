"""Observations of a game: taking one, turning one back into a position, and putting one into words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import whole_number
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.exploits.table import AXES, EXPLOITS, FOLLOW_UPS
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
from endeavor_env.endeavor.observe.fields import BITS, STATE_FIELDS
from endeavor_env.endeavor.observe.layouts import LEAST_LEADS, NEUTRAL_PARTS, NUM_ITEMS, SOLO_SLICES
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.layout import HARBOR_STEPS
from endeavor_env.endeavor.rules.state import EMPTY_STATE
from endeavor_env.engine.layouts import Layout, Slice, Vector, kind_of
from endeavor_env.errors import InvalidOptionError, shown

if TYPE_CHECKING:
    from endeavor_env.endeavor.board import Board


# --- Words for the entries of an observation: what its axes count and what its values stand for ----------------------


def _numbers_up_to(last: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, last + 1))


_SEATS = ("me", *(f"+{place}" for place in range(1, c.MAX_SEATS)))
_SEATS_OF = {"solo": ("me", "opposition")}
"""Words for relative seats in variants where ``_SEATS`` does not fit."""
SIDES_OF = {
    "solo": ("me", *c.COLOUR_NAMES[c.FIRST_COLOUR :]),
    "soloplay_2": ("me", "+1", "neutral"),
    "soloplay_3": ("me", "+1", "+2", "neutral"),
    "neutral_2": ("me", "+1", "my neutral", "neutral of +1"),
}
"""Words for the relative sides of each variant; in the standard game they are the seats."""
_WORDS: dict[str, tuple[str, ...]] = {
    "relative seat": _SEATS,
    "relative side": _SEATS,
    "status": c.STATUS_NAMES,
    "token kind": c.TOKEN_NAMES,
    "action": c.ACTION_NAMES,
    "mode": c.MODE_NAMES,
    "phase": c.PHASE_NAMES,
    "decision": c.DECISION_NAMES[: c.NUM_DECISIONS],
    "part": ("first", "second"),
    "players": tuple(str(players) for players in range(c.MIN_PLAYERS, c.MAX_PLAYERS + 1)),
    "discs": tuple(f">={count}" for count in range(1, HARBOR_STEPS + 1)),
    "position": (*(str(position) for position in range(c.CARDS_PER_DECK)), "empty"),
    "track space": _numbers_up_to(c.MAX_TRACK),
    # only in the variants
    "variant": c.VARIANT_NAMES,
    "variant decision": c.DECISION_NAMES[c.NUM_DECISIONS :],
    "lead": tuple(f">={step}" for step in LEAST_LEADS),
    "neutral part": NEUTRAL_PARTS,
    "difficulty": c.DIFFICULTY_NAMES,
    "scale position": _numbers_up_to(c.SCALE_SIZE),
    "colour": c.COLOUR_NAMES[c.FIRST_COLOUR :],
    "column": _numbers_up_to(c.GRID_COLUMNS),
    "level": _numbers_up_to(c.GRID_LEVELS),
    "task": c.TASK_NAMES,
    "blue token kind": c.TOKEN_NAMES[c.FIRST_BLUE :],
    "waiting token": _numbers_up_to(c.MAX_WAITING),
    # only with Exploits
    "exploit": c.EXPLOIT_NAMES,
    "follow-up": tuple(one.name for one in FOLLOW_UPS),
    "item": tuple(str(item) for item in range(NUM_ITEMS)),
    "city of the tile": c.TILE_CITY_NAMES,
    **AXES,
}
_CITY_OF_BOARD_OR_TILE = "city or city of the tile"
_BOARD_IDS = {
    "region": "regions",
    "city": "cities",
    "connection": "connections",
    "deck": "decks",
    "card": "cards",
    "building": "buildings",
    "space": "spaces",
}
VALUE_AXES = {
    "phase": "phase",
    "decision": "decision",
    "mode": "mode",
    "parts": "action",
    "source": "building",
    "lock_region": "region",
    "lock_deck": "deck",
    "token": "token kind",
    "variant": "variant",
    "neutral_due": "neutral part",
    "difficulty": "difficulty",
    "grid": "building",
    "last_built": "building",
    "crown_level": "level",
    "crown_column": "column",
    "pending": "building",
    "task": "task",
    "waiting_kind": "token kind",
    "follow_up": "follow-up",
    "follow_item": "item",
    **{row: axis for exploit in EXPLOITS for row, axis in exploit.values.items()},
}
"""Axes that the values of the ``id`` slices index."""
_OTHER_PLACES = {
    c.CARD_OUT_OF_GAME: "out of the game",
    c.CARD_RETAINED: "kept for its Glory",
    c.CARD_ON_HAITI: "on the stack of Haiti",
}
_ONES = ("one-hot", "one-hot or zeros", "flags")
_MINUS_ONE_IS_NONE = ("id", "relative seat", "relative side", "place")


def axis_words(axis: str, board: Board | None = None) -> tuple[str | None, ...]:
    """Return words for the entries along ``axis``; fewer than its length where ``board`` has fewer things."""
    if axis in _WORDS:
        return _WORDS[axis]
    if axis == _CITY_OF_BOARD_OR_TILE:
        cities = () if board is None else board.cities
        return (*cities, *(None,) * (c.BATAVIA - len(cities)), *c.TILE_CITY_NAMES)
    return getattr(board, _BOARD_IDS[axis]) if board is not None else ()


class ObservationWords:
    """Descriptions of observations of one variant on one board."""

    def __init__(self, variant: str, board: Board | None) -> None:
        """Use the ids of ``board``; without a board, things are numbered."""
        self._solo = variant == "solo"
        self._board = board
        self._seats = _SEATS_OF.get(variant, _SEATS)
        self._sides = SIDES_OF.get(variant, _SEATS)

    def say(self, part: Slice, values: npt.NDArray[Any]) -> list[str]:
        """Return words for each non-empty entry of a slice; ``values`` has its shape."""
        if part.name in SOLO_SLICES and not self._solo:
            return []
        empty = c.NONE if part.encoding in _MINUS_ONE_IS_NONE else 0
        said = []
        for index in np.argwhere(values != empty):
            where = " ".join(self._word(axis, int(at)) for axis, at in zip(part.axes, index, strict=True) if axis)
            if part.encoding in _ONES:
                said.append(where or "yes")
            else:
                said.append("=".join([where, self._value(part, values[tuple(index)])]).lstrip("="))
        return said

    def _word(self, axis: str, index: int) -> str:
        """Return the word for ``index`` of an axis."""
        words = {"relative seat": self._seats, "relative side": self._sides}.get(axis) or axis_words(axis, self._board)
        return (words[index] if index < len(words) else None) or f"{axis} {index}"

    def _value(self, part: Slice, value: Any) -> str:
        """Return the word for one value of a slice that holds more than zeros and ones."""
        if part.name == "decision":  # spans the two axes "decision" and "variant decision"
            return c.DECISION_NAMES[int(value)]
        if part.encoding in ("id", "relative seat") and value < c.NONE:
            return "out of the game"
        if part.encoding == "id":
            return self._word(VALUE_AXES[part.name], int(value))
        if part.encoding == "relative seat":
            return self._word("relative seat", int(value))
        if part.encoding == "relative side":
            return "closed" if value == c.SPACE_CLOSED else self._word("relative side", int(value))
        if part.encoding == "place":
            return self._place(int(value))
        if part.encoding == "bits":
            return "+".join(self._word("region", region) for region in range(c.NUM_REGIONS) if value >> region & 1)
        return f"{value:.4g}" if isinstance(value, np.floating) else str(value)

    def _place(self, place: int) -> str:
        """Return where a card is."""
        if place >= c.CARD_FACE_DOWN:
            return f"{self._word('relative seat', place - c.CARD_FACE_DOWN)} face down"
        if place in _OTHER_PLACES:
            return _OTHER_PLACES[place]
        return self._word("relative seat", place)


# --- Observations of a game: taking one, turning one back into a position, and putting one into words ----------------
# from endeavor_env.endeavor.observation import describe, observe, to_state
#
# vector = observe(game)                             # as the seat to move sees it
# print(describe(vector, game.board))                # what it says
# state = to_state(observe(game, observation="compact"), game.board)

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


_DERIVED = {"glory"}
"""Slices of ``compact`` that STATE does not hold."""


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
        if part.name in BITS:
            state[BITS[part.name]] = sum(1 << int(bit) for bit in np.flatnonzero(seen))
        elif part.name not in _DERIVED:
            field = state[STATE_FIELDS.get(part.name, part.name)]
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
