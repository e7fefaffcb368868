"""The end (K10)."""

from __future__ import annotations

import pytest

from tests.merchants.reference.driving import Drive
from tests.merchants.reference.turn import Action
from tests.merchants.rules.find import find_case
from tests.merchants.rules.script import Script

LAST = "K10.1"


@pytest.mark.parametrize("players", [3, 4])
def test_K10_1_who_has_delivered_all_goods_wins_at_once(players: int) -> None:
    script = find_case(LAST, chooser="eager", players=players)
    mover = script.table.mover
    assert script.who(mover).delivered == script.who(mover).goods - 1
    assert script.plain.winners() == []
    script.play(script.next)
    assert (script.seat, script.legal()) == (None, [])
    assert script.plain.winners() == [mover]
    assert not script.plain.truncated


def test_T_K12_K10_1_the_last_good_ends_the_game_inside_a_drive() -> None:
    for players in (3, 4):
        script = find_case("K10.1 in a drive", chooser="eager", players=players)
        assert isinstance(script.plain.agenda[-1], Drive)
        script.play(script.next)
        assert script.plain.over
        assert script.legal() == []


def test_K10_1_the_last_good_can_be_delivered_outside_of_a_drive() -> None:
    script = find_case("K10.1 outside a drive", chooser="patient")
    assert isinstance(script.plain.agenda[-1], Action)
    assert script.act(script.next).plain.winners() == [script.table.mover]


def test_K10_2_scores_are_goods_delivered() -> None:
    script = find_case(LAST, chooser="eager").act()
    script.play(script.next)
    goods = list(script.table.goods.values())
    assert script.plain.scores() == [goods.count(seat) for seat in range(3)]
    assert script.plain.scores()[script.table.mover] == 6
    assert sum(score == 6 for score in script.plain.scores()) == 1


@pytest.mark.parametrize("limit", [1, 2, 7])
def test_K10_3_the_end_of_a_turn_with_all_rolls_made_truncates_the_game(limit: int) -> None:
    script = Script(max_rolls=limit).act("first:0")
    for _ in range(limit - 1):
        script.roll(6).act("end")
    script.roll(6)
    assert not script.plain.truncated
    script.play("end")
    assert script.seat is None
    assert script.plain.truncated
    assert script.plain.winners() == [0, 1, 2]


def test_K10_3_winners_are_all_with_the_most_goods_R30() -> None:
    script = find_case("K10.3", chooser="eager", max_rolls=80)
    scores = script.plain.scores()
    assert script.next == "end"
    assert script.table.rolls == 80
    script.play("end")
    assert script.plain.truncated
    assert script.plain.winners() == [seat for seat in range(3) if scores[seat] == max(scores)]
    assert max(scores) > 0
