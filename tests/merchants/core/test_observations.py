"""Observations: layouts, bounds, and what stands where."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from endeavor_env.merchants.observe.layout import LAYOUTS, NUM_NUMBERS
from endeavor_env.merchants.rules import constants as c
from tests.merchants.core.games import new_game, paths_of, random_play

HASHES = {"features": "e2d506cd959f86cd", "compact": "14b8e14d35f48025"}
FIXED_ROWS = {"playing", "terrain_kind", "city_gold", "terrain_chosen"}
"""Rows that stay as they are during a game, or nearly always; compact has the double arrows of the board, too."""


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts_are_what_networks_were_made_for(name: str) -> None:
    layout = LAYOUTS[name]
    assert layout.hash == HASHES[name]
    assert len({row.name for row in layout.slices}) == len(layout.slices)
    assert sum(row.size for row in layout.slices) == layout.size == layout.low.size == layout.high.size


def test_entries_are_between_their_bounds_and_every_row_changes() -> None:
    moved = {name: np.zeros(layout.size, np.bool_) for name, layout in LAYOUTS.items()}
    for side, players in (("short", 3), ("expert", 4)):
        first: dict[str, npt.NDArray[Any]] = {}
        for number, game in enumerate(random_play(new_game(side, players, c.FREE, rolls=250, seed=4), seed=2)):
            for name, layout in LAYOUTS.items():
                vector = game.observe(number % players, name)
                assert vector.dtype == layout.dtype
                assert (layout.low <= vector).all()
                assert (vector <= layout.high).all()
                moved[name] |= vector != first.setdefault(name, vector)
    for name, layout in LAYOUTS.items():
        still = {row.name for row in layout.slices if not moved[name][row.span].any()}
        assert still <= FIXED_ROWS | ({"arrows"} if name == "compact" else set())


def test_features_are_the_numbers_of_compact_divided() -> None:
    game = new_game("expert", 4, rolls=20)
    for position in random_play(game, seed=9):
        features, compact = position.observe(1), position.observe(1, "compact")
        for row in LAYOUTS["compact"].slices:
            if row.offset < NUM_NUMBERS:
                assert features[row.span] == pytest.approx(compact[row.span] / row.high, abs=1e-6)


def test_rows_say_where_pieces_are() -> None:
    game = new_game("short", 4, rolls=60, seed=8)
    for _ in random_play(game, seed=4):
        if game.state["rolls"] > 50:
            break
    state = game.state[0]
    for observer in range(4):
        compact, features = game.observe(observer, "compact"), game.observe(observer)
        small, large = LAYOUTS["compact"], LAYOUTS["features"]
        for seat in range(4):
            distance = (seat - observer) % 4
            routes = paths_of(state["routes"][seat])
            assert set(np.flatnonzero(small.view(compact, "route") == distance)) == routes
            assert set(np.flatnonzero(large.view(features, "routes")[distance])) == routes
            for slot in range(2):
                path = int(state["caravans"][seat, slot])
                hundreds, rest = small.view(compact, "caravans")[distance, slot].tolist()
                assert (hundreds * 100 + rest if hundreds >= 0 else c.NONE) == path
                flags = large.view(features, "caravans")[distance, slot]
                assert np.flatnonzero(flags).tolist() == ([path] if path != c.NONE else [])
            assert small.view(compact, "gold")[distance] == state["gold"][seat]
        assert small.view(compact, "hand").tolist() == state["hand"][observer].tolist()
        assert small.view(compact, "terrain_number").tolist() == state["numbers"].tolist()
        assert small.view(compact, "decision")[state["decision"]] == 1
        assert small.view(compact, "gold_left") == state["gold_left"]
        assert small.view(np.stack([compact] * 3), "known").shape == (3, 4, 5)
