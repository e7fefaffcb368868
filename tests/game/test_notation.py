"""Move texts: every id of every board there and back, and one named error for everything else."""

from __future__ import annotations

from typing import Any

import pytest

from endeavor_env import notation
from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.core.actions import BLOCKS, NUM_ACTIONS, NUM_VARIANT_ACTIONS, num_actions
from endeavor_env.errors import IllegalActionError

BOARDS = ["endeavor_2009", *(f"generated_{seed}" for seed in range(6))]


@pytest.mark.parametrize("variant", [None, "standard", "solo"])
@pytest.mark.parametrize("name", BOARDS)
def test_every_id_goes_to_text_and_back(name: str, variant: str | None) -> None:
    board = Board.resolve(name)
    texts: dict[str, int] = {}
    for block in notation.blocks(variant):
        known = notation.targets(board, block)
        for index in range(block.size):
            action = block.offset + index
            target = known[index] if index < len(known) else None
            if target is None:
                with pytest.raises(IllegalActionError, match=f"action {action} names no move on board {name}"):
                    notation.to_text(board, action, variant)
                continue
            text = notation.to_text(board, action, variant)
            assert text == (f"{block.verb}:{target}" if target else block.verb)
            assert notation.to_action(board, text, variant) == action
            texts[text] = action
    buildings, cities, tracks = len(board.buildings), len(board.cities), int(board.array["track_length"].sum())
    base = 3 * buildings + 4 + 1 + 1 + 7 + 2 * cities + 8 + 48
    assert len(texts) == base + (0 if variant == "standard" else tracks + cities + 7 + cities + 4)


def test_the_blocks_of_a_variant_fill_its_ids() -> None:
    for variant in c.VARIANT_NAMES:
        assert sum(block.size for block in notation.blocks(variant)) == num_actions(variant)
    assert notation.blocks("standard") == BLOCKS[:11]
    assert notation.blocks("neutral_2") == notation.blocks() == BLOCKS


@pytest.mark.parametrize(
    ("move", "block", "index"),
    [
        ("remove:far_east.1", "REMOVE_SPACE", c.MAX_TRACK),
        ("remove:far_east.8", "REMOVE_SPACE", c.MAX_TRACK + 7),
        ("remove:africa.6", "REMOVE_SPACE", 6 * c.MAX_TRACK + 5),
        ("remove:london", "REMOVE_CITY", 0),
        ("neutral_sail:africa", "NEUTRAL_SAIL", 6),
        ("neutral_occupy:london", "NEUTRAL_OCCUPY", 0),
        ("take:industry", "TAKE", 0),
        ("take:politics", "TAKE", 3),
    ],
)
def test_moves_of_the_variants(move: str, block: str, index: int) -> None:
    action = next(one for one in BLOCKS if one.name == block).offset + index
    board = Board.default()
    assert notation.to_action(board, move, "solo") == action
    assert notation.to_text(board, action, "solo") == move
    with pytest.raises(IllegalActionError, match=f"{move!r} is no move: a move is .* verbs build, .*, pay, discard$"):
        notation.to_action(board, move, "standard")
    with pytest.raises(IllegalActionError, match=f"action {action} names no move .*: ids 0..{NUM_ACTIONS - 1} are"):
        notation.to_text(board, action, "standard")


def test_shipping_spaces_have_a_gap_where_a_track_is_shorter() -> None:
    block = next(one for one in BLOCKS if one.name == "REMOVE_SPACE")
    board = Board.default()
    targets = notation.targets(board, block)
    assert len(targets) == block.size == c.NUM_REGIONS * c.MAX_TRACK
    lengths = board.array["track_length"][0].tolist()
    for region, length in enumerate(lengths):
        row = targets[region * c.MAX_TRACK : (region + 1) * c.MAX_TRACK]
        assert row == tuple(f"{board.regions[region]}.{n + 1}" if n < length else None for n in range(c.MAX_TRACK))


@pytest.mark.parametrize("variant", [None, *c.VARIANT_NAMES[1:]])
@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("remove:", "the form is remove:<shipping space>, one of far_east.1, .*, or remove:<city>, one of london, "),
        ("remove:far_east", "the form is remove:<shipping space>"),
        ("remove:africa.7", "the form is remove:<shipping space>"),
        ("remove:europe.1", "the form is remove:<shipping space>"),
        ("neutral_sail:london", "the form is neutral_sail:<region>, one of europe, far_east"),
        ("neutral_occupy:europe", "the form is neutral_occupy:<city>, one of london"),
        ("take:attack", "the form is take:<status>, one of industry, culture, finance, politics$"),
        ("take", "the form is take:<status>"),
        ("neutral:london", "verbs build, activate, .*, discard, remove, neutral_sail, neutral_occupy, take$"),
    ],
)
def test_a_text_that_is_no_move_of_a_variant_is_named(move: str, message: str, variant: str | None) -> None:
    with pytest.raises(IllegalActionError, match=message):
        notation.to_action(Board.default(), move, variant)


def test_two_boards_share_ids_but_not_texts() -> None:
    first, second = Board.default(), Board.generate(1)
    action = notation.to_action(first, "occupy:london")
    assert notation.to_text(second, action) == "occupy:europe_1"
    with pytest.raises(IllegalActionError, match="'occupy:london' is no move on board generated_1"):
        notation.to_action(second, "occupy:london")
    assert notation.to_action(first, "pass") == notation.to_action(second, "pass")


@pytest.mark.parametrize("variant", [None, "standard", "solo"])
@pytest.mark.parametrize("action", [-1, NUM_VARIANT_ACTIONS, 10**9, 1.5, "pass", None, True, float("nan")])
def test_an_id_that_is_none_is_named(action: Any, variant: str | None) -> None:
    with pytest.raises(IllegalActionError, match="names no move"):
        notation.to_text(Board.default(), action, variant)


@pytest.mark.parametrize("variant", [None, "standard", "solo"])
@pytest.mark.parametrize("move", [None, 3, b"pass", ["pass"], "", "pass ", "PASS", "walk:london"])
def test_a_text_that_is_none_is_named(move: Any, variant: str | None) -> None:
    with pytest.raises(IllegalActionError, match="is no move"):
        notation.to_action(Board.default(), move, variant)
