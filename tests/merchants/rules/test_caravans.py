"""Caravans, tolls and deliveries (K8)."""

from __future__ import annotations

from tests.merchants.reference.driving import Drive
from tests.merchants.reference.game import ReferenceGame
from tests.merchants.reference.reading import caravans_on
from tests.merchants.reference.table import NEUTRAL
from tests.merchants.reference.turn import Action
from tests.merchants.rules.find import find, find_case
from tests.merchants.rules.script import Script


def towards_berne() -> Script:
    """Return a game in which red's caravan stands at Marseille before three routes of blue and then one of white."""
    script = Script("expert", 4, trade="bank")
    to_berne = script.way("turin", "berne")
    behind = next(path for path in script.map.paths_at[script.map.site["berne"]] if f"p{path}" not in to_berne)
    red = next(
        path
        for path in script.map.paths_at[script.map.site["marseille"]]
        if f"p{path}" != script.path("marseille", "turin")
    )
    posts = [
        ["marseille", "warsaw", "lyon"],
        ["turin", "odessa", "belgrade"],
        ["berne", "madrid", "sofia"],
        ["moscow", "seville", "nantes"],
    ]
    script.place(posts, [f"p{red}", to_berne[0], f"p{behind}", script.way("seville", "madrid")[0]])
    script.buy(1, f"route:{script.path('marseille', 'turin')}")
    return script.buy(1, f"route:{to_berne[1]}")


def road(script: Script) -> list[str]:
    """Return the steps from red's first route along blue's three to white's."""
    to_berne = script.way("turin", "berne")
    last = script.table.seats[2].caravans[0]
    return [f"step:{path}" for path in (script.path("marseille", "turin"), *to_berne, f"p{last}")]


def test_K8_1_a_salt_gives_three_steps_and_then_another() -> None:
    script = towards_berne().gather(0, salt=2, gold=2)
    steps, salt = road(script), script.who(0).hand["salt"]
    script.play("drive:0")
    assert script.who(0).hand["salt"] == salt
    spent = []
    for step in steps:
        script.play(step)
        spent.append(salt - script.who(0).hand["salt"])
    assert spent == [1, 1, 1, 2]


def test_K8_1_the_first_decision_of_a_drive_has_steps_only() -> None:
    script = towards_berne().gather(0, salt=1, gold=1).act("drive:0")
    assert {move.partition(":")[0] for move in script.legal()} == {"step"}
    script.play(road(script)[0])
    assert "stop" in script.legal()


def test_K8_1_a_step_goes_onto_a_route_of_anybody_beside() -> None:
    script = find(lambda game: isinstance(game.agenda[-1], Drive) and not game.agenda[-1].under_way, chooser="eager")
    top, table = script.plain.agenda[-1], script.table
    assert isinstance(top, Drive)
    who = table.seats[top.seat]
    place = who.caravans[top.slot]
    assert place is not None
    beside = [path for path in script.map.beside[place] if path in table.routes]
    able = [path for path in beside if table.routes[path] in (top.seat, *who.tolls[top.slot]) or who.gold]
    assert {int(path[1:]) for path in script.moves("step")} <= set(able)
    full = {path for path in able if caravans_on(script.plain, path, (top.seat, top.slot)) == 2}
    assert set(able) - full <= {int(path[1:]) for path in script.moves("step")}


def test_K8_1_steps_that_are_not_used_are_lost_R26() -> None:
    script = towards_berne().gather(0, salt=2, gold=2)
    steps = road(script)
    script.act("drive:0", steps[0], "stop")
    salt = script.who(0).hand["salt"]
    script.act("drive:0", steps[1])
    assert script.who(0).hand["salt"] == salt - 1


def test_T_K9_K8_3_one_gold_for_each_opponent_whose_routes_a_caravan_enters() -> None:
    script = towards_berne().gather(0, salt=2, gold=2)
    script.play("drive:0")
    before = script.golds()
    paid = []
    for step in road(script):
        script.play(step)
        paid.append([now - then for now, then in zip(script.golds(), before, strict=True)])
    assert paid == [[-1, 1, 0, 0], [-1, 1, 0, 0], [-1, 1, 0, 0], [-2, 1, 1, 0]]


def test_T_K9_K8_3_each_caravan_pays_for_itself() -> None:
    script = towards_berne()
    start = script.who(0).caravans[0]
    script.buy(0, f"caravan:p{start}").gather(0, salt=2, gold=2)
    before, step = script.golds(), road(script)[0]
    script.act("drive:0", step, "stop", "drive:1", step)
    assert script.golds() == [before[0] - 2, before[1] + 2, *before[2:]]


def test_T_K9_K8_3_in_the_next_turn_standing_is_free_and_going_on_costs_again() -> None:
    script = towards_berne().gather(0, salt=2, gold=2)
    steps = road(script)
    script.act("drive:0", steps[0], "stop").gather(1)
    gold = script.who(0).gold
    script.gather(0, salt=1)
    assert script.who(0).gold >= gold  # nothing was paid for standing there
    before = script.golds()
    script.act("drive:0", steps[1])
    assert script.golds() == [before[0] - 1, before[1] + 1, *before[2:]]


def test_K8_3_no_second_toll_in_a_second_drive_of_the_same_turn() -> None:
    script = towards_berne().gather(0, salt=2, gold=2)
    steps = road(script)
    script.act("drive:0", steps[0], "stop")
    gold = script.who(0).gold
    script.act("drive:0", steps[1])
    assert script.who(0).gold == gold


def test_K8_3_without_gold_the_step_is_not_legal_R27() -> None:
    script = find(
        lambda game: (
            isinstance(game.agenda[-1], Drive)
            and not game.agenda[-1].bribed
            and not game.table.seats[game.agenda[-1].seat].gold
            and bool(game.met["K8.3 no gold for the toll"])
        ),
        chooser="eager",
    )
    top = script.plain.agenda[-1]
    assert isinstance(top, Drive)
    who = script.who(top.seat)
    for path in script.moves("step"):
        assert script.table.routes[int(path[1:])] in (top.seat, *who.tolls[top.slot])


def test_K8_3_a_lifted_caravan_is_a_new_one_R27() -> None:
    script = find_case("K8.3 a lifted caravan is a new one (K-R27)", chooser="builder")
    mover, slot = script.table.mover, int(script.next[-1])
    assert script.who(mover).tolls[slot]
    script.play(script.next)
    assert not script.who(mover).tolls[slot]


def passing(game: ReferenceGame) -> bool:
    """Return whether a caravan under way stands on a full route."""
    top = game.agenda[-1]
    if not isinstance(top, Drive) or not top.under_way:
        return False
    place = game.table.seats[top.seat].caravans[top.slot]
    return place is not None and caravans_on(game, place, (top.seat, top.slot)) == 2


def test_T_K10_K8_2_a_full_route_can_be_passed_but_not_stopped_on() -> None:
    script = find(passing)
    assert "stop" not in script.legal()
    assert script.moves("step")
    script.play(f"step:{script.moves('step')[0]}")
    assert passing(script.plain) or "stop" in script.legal() or not isinstance(script.plain.agenda[-1], Drive)


def test_K8_2_a_full_route_that_cannot_be_left_is_not_entered() -> None:
    script = find(
        lambda game: (
            isinstance(game.agenda[-1], Drive)
            and any(
                caravans_on(game, path) == 2 and path in game.table.routes and f"step:p{path}" not in game.legal()
                for path in game.map.beside[game.table.seats[game.agenda[-1].seat].caravans[game.agenda[-1].slot] or 0]
                if game.table.routes.get(path) == game.agenda[-1].seat and game.agenda[-1].steps
            )
        ),
        seed=30,
    )
    top = script.plain.agenda[-1]
    assert isinstance(top, Drive)
    assert top.steps == 1 or script.who(top.seat).gold == 0


# --- deliveries ------------------------------------------------------------------------------------------------------
def test_K8_4_a_good_goes_under_a_post_of_another_colour_beside_an_own_caravan() -> None:
    script = find(lambda game: isinstance(game.agenda[-1], Action) and "deliver" in str(game.legal()))
    mover, table = script.table.mover, script.table
    ends = {end for path in script.who(mover).caravans if path is not None for end in script.map.ends[path]}
    expected = [
        script.map.names[end]
        for end in sorted(ends)
        if end in table.posts and table.posts[end] != mover and end not in table.goods
    ]
    assert script.moves("deliver") == expected
    hand, gold, free = script.hands(), script.golds(), script.who(mover).free_goods
    script.play(f"deliver:{expected[0]}")
    assert script.table.goods[script.map.site[expected[0]]] == mover
    assert script.who(mover).free_goods == free - 1
    assert script.plain.scores()[mover] == script.who(mover).delivered
    assert (script.hands(), script.golds()) == (hand, gold)
    assert expected[0] not in script.moves("deliver")


def test_K8_4_neutral_posts_take_goods() -> None:
    script = find_case("K8.4 under a neutral post")
    site = script.map.site[script.next.partition(":")[2]]
    assert script.table.posts[site] == NEUTRAL
    script.play(script.next)
    assert script.table.goods[site] == script.table.mover


def test_K8_4_in_a_drive_the_driving_caravan_only_delivers() -> None:
    def wanted(game: ReferenceGame) -> bool:
        top = game.agenda[-1]
        if not isinstance(top, Drive) or not top.under_way or game.table.seats[top.seat].free_goods < 1:
            return False
        other = game.table.seats[top.seat].caravans[1 - top.slot]
        ends = () if other is None else game.map.ends[other]
        return any(game.table.posts.get(end, top.seat) != top.seat and end not in game.table.goods for end in ends)

    script = find(wanted, seed=9)
    top = script.plain.agenda[-1]
    assert isinstance(top, Drive)
    place = script.who(top.seat).caravans[top.slot]
    assert place is not None
    assert {script.map.by_name[city] for city in script.moves("deliver")} <= set(script.map.ends[place])


def test_K8_4_a_good_can_go_under_a_post_that_was_built_later_R28() -> None:
    script = towards_berne().gather(0, salt=2, gold=2)
    assert not script.moves("deliver")  # red's caravan stands between Marseille, which is red, and no city
    script.act("drive:0", *road(script)[:1])
    assert script.moves("deliver") == ["turin"]
    assert script.act("stop").moves("deliver") == ["turin"]
    assert script.gather(1).gather(0).moves("deliver") == ["turin"]


def test_K8_5_free_goods_are_one_and_those_of_new_posts_less_those_delivered() -> None:
    script = towards_berne().gather(0, salt=2, gold=2)
    assert script.who(0).free_goods == 1
    script.act("drive:0", road(script)[0], "deliver:turin")
    assert script.who(0).free_goods == 0
    script.act(*road(script)[1:3])
    assert script.table.posts[script.map.site["berne"]] == 2
    assert not script.moves("deliver")
    script.act("stop").buy(0, "merchant:lyon").gather(0, wheat=1)
    script.act("walk:0", "to:bordeaux")
    while script.legal()[0] != "end":
        script.play(script.legal()[0])
    assert script.who(0).free_goods == 1
    assert script.moves("deliver") == ["berne"]


def test_T_K11_K8_4_deliveries_are_made_on_the_way() -> None:
    script = Script("expert", 4, trade="bank")
    first, second = script.way("berne", "paris")
    posts = [
        ["berne", "lyon", "warsaw"],
        ["paris", "odessa", "moscow"],
        ["brussels", "madrid", "belgrade"],
        ["nantes", "seville", "sofia"],
    ]
    behind = next(
        path
        for path in script.map.paths_at[script.map.site["brussels"]]
        if f"p{path}" not in (script.path("paris", "brussels"), script.path("brussels", "cologne"))
    )
    script.place(posts, [first, script.way("odessa", "kiev")[0], f"p{behind}", script.way("seville", "madrid")[0]])
    for path in (second, script.path("paris", "brussels")):
        script.buy(0, f"route:{path}")
    script.buy(2, f"route:{script.path('brussels', 'cologne')}")
    for city, home in (("bordeaux", "lyon"), ("vilnius", "warsaw")):
        script.buy(0, f"merchant:{home}").gather(0, wheat=1).act("walk:0", f"to:{city}")
        while script.legal()[0] != "end":
            script.play(script.legal()[0])
    script.buy(3, f"merchant:{'nantes'}").gather(3, wheat=3).act("walk:0", "to:cologne")
    while script.legal()[0] != "end":
        script.play(script.legal()[0])
    script.gather(0, salt=1, gold=1)
    salt, before = script.who(0).hand["salt"], script.golds()
    assert script.who(0).free_goods == 3
    script.act("drive:0", f"step:{second}", "deliver:paris", f"step:{script.path('paris', 'brussels')}")
    script.act("deliver:brussels", f"step:{script.path('brussels', 'cologne')}", "deliver:cologne")
    assert script.who(0).delivered == 3
    assert script.who(0).hand["salt"] == salt - 1
    assert script.golds() == [before[0] - 1, before[1], before[2] + 1, before[3]]


def test_K8_6_a_drive_in_which_only_stop_is_left_ends_by_itself() -> None:
    script = find_case("K8.6 only the stop is left", chooser="eager")
    assert isinstance(script.plain.agenda[-1], Drive)
    script.play(script.next)
    assert not isinstance(script.plain.agenda[-1], Drive)
    assert script.legal()[0] in ("end", "roll")
