"""The two observations: their layouts, and taking them from a game, apart by name, and into words.

    from endeavor_env.observation import LAYOUT, describe, observe

    vector = observe(game)                             # the seat to move, layout LAYOUT.features
    vector[LAYOUT.features["city_owner"].span]         # one slice, flat
    LAYOUT.features.view(vector, "city_owner")         # the same as (MAX_CITIES, MAX_SEATS)
    print(describe(vector, game.board))                # what it says

The reference page ``docs/observation.md`` is generated from the layouts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.core import observe as kernels
from endeavor_env.core import observe_layout
from endeavor_env.core.constants import (
    ACTION_NAMES,
    CARD_FACE_DOWN,
    CARDS_PER_DECK,
    DECISION_NAMES,
    MAX_PLAYERS,
    MAX_SEATS,
    MAX_TRACK,
    MIN_PLAYERS,
    MODE_NAMES,
    PHASE_NAMES,
    STATUS_NAMES,
    TOKEN_NAMES,
)
from endeavor_env.core.observe_layout import Slice
from endeavor_env.core.state import STATE
from endeavor_env.errors import InvalidOptionError

if TYPE_CHECKING:
    from endeavor_env.board import Board
    from endeavor_env.game import Game

__all__ = ["COMPACT", "FEATURES", "LAYOUT", "Layout", "Slice", "box_bounds", "describe", "observe", "to_state"]

Vector = npt.NDArray[Any]


class Layout:
    """The layout of one kind of observation.

    Attributes:
        name: "features" or "compact", the value of the environments' ``observation`` option.
        version: Raised when the meaning of an entry changes.
        hash: 16 hex digits of version, names, places, shapes, ranges and encodings.
        slices: The parts of the vector, in order and without gaps.
        size: Length of the vector.
        dtype: float32 or int8.
        low: (size,) smallest value of each entry, in ``dtype``, read only.
        high: (size,) largest value of each entry.
    """

    def __init__(self, name: str, version: int, slices: tuple[Slice, ...], dtype: npt.DTypeLike) -> None:
        """Lays out ``slices``; there is one layout of each kind, made below."""
        self.name = name
        self.version = version
        self.hash = observe_layout.layout_hash(name, version, slices)
        self.slices = slices
        self.size = slices[-1].offset + slices[-1].size
        self.dtype = np.dtype(dtype)
        self.low = np.concatenate([np.full(part.size, part.low, self.dtype) for part in slices])
        self.high = np.concatenate([np.full(part.size, part.high, self.dtype) for part in slices])
        self.low.flags.writeable = self.high.flags.writeable = False
        self._by_name = {part.name: part for part in slices}

    def __getitem__(self, name: str) -> Slice:
        """Returns the slice called ``name``; raises InvalidOptionError naming those there are."""
        if name not in self._by_name:
            raise InvalidOptionError(
                f"slice {name!r} is not in the {self.name} observation: its slices are {', '.join(self._by_name)}"
            )
        return self._by_name[name]

    def __iter__(self) -> Iterator[Slice]:
        """Goes through the slices in order."""
        return iter(self.slices)

    def __len__(self) -> int:
        """Returns the number of slices."""
        return len(self.slices)

    def __repr__(self) -> str:
        return f"<Layout {self.name} v{self.version} {self.hash}: {len(self)} slices, {self.size} x {self.dtype}>"

    def view(self, vector: Vector, name: str) -> Vector:
        """Returns one slice of a vector, or of a batch of them, in its own shape.

        Args:
            vector: (..., size).
            name: Name of the slice.

        Returns:
            (..., *shape), a view if NumPy can make one.

        Raises:
            InvalidOptionError: No such slice, or the last axis is not ``size`` long.
        """
        part = self[name]
        if vector.shape[-1:] != (self.size,):
            raise InvalidOptionError(
                f"an array of shape {vector.shape} is no {self.name} observation: "
                f"its last axis must have {self.size} entries"
            )
        return vector[..., part.span].reshape(*vector.shape[:-1], *part.shape)

    def unpack(self, vector: Vector) -> dict[str, Vector]:
        """Returns every slice by name, each as ``view`` gives it."""
        return {part.name: self.view(vector, part.name) for part in self.slices}


class _Layouts(NamedTuple):
    features: Layout
    compact: Layout


FEATURES = Layout("features", observe_layout.FEATURES_VERSION, observe_layout.FEATURES, np.float32)
COMPACT = Layout("compact", observe_layout.COMPACT_VERSION, observe_layout.COMPACT, np.int8)
LAYOUT = _Layouts(FEATURES, COMPACT)
_KERNELS: dict[str, Callable[..., None]] = {
    "features": kernels.observe_features,
    "compact": kernels.observe_compact,
}


def layout_named(observation: str) -> Layout:
    """Returns the layout called ``observation``; raises InvalidOptionError for another name."""
    if observation not in LAYOUT._fields:
        raise InvalidOptionError(f"observation={observation!r} is unknown: choose one of {', '.join(LAYOUT._fields)}")
    return getattr(LAYOUT, observation)


def box_bounds(observation: str) -> tuple[Vector, Vector]:
    """Returns the read-only ``low`` and ``high`` of a layout, in its dtype, for ``gymnasium.spaces.Box``."""
    layout = layout_named(observation)
    return layout.low, layout.high


def observe(game: Game, seat: int | None = None, observation: str = "features") -> Vector:
    """Returns what ``seat`` sees of ``game``, as a fresh array.

    Args:
        game: Any game, also a finished one.
        seat: The observer; None is the seat to move, or seat 0 when the game is over.
        observation: "features" (float32) or "compact" (int8).

    Raises:
        InvalidOptionError: An unknown kind of observation, or a seat that is not at the table.
    """
    layout = layout_named(observation)
    observer = max(0, game.seat) if seat is None else seat
    if observer not in range(game.num_players):
        raise InvalidOptionError(f"seat {seat!r} is not at the table: seats are 0 to {game.num_players - 1}")
    vector = np.empty(layout.size, layout.dtype)
    _KERNELS[observation](game.board.array, game.state, int(observer), vector)
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
}
"""Slices of ``compact`` whose STATE field has another name."""
_DERIVED = {"glory"}
"""Slices of ``compact`` that STATE does not hold."""


def to_state(vector: Vector) -> npt.NDArray[np.void]:
    """Returns the position a compact observation was taken of, the observer being seat 0.

    Nothing is lost but the numbers of the seats and the variant, which no observation holds: it is "standard". (Counts
    above 127, which no printed board allows, come back as 127.)

    Args:
        vector: (COMPACT.size,) int8.

    Returns:
        (1,) STATE, fresh.

    Raises:
        InvalidOptionError: Not the shape of a compact observation.
    """
    state = np.zeros(1, STATE)
    if vector.shape != (COMPACT.size,):
        raise InvalidOptionError(
            f"an array of shape {vector.shape} is no single compact observation: its shape must be ({COMPACT.size},)"
        )
    for part in COMPACT:
        if part.name not in _DERIVED:
            field = state[_STATE_FIELDS.get(part.name, part.name)]
            field[...] = vector[part.span].reshape(field.shape)
    return state


# --- in words ----------------------------------------------------------------------------------------------------

_SEATS = ("me", *(f"+{place}" for place in range(1, MAX_SEATS)))
_WORDS: dict[str, tuple[str, ...]] = {
    "relative seat": _SEATS,
    "status": STATUS_NAMES,
    "token kind": TOKEN_NAMES,
    "action": ACTION_NAMES,
    "mode": MODE_NAMES,
    "phase": PHASE_NAMES,
    "decision": DECISION_NAMES,
    "part": ("first", "second"),
    "players": tuple(str(players) for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)),
    "discs": tuple(f">={count}" for count in range(1, observe_layout.HARBOR_STEPS + 1)),
    "position": (*(str(position) for position in range(CARDS_PER_DECK)), "empty"),
    "track space": tuple(str(space) for space in range(1, MAX_TRACK + 1)),
}
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
}
"""What the values of the ``id`` slices of ``compact`` count."""


def describe(vector: Vector, board: Board | None = None) -> str:
    """Returns an observation in words, a line for every slice that says something.

    Zeros, and -1 where it means none, are left out, so what is not mentioned is zero or not there.

    Args:
        vector: One observation of either kind; its length tells which.
        board: Gives cities, cards and the rest their ids; without it they are numbered.

    Raises:
        InvalidOptionError: The array has the shape of neither.
    """
    for layout in LAYOUT:
        if vector.shape == (layout.size,):
            break
    else:
        sizes = " or ".join(f"({layout.size},) of {layout.name}" for layout in LAYOUT)
        raise InvalidOptionError(f"an array of shape {vector.shape} is no observation: its shape must be {sizes}")
    lines = []
    for part in layout:
        said = _say(part, layout.view(vector, part.name), board)
        if said:
            lines.append(f"{part.name}: {', '.join(said)}")
    return "\n".join(lines)


def _say(part: Slice, values: Vector, board: Board | None) -> list[str]:
    """Returns the words for each entry of one slice that is not empty."""
    hot = part.encoding in ("one-hot", "one-hot or zeros", "flags")
    empty = -1 if part.encoding in ("id", "relative seat", "place") else 0
    said = []
    for index in np.argwhere(values != empty):
        words = [_word(axis, int(at), board) for axis, at in zip(part.axes, index, strict=True) if axis]
        value = values[tuple(index)]
        if hot:
            said.append(" ".join(words) or "yes")
        else:
            said.append("=".join([" ".join(words), _value(part, value, board)]).lstrip("="))
    return said


def axis_words(axis: str, board: Board | None = None) -> tuple[str | None, ...]:
    """Returns what the entries along ``axis`` stand for; shorter than the axis where ``board`` has fewer of them."""
    if axis in _WORDS:
        return _WORDS[axis]
    return getattr(board, _BOARD_IDS[axis]) if board is not None else ()


def _word(axis: str, index: int, board: Board | None) -> str:
    """Returns what stands at ``index`` of an axis."""
    words = axis_words(axis, board)
    return (words[index] if index < len(words) else None) or f"{axis} {index}"


def _value(part: Slice, value: Any, board: Board | None) -> str:
    """Returns the words for one value of a slice that is not of zeros and ones."""
    if part.encoding == "id":
        return _word(VALUE_AXES[part.name], int(value), board)
    if part.encoding == "relative seat":
        return _SEATS[int(value)]
    if part.encoding == "place":
        if value >= CARD_FACE_DOWN:
            return f"{_SEATS[int(value) - CARD_FACE_DOWN]} face down"
        return _SEATS[int(value)] if value >= 0 else "out of the game"
    return f"{value:.4g}" if isinstance(value, np.floating) else str(value)
