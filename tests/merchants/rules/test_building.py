"""Building: cards, merchants, caravans and routes (K6)."""

from __future__ import annotations

from itertools import pairwise

from tests.merchants.reference.building import Lift, open_paths
from tests.merchants.reference.income import Income
from tests.merchants.reference.turn import Action
from tests.merchants.rules.find import find, find_case
from tests.merchants.rules.script import Script


def on_expert_side() -> Script:
    """Return a game of three with red in Turin and blue in Venice, and their first routes far away."""
    script = Script("expert", 3, trade="bank")
    posts = [["turin", "warsaw", "barcelona"], ["venice", "odessa", "vienna"], ["madrid", "seville", "lisbon"]]
    routes = [
        script.way("warsaw", "kaliningrad")[0],
        script.way("odessa", "kiev")[0],
        script.way("madrid", "seville")[0],
    ]
    return script.place(posts, routes, neutral=("kiev", "vilnius", "hamburg"))


# --- K6.1, K6.2 ------------------------------------------------------------------------------------------------------
def test_K6_1_a_card_costs_wool_and_salt_once_a_turn() -> None:
    script = Script(trade="bank").act("first:0").gather(0, wool=2, salt=2)
    hand, reserve = dict(script.who(0).hand), dict(script.table.reserve)
    script.play("card")
    assert script.seat == "chance"
    script.play("drawn:bribe")
    assert script.who(0).hand == {**hand, "wool": hand["wool"] - 1, "salt": hand["salt"] - 1}
    assert script.table.reserve == {**reserve, "wool": reserve["wool"] + 1, "salt": reserve["salt"] + 1}
    assert "card" not in script.legal()
    assert "card" in script.gather(1).gather(0, wool=1, salt=1).legal()


def test_K6_2_the_drawn_card_is_one_of_those_left() -> None:
    script = Script(trade="bank").act("first:0").buy(0, "card")
    assert script.legal() == ["drawn:safe_conduct", "drawn:trade_treaty", "drawn:bribe", "drawn:lancer"]
    assert script.plain.weights() == [6, 6, 6, 7]
    script.play("drawn:lancer")
    assert script.who(0).cards["lancer"] == 1
    script.gather(1).buy(1, "card")
    assert script.plain.weights() == [6, 6, 6, 6]


def test_K6_2_outcomes_of_which_none_is_left_are_none() -> None:
    script = find(
        lambda game: bool(game.legal() and game.legal()[0].startswith("drawn") and len(game.legal()) < 4), trade="none"
    )
    left = [kind for kind, count in script.table.pile.items() if count]
    assert script.legal() == [f"drawn:{kind}" for kind in left]
    assert script.plain.weights() == [script.table.pile[kind] for kind in left]


def test_K6_2_when_the_pile_is_empty_the_played_cards_become_the_pile() -> None:
    script = find_case("K6.2 the played cards become the pile")
    assert not any(script.table.pile.values())
    played = dict(script.table.played)
    assert script.next == "card"
    script.play("card")
    assert script.table.pile == played
    assert not any(script.table.played.values())


def test_T_K13_K6_2_a_card_bought_this_turn_cannot_be_played() -> None:
    script = Script(trade="bank").act("first:0").draw_card(0, "lancer")
    assert "play:lancer" not in script.legal()
    script.gather(1).gather(0)
    assert "play:lancer" in script.legal()
    script.draw_card(0, "trade_treaty")
    assert script.moves("play") == ["lancer"]
    script.gather(1).draw_card(0, "lancer")
    assert script.who(0).cards["lancer"] == 2
    assert script.moves("play") == ["trade_treaty", "lancer"]


def test_K6_1_a_merchant_costs_wool_wheat_and_wood_and_stands_on_an_own_post_without_one() -> None:
    script = Script(trade="bank").act("first:0").gather(0, wool=2, wheat=2, wood=2)
    assert script.moves("merchant") == [city for city in script.map.cities if city in ("hamburg", "nuremberg", "kiev")]
    hand = dict(script.who(0).hand)
    script.play("merchant:kiev")
    assert script.who(0).merchants == [script.map.site["kiev"], None]
    costs = {"wool": 1, "wheat": 1, "wood": 1}
    assert script.who(0).hand == {kind: count - costs.get(kind, 0) for kind, count in hand.items()}
    assert "kiev" not in script.moves("merchant")


def test_K6_1_a_caravan_costs_ore_wood_and_salt_and_stands_on_an_own_route_at_an_own_post() -> None:
    script = Script(trade="bank").act("first:0").gather(0, ore=1, wood=1, salt=1)
    path = script.map.start_path("red")
    assert script.moves("caravan") == [f"p{path}"]
    hand = dict(script.who(0).hand)
    script.play(f"caravan:p{path}")
    assert script.who(0).caravans == [path, path]
    costs = {"ore": 1, "wood": 1, "salt": 1}
    assert script.who(0).hand == {kind: count - costs.get(kind, 0) for kind, count in hand.items()}


def test_K6_1_no_third_caravan_on_a_route() -> None:
    script = Script(trade="bank").act("first:0").buy(0, f"caravan:p{Script().map.start_path('red')}")
    script.gather(0, ore=1, wood=1, salt=1)
    assert not script.moves("caravan")


def test_K6_1_a_caravan_needs_a_route_at_an_own_post() -> None:
    script = find(
        lambda game: (
            0 < str(game.legal()).count("caravan:") < list(game.table.routes.values()).count(game.table.mover) - 2
        ),
        chooser="builder",
    )
    mover = script.table.mover
    expected = [
        f"p{path}"
        for path, owner in sorted(script.table.routes.items())
        if owner == mover
        and any(script.table.posts.get(end) == mover for end in script.map.ends[path])
        and sum(seat.caravans.count(path) for seat in script.table.seats) < 2
    ]
    assert script.moves("caravan") == expected


def test_K6_1_a_route_costs_ore_and_wood() -> None:
    script = Script(trade="bank").act("first:0").gather(0, ore=1, wood=1)
    hand, path = dict(script.who(0).hand), script.moves("route")[0]
    script.play(f"route:{path}")
    assert script.table.routes[int(path[1:])] == 0
    assert script.who(0).hand == {**hand, "ore": hand["ore"] - 1, "wood": hand["wood"] - 1}
    assert script.who(0).routes == 28


def test_K6_1_without_a_route_in_supply_none_is_built() -> None:
    script = find(
        lambda game: (
            isinstance(game.agenda[-1], Action)
            and not game.table.seats[game.table.mover].routes
            and game.table.seats[game.table.mover].holds({"ore": 1, "wood": 1})
        ),
        chooser="builder",
    )
    assert not script.moves("route")


# --- K6.3 ------------------------------------------------------------------------------------------------------------
def test_K6_3_a_piece_takes_the_lowest_free_slot() -> None:
    script = Script(trade="bank").act("first:0").buy(0, "merchant:kiev").buy(0, "merchant:hamburg")
    site = script.map.site
    assert script.who(0).merchants == [site["kiev"], site["hamburg"]]


def test_K6_3_if_both_are_out_one_is_lifted_and_becomes_the_new_one() -> None:
    script = Script(trade="bank").act("first:0").buy(0, "merchant:kiev").buy(0, "merchant:hamburg")
    site = script.map.site
    script.buy(0, "merchant:nuremberg")
    assert isinstance(script.plain.agenda[-1], Lift)
    assert script.legal() == ["lift:0", "lift:1"]
    other = script.branch()
    assert script.act("lift:0").who(0).merchants == [site["nuremberg"], site["hamburg"]]
    assert other.act("lift:1").who(0).merchants == [site["kiev"], site["nuremberg"]]
    assert script.legal()[0] == "end"


def test_K6_3_caravans_are_lifted_alike() -> None:
    script = find_case("K6.3 lifted, caravans")
    slot, mover = int(script.next[-1]), script.table.mover
    top = script.plain.agenda[-1]
    assert isinstance(top, Lift)
    before = list(script.who(mover).caravans)
    script.play(script.next)
    assert script.who(mover).caravans[slot] == top.place
    assert script.who(mover).caravans[1 - slot] == before[1 - slot]


# --- K6.4 ------------------------------------------------------------------------------------------------------------
def test_K6_4_a_route_goes_to_an_own_post_or_beside_an_own_route() -> None:
    script = find(lambda game: len(game.table.routes) > 20 and bool(game.met["K6.4"]) and "route" in str(game.legal()))
    mover, table = script.table.mover, script.table
    own = {end for path, owner in table.routes.items() if owner == mover for end in script.map.ends[path]}
    own |= {place for place, owner in table.posts.items() if owner == mover}
    expected = [
        f"p{path}"
        for path, ends in enumerate(script.map.ends)
        if path not in table.routes and (ends[0] in own or ends[1] in own)
    ]
    assert script.moves("route") == expected


def test_K6_4_cities_posts_and_merchants_of_others_do_not_stop_routes() -> None:
    script = find(
        lambda game: (
            isinstance(game.agenda[-1], Action)
            and any(
                game.table.posts.get(end, game.table.mover) != game.table.mover
                for path in open_paths(game, game.table.mover)
                for end in game.map.ends[path]
                if any(game.table.routes.get(way) == game.table.mover for way in game.map.paths_at[end])
            )
            and any(move.startswith("route") for move in game.legal())
        ),
        chooser="builder",
    )
    assert script.moves("route") == [f"p{path}" for path in open_paths(script.plain, script.table.mover)]


# --- K6.5, K6.6 ------------------------------------------------------------------------------------------------------
def build(script: Script, seat: int, path: str) -> list[int]:
    """Let a seat build a route, and return the gold that each seat then gets."""
    script.gather(seat, ore=1, wood=1)
    before = script.golds()
    script.play(f"route:{path}")
    return [now - then for now, then in zip(script.golds(), before, strict=True)]


def test_T_K1_K6_5_an_isolated_city_is_paid_for_once_when_it_is_connected() -> None:
    script = on_expert_side()
    way = script.way("turin", "venice")
    assert len(way) == 3
    assert build(script, 1, way[2]) == [0, 0, 0]
    assert build(script, 1, way[1]) == [0, 0, 0]
    assert build(script, 0, way[0]) == [1, 2, 0]  # both were isolated: once
    to_berne = script.way("turin", "berne")
    assert len(to_berne) == 2
    assert build(script, 0, to_berne[0]) == [0, 0, 0]
    assert build(script, 0, to_berne[1]) == [2, 0, 0]


def test_K6_5_a_route_inside_one_net_pays_nothing() -> None:
    script = find_case("K6.5 inside one net", chooser="builder")
    before = script.golds()
    script.play(script.next)
    assert script.golds() == before


def test_K6_5_two_nets_of_two_or_more_cities_pay_nothing() -> None:
    script = find_case("K6.5 two nets of several cities", chooser="builder")
    before = script.golds()
    script.play(script.next)
    assert script.golds() == before


def test_K6_5_only_the_shortest_way_to_another_city_is_paid() -> None:
    script = find_case("K6.5 one isolated city", chooser="builder")
    before = script.table.gold
    script.play(script.next)
    top = script.plain.agenda[-1]
    if isinstance(top, Income):
        assert len({sum(payments) for payments in top.ways}) == 1
    else:
        assert 0 < before - script.table.gold <= 30


def test_K6_6_of_several_shortest_ways_the_mover_chooses_by_payments_largest_first() -> None:
    for chooser in ("builder", "wild"):
        script = find(lambda game: isinstance(game.agenda[-1], Income), chooser=chooser)
        top = script.plain.agenda[-1]
        assert isinstance(top, Income)
        mover = script.table.mover
        assert script.seat == mover
        assert script.legal() == [f"income:{number}" for number in range(len(top.ways))]
        assert all(one > other for one, other in pairwise(top.ways))
        for number, payments in enumerate(top.ways):
            branch = script.branch()
            before = branch.golds()
            branch.play(f"income:{number}")
            got = [branch.golds()[(mover + place) % 3] - before[(mover + place) % 3] for place in range(3)]
            assert got == list(payments)


# --- K6.7 ------------------------------------------------------------------------------------------------------------
def white_at_the_arrow() -> Script:
    """Return the action of white with a route from Wroclaw towards the double arrow of Kaliningrad."""
    script = Script(trade="bank").act("first:2")
    way = script.way("wroclaw", "kaliningrad")
    assert int(way[1][1:]) in script.map.arrows
    assert build(script, 2, way[0]) == [0, 0, 0]
    return script


def test_T_K2_K6_7_a_route_on_a_double_arrow_gives_a_free_one_beside_it() -> None:
    script = white_at_the_arrow()
    way = script.way("wroclaw", "kaliningrad")
    assert build(script, 2, way[1]) == [0, 0, 0]
    free = [path for path in script.map.beside[int(way[1][1:])] if path not in script.table.routes]
    assert script.legal() == ["done", *(f"route:p{path}" for path in free)]
    before, hand = script.golds(), script.hands()[2]
    script.play(f"route:{way[2]}")
    assert [now - then for now, then in zip(script.golds(), before, strict=True)] == [0, 0, 3]
    assert script.hands()[2] == hand
    assert script.legal()[0] == "end"


def test_K6_7_the_free_route_can_be_declined() -> None:
    script = white_at_the_arrow()
    build(script, 2, script.way("wroclaw", "kaliningrad")[1])
    routes = dict(script.table.routes)
    script.play("done")
    assert script.table.routes == routes
    assert script.legal()[0] == "end"


def test_K6_7_a_free_route_on_another_double_arrow_gives_another_R21() -> None:
    script = find_case("K6.7 onto another double arrow (K-R21)", chooser="builder", board="short_arrows")
    path = int(script.next.partition("p")[2])
    script.play(script.next)
    while script.moves("income"):
        script.play("income:0")
    free = [other for other in script.map.beside[path] if other not in script.table.routes]
    if free:
        assert script.legal() == ["done", *(f"route:p{other}" for other in free)]


def test_K6_7_the_income_of_the_first_route_comes_before_the_free_one() -> None:
    script = find(
        lambda game: (
            isinstance(game.agenda[-1], Income)
            and game.moves[-1][1].startswith("route")
            and int(game.moves[-1][1][7:]) in game.map.arrows
            and game.table.seats[game.table.mover].routes > 0
            and any(path not in game.table.routes for path in game.map.beside[int(game.moves[-1][1][7:])])
        ),
        chooser="builder",
        board="short_arrows",
    )
    script.play(script.legal()[-1])
    assert script.legal()[0] == "done"
    assert script.moves("route")


def test_K6_7_with_an_empty_supply_no_free_route_is_asked() -> None:
    script = find_case("K6.7 no route in supply", chooser="builder", trade="bank")
    script.play(script.next)
    assert not script.who(script.table.mover).routes
    assert not isinstance(script.plain.agenda[-1], Income)
    assert script.legal()[0] in ("end", "roll")
