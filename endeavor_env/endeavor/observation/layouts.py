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
from endeavor_env.endeavor.observe.write import LAYOUTS
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import ruleset_of
from endeavor_env.engine.layouts import Layout, Vector, layout_hash
from endeavor_env.errors import InvalidOptionError, shown


class _Layouts(NamedTuple):
    """All layouts; the fields are named as the layouts are."""

    features: Layout
    compact: Layout
    variant_features: Layout
    variant_compact: Layout
    exploit_features: Layout
    exploit_compact: Layout


_DTYPES = {"features": np.float32, "compact": np.int8}
_BY_RULESET = {
    (one.ruleset, one.observation): Layout(
        one.name,
        one.slices,
        _DTYPES[one.observation],
        layout_hash(one.name, one.version, one.slices),
        one.version,
    )
    for one in LAYOUTS
}
FEATURES, COMPACT = _BY_RULESET["base", "features"], _BY_RULESET["base", "compact"]
VARIANT_FEATURES, VARIANT_COMPACT = _BY_RULESET["variants", "features"], _BY_RULESET["variants", "compact"]
EXPLOIT_FEATURES, EXPLOIT_COMPACT = _BY_RULESET["exploits", "features"], _BY_RULESET["exploits", "compact"]
LAYOUT = _Layouts(FEATURES, COMPACT, VARIANT_FEATURES, VARIANT_COMPACT, EXPLOIT_FEATURES, EXPLOIT_COMPACT)


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
    return _BY_RULESET[ruleset_of(variant).name, kind]


def box_bounds(observation: str, variant: str = "standard") -> tuple[Vector, Vector]:
    """Return ``low`` and ``high`` of a layout, read only and in its dtype, for ``gymnasium.spaces.Box``."""
    layout = layout_for(variant, observation)
    return layout.low, layout.high
