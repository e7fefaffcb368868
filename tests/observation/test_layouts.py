"""The layouts: named slices without gaps, finite bounds, hashes that change when a vector means something else."""

from __future__ import annotations

import re

import numpy as np
import pytest

from endeavor_env.endeavor.observation import (
    COMPACT,
    FEATURES,
    LAYOUT,
    VARIANT_COMPACT,
    VARIANT_FEATURES,
    Layout,
    box_bounds,
    layout_for,
)
from endeavor_env.endeavor.observe import layouts
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.layout import ENCODINGS
from endeavor_env.engine.layouts import layout_hash
from endeavor_env.errors import InvalidOptionError

EXPLOIT_FEATURES, EXPLOIT_COMPACT = LAYOUT.exploit_features, LAYOUT.exploit_compact
EACH = pytest.mark.parametrize("layout", LAYOUT, ids=LAYOUT._fields)

KNOWN_HASHES = {
    ("features", 1): "197b9bcbd7eefc65",
    ("compact", 1): "77ad656ad5e78f6c",
    ("variant_features", 1): "2d082df4a6d00e07",
    ("variant_compact", 1): "051df9ec337406a3",
    ("exploit_features", 1): "de7cdd419be5f2ab",
    ("exploit_compact", 1): "08d7b88666335f98",
}
"""A vector that means something else needs a new version: add a line here and raise the version in ``observe``."""


@EACH
def test_hash_belongs_to_the_version(layout: Layout) -> None:
    assert KNOWN_HASHES.get((layout.name, layout.version)) == layout.hash


@EACH
def test_slices_lie_end_to_end(layout: Layout) -> None:
    offset = 0
    for part in layout:
        assert part.offset == offset
        assert part.size == int(np.prod(part.shape)) > 0
        assert len(part.axes) == len(part.shape)
        offset += part.size
    assert offset == layout.size
    assert len({part.name for part in layout}) == len(layout) == len(layout.slices)


@pytest.mark.parametrize(
    ("layout", "base"),
    [
        (VARIANT_FEATURES, FEATURES),
        (VARIANT_COMPACT, COMPACT),
        (EXPLOIT_FEATURES, FEATURES),
        (EXPLOIT_COMPACT, COMPACT),
    ],
)
def test_variants_begin_with_the_slices_of_the_standard_game(layout: Layout, base: Layout) -> None:
    assert len(layout) > len(base)
    for part, as_before in zip(layout.slices, base, strict=False):
        assert (part.name, part.offset, part.shape) == (as_before.name, as_before.offset, as_before.shape)
        assert part.low <= as_before.low, part.name
        assert as_before.high <= part.high, part.name


def test_the_standard_game_keeps_its_layouts_and_every_variant_finds_its_own() -> None:
    assert layout_for("standard", "features") is FEATURES
    assert layout_for("standard", "compact") is COMPACT
    for variant in c.VARIANT_NAMES[1:]:
        exploits = variant == "exploits"
        features = EXPLOIT_FEATURES if exploits else VARIANT_FEATURES
        compact = EXPLOIT_COMPACT if exploits else VARIANT_COMPACT
        assert layout_for(variant, "features") is features
        assert layout_for(variant, "compact") is compact
        assert (box_bounds("compact", variant)[0] == compact.low).all()
        assert (box_bounds("features", variant)[1] == features.high).all()


def test_kernels_know_every_size() -> None:
    assert FEATURES.size == layouts.FEATURES_SIZE
    assert COMPACT.size == layouts.COMPACT_SIZE
    assert VARIANT_FEATURES.size == layouts.VARIANT_FEATURES_SIZE
    assert VARIANT_COMPACT.size == layouts.VARIANT_COMPACT_SIZE
    assert EXPLOIT_FEATURES.size == layouts.EXPLOIT_FEATURES_SIZE == 3131
    assert EXPLOIT_COMPACT.size == layouts.EXPLOIT_COMPACT_SIZE == 931


def test_sizes_stay_moderate() -> None:
    assert FEATURES.size < 2000
    assert VARIANT_FEATURES.size < 2500
    assert EXPLOIT_FEATURES.size < 3500
    for features, compact in (
        (FEATURES, COMPACT),
        (VARIANT_FEATURES, VARIANT_COMPACT),
        (EXPLOIT_FEATURES, EXPLOIT_COMPACT),
    ):
        assert compact.size * compact.dtype.itemsize * 5 < features.size * features.dtype.itemsize


@EACH
def test_every_slice_is_explained(layout: Layout) -> None:
    for part in layout:
        assert len(part.meaning.split()) >= 1, part.name
        assert not part.meaning.endswith("."), part.name
        assert part.encoding in ENCODINGS, part.name
        assert re.fullmatch(r"(R|S|V2S\.|V2F\.|X)\d+(\.\d+)*|[CE]\d+", part.clause), part.name


@EACH
def test_bounds_are_finite_and_read_only(layout: Layout) -> None:
    *ruleset, kind = layout.name.split("_")
    low, high = box_bounds(kind, {"variant": "solo", "exploit": "exploits"}[ruleset[0]] if ruleset else "standard")
    for bound in (low, high):
        assert bound.shape == (layout.size,)
        assert bound.dtype == layout.dtype
        assert np.isfinite(bound).all()
        with pytest.raises(ValueError, match="read-only"):
            bound[0] = 0
    assert (low < high).all()
    for part in layout:
        assert (low[part.span] == part.low).all()
        assert (high[part.span] == part.high).all()
        if part.encoding in ("one-hot", "one-hot or zeros", "flags"):
            assert (part.low, part.high) == (0, 1)


@EACH
def test_hash_sees_everything_but_prose(layout: Layout) -> None:
    first, *rest = layout.slices
    changed = {
        "name": "other",
        "offset": 1,
        "shape": (9,),
        "axes": ("other",),
        "low": -7.0,
        "high": 7.0,
        "encoding": "code",
    }
    others = [(first._replace(**{key: value}), *rest) for key, value in changed.items()]
    hashes = {layout_hash(layout.name, layout.version, slices) for slices in others}
    hashes |= {layout_hash("other", layout.version, layout.slices), layout_hash(layout.name, 99, layout.slices)}
    assert len(hashes | {layout.hash}) == len(changed) + 3
    assert layout_hash(layout.name, layout.version, (first._replace(meaning="m", clause="R1"), *rest)) == layout.hash
    assert re.fullmatch(r"[0-9a-f]{16}", layout.hash)


def test_views_by_name() -> None:
    batch = np.arange(6 * FEATURES.size, dtype=np.float32).reshape(2, 3, FEATURES.size)
    owners = FEATURES.view(batch, "city_owner")
    assert owners.shape == (2, 3, *FEATURES["city_owner"].shape)
    assert (owners.reshape(2, 3, -1) == batch[..., FEATURES["city_owner"].span]).all()
    assert FEATURES.view(batch[0, 0], "marker").base is not None, "one vector gives views, not copies"
    parts = FEATURES.unpack(batch[1, 2])
    assert list(parts) == [part.name for part in FEATURES]
    assert (np.concatenate([values.ravel() for values in parts.values()]) == batch[1, 2]).all()


def test_wrong_names_and_shapes_are_refused() -> None:
    with pytest.raises(InvalidOptionError, match=r"slice 'cities' is not in the compact observation: .*city_owner"):
        COMPACT["cities"]
    with pytest.raises(InvalidOptionError, match=rf"last axis must have {COMPACT.size} entries"):
        COMPACT.view(np.zeros(FEATURES.size), "phase")
    with pytest.raises(InvalidOptionError, match="observation='pixels' is unknown: choose one of features, compact"):
        box_bounds("pixels")
    with pytest.raises(InvalidOptionError, match="observation='variant_compact' is unknown: choose one of features, c"):
        layout_for("solo", "variant_compact")
    with pytest.raises(InvalidOptionError, match="variant 'solitaire' is unknown: this version plays standard, solo, "):
        box_bounds("features", "solitaire")


@EACH
def test_repr_names_kind_size_and_hash(layout: Layout) -> None:
    assert repr(layout) == (
        f"<Layout {layout.name} v{layout.version} {layout.hash}: {len(layout)} slices, {layout.size} x {layout.dtype}>"
    )
