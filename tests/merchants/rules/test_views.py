"""What seats see, and records (K14, K15): tests of the reference, whose views and records are its own."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.merchants.crosscheck.boards import board_named
from tests.merchants.reference.game import ReferenceGame
from tests.merchants.rules.find import find_case, play_on
from tests.merchants.rules.script import Script


def played(seed: int, stop: int = 400) -> ReferenceGame:
    """Return a random game after some moves."""
    rng, game = random.Random(seed), ReferenceGame(board_named("short"), 3)
    while not game.over and len(game.moves) < stop:
        play_on(game, rng, "wild")
    return game


def test_K14_a_seat_sees_all_but_the_kinds_in_other_hands_and_of_their_cards() -> None:
    game = played(5)
    for seat in range(3):
        view = game.view(seat)
        for number, seen in enumerate(view["seats"]):
            who = game.table.seats[number]
            assert seen["hand"] == (who.hand if number == seat else who.count())
            assert seen["cards"] == (who.cards if number == seat else sum(who.cards.values()))
            assert seen["gold"] == who.gold
        assert view["pile"] == sum(game.table.pile.values())
        assert view["played"] == game.table.played
        assert view["sea"] == game.table.sea
        assert (view["legal"] is not None) == (game.seat == seat)


@pytest.mark.parametrize(("case", "verb"), [("K4.7", "stolen"), ("K6.2", "drawn")])
def test_K14_1_outcomes_that_others_do_not_see_are_hidden(case: str, verb: str) -> None:
    script = find_case(case, players=4)
    mover = script.table.mover
    script.play(script.next)
    if script.seat == "chance":
        script.play(script.legal()[0])
    victim = int(script.next.partition(":")[2]) if verb == "stolen" else mover
    for seat in range(4):
        told = script.plain.view(seat)["moves"][-1]
        hidden = seat not in (mover, victim)
        assert told == ["chance", f"{verb}:?" if hidden else script.plain.moves[-1][1]]


def test_K14_1_views_of_positions_that_differ_in_what_is_unseen_are_the_same() -> None:
    script = Script(players=3).act("first:0").roll(5)
    one, other = script.branch().act("card", "drawn:bribe"), script.act("card", "drawn:lancer")
    assert one.plain.view(1) == other.plain.view(1)
    assert one.plain.view(0) != other.plain.view(0)


def test_K15_1_a_record_holds_all_moves_and_a_result_exactly_at_the_end() -> None:
    game = played(7, stop=10)
    assert "result" not in game.record()
    rng = random.Random(7)
    game = ReferenceGame(board_named("expert"), 4, trade="bank", max_rolls=12)
    while not game.over:
        play_on(game, rng, "wild")
    record = game.record()
    assert record == {
        "format": "merchants-game/1",
        "board": "expert_reconstructed",
        "side": "expert",
        "players": 4,
        "options": {"start": "free", "trade": "bank", "max_rolls": 12},
        "moves": [list(move) for move in game.moves],
        "result": {"scores": game.scores(), "winners": game.winners(), "truncated": True},
    }
    assert record["moves"][0][0] == "chance"


def test_K15_1_a_record_can_be_played_again() -> None:
    game = played(9)
    again = ReferenceGame(board_named("short"), 3)
    for seat, move in game.record()["moves"]:
        assert again.seat == seat
        again.play(move)
    assert again.record() == game.record()
    assert again.table == game.table


def test_K15_1_a_move_that_is_not_legal_is_refused() -> None:
    game = ReferenceGame(board_named("short"), 3)
    with pytest.raises(ValueError, match="roll"):
        game.play("roll")


@pytest.mark.parametrize(
    "options", [{"start": "none"}, {"trade": "all"}, {"max_rolls": 0}, {"players": 2}, {"players": 5}]
)
def test_K15_2_options_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not possible"):
        ReferenceGame(**{"board": board_named("short"), "players": 3, **options})


def test_K15_2_the_defaults_are_the_first_values() -> None:
    game = ReferenceGame(board_named("short"), 3)
    assert (game.start, game.trade, game.max_rolls) == ("fixed", "offers", 300)
    assert ReferenceGame(board_named("expert"), 3).start == "free"


def test_copies_are_independent() -> None:
    game = played(11)
    before, twin = game.view(0), game.copy()
    rng = random.Random(0)
    for _ in range(200):
        play_on(twin, rng, "wild")
    assert game.view(0) == before
    assert game.legal() != [] or game.over
