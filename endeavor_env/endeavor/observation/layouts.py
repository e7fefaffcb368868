"""The layouts of the observations: names, places, shapes and ranges of the parts of a vector.

    from endeavor_env.endeavor.observation import LAYOUT, layout_for

    layout = layout_for(game.variant, "features")      # of a standard game LAYOUT.features
    vector[layout["city_owner"].span]                  # one slice, flat
    layout.view(vector, "city_owner")                  # the same as (MAX_CITIES, MAX_SEATS)

The reference page ``docs/observation.md`` is generated from the layouts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import OBSERVATIONS, plain_text
from endeavor_env.endeavor.observe import layouts as tables
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import ruleset_of
from endeavor_env.endeavor.rules.layout import Slice, layout_hash
from endeavor_env.errors import InvalidOptionError, shown

Vector = npt.NDArray[Any]


def kind_of(vector: object) -> str:
    """Return what was given instead of an observation, for messages."""
    return f"an array of shape {vector.shape}" if isinstance(vector, np.ndarray) else f"a {type(vector).__name__}"


class Layout:
    """The layout of one kind of observation.

    Attributes:
        name: "features" or "compact"; for variants "variant_features" or "variant_compact", with Exploits
            "exploit_features" or "exploit_compact".
        version: Raised when the meaning of an entry changes.
        hash: 16 hex digits of name, version and slices.
        slices: The parts of the vector, in order and without gaps.
        size: Length of the vector.
        dtype: float32 or int8.
        low: (size,) smallest value of each entry, in ``dtype``, read only.
        high: (size,) largest value of each entry.
    """

    def __init__(self, name: str, version: int, slices: tuple[Slice, ...], dtype: npt.DTypeLike) -> None:
        """Use ``slices``, which follow each other without gaps."""
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
        """Return the slice called ``name``; raise InvalidOptionError, listing all names, if there is none."""
        if plain_text(name) not in self._by_name:
            raise InvalidOptionError(
                f"slice {shown(name)} is not in the {self.name} observation: its slices are {', '.join(self._by_name)}"
            )
        return self._by_name[name]

    def __iter__(self) -> Iterator[Slice]:
        """Iterate over the slices in order."""
        return iter(self.slices)

    def __len__(self) -> int:
        """Return the number of slices."""
        return len(self.slices)

    def __repr__(self) -> str:
        return f"<Layout {self.name} v{self.version} {self.hash}: {len(self)} slices, {self.size} x {self.dtype}>"

    def view(self, vector: Vector, name: str) -> Vector:
        """Return one slice of a vector, or of a batch of them, in its own shape.

        Args:
            vector: (..., size).
            name: Name of the slice.

        Returns:
            ``(..., *shape)``, a view if NumPy can make one.

        Raises:
            InvalidOptionError: There is no such slice, or the last axis does not have ``size`` entries.
        """
        part = self[name]
        if not isinstance(vector, np.ndarray) or vector.shape[-1:] != (self.size,):
            raise InvalidOptionError(
                f"{kind_of(vector)} is no {self.name} observation: its last axis must have {self.size} entries"
            )
        return vector[..., part.span].reshape(*vector.shape[:-1], *part.shape)

    def unpack(self, vector: Vector) -> dict[str, Vector]:
        """Return every slice by name, as ``view`` returns it."""
        return {part.name: self.view(vector, part.name) for part in self.slices}


FEATURES = Layout("features", 1, tables.FEATURES, np.float32)
COMPACT = Layout("compact", 1, tables.COMPACT, np.int8)
VARIANT_FEATURES = Layout("variant_features", 1, tables.VARIANT_FEATURES, np.float32)
VARIANT_COMPACT = Layout("variant_compact", 1, tables.VARIANT_COMPACT, np.int8)
EXPLOIT_FEATURES = Layout("exploit_features", 1, tables.EXPLOIT_FEATURES, np.float32)
EXPLOIT_COMPACT = Layout("exploit_compact", 1, tables.EXPLOIT_COMPACT, np.int8)


class _Layouts(NamedTuple):
    """All layouts; the fields are named as the layouts are."""

    features: Layout = FEATURES
    compact: Layout = COMPACT
    variant_features: Layout = VARIANT_FEATURES
    variant_compact: Layout = VARIANT_COMPACT
    exploit_features: Layout = EXPLOIT_FEATURES
    exploit_compact: Layout = EXPLOIT_COMPACT


LAYOUT = _Layouts()
_OF_RULESET = {
    "base": {"features": FEATURES, "compact": COMPACT},
    "variants": {"features": VARIANT_FEATURES, "compact": VARIANT_COMPACT},
    "exploits": {"features": EXPLOIT_FEATURES, "compact": EXPLOIT_COMPACT},
}


def layout_for(variant: str, observation: str) -> Layout:
    """Return the layout of the observations of ``variant``.

    Args:
        variant: A name of VARIANT_NAMES; variants of one ruleset share their layouts.
        observation: "features" or "compact".

    Raises:
        InvalidOptionError: An unknown variant or kind of observation.
    """
    kind = plain_text(observation)
    if kind not in OBSERVATIONS:
        raise InvalidOptionError(
            f"observation={shown(observation)} is unknown: choose one of {', '.join(OBSERVATIONS)}"
        )
    if plain_text(variant) not in c.VARIANT_NAMES:
        raise InvalidOptionError(
            f"variant {shown(variant)} is unknown: this version plays {', '.join(c.VARIANT_NAMES)}"
        )
    return _OF_RULESET[ruleset_of(variant).name][kind]


def box_bounds(observation: str, variant: str = "standard") -> tuple[Vector, Vector]:
    """Return ``low`` and ``high`` of a layout, read only and in its dtype, for ``gymnasium.spaces.Box``."""
    layout = layout_for(variant, observation)
    return layout.low, layout.high
