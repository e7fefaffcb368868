"""The pages about observations and actions can be made, are complete, and their examples run."""

from __future__ import annotations

import re

import pytest

from endeavor_env.endeavor import notation
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.observation import COMPACT, FEATURES, LAYOUT, Layout
from endeavor_env.endeavor.rules.actions import (
    BLOCKS,
    NUM_ACTIONS,
    NUM_IDS,
    NUM_VARIANT_ACTIONS,
    layout_hash,
    num_actions,
)
from tests.kits.scripts import load_script

BASES = {
    LAYOUT.variant_features: FEATURES,
    LAYOUT.variant_compact: COMPACT,
    LAYOUT.exploit_features: FEATURES,
    LAYOUT.exploit_compact: COMPACT,
}
"""The layout of the base game by the layouts that begin with it."""


reference_pages = load_script("make/reference_pages.py")
markdown_tables = load_script("make/markdown_tables.py")


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """The pages that are made from the code."""
    return reference_pages.pages()


def test_check_names_what_is_wrong_with_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_pages.rules_page, "find_tests", lambda book: {})
    with pytest.raises(ValueError, match=r"clause R1\.1 has no test in tests/rules whose name starts with it"):
        reference_pages.pages()


def _rows(page: str, layout: Layout) -> dict[str, list[str]]:
    """Return the cells of the rows about each slice in the section of ``layout``."""
    section = page[page.index(f"## `{layout.name}`") :].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if re.match(r"\| \d", line)]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert len({row[1] for row in cells}) == len(cells), "a slice is listed twice"
    return {row[1].strip("`"): row for row in cells}


@pytest.mark.parametrize("layout", LAYOUT, ids=LAYOUT._fields)
def test_observation_page_lists_every_slice(layout: Layout, texts: dict[str, str]) -> None:
    page = texts["observation.md"]
    base = BASES.get(layout)
    listed = (_rows(page, base) if base else {}) | _rows(page, layout)
    assert set(listed) == {part.name for part in layout}
    for part in layout:
        row = listed[part.name]
        assert row[0] == markdown_tables.ids(part.offset, part.size)
        assert row[3] == f"{part.low:g} to {part.high:g}"
        assert row[4].split()[0].strip("*") == part.encoding.split()[0]
        assert row[-2:] == [part.meaning, part.clause]
    assert f"| `{layout.name}` | {layout.size} | {layout.dtype} |" in page
    assert f"`{layout.hash}`" in page


def test_actions_page_lists_every_id_once(texts: dict[str, str]) -> None:
    page, board = texts["actions.md"], Board.default()
    body = page[page.index("## Ids on the default board") :]
    listed: list[int] = []
    for first, last, move in re.findall(r"^\| (\d+)(?:-(\d+))? \| (?:`([^`]+)`)? \|", body, re.MULTILINE):
        numbers = range(int(first), int(last or first) + 1)
        listed += numbers
        if move:
            assert notation.to_action(board, move) == int(first)
        else:
            assert all(action not in named(board) for action in numbers), "a dead row hides a move"
    assert listed == list(range(NUM_IDS))
    words, ids = " ".join(page.split()), named(board)
    hashes = [f"`{layout_hash(variant)}`" for variant in ("standard", "solo", "exploits")]
    assert f"hash {hashes[0]} in the standard game, {hashes[1]} in the variants, {hashes[2]} with Exploits" in words
    standard = {action for action in ids if action < NUM_ACTIONS}
    variants = {action for action in ids if action < NUM_VARIANT_ACTIONS}
    assert (
        f"{len(standard)} of the {NUM_ACTIONS} of the standard game, {len(variants)} of the {NUM_VARIANT_ACTIONS} of "
        f"the variants, {len(ids - variants | standard)} of those with Exploits"
    ) in words
    assert num_actions("exploits") == NUM_IDS
    for block in BLOCKS:
        assert f"| {markdown_tables.ids(block.offset, block.size)} | {block.name} | {block.size} |" in page


def named(board: Board) -> set[int]:
    """Return the ids that name something on ``board``."""
    return {
        block.offset + index
        for block in BLOCKS
        for index, target in enumerate(notation.targets(board, block))
        if target is not None
    }
