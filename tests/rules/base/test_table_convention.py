"""R3.3: doing one's first three phases in one go would change nothing, so the environment keeps to the phases."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.endeavor.rules import constants as c
from tests.kits.position import DISCS


def levels(game: Game, seat: int) -> tuple[int, int]:
    """Return growth and payments of a seat, read off the board's tables."""
    board, statuses = game.board.array[0], game.state["status"][0, seat]
    culture, finance = (min(15, int(statuses[status])) for status in (c.CULTURE, c.FINANCE))
    return int(board["growth"][culture]), int(board["payments"][finance])


@pytest.mark.parametrize("players", [3, 4, 5])
def test_R3_3_growth_and_salary_follow_from_the_own_building_alone(players: int) -> None:
    """What a seat would get right after its own Build is what it gets after everybody's."""
    rng = np.random.default_rng(players)
    game = Game.new(players=players, seed=players)
    rounds = 0
    while not game.over:
        if game.decision != "build":
            game.apply(int(rng.choice(game.legal_actions())))
            continue
        expected = {}
        while game.decision == "build":
            seat = game.seat
            supply, on_buildings = int(game.state["supply"][0, seat]), int(game.state["occupied"][0, seat].sum())
            game.apply(int(rng.choice(game.legal_actions())))
            grown, paid = levels(game, seat)
            expected[seat] = (supply - min(grown, supply), on_buildings - min(paid, on_buildings))
        while game.decision == "salary":
            game.apply(int(rng.choice(game.legal_actions())))
        for seat, (supply, on_buildings) in expected.items():
            assert int(game.state["supply"][0, seat]) == supply <= DISCS
            assert int(game.state["occupied"][0, seat].sum()) == on_buildings
        rounds += 1
    assert rounds == 7
