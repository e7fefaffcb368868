"""The observations: their layouts, and taking them from a game, apart by name, and into words.

    from endeavor_env.observation import LAYOUT, describe, layout_for, observe

    vector = observe(game)                             # the seat to move
    layout = layout_for(game.variant, "features")      # of a standard game LAYOUT.features
    vector[layout["city_owner"].span]                  # one slice, flat
    layout.view(vector, "city_owner")                  # the same as (MAX_CITIES, MAX_SEATS)
    print(describe(vector, game.board))                # what it says

The reference page ``docs/observation.md`` is generated from the layouts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.core import entry
from endeavor_env.core.observe import base_layout as observe_layout
from endeavor_env.core.observe import variant_layout as observe_variants_layout
from endeavor_env.core.observe import write as kernels
from endeavor_env.core.observe.layout import Slice, layout_hash
from endeavor_env.core.state import STATE
from endeavor_env.errors import InvalidOptionError
from endeavor_env.observation.words import Words

if TYPE_CHECKING:
    from endeavor_env.game import Game

__all__ = [
    "COMPACT",
    "FEATURES",
    "LAYOUT",
    "OBSERVATIONS",
    "VARIANT_COMPACT",
    "VARIANT_FEATURES",
    "Layout",
    "Slice",
    "box_bounds",
    "describe",
    "layout_for",
    "observe",
    "to_state",
]

Vector = npt.NDArray[Any]


class Layout:
    """The layout of one kind of observation.

    Attributes:
        name: "features" or "compact", with "variant_" before it but for the standard game.
        version: Raised when the meaning of an entry changes.
        hash: 16 hex digits of version, names, places, shapes, ranges and encodings.
        slices: The parts of the vector, in order and without gaps.
        size: Length of the vector.
        dtype: float32 or int8.
        low: (size,) smallest value of each entry, in ``dtype``, read only.
        high: (size,) largest value of each entry.
    """

    def __init__(self, name: str, version: int, slices: tuple[Slice, ...], dtype: npt.DTypeLike) -> None:
        """Lays out ``slices``; there are two layouts of each kind, made below."""
        self.name = name
        self.version = version
        self.hash = layout_hash(name, version, slices)
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
    variant_features: Layout
    variant_compact: Layout


FEATURES = Layout("features", observe_layout.FEATURES_VERSION, observe_layout.FEATURES, np.float32)
COMPACT = Layout("compact", observe_layout.COMPACT_VERSION, observe_layout.COMPACT, np.int8)
VARIANT_FEATURES = Layout(
    "variant_features",
    observe_variants_layout.VARIANT_FEATURES_VERSION,
    observe_variants_layout.VARIANT_FEATURES,
    np.float32,
)
VARIANT_COMPACT = Layout(
    "variant_compact",
    observe_variants_layout.VARIANT_COMPACT_VERSION,
    observe_variants_layout.VARIANT_COMPACT,
    np.int8,
)
LAYOUT = _Layouts(FEATURES, COMPACT, VARIANT_FEATURES, VARIANT_COMPACT)
OBSERVATIONS = ("features", "compact")
"""The kinds of observation, values of the environments' ``observation`` option."""
_KERNELS: dict[str, Callable[..., None]] = {
    "features": kernels.observe_features,
    "compact": kernels.observe_compact,
}


def layout_for(variant: str, observation: str) -> Layout:
    """Returns the layout of what games of ``variant`` show.

    Args:
        variant: A name of VARIANT_NAMES; all but "standard" share their layouts.
        observation: "features" or "compact".

    Raises:
        InvalidOptionError: An unknown variant or kind of observation.
    """
    if observation not in OBSERVATIONS:
        raise InvalidOptionError(f"observation={observation!r} is unknown: choose one of {', '.join(OBSERVATIONS)}")
    if variant not in c.VARIANT_NAMES:
        raise InvalidOptionError(f"variant {variant!r} is unknown: this version plays {', '.join(c.VARIANT_NAMES)}")
    return getattr(LAYOUT, observation if variant == c.VARIANT_NAMES[0] else f"variant_{observation}")


def box_bounds(observation: str, variant: str = "standard") -> tuple[Vector, Vector]:
    """Returns the read-only ``low`` and ``high`` of a layout, in its dtype, for ``gymnasium.spaces.Box``."""
    layout = layout_for(variant, observation)
    return layout.low, layout.high


def observe(game: Game, seat: int | None = None, observation: str = "features") -> Vector:
    """Returns what ``seat`` sees of ``game``, as a fresh array in the layout ``layout_for(game.variant, observation)``.

    Args:
        game: Any game, also a finished one.
        seat: The observer; None is the seat to move, or seat 0 when the game is over.
        observation: "features" (float32) or "compact" (int8).

    Raises:
        InvalidOptionError: An unknown kind of observation, or a seat that is not at the table.
    """
    layout = layout_for(game.variant, observation)
    observer = max(0, game.seat) if seat is None else seat
    if observer not in range(game.num_players):
        known = "seats are 0 to" if game.num_players > 1 else "the only seat is"
        raise InvalidOptionError(f"seat {seat!r} is not at the table: {known} {game.num_players - 1}")
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
    "crown_level": "isb_level",
    "crown_column": "isb_column",
}
"""Slices of ``compact`` whose STATE field has another name."""
_DERIVED = {"glory"}
"""Slices of ``compact`` that STATE does not hold."""


def to_state(vector: Vector, board: Board | None = None) -> npt.NDArray[np.void]:
    """Returns the position a compact observation was taken of, the observer being seat 0.

    Nothing is lost but the numbers of the seats. (Counts above 127, which no printed board allows, come back as 127.)

    Args:
        vector: (COMPACT.size,) or (VARIANT_COMPACT.size,) int8.
        board: The board it was taken on, None for the one of 2009; only needed to say what there is to choose from
            while a decision for the Opposition is asked for.

    Returns:
        (1,) STATE, fresh.

    Raises:
        InvalidOptionError: Not the shape of a compact observation.
    """
    layout = {(COMPACT.size,): COMPACT, (VARIANT_COMPACT.size,): VARIANT_COMPACT}.get(vector.shape)
    if layout is None:
        raise InvalidOptionError(
            f"an array of shape {vector.shape} is no single compact observation: its shape must be "
            f"({COMPACT.size},) for a standard game or ({VARIANT_COMPACT.size},) for a variant"
        )
    state = np.zeros(1, STATE)
    for part in VARIANT_COMPACT:
        if part.name not in _DERIVED:
            field = state[_STATE_FIELDS.get(part.name, part.name)]
            seen = part.offset < layout.size
            field[...] = vector[part.span].reshape(field.shape) if seen else max(c.NONE, int(part.low))
    if state["decision"][0] == c.DECIDE_OPPOSITION:
        entry.recount_choices(Board.resolve(board).array, state)
    return state


def describe(vector: Vector, board: Board | None = None) -> str:
    """Returns an observation in words, a line for every slice that says something.

    Zeros, and -1 where it means none, are left out, so what is not mentioned is zero or not there. Games without an
    Opposition say nothing about it.

    Args:
        vector: One observation in any layout; its length tells which.
        board: Gives cities, cards and the rest their ids; without it they are numbered.

    Raises:
        InvalidOptionError: The array has the shape of none.
    """
    for layout in LAYOUT:
        if vector.shape == (layout.size,):
            break
    else:
        sizes = " or ".join(f"({layout.size},) of {layout.name}" for layout in LAYOUT)
        raise InvalidOptionError(f"an array of shape {vector.shape} is no observation: its shape must be {sizes}")
    words, lines = Words(_variant_of(layout, vector), board), []
    for part in layout:
        said = words.say(part, layout.view(vector, part.name))
        if said:
            lines.append(f"{part.name}: {', '.join(said)}")
    return "\n".join(lines)


def _variant_of(layout: Layout, vector: Vector) -> str:
    """Returns the variant of the game that ``vector`` was taken of."""
    if layout in (FEATURES, COMPACT):
        return c.VARIANT_NAMES[0]
    code = layout.view(vector, "variant")
    return c.VARIANT_NAMES[int(code.argmax() if layout is VARIANT_FEATURES else code[0])]
