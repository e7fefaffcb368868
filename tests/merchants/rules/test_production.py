"""The roll, production and the seven (K4)."""

from __future__ import annotations

import pytest

from tests.merchants.reference.map import PRODUCTS
from tests.merchants.reference.production import Discard, Steal
from tests.merchants.reference.reading import number_of
from tests.merchants.reference.table import NEUTRAL
from tests.merchants.rules.find import find, find_case
from tests.merchants.rules.script import Script


def robber_on(script: Script, terrain: int) -> Script:
    """Let the mover roll a seven and put the robber on a terrain; whoever can be robbed first is."""
    script.roll(7)
    while script.moves("discard"):
        script.play(script.legal()[0])
    script.play(f"robber:t{terrain}")
    while script.legal()[0] != "end":
        script.play(script.legal()[0])
    return script


def gains(script: Script, total: int) -> list[dict[str, int]]:
    """Roll a number and return what each seat got."""
    before = [{**hand, "gold": gold} for hand, gold in zip(script.hands(), script.golds(), strict=True)]
    script.roll(total)
    after = [{**hand, "gold": gold} for hand, gold in zip(script.hands(), script.golds(), strict=True)]
    return [
        {item: now[item] - then[item] for item in now if now[item] != then[item]}
        for then, now in zip(before, after, strict=True)
    ]


def test_K4_1_turns_go_clockwise_from_the_first_player() -> None:
    script, seats = Script(players=4).act("first:2"), []
    for _ in range(5):
        seats.append(script.seat)
        script.roll(6).act("end")
    assert seats == [2, 3, 0, 1, 2]


def test_K4_2_a_turn_begins_with_a_roll_of_two_dice() -> None:
    script = Script().act("first:0")
    assert script.legal() == ["roll"]
    script.play("roll")
    assert script.legal() == [f"dice:{total}" for total in range(2, 13)]
    assert script.plain.weights() == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]


def test_K4_2_a_card_may_be_played_before_the_roll_and_then_the_roll_is_asked() -> None:
    script = Script(trade="bank").act("first:0").draw_card(0, "trade_treaty")
    for total in (6, 6, 6):
        script.act("end")
        if script.seat != 0:
            script.roll(total)
    assert script.legal() == ["roll", "play:trade_treaty"]
    gold = script.who(0).gold
    script.act("play:trade_treaty", "gold")
    assert script.legal() == ["roll"]
    assert script.who(0).gold == gold + 3


def test_T_K4_K4_4_posts_get_a_card_for_each_terrain_with_the_number() -> None:
    script = Script(players=4).act("first:0")
    assert gains(script, 5) == [
        {"wool": 1, "wheat": 2, "salt": 1},  # Hamburg; Nuremberg and Kiev; Kiev
        {"gold": 1},
        {"wheat": 1, "wood": 1},  # Cologne, Wroclaw
        {"wheat": 1},  # Prague
    ]


def test_T_K4_K4_4b_who_has_no_post_there_gets_gold_who_has_one_under_the_robber_nothing() -> None:
    script = Script(players=4).act("first:0")
    (meadow,) = [t for t in script.map.grounds[script.map.site["wroclaw"]] if script.map.printed[t] == 10]
    robber_on(script, meadow).act("end")
    assert gains(script, 10) == [{"gold": 1}, {"gold": 1}, {}, {"salt": 1}]  # white has Wroclaw, orange also Prague


def test_K4_4_neutral_posts_get_nothing() -> None:
    script = Script(players=3).act("first:0")
    prague = script.map.site["prague"]
    assert script.table.posts[prague] == NEUTRAL
    before = sum(script.table.reserve.values())
    assert gains(script, 4) == [{"gold": 1}] * 3  # the mountain 4 of Prague
    assert sum(script.table.reserve.values()) == before


def test_K4_4_a_token_produces_as_a_printed_number_does() -> None:
    script = Script(players=3).act("first:0")
    field = script.map.dotted["field"]
    assert script.table.tokens[field] == 5
    assert script.table.posts[script.map.site["kiev"]] == 0
    assert gains(script.branch(), 5)[0] == {"wool": 1, "wheat": 2, "salt": 1}
    robber_on(script, field).act("end")
    assert gains(script, 5)[0] == {"wool": 1, "wheat": 1, "salt": 1}  # the field of Kiev has a token


def shortage(script: Script, kind: str) -> tuple[int, int]:
    """Return how many cards of a kind the last roll owed, and what the reserve then held."""
    total = int(script.next.partition(":")[2])
    table = script.table
    due = sum(
        table.posts.get(place, NEUTRAL) != NEUTRAL
        for terrain, terrain_kind in enumerate(script.map.kinds)
        if PRODUCTS[terrain_kind] == kind and number_of(script.plain, terrain) == total and terrain != table.robber
        for place in script.map.around[terrain]
    )
    return due, table.reserve[kind]


def test_T_K5_K4_4a_nobody_gets_a_kind_of_which_too_little_is_left_and_no_gold_for_it() -> None:
    script = find_case("K4.4a shortage", chooser="hoarder")
    short = {kind for kind in PRODUCTS.values() if shortage(script, kind)[0] > shortage(script, kind)[1]}
    assert short
    before, golds, posts = script.hands(), script.golds(), script.table.posts
    total = int(script.next.partition(":")[2])
    places = {
        p for t in range(len(script.map.kinds)) if number_of(script.plain, t) == total for p in script.map.around[t]
    }
    touching = {posts[place] for place in places & posts.keys()}
    script.play(script.next)
    for seat, hand in enumerate(script.hands()):
        assert all(hand[kind] == before[seat][kind] for kind in short)
        assert (script.golds()[seat] > golds[seat]) <= (seat not in touching)


def test_K4_4a_other_kinds_are_paid_all_the_same() -> None:
    for others in range(3, 5):
        script = find_case("K4.4a shortage", chooser="hoarder", players=others, trade="none")
        paid = {kind: shortage(script, kind) for kind in PRODUCTS.values()}
        script.play(script.next)
        for kind, (due, reserve) in paid.items():
            assert reserve - script.table.reserve[kind] == (due if due <= reserve else 0)


def test_K4_5_gold_is_paid_clockwise_from_the_mover_while_it_lasts() -> None:
    script = find_case("K4.5 reserve of gold runs out", chooser="hoarder", players=4, trade="none")
    mover, left, before = script.table.mover, script.table.gold, script.golds()
    script.play(script.next)
    order = [(mover + distance) % 4 for distance in range(4)]
    got = [script.golds()[seat] - before[seat] for seat in order]
    assert sum(got) == left
    assert script.table.gold == 0


@pytest.mark.parametrize(("held", "gone"), [(9, 4), (8, 4), (7, 0)])
def test_T_K3_K4_3a_more_than_seven_cards_are_halved_rounded_down(held: int, gone: int) -> None:
    script = find(
        lambda game: game.legal()[0] == "roll" and game.table.seats[game.table.mover].count() == held, chooser="hoarder"
    )
    mover = script.table.mover
    script.roll(7)
    discards = 0
    while script.seat == mover and script.moves("discard"):
        kinds = script.moves("discard")
        assert kinds == [kind for kind, count in script.who(mover).hand.items() if count]
        reserve = script.table.reserve[kinds[-1]]
        script.play(f"discard:{kinds[-1]}")
        assert script.table.reserve[kinds[-1]] == reserve + 1
        discards += 1
    assert discards == gone


def test_K4_3_a_seven_produces_nothing_and_pays_nobody() -> None:
    script = Script(players=4).act("first:0")
    assert gains(script, 7) == [{}] * 4
    assert script.moves("robber")


def test_K4_3a_seats_discard_clockwise_from_the_mover_R33() -> None:
    script = find_case("K4.3a several seats discard (K-R33)", chooser="hoarder", players=4)
    mover, counts = script.table.mover, [seat.count() for seat in script.table.seats]
    script.play(script.next)
    expected = [seat for seat in script.plain.clockwise(mover) if counts[seat] > 7]
    seats = []
    while isinstance(top := script.plain.agenda[-1], Discard):
        seats += [top.seat] if top.seat not in seats else []
        script.play(script.legal()[0])
    assert seats == expected
    assert len(seats) > 1


def test_K4_3b_after_a_seven_the_mover_moves_the_robber_and_then_steals() -> None:
    script = Script(players=4).act("first:0").roll(7)
    assert script.seat == 0
    (meadow,) = [t for t in script.map.grounds[script.map.site["wroclaw"]] if script.map.printed[t] == 10]
    script.play(f"robber:t{meadow}")
    assert script.legal() == ["steal:2", "steal:3"]  # white in Wroclaw, orange in Copenhagen


def test_K4_6_the_robber_goes_to_any_other_terrain_with_a_number() -> None:
    script = Script().act("first:0").roll(7)
    numbered = [t for t in range(len(script.map.kinds)) if number_of(script.plain, t) is not None]
    assert script.moves("robber") == [f"t{terrain}" for terrain in numbered]
    script.play(f"robber:t{numbered[3]}")
    while script.legal()[0] != "end":
        script.play(script.legal()[0])
    script.act("end").roll(7)
    assert script.moves("robber") == [f"t{terrain}" for terrain in numbered if terrain != numbered[3]]


def test_K4_7_a_card_of_the_victim_is_drawn_each_alike() -> None:
    script = find(lambda game: isinstance(game.agenda[-1], Steal) and len(game.legal()) > 1, chooser="hoarder")
    table, mover = script.table, script.table.mover
    there = {table.posts.get(place) for place in script.map.around[table.robber]} - {mover, NEUTRAL, None}
    assert {int(seat) for seat in script.moves("steal")} == {
        seat for seat in there if seat is not None and table.seats[seat].count()
    }
    victim = int(script.moves("steal")[-1])
    hand, own = dict(script.who(victim).hand), dict(script.who(mover).hand)
    script.play(f"steal:{victim}")
    held = [kind for kind, count in hand.items() if count]
    assert script.legal() == [f"stolen:{kind}" for kind in held]
    assert script.plain.weights() == [hand[kind] for kind in held]
    script.play(f"stolen:{held[0]}")
    assert script.who(victim).hand[held[0]] == hand[held[0]] - 1
    assert script.who(mover).hand[held[0]] == own[held[0]] + 1


def test_K4_7_victims_are_listed_clockwise_from_the_mover() -> None:
    script = find(
        lambda game: isinstance(game.agenda[-1], Steal) and len(game.legal()) > 1 and game.table.mover == 1,
        chooser="hoarder",
        players=4,
        seed=50,
    )
    victims = [int(seat) for seat in script.moves("steal")]
    assert victims == sorted(victims, key=lambda seat: (seat - 1) % 4)


def test_K4_7_who_has_no_card_or_only_a_neutral_post_there_is_not_robbed() -> None:
    script = Script(players=3).act("first:0").roll(7)
    (mountain,) = [t for t in script.map.grounds[script.map.site["prague"]] if script.map.kinds[t] == "mountain"]
    script.play(f"robber:t{mountain}")
    assert script.legal()[0] == "end"
