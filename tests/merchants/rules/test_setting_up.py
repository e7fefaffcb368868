"""Set-up (K3)."""

from __future__ import annotations

import pytest

from tests.merchants.reference.boards import declared
from tests.merchants.reference.map import COLOURS, PRODUCTS
from tests.merchants.reference.table import NEUTRAL
from tests.merchants.rules.find import find
from tests.merchants.rules.script import Script

KINDS = {(side, players) for side in ("short", "expert") for players in (3, 4)}


@pytest.mark.parametrize("players", [3, 4])
def test_K3_1_chance_draws_the_first_player_each_alike(players: int) -> None:
    script = Script(players=players)
    assert script.seat == "chance"
    assert script.legal() == [f"first:{seat}" for seat in range(players)]
    assert script.plain.weights() == [1] * players
    for seat in range(players):
        assert script.branch().act(f"first:{seat}").seat == seat


@pytest.mark.parametrize("side", ["short", "expert"])
def test_K3_2_the_dotted_tokens_lie_on_their_places_and_two_of_each_kind_in_the_sea(side: str) -> None:
    script, data = Script(side), declared(side).data
    assert script.table.tokens == {script.map.dotted[kind]: data["tokens"][kind][0] for kind in PRODUCTS}
    assert script.table.sea == {kind: sorted(data["tokens"][kind][1:]) for kind in PRODUCTS}


def test_K3_3_the_robber_stands_where_the_board_says_and_no_number_is() -> None:
    script = Script()
    assert script.map.cells[script.table.robber] == tuple(script.map.data["robber"])
    assert script.map.printed[script.table.robber] is None
    assert script.table.robber not in script.table.tokens


@pytest.mark.parametrize(
    ("side", "players", "goods", "posts"),
    [("short", 3, 6, 8), ("short", 4, 5, 7), ("expert", 3, 10, 12), ("expert", 4, 8, 10)],
)
def test_K3_4_each_seat_gets_gold_goods_and_posts(side: str, players: int, goods: int, posts: int) -> None:
    script = Script(side, players)
    assert script.golds() == [3] * players
    assert script.table.gold == 100 - 3 * players
    for seat in script.table.seats:
        assert (seat.goods, seat.stock, seat.routes, seat.free_goods) == (goods, posts - 3, 30, 1)


def test_K3_5_the_start_is_fixed_or_free_on_the_short_side_and_free_on_the_other() -> None:
    assert Script("short").act("first:0").legal()[0] == "roll"
    assert Script("short", start="free").act("first:0").moves("post")
    assert Script("expert").act("first:0").moves("post")
    with pytest.raises(ValueError, match="fixed"):
        Script("expert", start="fixed")


@pytest.mark.parametrize("players", [3, 4])
def test_K3_6_the_fixed_start_is_that_of_the_board_file(players: int) -> None:
    script = Script(players=players).act("first:1")
    table, start = script.table, script.map.data["start"]
    cards = [{"wood", "wheat", "salt"}, {"salt", "wool", "ore"}, {"wood", "wheat", "wool"}, {"ore", "salt", "wheat"}]
    for number, colour in enumerate(COLOURS):
        owner = number if number < players else NEUTRAL
        for city in start[colour]["posts"]:
            assert table.posts[script.map.site[city]] == owner
            assert city in script.map.violet
        path = script.map.start_path(colour)
        assert table.routes.get(path) == (owner if number < players else None)
        if number < players:
            seat = table.seats[number]
            assert seat.caravans == [path, None]
            assert {kind for kind, count in seat.hand.items() if count} == cards[number]
            assert (seat.count(), seat.routes) == (3, 29)
    assert script.seat == 1


def test_K3_7_posts_go_forward_back_and_forward_to_brown_cities() -> None:
    script, seats = Script("expert", 4).act("first:2"), []
    while script.moves("post"):
        cities = script.moves("post")
        assert set(cities) == {
            city
            for city in script.map.cities
            if city not in script.map.violet and script.map.site[city] not in script.table.posts
        }
        seats.append(script.seat)
        script.play(f"post:{cities[0]}")
    assert seats == [2, 3, 0, 1, 1, 0, 3, 2, 2, 3, 0, 1]


def test_K3_7_the_third_post_gives_a_card_for_each_terrain_numbered_or_not_R34() -> None:
    script = Script("expert", 3).act("first:0")
    for city in ("paris", "madrid", "odessa", "moscow", "riga", "london", "berne"):
        assert all(seat.count() == 0 for seat in script.table.seats)
        script.play(f"post:{city}")
    script.play("post:venice")  # two mountains, one of them without number
    script.play("post:constantinople")  # one terrain, and sea
    held = [{kind: count for kind, count in hand.items() if count} for hand in script.hands()]
    assert held == [{"wood": 1, "wool": 1, "wheat": 1}, {"ore": 2}, {"wool": 1}]


def test_K3_8_three_players_put_neutral_posts_on_violet_cities_in_reverse_order() -> None:
    script = Script("expert", 3).act("first:1")
    while script.moves("post"):
        script.play(script.legal()[0])
    seats = []
    while script.moves("neutral"):
        free = {city for city in script.map.violet if script.map.site[city] not in script.table.posts}
        assert set(script.moves("neutral")) == free
        seats.append(script.seat)
        script.play(script.legal()[0])
    assert seats == [0, 2, 1]
    assert list(script.table.posts.values()).count(NEUTRAL) == 3
    assert script.seat == 0
    assert script.moves("route")


def test_K3_8_four_players_put_no_neutral_posts() -> None:
    script = Script("expert", 4).act("first:1")
    while script.moves("post"):
        script.play(script.legal()[0])
    assert script.seat == 0
    assert script.moves("route")


def test_K3_9_each_seat_puts_a_route_with_a_caravan_at_an_own_post_in_reverse_order() -> None:
    script = Script("expert", 4).act("first:3")
    while script.moves("post"):
        script.play(script.legal()[0])
    seats = []
    while script.moves("route"):
        seat, path = script.seat, int(script.moves("route")[-1][1:])
        assert isinstance(seat, int)
        seats.append(seat)
        script.play(f"route:p{path}")
        assert script.table.routes[path] == seat
        assert script.who(seat).caravans == [path, None]
        assert any(script.table.posts.get(end) == seat for end in script.map.ends[path])
    assert seats == [2, 1, 0, 3]
    assert script.seat == 3


def _paris_and_lyon(first_route: str | None = None) -> Script:
    """Return a game in which seat 0, with a post in Paris, chooses its first route after all others."""
    script = Script("expert", 4).act("first:0")
    cities = iter(("paris", "brussels", "lisbon", "moscow", "riga", "seville", "nantes", "lyon"))
    while script.moves("post"):
        script.play(f"post:{next(cities, script.moves('post')[0])}")
    while script.seat != 0:
        script.play(first_route if script.seat == 1 and first_route else script.legal()[0])
    return script


def test_T_K14_K3_9_a_first_route_may_not_join_two_cities() -> None:
    script = _paris_and_lyon()
    assert script.path("paris", "brussels") not in script.moves("route")
    assert {path for path in script.moves("route") if script.map.site["paris"] in script.map.ends[int(path[1:])]}


def test_K3_9_routes_of_others_count_when_cities_would_be_joined() -> None:
    way = Script("expert", 4).way("paris", "brussels")
    assert len(way) == 1
    script = find(
        lambda game: bool(game.met["K3.9 a path that would join two cities"] and len(game.table.routes) > 1),
        board="expert",
        players=4,
    )
    assert script.moves("route") or script.moves("roll")


def test_K3_10_the_start_frees_no_good_and_uses_no_double_arrow() -> None:
    script = find(
        lambda game: bool(game.met["K3.10 double arrow without effect"]) and game.legal()[0] == "roll", board="expert"
    )
    assert {seat.caravans[0] for seat in script.table.seats} & script.map.arrows
    assert script.golds() == [3] * 3
    assert all(seat.free_goods == 1 for seat in script.table.seats)
    assert len(script.table.routes) == 3
    assert len(script.table.tokens) == 5
