"""What holds at every decision of every game (design, section 6)."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from endeavor_env.core import entry
from endeavor_env.core.constants import BREAKDOWN_KEYS, MAX_SEATS
from endeavor_env.core.state import STATE
from endeavor_env.game import Game
from endeavor_env.testing import MAX_DECISIONS, check_actions, random_game

from .strategies import board_of, boards, players, positions, redraws, seeds

RANGES = {
    "status": (0, 300),
    "num_seats": (3, 5),
    "variant": (0, 0),
    "first_player": (0, 4),
    "round_number": (1, 7),
    "phase": (1, 5),
    "decision": (0, 6),
    "seat": (-1, 4),
    "sweep": (0, 5),
    "payments_left": (0, 5),
    "abolished": (0, 1),
    "source": (-1, 15),
    "mode": (0, 5),
    "parts": (-1, 4),
    "parts_done": (0, 2),
    "lock_region": (-1, 6),
    "lock_deck": (-1, 7),
    "passed": (0, 1),
    "supply": (0, 30),
    "harbor": (0, 30),
    "tokens": (0, 25),
    "buildings": (0, 7),
    "occupied": (0, 7),
    "num_cards": (0, 48),
    "num_governors": (0, 6),
    "num_slavery": (0, 6),
    "num_face_down": (0, 6),
    "building_supply": (0, 5),
    "card_place": (-2, 12),
    "pile_top": (0, 6),
    "token": (-1, 7),
    "open": (0, 1),
    "city_owner": (-1, 4),
    "track_owner": (-1, 4),
    "track_next": (0, 8),
    "beside": (0, 30),
    "presence": (0, 30),
}
"""Every field of STATE with the least and the greatest value a game may give it."""


@settings(max_examples=40)
@given(on=boards, count=players, seed=seeds, eager=redraws)
def test_every_decision_of_a_game_is_sound(on: str, count: int, seed: int, eager: int) -> None:
    game = random_game(count, seed, board=board_of(on), redraws=eager, check=True)
    assert game.over
    assert len(game.history) < MAX_DECISIONS


@settings(max_examples=15)
@given(on=boards, count=players, seed=seeds, eager=redraws)
def test_the_mask_is_exactly_what_apply_accepts(on: str, count: int, seed: int, eager: int) -> None:
    game = Game.new(count, seed=seed, board=board_of(on))
    whole = random_game(count, seed, board=game.board, redraws=eager)
    for number, (_, action) in enumerate(whole.history):
        if number % 5 == seed % 5:
            check_actions(game)
        game.apply(action)
    check_actions(game)
    assert game.state.tobytes() == whole.state.tobytes()


@given(game=positions())
def test_fields_stay_in_their_ranges_and_absent_seats_stay_empty(game: Game) -> None:
    assert set(RANGES) == set(STATE.names or ())
    state = game.state[0]
    for name, (low, high) in RANGES.items():
        values = np.atleast_1d(state[name])
        assert values.min() >= low, f"{name} is {values.min()}"
        assert values.max() <= high, f"{name} is {values.max()}"
        if values.shape[0] == MAX_SEATS:  # one row a seat, and no other table has five rows
            assert not values[game.num_players :].any(), f"{name} of an absent seat"


@given(game=positions(whole_games=True))
def test_scores_are_the_sum_of_their_breakdown_and_the_total_of_the_kernel(game: Game) -> None:
    totals = np.empty(MAX_SEATS, np.int16)
    entry.total(game.board.array, game.state, totals)
    sums = [sum(game.breakdown(seat).values()) for seat in range(game.num_players)]
    assert game.scores() == sums == totals[: game.num_players].tolist()
    assert not totals[game.num_players :].any()
    for seat in range(game.num_players):
        parts = game.breakdown(seat)
        assert tuple(parts) == BREAKDOWN_KEYS
        assert parts["slavery"] <= 0 <= min(value for key, value in parts.items() if key != "slavery")


@settings(max_examples=20)
@given(game=positions(whole_games=True))
def test_a_finished_game_offers_nothing_and_keeps_every_round(game: Game) -> None:
    assert game.over
    assert game.seat == -1
    assert game.legal_actions() == []
    assert not game.mask().any()
    builds = [seat for seat, action in game.history if game.describe(action).startswith("build:")]
    passes = [seat for seat, action in game.history if game.describe(action) == "pass"]
    for moves in (builds, passes):
        assert [moves.count(seat) for seat in range(game.num_players)] == [7] * game.num_players


@given(game=positions())
def test_a_recount_finds_what_the_running_counts_say(game: Game) -> None:
    again = game.state.copy()
    for name in ("status", "presence", "num_cards", "num_governors", "num_slavery", "num_face_down", "pile_top"):
        again[name] = 99
    entry.recount(game.board.array, again)
    before, after = game.state[0], again[0]
    for name in ("status", "presence", "num_cards", "num_governors", "num_slavery", "num_face_down", "pile_top"):
        rows = len(np.atleast_1d(before[name])) if name == "pile_top" else game.num_players
        assert np.array_equal(before[name][:rows], after[name][:rows]), name


def test_longest_game_stays_far_below_the_bound() -> None:
    longest = max(len(random_game(count, seed, redraws=seed % 6).history) for count in (3, 4, 5) for seed in range(120))
    assert 250 < longest < MAX_DECISIONS // 4
