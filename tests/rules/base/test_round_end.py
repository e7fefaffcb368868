"""End of a round (section 11; notation 3.7) and the cap of the status tracks (section 10)."""

from __future__ import annotations

import pytest

from tests.kits.position import Position, See, play

TOO_MANY = {
    0: ("far_east.1", "far_east.2"),
    1: ("caribbean.1", "caribbean.2"),
    2: ("south_america.1", "south_america.2"),
}


def over_limit(*seats: int, first: int = 0, last: int = 3) -> Position:
    """All but ``last`` have passed; these seats hold two cards with a limit of one."""
    position = Position(4).round(4, first=first).passed(*(seat for seat in range(4) if seat != last)).turn(last)
    for seat in seats:
        position.cards(seat, *TOO_MANY[seat])
    return position


# --- R10 the cap -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "glory"), [(14, 12), (15, 15), (16, 15), (20, 15)])
def test_R10_1_the_marker_stops_at_15_and_the_count_goes_on(count: int, glory: int) -> None:
    game = Position(3).tokens(0, *["culture"] * count).status(1).game()
    assert See(game).status(0, "culture") == count
    assert game.breakdown(0)["culture"] == glory


def test_R10_2_a_loss_reduces_the_true_count_first() -> None:
    position = Position(3).cards(0, "india.1", "south_america.1").status(0, culture=18, politics=1)
    game = position.game()
    play(game, "pass", "discard:south_america.1")
    assert See(game).status(0, "culture") == 16
    assert game.breakdown(0)["culture"] == 15


def test_R10_2_the_marker_falls_when_the_count_drops_below_15() -> None:
    position = Position(3).cards(0, "india.1", "south_america.1").status(0, culture=16, politics=1)
    game = play(position.game(), "pass", "discard:south_america.1")
    assert See(game).status(0, "culture") == 14
    assert game.breakdown(0)["culture"] == 12


def test_R10_1_levels_stay_at_the_top_beyond_15() -> None:
    game = Position(3).status(0).tokens(1, *["culture"] * 17).build(2).game()
    play(game, "build:market")
    assert See(game).harbor(1) == 6


# --- R11.1, R11.2 the limit again --------------------------------------------------------------------------------


def test_R11_2_A8_a_governor_won_after_passing_is_settled_at_the_end_of_the_round() -> None:
    position = Position(3).cards(0, "far_east.1", "far_east.governor").passed(0, 1).turn(2)
    position.track("caribbean", 0, 0, 0, 1, 1).own(2, "shipyard").discs(2, harbor=2)
    game = play(position.token("caribbean.6", "finance").game(), "activate:shipyard", "sail:caribbean")
    assert "caribbean.governor" in See(game).cards(0)
    assert (game.seat, game.decision) == (2, "turn")  # nothing is asked before the round ends
    play(game, "pass")
    assert (game.seat, game.decision, game.round) == (0, "round_end_discard", 3)
    assert set(game.legal_moves()) == {f"discard:{card}" for card in See(game).cards(0)}
    play(game, "discard:far_east.governor")
    assert See(game).cards(0) == {"far_east.1", "caribbean.governor"}
    assert (game.round, game.phase, game.seat) == (4, "build", 1)


def test_R11_2_A8_abolition_after_passing_is_settled_at_the_end_of_the_round() -> None:
    position = Position(3).cards(0, "slavery.3", "far_east.1", "caribbean.1").tokens(0, "politics").passed(0, 1).turn(2)
    position.cards(2, *(f"europe.{value}" for value in range(5))).tokens(2, *["politics"] * 3)
    position.cities(2, "london", "amsterdam", "paris", "rome", "venice").own(2, "market").discs(2, harbor=1)
    game = play(position.game(), "activate:market", "draw:europe")
    assert See(game).face_down(0) == {"slavery.3"}
    assert See(game).status(0, "politics") == 1
    play(game, "pass")
    while game.seat == 2:
        play(game, next(move for move in game.legal_moves() if move.startswith("discard")))
    assert (game.seat, game.decision) == (0, "round_end_discard")
    play(game, "discard:caribbean.1")
    assert (game.round, game.phase) == (4, "build")


def test_R11_2_the_discards_lower_the_statuses() -> None:
    game = play(over_limit(2).game(), "pass", "discard:south_america.2")
    assert See(game).statuses(2) == {"industry": 0, "culture": 2, "finance": 0, "politics": 0}


def test_R11_2_nothing_is_asked_when_every_holding_is_legal() -> None:
    game = play(over_limit().cards(0, "far_east.1").game(), "pass")
    assert (game.round, game.phase) == (5, "build")


def test_D7_only_the_mandatory_part() -> None:
    game = play(over_limit().cards(0, "far_east.1", "far_east.governor").game(), "pass")
    assert (game.round, game.phase) == (5, "build")
    assert See(game).cards(0) == {"far_east.1", "far_east.governor"}


def test_D7_no_optional_part_after_a_mandatory_discard() -> None:
    cards = ("far_east.1", "far_east.governor", "caribbean.governor")
    game = play(over_limit().cards(1, *cards).game(), "pass")
    assert (game.decision, game.seat) == ("round_end_discard", 1)
    assert set(game.legal_moves()) == {f"discard:{card}" for card in cards}
    play(game, "discard:caribbean.governor")
    assert (game.round, game.phase) == (5, "build")


def test_D7_discards_go_on_until_the_holding_is_legal() -> None:
    game = play(over_limit().cards(1, "caribbean.1", "caribbean.2", "caribbean.3").game(), "pass")
    play(game, "discard:caribbean.3")
    assert (game.decision, game.seat) == ("round_end_discard", 1)
    play(game, "discard:caribbean.1")
    assert (game.round, game.phase) == (5, "build")


@pytest.mark.parametrize(("first", "order"), [(0, [0, 1, 2]), (1, [1, 2, 0]), (2, [2, 0, 1]), (3, [0, 1, 2])])
def test_D7_in_the_turn_order_of_the_round_just_played(first: int, order: list[int]) -> None:
    game = play(over_limit(0, 1, 2, first=first).game(), "pass")
    asked = []
    while game.decision == "round_end_discard":
        assert game.round == 4
        assert game.state[0].first_player == first
        asked.append(game.seat)
        play(game, game.legal_moves()[0])
    assert asked == order
    assert (game.round, game.seat) == (5, (first + 1) % 4)


def test_D7_seats_with_legal_holdings_are_left_out() -> None:
    game = play(over_limit(2).cards(0, "far_east.1").game(), "pass")
    assert game.seat == 2
    play(game, "discard:south_america.1")
    assert (game.round, game.phase) == (5, "build")


def test_D7_the_passing_player_is_not_asked_twice() -> None:
    game = over_limit().cards(3, "far_east.1", "far_east.2").game()
    play(game, "pass")
    assert (game.seat, game.decision) == (3, "discard")
    play(game, "discard:far_east.2")
    assert (game.round, game.phase) == (5, "build")


def test_D6_the_last_to_pass_has_the_optional_part_too() -> None:
    game = play(over_limit().cards(3, "caribbean.1", "caribbean.governor").game(), "pass")
    assert (game.seat, game.decision) == (3, "discard")
    assert "done" in game.legal_moves()
    play(game, "done")
    assert (game.round, game.phase) == (5, "build")


# --- R11.3 the next round ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "first"), [(3, 0), (3, 2), (4, 3), (5, 1), (5, 4)])
def test_R11_3_the_marker_moves_one_seat_clockwise(players: int, first: int) -> None:
    game = Position(players).round(2, first=first).turn(first).game()
    play(game, *["pass"] * players)
    assert game.round == 3
    assert game.state[0].first_player == (first + 1) % players
    assert (game.seat, game.decision) == ((first + 1) % players, "build")


def test_R11_3_nobody_has_passed_in_the_new_round() -> None:
    game = play(Position(3).round(2).game(), "pass", "pass", "pass")
    assert not game.state[0].passed.any()
    play(game, "build:market", "build:market", "build:market")
    assert (game.phase, game.decision, game.seat) == ("action", "turn", 1)


def test_R11_3_discs_tokens_and_cards_stay() -> None:
    position = (
        Position(3).own(0, "market").workers(0, "market").discs(0, harbor=4).city("london", 0).cards(0, "europe.0")
    )
    see = See(play(position.tokens(0, "pay").game(), "pass", "pass", "pass"))
    assert see.workers(0) == {"market": 1}
    assert (see.harbor(0), see.owner("london"), see.tokens(0)["pay"], see.cards(0)) == (4, 0, 1, {"europe.0"})


def test_R11_3_after_round_7_the_game_ends() -> None:
    game = Position(3).round(7).game()
    play(game, "pass", "pass")
    assert not game.over
    play(game, "pass")
    assert game.over
    assert game.phase == "over"
    assert game.legal_moves() == []


def test_R11_2_R11_3_the_last_round_ends_with_the_limit_too() -> None:
    game = play(over_limit(0).round(7).game(), "pass")
    assert not game.over
    assert (game.seat, game.decision) == (0, "round_end_discard")
    play(game, "discard:far_east.1")
    assert game.over


def test_R11_3_round_6_is_not_the_last() -> None:
    game = play(Position(3).round(6).game(), "pass", "pass", "pass")
    assert (game.over, game.round, game.phase) == (False, 7, "build")
