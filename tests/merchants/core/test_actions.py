"""Action ids and records: sizes, offsets and texts."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env.merchants.board import load_board
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.board_record import BOARD
from endeavor_env.merchants.rules.state import SETUP, STATE
from endeavor_env.merchants.words import BoardWords
from tests.merchants.core.games import new_game

SIZES = (
    "ROLL 1 END 1 DONE 1 PLAY 4 CARD 1 BUY 5 BANK 30 MERCHANT 48 CARAVAN 288 ROUTE 288 LIFT 2 WALK 2 TO 208 DRIVE 2 "
    "STEP 288 STOP 1 DELIVER 48 DISCARD 5 ROBBER 72 STEAL 3 TOKEN 72 TAKE 72 INCOME 16 GOLD 1 POST 48 NEUTRAL 48 "
    "GIVE 6 WANT 6 PROPOSE 1 CANCEL 1 ACCEPT 1 REFUSE 1 PARTNER 3 FIRST 4 DICE 11 STOLEN 5 DRAWN 4 VALUE 6"
)


def test_K11_1_blocks_have_these_sizes_in_this_order() -> None:
    assert " ".join(f"{block.name} {block.size}" for block in actions.BLOCKS) == SIZES
    assert actions.NUM_MOVES == 1574
    assert [block.offset for block in actions.BLOCKS[:4]] == [0, 1, 2, 3]


@pytest.mark.parametrize("record", [BOARD, STATE, SETUP])
def test_fields_of_records_lie_where_processors_want_them(record: np.dtype[np.void]) -> None:
    fields = record.fields
    assert fields is not None
    assert all(place % kind.base.itemsize == 0 for kind, place, *_ in fields.values())
    assert record.itemsize % 8 == 0


def test_a_position_has_at_most_a_kibibyte() -> None:
    assert STATE.itemsize <= 1536


@pytest.mark.parametrize("side", c.SIDE_NAMES)
def test_texts_name_what_the_board_has(side: str) -> None:
    board = load_board(side)
    words = BoardWords(board)
    texts = [text for action in range(actions.NUM_ACTIONS) if (text := words.text(action, 0, 4)) is not None]
    assert len(texts) == len(set(texts))
    assert all(words.text(words.action(text, 0, 4) or 0, 0, 4) == text for text in texts)
    assert {"bank:ore:gold", "to:c57", "to:prague", "step:p88", "robber:t12", "steal:2", "dice:8", "value:11"} <= {
        *texts
    }
    assert not {"bank:ore:ore", f"step:p{board.num_paths}", f"robber:t{board.num_terrains}", "steal:0"} & {*texts}


def test_K11_2_seats_are_named_by_number_whoever_moves() -> None:
    words = BoardWords(load_board("short"))
    assert [words.text(actions.STEAL_AT + index, 2, 4) for index in range(3)] == ["steal:3", "steal:0", "steal:1"]
    assert [words.text(actions.PARTNER_AT + index, 2, 3) for index in range(3)] == ["partner:0", "partner:1", None]
    assert words.action("steal:1", 2, 4) == actions.STEAL_AT + 2
    assert [words.action(text, 2, 3) for text in ("steal:2", "steal:3", "steal:x")] == [None] * 3
    assert words.text(actions.STEAL_AT) is None


def test_K3_1_a_given_first_player_is_the_only_one_that_chance_shows() -> None:
    game = new_game(seed=3)
    for first in range(3):
        given = game.config.new_game(seed=1, setup={"first": first})
        assert given.record()["moves"] == [["chance", f"first:{first}"]]
        assert given.seat == first
    assert {game.config.new_game(seed=seed).seat for seed in range(30)} == {0, 1, 2}
