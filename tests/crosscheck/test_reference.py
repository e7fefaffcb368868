"""Every game is played twice: by the kernels and by a plain reading of the rules; all facts and moves must agree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.checks import audit as soak
from endeavor_env.endeavor.game import Game
from endeavor_env.engine.kernels.rng import seeded
from tests.crosscheck import facts
from tests.crosscheck.reference import Reference
from tests.crosscheck.strategies import board_of, boards, players, redraws, seeds


def compare(game: Game, table: Reference, seat: int, moves: set[str]) -> None:
    """Assert that decision and position agree."""
    context = f"{game!r} after {[game.describe(action) for _, action in game.history][-4:]}"
    assert game.seat == seat, context
    assert set(game.legal_moves()) == moves, context
    wrong = facts.differences(facts.of_game(game), facts.of_reference(table))
    assert not wrong, "\n".join([context, *wrong])


def play_twice(on: Board, count: int, seed: int, eager: int) -> Game:
    """Play a random game on both, comparing at every decision and at the end."""
    game = Game.new(count, seed=seed, board=on)
    table = Reference(on, count, game.setup())
    decisions = table.play()
    rng = seeded(~seed)
    seat, moves = next(decisions)
    while True:
        compare(game, table, seat, moves)
        action = int(soak.choose_eager(game.mask().view(np.int8), rng, eager))
        move = game.describe(action)
        game.apply(action)
        try:
            seat, moves = decisions.send(move)
        except StopIteration:
            break
    assert game.over
    table.first = int(game.state[0]["first_player"])  # after the last round the marker rests
    wrong = facts.differences(facts.of_game(game), facts.of_reference(table))
    assert not wrong, "\n".join(wrong)
    return game


@settings(max_examples=30)
@given(on=boards, count=players, seed=seeds, eager=redraws)
def test_random_games_agree_with_the_reference(on: str, count: int, seed: int, eager: int) -> None:
    play_twice(board_of(on), count, seed, eager)


@pytest.mark.parametrize(("count", "seed", "eager"), [(3, 1041, 1), (4, 426, -2), (5, 227, -1), (5, 232, -1)])
def test_games_full_of_rare_events_agree_with_the_reference(count: int, seed: int, eager: int) -> None:
    """These are golden games as well; ``golden/events.py`` says what happens in them."""
    play_twice(Board.default(), count, seed, eager)


@pytest.mark.parametrize("count", [3, 4, 5])
def test_winners_are_the_seats_with_the_highest_total_r12_10(count: int) -> None:
    game = play_twice(Board.default(), count, 40 + count, 0)
    totals = [sum(game.breakdown(seat).values()) for seat in range(count)]
    assert game.scores() == totals
    assert game.winners() == [seat for seat in range(count) if totals[seat] == max(totals)]
