"""Observations hold what the rules let a seat see (K14)."""

from __future__ import annotations

import random

import numpy as np
import pytest

from endeavor_env.merchants.observe.layout import LAYOUTS
from tests.merchants.crosscheck.boards import board_named
from tests.merchants.crosscheck.choosers import CHOOSERS
from tests.merchants.crosscheck.seen import check_observations
from tests.merchants.crosscheck.twins import Twins
from tests.merchants.reference.agenda import CHANCE

CHECKED = 0.08
"""The share of nodes at which observations are checked."""


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("board", ["short", "expert", "short_bare", "short_arrows"])
def test_K14_1_observations_hold_what_the_view_of_a_seat_holds(board: str, players: int) -> None:
    rng, twins = random.Random(players), Twins(board_named(board), players, max_rolls=40)
    while twins.seat is not None:
        if rng.random() < CHECKED:
            check_observations(twins)
        legal, chooser = twins.legal(), CHOOSERS[rng.choice(list(CHOOSERS))]
        chance = twins.seat == CHANCE
        twins.play(rng.choices(legal, twins.plain.weights())[0] if chance else chooser(rng, twins.plain))
    check_observations(twins)


@pytest.mark.parametrize("kind", LAYOUTS)
def test_every_row_of_a_layout_can_be_viewed_in_one_observation_and_in_many(kind: str) -> None:
    layout = LAYOUTS[kind]
    one, many = np.zeros(layout.size, layout.dtype), np.zeros((2, 3, layout.size), layout.dtype)
    for row in layout.slices:
        assert layout.view(one, row.name).shape == row.shape
        assert layout.view(many, row.name).shape == (2, 3, *row.shape)
        assert np.shares_memory(layout.view(one, row.name), one)
