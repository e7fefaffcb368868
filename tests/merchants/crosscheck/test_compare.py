"""The kernels and the reference agree in random games."""

from __future__ import annotations

from collections import Counter

import pytest

from endeavor_env.errors import RecordError
from tests.merchants.crosscheck.boards import NAMES, board_named
from tests.merchants.crosscheck.compare import Draws, compare_game, compare_record, deviations, new_draws
from tests.merchants.crosscheck.plans import Plan, plan_of
from tests.merchants.crosscheck.twins import Twins
from tests.merchants.reference.cases import CASES
from tests.merchants.reference.game import ReferenceGame
from tests.merchants.reference.setting_up import first_player

MOST_OFF = 5.0
"""Standard deviations by which draws of chance may be off."""


def test_random_games_agree() -> None:
    met, draws = Counter[str](), new_draws()
    for seed in range(60):
        compare_game(plan_of(seed), met, draws)
    assert len(met) > len(CASES) / 2
    assert set(met) <= CASES
    assert deviations(draws)[0][0] < MOST_OFF


@pytest.mark.parametrize("board", [*NAMES, "short_3", "expert_4"])
def test_games_on_every_board_agree(board: str) -> None:
    start = "free" if board.startswith("expert") else "fixed"
    for players in (3, 4):
        for chooser in ("wild", "builder"):
            plan = Plan(players, board, players, start, "offers", 25, chooser)
            assert compare_game(plan, Counter(), new_draws()) > 100


@pytest.mark.slow
def test_long_games_agree_to_the_last_good() -> None:
    met = Counter[str]()
    for players in (3, 4):
        for chooser in ("eager", "patient"):
            compare_game(Plan(7, "short", players, "fixed", "bank", 2000, chooser), met, new_draws())
    assert met["K10.1"] == 4


def test_a_difference_is_told_with_what_differs() -> None:
    twins = Twins(board_named("short"), 3)
    twins.plain.play("first:0")
    with pytest.raises(AssertionError, match=r"'seat': 0.*'seat': 'chance'"):
        twins.compare()


def test_a_record_of_the_reference_that_the_package_would_not_write_is_refused() -> None:
    twins = Twins(board_named("short"), 3, max_rolls=1)
    while twins.seat is not None:
        twins.play(twins.legal()[0])
    compare_record(twins)
    twins.plain.moves[-1] = (twins.plain.moves[-1][0], "robber:t99")
    with pytest.raises(RecordError, match="robber:t99"):
        compare_record(twins)


def test_what_chance_draws_is_held_against_the_weights() -> None:
    draws: Draws = new_draws()
    draws[(1, 3)].update({0: 250, 1: 750})
    assert deviations(draws)[0][0] < 0
    draws[(1, 3)].update({0: 200})
    assert deviations(draws)[0][0] > MOST_OFF


def test_a_plan_is_the_same_for_the_same_seed_and_all_boards_are_played() -> None:
    assert plan_of(5) == plan_of(5)
    boards = {plan_of(seed).board for seed in range(1000)}
    assert boards > set(NAMES)
    assert any(board.startswith("short_") and board[6:].isdigit() for board in boards)


def test_the_reference_begins_with_the_draw_of_the_first_player() -> None:
    game = ReferenceGame(board_named("short"), 4)
    assert first_player().weights(game) == {f"first:{seat}": 1 for seat in range(4)}
