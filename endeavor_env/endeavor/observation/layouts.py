"""The layouts of the observations: names, places, shapes and ranges of the parts of a vector.

    from endeavor_env.endeavor.observation import LAYOUT, layout_for

    layout = layout_for(game.variant, "features")      # of a standard game LAYOUT.features
    vector[layout["city_owner"].span]                  # one slice, flat
    layout.view(vector, "city_owner")                  # the same as (MAX_CITIES, MAX_SEATS)

The reference page ``docs/observation.md`` is generated from the layouts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from endeavor_env.basics.inputs import OBSERVATIONS, plain_text
from endeavor_env.endeavor.observe import layouts as tables
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import ruleset_of
from endeavor_env.engine.layouts import Layout, Slice, Vector, layout_hash
from endeavor_env.errors import InvalidOptionError, shown


def _layout(name: str, slices: tuple[Slice, ...], dtype: type[np.generic]) -> Layout:
    """Return version 1 of a layout."""
    return Layout(name, slices, dtype, layout_hash(name, 1, slices))


FEATURES = _layout("features", tables.FEATURES, np.float32)
COMPACT = _layout("compact", tables.COMPACT, np.int8)
VARIANT_FEATURES = _layout("variant_features", tables.VARIANT_FEATURES, np.float32)
VARIANT_COMPACT = _layout("variant_compact", tables.VARIANT_COMPACT, np.int8)
EXPLOIT_FEATURES = _layout("exploit_features", tables.EXPLOIT_FEATURES, np.float32)
EXPLOIT_COMPACT = _layout("exploit_compact", tables.EXPLOIT_COMPACT, np.int8)


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
