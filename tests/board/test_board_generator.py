"""Generated boards: valid, different, the same for the same seed, and within plausible bounds."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from endeavor_env.endeavor.board import MAX_SEED, Board
from endeavor_env.endeavor.board.generator import (
    CONNECTIONS,
    GENERATED_DEGREE,
    OVERSEAS_CITIES,
    START_CITIES,
    TRACK_LENGTHS,
)
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import InvalidOptionError


@given(st.integers(0, MAX_SEED))
def test_generated_boards_are_valid_and_plausible(seed: int) -> None:
    board = Board.generate(seed)  # from_dict validates it
    record = board.array[0]
    assert board.id == f"generated_{seed}"
    assert len(board.space_index) == record.token_count.sum() == 95
    assert record.token_count.min() >= 1
    assert CONNECTIONS[0] <= len(board.connections) <= CONNECTIONS[1]
    assert record.city_degree.max() <= GENERATED_DEGREE
    sizes = Counter(record.city_region[: len(board.cities)].tolist())
    for region, is_open in enumerate(record.open_at_start):
        low, high = START_CITIES if is_open else OVERSEAS_CITIES
        assert low <= sizes[region] <= high
        if not is_open:
            assert TRACK_LENGTHS[0] <= record.track_length[region] <= TRACK_LENGTHS[1]
    assert 1 <= record.card_icons.sum(axis=1).min() <= record.card_icons.sum(axis=1).max() <= 6
    assert record.card_glory.max() <= 3
    assert record.building_icons.max() <= 3
    assert Board.from_dict(board.to_dict()) == board


def test_equal_seeds_give_equal_boards_without_the_global_generator() -> None:
    np.random.seed(1)  # noqa: NPY002 - the global generator must play no part
    before = str(np.random.get_state(legacy=False))  # noqa: NPY002
    first = Board.generate(7)
    assert str(np.random.get_state(legacy=False)) == before  # noqa: NPY002
    assert first == Board.generate(7) == Board.generate(np.int64(7))  # type: ignore[arg-type]
    assert first.to_toml() == Board.generate(7).to_toml()


def test_a_seed_gives_the_same_board_on_every_machine() -> None:
    assert [Board.generate(seed).hash for seed in (0, 1, 2**40)] == [
        "234ef31b2c665e4a",
        "a8d9ee62ca6a81ac",
        "dc046263fd7d43b1",
    ]


def test_seeds_give_different_boards() -> None:
    boards = [Board.generate(seed) for seed in range(30)]
    for field in ("city_region", "track_length", "connection_city", "card_icons", "building_icons", "token_count"):
        assert len({board.array[0][field].tobytes() for board in boards}) > 15, field
    assert len({board.hash for board in boards}) == 30


def test_what_generation_keeps(board: Board) -> None:
    made, default = Board.generate(3).array[0], board.array[0]
    kept = ("building_level", "building_copies", "building_mode", "building_action", "card_value", "card_abolition")
    for field in (*kept, "build_level", "growth", "payments", "card_limit", "status_glory", "governor_card"):
        assert np.array_equal(made[field], default[field]), field
    brown = [c.TOKEN_NAMES.index(kind) for kind in c.TOKEN_NAMES[:4]]
    assert made.token_count[brown].tolist() == default.token_count[brown].tolist()


def test_generation_says_what_it_drew() -> None:
    counts = Board.generate(3).provenance_counts()
    assert counts["cards"] == {"generated": 48}
    assert counts["cities"].keys() == counts["connections"].keys() == {"generated"}
    assert counts["regions.track_length"] == {"seed": 1, "generated": 6}


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "7", None, True])
def test_bad_seeds(seed: object) -> None:
    with pytest.raises(InvalidOptionError, match="it must be a whole number from 0 to 9223372036854775807"):
        Board.generate(seed)  # type: ignore[arg-type]
