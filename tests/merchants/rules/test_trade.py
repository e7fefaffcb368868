"""Trade with the reserve and with others (K5)."""

from __future__ import annotations

import pytest

from tests.merchants.reference.map import RESOURCES
from tests.merchants.reference.trade import MakeOffer, Partner, Reply
from tests.merchants.reference.turn import Action
from tests.merchants.rules.find import find, find_case
from tests.merchants.rules.script import Script


def acting(**options: str) -> Script:
    """Return the first action of red, who holds wood, wheat and salt, and what a 5 gives."""
    return Script(players=3, **options).act("first:0").roll(5)


def test_K5_1_three_equal_resources_for_another_or_for_gold() -> None:
    script = Script(trade="bank").act("first:0").gather(0, wheat=3)
    assert "bank:wheat:gold" in script.legal()
    assert [move for move in script.legal() if move.startswith("bank:wheat")] == [
        "bank:wheat:wood",
        "bank:wheat:wool",
        "bank:wheat:ore",
        "bank:wheat:salt",
        "bank:wheat:gold",
    ]
    hand, gold = dict(script.who(0).hand), script.who(0).gold
    other = script.branch()
    script.play("bank:wheat:ore")
    assert script.who(0).hand == {**hand, "wheat": hand["wheat"] - 3, "ore": hand["ore"] + 1}
    other.play("bank:wheat:gold")
    assert other.who(0).gold == gold + 1


def test_K5_1_two_are_not_enough() -> None:
    script = acting()
    assert script.who(0).hand["salt"] == 2
    assert not [move for move in script.moves("bank") if move.startswith("salt")]


def test_K5_1_what_the_reserve_has_not_cannot_be_taken() -> None:
    script = find(
        lambda game: (
            isinstance(game.agenda[-1], Action)
            and any(move.startswith("bank") for move in game.legal())
            and not all(game.table.reserve.values())
        ),
        chooser="hoarder",
        players=4,
    )
    gone = [kind for kind in RESOURCES if not script.table.reserve[kind]]
    assert not [move for move in script.moves("bank") if move.split(":")[1] in gone]
    assert not set(script.moves("buy")) & set(gone)


def test_K5_2_two_gold_buy_a_resource_at_most_twice_a_turn() -> None:
    script = Script(trade="bank").act("first:0").gather(0, gold=6)
    gold = script.who(0).gold
    assert script.moves("buy") == list(RESOURCES)
    script.play("buy:ore")
    assert script.who(0).gold == gold - 2
    assert script.moves("buy")
    script.play("buy:ore")
    assert script.who(0).gold >= 2
    assert not script.moves("buy")
    script.gather(1)
    script.gather(0)
    assert script.moves("buy")


def test_K5_2_one_gold_buys_nothing() -> None:
    script = acting().act("buy:ore")
    assert script.who(0).gold == 1
    assert not script.moves("buy")


def test_K5_3a_an_offer_has_ascending_items_none_on_both_sides_and_no_more_than_held() -> None:
    script = acting()
    assert script.hands()[0] == {"wood": 1, "wool": 1, "wheat": 3, "ore": 0, "salt": 2}
    assert script.moves("give") == ["wood", "wool", "wheat", "salt", "gold"]
    script.play("give:wheat")
    assert script.moves("give") == ["wheat", "salt", "gold"]
    assert script.moves("want") == ["wood", "wool", "ore", "salt", "gold"]
    assert "propose" not in script.legal()
    assert script.legal()[-1] == "cancel"
    script.act("give:salt", "give:salt")
    assert not script.moves("give")
    assert script.moves("want") == ["wood", "wool", "ore", "gold"]
    script.play("want:ore")
    assert script.legal() == ["want:ore", "want:gold", "propose", "cancel"]
    script.act("want:ore", "want:gold")
    assert script.legal() == ["propose", "cancel"]


def test_K5_3a_no_more_is_given_than_held() -> None:
    script = acting().act("give:wood")
    assert "give:wood" not in script.legal()
    script.play("give:salt")
    assert "give:salt" in script.legal()


def test_K5_3a_three_offers_a_turn_and_a_cancelled_one_counts() -> None:
    script = acting()
    for _ in range(3):
        assert script.moves("give")
        script.act("give:wood", "cancel")
    assert not script.moves("give")
    assert script.seat == 0
    script.act("end").roll(5)
    assert script.moves("give")


def test_K5_3b_every_other_seat_answers_clockwise_also_if_it_can_only_refuse() -> None:
    script = Script(players=4).act("first:1").roll(5).act("give:salt", "want:wood", "propose")
    answers = []
    for _ in range(3):
        assert isinstance(script.plain.agenda[-1], Reply)
        seat = script.seat
        assert isinstance(seat, int)
        can = script.who(seat).hand["wood"] >= 1
        assert script.legal() == (["accept", "refuse"] if can else ["refuse"])
        answers.append((seat, can))
        script.play("refuse")
    assert answers == [(2, True), (3, False), (0, True)]
    assert script.seat == 1
    assert script.moves("give")


def test_K5_3c_nobody_accepts() -> None:
    script = acting()
    before = script.hands()
    script.act("give:salt", "want:ore", "propose", "refuse", "refuse")
    assert script.hands() == before
    assert script.seat == 0


def test_K5_3c_with_the_only_one_who_accepts_the_exchange_is_made() -> None:
    script = acting()
    before, golds = script.hands(), script.golds()
    script.act("give:wheat", "give:wheat", "want:ore", "propose", "accept", "refuse")
    assert script.hands()[0] == {**before[0], "wheat": before[0]["wheat"] - 2, "ore": before[0]["ore"] + 1}
    assert script.hands()[1] == {**before[1], "wheat": before[1]["wheat"] + 2, "ore": before[1]["ore"] - 1}
    assert script.golds() == golds


def test_K5_3_gold_changes_hands_between_players() -> None:
    script = acting()
    golds, reserve = script.golds(), script.table.gold
    script.act("give:gold", "give:gold", "want:ore", "propose", "accept", "refuse")
    assert script.golds() == [golds[0] - 2, golds[1] + 2, golds[2]]
    assert script.table.gold == reserve


def test_K5_3c_of_several_the_mover_picks_one_and_cannot_withdraw() -> None:
    script = acting().act("give:salt", "want:gold", "propose", "accept", "accept")
    assert isinstance(script.plain.agenda[-1], Partner)
    assert script.seat == 0
    assert script.legal() == ["partner:1", "partner:2"]
    golds = script.golds()
    script.play("partner:2")
    assert script.golds() == [golds[0] + 1, golds[1], golds[2] - 1]
    assert script.seat == 0


def test_K5_3c_partners_are_listed_clockwise() -> None:
    script = find_case("K5.3c several accept", players=4)
    script.play(script.next)
    mover = script.table.mover
    partners = [int(seat) for seat in script.moves("partner")]
    assert partners == sorted(partners, key=lambda seat: (seat - mover) % 4)


def test_K5_4_pieces_cards_and_goods_are_no_items_and_no_side_is_empty() -> None:
    script = find(lambda game: isinstance(game.agenda[-1], MakeOffer) and sum(game.table.seats[0].cards.values()) > 0)
    items = {*RESOURCES, "gold"}
    assert set(script.moves("give")) | set(script.moves("want")) <= items
    assert ("propose" in script.legal()) == bool(script.table.offer and script.table.offer.wanted)


@pytest.mark.parametrize(
    ("trade", "verbs"), [("offers", {"bank", "buy", "give"}), ("bank", {"bank", "buy"}), ("none", set())]
)
def test_K5_5_the_option_says_what_may_be_traded(trade: str, verbs: set[str]) -> None:
    script = Script(trade=trade).act("first:0").roll(5)
    assert script.who(0).hand["wheat"] == 3
    assert {verb for verb in ("bank", "buy", "give") if script.moves(verb)} == verbs
