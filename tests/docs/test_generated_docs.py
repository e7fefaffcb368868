"""The pages about observations and actions can be made, are complete, and their examples run."""

from __future__ import annotations

import re
import subprocess

import numpy as np
import pytest

from endeavor_env.endeavor import notation
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.observation import COMPACT, FEATURES, LAYOUT, Layout
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import (
    BLOCKS,
    NUM_ACTIONS,
    NUM_IDS,
    NUM_VARIANT_ACTIONS,
    REMOVE_SPACE_AT,
    layout_hash,
    num_actions,
)
from endeavor_env.testing import open_regions
from tests.kits.scripts import DOCS, load_script

BASES = {
    LAYOUT.variant_features: FEATURES,
    LAYOUT.variant_compact: COMPACT,
    LAYOUT.exploit_features: FEATURES,
    LAYOUT.exploit_compact: COMPACT,
}
"""The layout of the base game by the layouts that begin with it."""
PAGES = ("observation.md", "actions.md")


reference_pages = load_script("make/reference_pages.py")
markdown_tables = load_script("make/markdown_tables.py")


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """The pages that are made from the code."""
    return reference_pages.pages()


def test_the_pages_have_the_names_that_are_listed_and_git_ignores_them(texts: dict[str, str]) -> None:
    assert set(texts) == set(reference_pages.NAMES)
    command = ["git", "check-ignore", *(f"docs/{name}" for name in texts)]
    done = subprocess.run(command, cwd=DOCS.parent, capture_output=True, text=True, check=False)
    if done.returncode == 128:
        pytest.skip("this is no checkout of git")
    assert done.stdout.split() == command[2:]


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


@pytest.mark.parametrize("layout", BASES, ids=[layout.name for layout in BASES])
def test_observation_page_lists_only_what_a_variant_adds_or_changes(layout: Layout, texts: dict[str, str]) -> None:
    listed = list(_rows(texts["observation.md"], layout))
    unchanged = {part.name for part, other in zip(layout.slices, BASES[layout], strict=False) if part == other}
    assert listed == [part.name for part in layout if part.name not in unchanged]


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


def test_tracks_shorter_than_the_longest_leave_dead_ids_between(texts: dict[str, str]) -> None:
    board, page = Board.default(), texts["actions.md"]
    section = page[page.index("### REMOVE_SPACE") :].partition("\n### ")[0]
    dead = re.findall(r"^\| (\d+)(?:-(\d+))? \|  \|", section, re.MULTILINE)
    length = board.array[0].track_length.tolist()
    starts = [REMOVE_SPACE_AT + region * c.MAX_TRACK + length[region] for region in range(c.NUM_REGIONS)]
    assert [int(first) for first, _ in dead] == [
        at for at, count in zip(starts, length, strict=True) if count < c.MAX_TRACK
    ]


@pytest.mark.parametrize("variant", c.VARIANT_NAMES)
def test_actions_page_says_who_uses_a_block(variant: str, texts: dict[str, str]) -> None:
    """Random games meet no block that the page leaves to other variants, and all but the rare ones of their own."""
    rows = re.findall(r"^\| (\d+)(?:-(\d+))? \| ([A-Z_]+) \|.*\| ([^|]+) \|$", texts["actions.md"], re.MULTILINE)
    assert [name for _, _, name, _ in rows] == [block.name for block in BLOCKS]
    own = [name for _, _, name, users in rows if users == "every variant" or variant in users.split(", ")]
    rng, met = np.random.default_rng(0), set()
    for seed in range(3 if variant != "exploits" else 12):
        game = Game.new(variant=variant, seed=seed, exploits=c.EXPLOIT_NAMES if variant == "exploits" else None)
        if variant == "exploits":
            open_regions(game)  # else few Exploits become active
        while not game.over:
            legal = game.legal_actions()
            met |= {next(block.name for block in reversed(BLOCKS) if block.offset <= action) for action in legal}
            game.apply(int(rng.choice(legal)))
    assert met <= set(own)
    rare = {"ATTACK", "PAY", "DISCARD", "TAKE", "REMOVE_CITY", "SPEND", "SOUTH_SEA_KEEP", "SOUTH_SEA_CASH"}
    assert set(own) - rare <= met


def test_never_legal_ids_are_those_the_rules_cannot_offer(texts: dict[str, str]) -> None:
    marked = re.findall(r"`([a-z_:]+)` \| [^|]+ \| \*never legal\*", texts["actions.md"])
    without_space = ("workshop", "bank", "theater", "university")
    assert marked == [
        "build:colonial_house",
        *(f"activate:{building}" for building in without_space),
        "sail:europe",
        *(f"pay:{building}" for building in without_space),
        *(f"remove:{city}" for city in Board.default().cities[10:]),
        "neutral_sail:europe",
    ]


@pytest.mark.parametrize("name", PAGES)
def test_examples_run(name: str, texts: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", texts[name], re.DOTALL)
    assert len(blocks) == 1
    exec(compile(blocks[0], name, "exec"), {})
    printed = capsys.readouterr().out
    assert ("decision: build" in printed) == (name == "observation.md")
