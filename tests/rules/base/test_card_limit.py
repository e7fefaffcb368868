"""Passing and the card limit (section 9; notation 3.6 and 3.8)."""

from __future__ import annotations

import random

import pytest

from endeavor_env import Game
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.rules import constants as c
from tests.kits.position import Position, See, play

PLAIN = ("far_east.1", "caribbean.1", "south_america.1", "north_america.1", "far_east.2", "caribbean.2", "far_east.3")
SLAVES = ("slavery.0", "slavery.1")  # without Politics, like the cards above
GOVERNORS = ("far_east.governor", "caribbean.governor", "south_america.governor")
POLITICS_OF_LIMIT = {1: 0, 2: 2, 3: 4, 4: 7, 5: 10}
LOWEST_OF_LEVEL = (0, 2, 4, 7, 10)


def card_politics(card: str) -> int:
    """Politics icons on a card."""
    board = Board.default()
    return int(board.array[0].card_icons[board.cards.index(card), c.POLITICS])


def holding(politics: int, *cards: str, players: int = 4) -> Position:
    """Seat 0 to move with these cards and this Politics count, which includes that of the cards."""
    tokens = politics - sum(card_politics(card) for card in cards)
    assert tokens >= 0
    return Position(players).cards(0, *cards).tokens(0, *["politics"] * tokens)


def limit(politics: int) -> int:
    """Card limit of a Politics count (R1.8)."""
    return sum(politics >= threshold for threshold in LOWEST_OF_LEVEL)


def fits(cards: list[str], politics: int, *, slot: bool) -> bool:
    """R9.4 with the Governor's slot used (if any Governor is held) or left empty."""
    normal = list(cards)
    if slot:
        governors = [card for card in cards if card.endswith("governor")]
        normal = [card for card in cards if card not in governors[:1]]
    slavery = any(card.startswith("slavery") for card in normal)
    return len(normal) <= 5 and len(normal) - slavery <= limit(politics)


def expected(cards: list[str], politics: int) -> str:
    """What R9.8 makes of a holding."""
    if fits(cards, politics, slot=False):
        return "nothing"
    return "optional" if fits(cards, politics, slot=True) else "mandatory"


def asked(game: Game) -> str:
    """What the seat that has just passed is asked; checks that every face-up card is on offer."""
    if game.decision != "discard":
        return "nothing"
    assert game.seat == 0
    assert See(game).moves("discard") == See(game).cards(0)
    return "optional" if "done" in game.legal_moves() else "mandatory"


def after_pass(politics: int, *cards: str) -> str:
    """Pass with a holding and say what is asked."""
    return asked(play(holding(politics, *cards).game(), "pass"))


# --- R9.1 to R9.5: which holdings are legal ---------------------------------------------------------------------


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_R9_1_as_many_cards_as_the_limit(level: int) -> None:
    politics = POLITICS_OF_LIMIT[level]
    assert after_pass(politics, *PLAIN[:level]) == "nothing"
    assert after_pass(politics, *PLAIN[: level + 1]) == "mandatory"


@pytest.mark.parametrize(("politics", "cards"), [(1, 1), (3, 2), (6, 3), (9, 4), (12, 5), (16, 5)])
def test_R9_1_the_limit_holds_up_to_the_next_threshold(politics: int, cards: int) -> None:
    assert after_pass(politics, *PLAIN[:cards]) == "nothing"
    assert after_pass(politics, *PLAIN[: cards + 1]) == "mandatory"


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_R9_3_one_slavery_card_beyond_the_limit(level: int) -> None:
    politics = POLITICS_OF_LIMIT[level]
    assert after_pass(politics, *PLAIN[:level], SLAVES[0]) == "nothing"
    assert after_pass(politics, *PLAIN[:level], *SLAVES) == "mandatory"
    assert after_pass(politics, *PLAIN[: level - 1], *SLAVES) == "nothing"


def test_R9_3_never_more_than_five_cards_in_normal_slots() -> None:
    assert after_pass(10, *PLAIN[:4], SLAVES[0]) == "nothing"
    assert after_pass(10, *PLAIN[:5], SLAVES[0]) == "mandatory"
    assert after_pass(7, *PLAIN[:4], SLAVES[0]) == "nothing"
    assert after_pass(10, *PLAIN[:4], *SLAVES) == "mandatory"


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_R9_2_one_governor_beside_the_limit(level: int) -> None:
    politics = POLITICS_OF_LIMIT[level]
    assert after_pass(politics, *PLAIN[:level], GOVERNORS[0]) == "optional"
    assert after_pass(politics, *PLAIN[:level], *GOVERNORS[:2]) == "mandatory"


def test_R9_2_R9_3_slot_and_slavery_card_together() -> None:
    assert after_pass(0, PLAIN[0], SLAVES[0], GOVERNORS[0]) == "optional"
    assert after_pass(10, *PLAIN[:4], SLAVES[0], GOVERNORS[0]) == "optional"
    assert after_pass(10, *PLAIN[:5], SLAVES[0], GOVERNORS[0]) == "mandatory"


def test_R9_4_R9_5_governors_take_normal_slots_too() -> None:
    assert after_pass(0, GOVERNORS[0]) == "nothing"
    assert after_pass(0, *GOVERNORS[:2]) == "optional"
    assert after_pass(0, *GOVERNORS) == "mandatory"
    assert after_pass(4, *GOVERNORS) == "nothing"
    assert after_pass(2, *GOVERNORS) == "optional"


def test_R9_4_face_down_slavery_cards_do_not_count() -> None:
    position = holding(0, PLAIN[0]).face_down(0, "slavery.0", "slavery.1", "slavery.2", "slavery.4", "slavery.5")
    assert asked(play(position.game(), "pass")) == "nothing"


@pytest.mark.parametrize("seed", range(60))
def test_R9_4_R9_8_random_holdings(board: Board, seed: int) -> None:
    chance = random.Random(seed)
    pool = [card for card in board.cards if card != "europe.5"]
    cards = chance.sample(pool, chance.randint(0, 8))
    politics = sum(map(card_politics, cards)) + chance.randint(0, 6)
    game = holding(politics, *cards, players=5).game()
    play(game, "pass")
    while True:
        assert asked(game) == expected(cards, politics)
        if game.decision != "discard":
            break
        move = chance.choice(game.legal_moves())
        play(game, move)
        if move == "done":
            break
        cards.remove(move.removeprefix("discard:"))
        politics -= card_politics(move.removeprefix("discard:"))
    assert fits(cards, politics, slot=True)
    assert See(game).cards(0) == set(cards)
    assert See(game).status(0, "politics") == politics
    assert game.seat == 1


# --- R9.6 discards --------------------------------------------------------------------------------------------


def test_R9_1_the_limit_is_only_checked_when_passing() -> None:
    position = holding(0, *PLAIN[:4]).own(0, "market").discs(0, harbor=1)
    game = play(position.game(), "activate:market", "draw:europe")
    assert game.seat == 1
    assert len(See(game).cards(0)) == 5


def test_R9_6_a_discard_lowers_the_statuses_at_once() -> None:
    position = holding(0, "far_east.3", "south_america.2", "caribbean.2")
    game = play(position.game(), "pass", "discard:south_america.2")
    assert See(game).statuses(0) == {"industry": 3, "culture": 1, "finance": 2, "politics": 0}
    play(game, "discard:far_east.3")
    assert See(game).statuses(0) == {"industry": 1, "culture": 0, "finance": 2, "politics": 0}
    assert game.seat == 1


def test_R9_6_lower_politics_may_lower_the_limit() -> None:
    game = play(holding(2, "india.1", *PLAIN[:2]).game(), "pass")
    assert asked(game) == "mandatory"
    play(game, "discard:india.1")  # Politics 1, limit 1
    assert See(game).status(0, "politics") == 1
    assert asked(game) == "mandatory"
    play(game, f"discard:{PLAIN[0]}")
    assert asked(game) == "nothing"


def test_R9_6_discards_go_on_until_the_holding_is_legal() -> None:
    game = play(holding(0, *PLAIN[:5]).game(), "pass")
    for card in PLAIN[:4]:
        assert asked(game) == "mandatory"
        play(game, f"discard:{card}")
    assert asked(game) == "nothing"
    assert See(game).cards(0) == {PLAIN[4]}


# --- R9.7 where discards go -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "pile"), [("far_east.1", "far_east"), ("europe.0", "europe"), ("europe.4", "europe")])
def test_R9_7_a_region_or_europe_card_returns_to_its_pile(card: str, pile: str) -> None:
    politics = card_politics(card)
    game = play(holding(politics, card, "caribbean.3", "caribbean.4").game(), "pass", f"discard:{card}")
    see = See(game)
    assert see.place(card) == c.CARD_IN_PILE
    assert card in see.pile(pile)


def test_R9_7_the_pile_stays_sorted_with_the_lowest_value_on_top() -> None:
    position = holding(0, "far_east.4", "far_east.2", "caribbean.1").cards(1, "far_east.1")
    game = position.game()
    assert See(game).pile("far_east") == ["far_east.3", "far_east.5"]
    play(game, "pass", "discard:far_east.4")
    assert See(game).pile("far_east") == ["far_east.3", "far_east.4", "far_east.5"]
    play(game, "discard:far_east.2")
    assert See(game).pile("far_east") == ["far_east.2", "far_east.3", "far_east.4", "far_east.5"]


def test_R9_7_a_card_returns_to_an_empty_pile() -> None:
    far_east = [f"far_east.{value}" for value in range(1, 6)]
    game = holding(0, *far_east[3:]).cards(1, *far_east[:3]).game()
    assert See(game).pile("far_east") == []
    play(game, "pass", "discard:far_east.4")
    assert See(game).pile("far_east") == ["far_east.4"]


def test_R9_7_A9_a_slavery_card_is_set_aside_face_down() -> None:
    game = play(holding(0, "slavery.0", *PLAIN[:2]).game(), "pass", "discard:slavery.0")
    see = See(game)
    assert see.face_down(0) == {"slavery.0"}
    assert "slavery.0" not in see.pile("slavery")
    assert see.pile("slavery")[0] == "slavery.1"
    assert asked(game) == "mandatory"
    assert game.breakdown(0)["slavery"] == -1


def test_R9_7_a_governor_leaves_the_game() -> None:
    game = play(holding(0, *GOVERNORS).game(), "pass", f"discard:{GOVERNORS[1]}")
    assert See(game).place(GOVERNORS[1]) == c.CARD_OUT_OF_GAME
    assert See(game).pile("caribbean")[0] == "caribbean.1"


def test_A15_a_returned_card_can_be_drawn_by_others_in_the_same_round() -> None:
    position = holding(0, "far_east.1", "caribbean.1").cards(2, "far_east.2").own(1, "market").discs(1, harbor=1)
    game = play(
        position.beside("far_east", 1, 1).game(), "pass", "discard:far_east.1", "activate:market", "draw:far_east"
    )
    assert See(game).cards(1) == {"far_east.1"}


def test_R9_7_A16_europe_5_returns_to_its_pile_and_slavery_stays_abolished() -> None:
    game = play(holding(1, "europe.5", PLAIN[0], PLAIN[1]).game(), "pass", "discard:europe.5")
    assert See(game).pile("europe")[-1] == "europe.5"
    assert game.state[0].abolished
    assert See(game).pile("slavery") == []


# --- R9.8 when a discard is allowed ---------------------------------------------------------------------------


def test_R9_8_no_discard_from_a_holding_that_fits_without_the_slot() -> None:
    assert after_pass(2, PLAIN[0], GOVERNORS[0]) == "nothing"


def test_R9_8_A10_the_slot_may_be_declined_and_any_card_discarded() -> None:
    for card in (PLAIN[0], GOVERNORS[0]):
        game = play(holding(0, PLAIN[0], GOVERNORS[0]).game(), "pass")
        assert set(game.legal_moves()) == {f"discard:{PLAIN[0]}", f"discard:{GOVERNORS[0]}", "done"}
        play(game, f"discard:{card}")
        assert (game.seat, game.decision) == (1, "turn")
        assert See(game).cards(0) == {PLAIN[0], GOVERNORS[0]} - {card}


def test_R9_8_done_keeps_the_cards() -> None:
    game = play(holding(0, PLAIN[0], GOVERNORS[0]).game(), "pass", "done")
    assert (game.seat, game.decision) == (1, "turn")
    assert See(game).cards(0) == {PLAIN[0], GOVERNORS[0]}


def test_R9_8_a_mandatory_discard_can_leave_an_optional_one() -> None:
    game = play(holding(0, PLAIN[0], *GOVERNORS[:2]).game(), "pass")
    assert asked(game) == "mandatory"
    play(game, f"discard:{GOVERNORS[1]}")
    assert asked(game) == "optional"
    play(game, "done")
    assert game.seat == 1


def test_R9_8_an_optional_discard_of_a_slavery_card_can_make_another_one_mandatory() -> None:
    game = play(holding(2, "slavery.3", *PLAIN[:2], GOVERNORS[0]).game(), "pass")
    assert asked(game) == "optional"
    play(game, "discard:slavery.3")  # takes its Politics along: limit 1 for two cards
    assert asked(game) == "mandatory"
    play(game, f"discard:{PLAIN[0]}")
    assert asked(game) == "optional"


def test_R9_8_an_optional_discard_of_a_governor_can_make_another_one_mandatory() -> None:
    game = play(holding(2, "india.governor", *PLAIN[:2]).game(), "pass")
    assert asked(game) == "optional"
    play(game, "discard:india.governor")  # Politics 2 -> 0
    assert asked(game) == "mandatory"
    play(game, f"discard:{PLAIN[1]}")
    assert (game.seat, game.decision) == (1, "turn")


def test_R9_8_tokens_are_never_discarded() -> None:
    game = play(holding(0, *PLAIN[:2]).tokens(0, "pay").game(), "pass")
    assert {move.partition(":")[0] for move in game.legal_moves()} == {"discard"}
