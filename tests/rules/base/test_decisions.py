"""Decision points (notation, section 3): what is asked, when, and what is not asked."""

from __future__ import annotations

import pytest

from endeavor_env.errors import IllegalActionError
from tests.kits.position import Position, See, play


def no_free_draw(position: Position, seat: int = 2) -> Position:
    """Let another seat hold the cards of value 0, so that nothing can be drawn without a disc."""
    return position.cards(seat, "europe.0", "slavery.0")


# --- 4 turn ----------------------------------------------------------------------------------------------------


def test_D4_a_turn_with_only_pass_is_asked() -> None:
    game = Position(3).turn(1).game()
    assert (game.seat, game.decision, game.legal_moves()) == (1, "turn", ["pass"])


def test_D4_identical_copies_are_one_move() -> None:
    game = (
        Position(3).own(0, "market", "market", "market").discs(0, harbor=2).tokens(0, "sail_draw", "sail_draw").game()
    )
    assert sorted(game.legal_moves()) == ["activate:colonial_house", "activate:market", "pass", "spend:sail_draw"]


# --- 5 targets -------------------------------------------------------------------------------------------------


def test_D5_either_asks_for_all_targets_in_one_decision() -> None:
    game = no_free_draw(Position(3)).own(0, "guild_hall").discs(0, harbor=2).city("london", 0).game()
    play(game, "activate:guild_hall")
    see = See(game)
    assert (game.decision, game.seat) == ("target", 0)
    assert see.moves("sail") == {"far_east", "india", "north_america", "caribbean", "south_america", "africa"}
    assert see.moves("draw") == {"europe", "slavery"}
    assert see.moves("done") == {""}
    assert len(game.legal_moves()) == 6 + 2 + 1


def test_D5_either_is_over_after_one_part() -> None:
    game = Position(3).own(0, "guild_hall").discs(0, harbor=3).game()
    play(game, "activate:guild_hall", "sail:india")
    assert (game.seat, game.decision) == (1, "turn")


def test_D5_a_token_offers_no_done() -> None:
    game = Position(3).tokens(0, "sail_draw").discs(0, harbor=1).game()
    play(game, "spend:sail_draw")
    assert {move.partition(":")[0] for move in game.legal_moves()} == {"sail", "draw"}


def test_D5_the_only_target_of_a_token_is_asked() -> None:
    game = Position(3).tokens(0, "pay").workers(0, "colonial_house").game()
    play(game, "spend:pay")
    assert (game.seat, game.decision, game.legal_moves()) == (0, "target", ["pay:colonial_house"])
    play(game, "pay:colonial_house")
    assert game.seat == 1


def test_D5_the_only_target_of_a_building_is_asked_with_done() -> None:
    game = Position(3).own(0, "exchange").workers(0, "colonial_house").discs(0, harbor=1).game()
    play(game, "activate:exchange")
    assert sorted(game.legal_moves()) == ["done", "pay:colonial_house"]


def test_D5_both_asks_again_under_its_restriction() -> None:
    position = no_free_draw(Position(3)).own(0, "dock").discs(0, harbor=3).open("india", by=1)
    game = play(position.game(), "activate:dock", "sail:india")
    assert (game.seat, game.decision) == (0, "target")
    assert See(game).moves("occupy") == {"bombay", "calcutta"}
    assert len(game.legal_moves()) == 3
    assert "done" in game.legal_moves()
    play(game, "done")
    assert game.seat == 1


def test_D5_both_is_not_asked_again_without_a_second_target() -> None:
    game = Position(3).own(0, "dock").discs(0, harbor=3).game()
    play(game, "activate:dock", "sail:india")  # India stays closed: nothing to occupy there
    assert (game.seat, game.decision) == (1, "turn")
    assert See(game).harbor(0) == 1


def test_D5_both_is_not_asked_again_without_a_disc() -> None:
    game = Position(3).own(0, "cartographer").discs(0, harbor=2).game()
    play(game, "activate:cartographer", "sail:india")
    assert (game.seat, game.decision) == (1, "turn")


def test_D5_a_second_part_with_one_target_is_asked() -> None:
    game = Position(3).own(0, "cartographer").discs(0, harbor=3).game()
    play(game, "activate:cartographer", "sail:india")
    assert sorted(game.legal_moves()) == ["done", "sail:india"]
    play(game, "sail:india")
    assert See(game).track("india") == [0, 0]
    assert game.seat == 1


def test_D5_A6_C3_two_draws_come_from_one_pile() -> None:
    game = Position(3).own(0, "trade_office").discs(0, harbor=1).cities(0, "london", "paris").game()
    play(game, "activate:trade_office", "draw:europe")
    assert sorted(game.legal_moves()) == ["done", "draw:europe"]
    play(game, "draw:europe")
    assert See(game).cards(0) == {"europe.0", "europe.1"}
    assert game.seat == 1


def test_D5_a_lone_done_is_never_asked() -> None:
    position = no_free_draw(Position(3)).own(0, "market").discs(0, harbor=1)
    game = play(position.game(), "activate:market")
    assert (game.seat, game.decision) == (1, "turn")
    assert See(game).workers(0) == {"market": 1}


def test_D5_an_action_of_the_last_seat_left_comes_back_to_it() -> None:
    game = no_free_draw(Position(3)).own(0, "market").discs(0, harbor=1).passed(1, 2).game()
    play(game, "activate:market")
    assert (game.seat, game.decision, game.legal_moves()) == (0, "turn", ["pass"])


# --- 6 and 7 discards ------------------------------------------------------------------------------------------


def test_D6_the_pass_is_a_move_of_its_own() -> None:
    game = Position(3).cards(0, "far_east.1", "india.1").game()
    assert game.legal_moves() == ["pass"]
    play(game, "pass")
    assert (game.seat, game.decision) == (0, "discard")
    assert set(game.legal_moves()) == {"discard:far_east.1", "discard:india.1"}


def test_D6_nothing_is_asked_of_a_legal_holding() -> None:
    game = play(Position(3).cards(0, "far_east.1").game(), "pass")
    assert (game.seat, game.decision) == (1, "turn")


def test_D6_the_next_seat_waits_until_the_discards_are_made() -> None:
    game = Position(3).cards(0, "far_east.1", "far_east.2", "far_east.3").game()
    play(game, "pass", "discard:far_east.3")
    assert (game.seat, game.decision) == (0, "discard")
    play(game, "discard:far_east.2")
    assert (game.seat, game.decision) == (1, "turn")


# --- no other moves --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("move", ["done", "draw:europe", "build:market", "pay:colonial_house", "discard:europe.0"])
def test_moves_of_other_decisions_are_refused_and_change_nothing(move: str) -> None:
    game = Position(3).own(0, "market").discs(0, harbor=3).cards(0, "europe.0").workers(0, "colonial_house").game()
    before = game.state.tobytes()
    with pytest.raises(IllegalActionError):
        game.play(move)
    assert game.state.tobytes() == before


def test_every_legal_move_is_accepted_and_every_other_action_refused() -> None:
    position = Position(4).own(0, "dock", "market").discs(0, harbor=4).tokens(0, "sail_draw", "pay").open("india", by=1)
    start = position.game()
    for first in ("activate:dock", "spend:sail_draw", "activate:market"):
        game = play(start.clone(), first)
        legal = game.legal_actions()
        assert game.mask().nonzero()[0].tolist() == legal
        for action in range(len(game.mask())):
            if action in legal:
                game.clone().apply(action)
            else:
                with pytest.raises(IllegalActionError):
                    game.apply(action)


def test_legal_moves_come_in_action_id_order_and_translate_both_ways() -> None:
    position = Position(4).own(0, "dock", "market").discs(0, harbor=4).tokens(0, "sail_draw", "pay").open("india", by=1)
    for game in (position.game(), play(position.game(), "activate:dock"), Position(3).build(0).game()):
        actions = [game.encode(move) for move in game.legal_moves()]
        assert actions == sorted(set(actions)) == game.legal_actions()
        assert [game.describe(action) for action in actions] == game.legal_moves()
