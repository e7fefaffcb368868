"""Rows appended to the layouts: generated offsets, and a table and kernel outside the base files that fill them."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env.endeavor.interface.entry import observe_compact, observe_features
from endeavor_env.endeavor.observation import LAYOUT, VARIANT_COMPACT, VARIANT_FEATURES, Layout, observe
from endeavor_env.endeavor.observe.layouts import (
    FEATURE_ROWS,
    VARIANT_COMPACT_ROWS,
    VARIANT_FEATURE_ROWS,
    VARIANT_SIZES,
)
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.layout import SIZES
from endeavor_env.engine.layouts import Slice, lay_out, layout_size, replace_rows, row_offsets
from endeavor_env.kernels.kernels import kernel
from tests.kits.observations import VARIANTS, played

TOY_SIZES = VARIANT_SIZES | {"toy": 3}
TOY_FEATURES = lay_out(
    (
        *VARIANT_FEATURE_ROWS,
        ("toy_regions", ("region",), 0, 1, "flags", "the region has a toy", "R1"),
        ("toys", ("relative seat", "toy"), 0, 1, "scaled", "toys held, divided by 9", "R1"),
    ),
    TOY_SIZES,
)
TOY_COMPACT = lay_out((*VARIANT_COMPACT_ROWS, ("toys", ("toy",), 0, 9, "number", "toys left", "R1")), TOY_SIZES)
_AT = row_offsets(TOY_FEATURES)
_RAW_AT = row_offsets(TOY_COMPACT)


@kernel
def write_toy_features(seat, out):
    """Write the rows of the toy."""
    for region in range(c.NUM_REGIONS):
        out[_AT.toy_regions + region] = 1.0
    out[_AT.toys + 3 * int(seat)] = 0.5


@kernel
def write_toy_compact(out):
    """Write the rows of the toy."""
    out[_RAW_AT.toys + 2] = 7


@pytest.mark.parametrize("layout", LAYOUT, ids=LAYOUT._fields)
def test_offsets_by_name_are_those_of_the_slices(layout: Layout) -> None:
    at = row_offsets(layout.slices)
    for part in layout:
        offset = getattr(at, part.name)
        assert type(offset) is int
        assert offset == part.offset


def test_unknown_names_have_no_offset() -> None:
    with pytest.raises(AttributeError, match="no attribute 'embargo'"):
        _ = row_offsets(TOY_FEATURES).embargo


def test_namespaces_of_different_layouts_have_different_names() -> None:
    """Numba takes modules of one name for the same module."""
    layouts = (*(layout.slices for layout in LAYOUT), TOY_FEATURES, TOY_COMPACT)
    assert len({repr(row_offsets(slices)) for slices in layouts}) == len(layouts)


def test_rows_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two rows of an observation layout are called 'round': every row needs its"):
        lay_out((*FEATURE_ROWS, FEATURE_ROWS[1]), SIZES)


def test_replaced_rows_stay_where_they_are() -> None:
    row = ("round", ("",), 0, 9, "number", "round", "R3.1")
    replaced = replace_rows(FEATURE_ROWS, (row,))
    assert replaced[1] == row
    assert (replaced[0], *replaced[2:]) == (FEATURE_ROWS[0], *FEATURE_ROWS[2:])


@pytest.mark.parametrize(
    ("slices", "shorter"),
    [(TOY_FEATURES, VARIANT_FEATURES), (TOY_COMPACT, VARIANT_COMPACT)],
    ids=["features", "compact"],
)
def test_a_longer_layout_begins_with_the_shorter_one(slices: tuple[Slice, ...], shorter: Layout) -> None:
    assert slices[: len(shorter)] == shorter.slices
    assert slices[len(shorter)].offset == shorter.size


@pytest.mark.parametrize("variant", ["standard", *VARIANTS])
def test_a_kernel_of_its_own_fills_appended_rows(variant: str) -> None:
    game = played(c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(variant)][0], 2, 60, variant=variant)
    features = np.full(layout_size(TOY_FEATURES), np.nan, np.float32)
    observe_features(game.board.array, game.state, 0, features)
    write_toy_features(0, features)
    compact = np.full(layout_size(TOY_COMPACT), 99, np.int8)
    observe_compact(game.board.array, game.state, 0, compact)
    write_toy_compact(compact)
    for vector, added, kind in (
        (features, [1.0] * c.NUM_REGIONS + [0.5] + [0.0] * (3 * c.MAX_SEATS - 1), "features"),
        (compact, [0, 0, 7], "compact"),
    ):
        seen = observe(game, 0, kind)
        assert vector[-len(added) :].tolist() == added
        assert (vector[: seen.size] == seen).all()
