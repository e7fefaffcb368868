"""Merchants, founding and tokens (K7)."""

from __future__ import annotations

from math import ceil

import pytest

from tests.merchants.reference.game import ReferenceGame
from tests.merchants.reference.reading import merchants_on, number_of
from tests.merchants.reference.turn import Action
from tests.merchants.reference.walking import Destination, PlaceToken, TakeToken
from tests.merchants.rules.find import find, find_case
from tests.merchants.rules.script import Script


def red_merchant(**needs: int) -> Script:
    """Return the action of red with a merchant in Kiev and what else is needed."""
    return Script(trade="bank").act("first:0").buy(0, "merchant:kiev").gather(0, **needs)


def away(script: Script, name: str) -> int:
    """Return the fewest paths from Kiev."""
    return script.map.distance[script.map.site["kiev"]][script.map.by_name[name]]


@pytest.mark.parametrize("wheat", [1, 2])
def test_T_K6_K7_1_a_wheat_pays_three_paths_or_a_part_of_them(wheat: int) -> None:
    script = find(
        lambda game: (
            isinstance(game.agenda[-1], Action)
            and any(move.startswith("walk") for move in game.legal())
            and game.table.seats[game.table.mover].hand["wheat"] == wheat
        )
    )
    slot = int(script.moves("walk")[0])
    mover, start = script.table.mover, script.who(script.table.mover).merchants[slot]
    assert start is not None
    script.play(f"walk:{slot}")
    distances = {name: script.map.distance[start][script.map.by_name[name]] for name in script.moves("to")}
    assert set(distances.values()) == set(range(1, 3 * wheat + 1))
    for name, distance in distances.items():
        branch = script.branch().act(f"to:{name}")
        assert branch.who(mover).hand["wheat"] == wheat - ceil(distance / 3)


def test_K7_1_all_crossroads_in_reach_that_are_free_are_listed() -> None:
    script = red_merchant(wheat=2).act("walk:0")
    reach = 3 * script.who(0).hand["wheat"]
    taken = {place for place, owner in script.table.posts.items() if owner != 0} | merchants_on(script.plain)
    expected = [
        name for place, name in enumerate(script.map.names) if 0 < away(script, name) <= reach and place not in taken
    ]
    assert script.moves("to") == expected


def test_K7_1_without_wheat_nobody_walks() -> None:
    script = find(
        lambda game: (
            isinstance(game.agenda[-1], Action)
            and game.table.seats[game.table.mover].hand["wheat"] == 0
            and game.table.seats[game.table.mover].merchants[0] is not None
        )
    )
    assert not script.moves("walk")


def test_T_K7_K7_2_a_walk_ends_on_no_merchant_and_no_post_of_others_but_on_own_ones() -> None:
    script = Script(trade="bank").act("first:0").buy(0, "merchant:kiev").buy(0, "merchant:hamburg").gather(0, wheat=5)
    script.play("walk:0")
    names = script.moves("to")
    assert "hamburg" not in names  # an own post with a merchant
    assert "nuremberg" in names  # an own post without
    assert not {"vilnius", "krakow", "cologne", "wroclaw", "budapest", "prague"} & set(names)  # others and neutral ones
    assert away(script, "vilnius") < away(script, "riga") <= 6
    assert "riga" in names  # behind Vilnius
    script.play("to:nuremberg")
    assert script.who(0).merchants[0] == script.map.site["nuremberg"]
    assert script.who(0).stock == 5


def test_K7_2_merchants_of_others_are_no_ends_but_can_be_passed() -> None:
    def wanted(game: ReferenceGame) -> bool:
        top = game.agenda[-1]
        if not isinstance(top, Destination):
            return False
        start, ways = game.table.seats[top.seat].merchants[top.slot], game.map.distance
        others = merchants_on(game) - {start} - game.table.posts.keys()
        return start is not None and any(ways[start][place] < top.reach for place in others)

    script = find(wanted)
    taken = {script.map.names[place] for place in merchants_on(script.plain)}
    assert not taken & set(script.moves("to"))


def test_K7_3_a_merchant_in_a_free_city_becomes_a_post_of_the_stock() -> None:
    script = red_merchant(wheat=2).act("walk:0", "to:warsaw")
    site = script.map.site["warsaw"]
    assert script.table.posts[site] == 0
    assert script.who(0).merchants == [None, None]
    assert script.who(0).stock == 4


def test_K7_3_on_a_plain_crossroads_the_merchant_stays() -> None:
    script = red_merchant(wheat=1).act("walk:0")
    plain = next(name for name in script.moves("to") if name not in script.map.cities)
    script.play(f"to:{plain}")
    assert script.who(0).merchants == [script.map.by_name[plain], None]
    assert script.who(0).stock == 5


def test_K7_3_without_a_post_in_stock_no_walk_ends_in_a_free_city_R24() -> None:
    script = find(
        lambda game: isinstance(game.agenda[-1], Destination) and not game.table.seats[game.agenda[-1].seat].stock,
        chooser="eager",
    )
    seat = script.table.mover
    for name in script.moves("to"):
        assert script.table.posts.get(script.map.by_name[name], seat) == seat
        assert name not in script.map.cities or script.map.site[name] in script.table.posts


def test_K7_4_a_good_becomes_free_and_the_gold_of_the_city_is_taken() -> None:
    script = red_merchant(wheat=3).act("walk:0")
    assert away(script, "riga") <= 9
    gold, reserve = script.who(0).gold, script.table.gold
    assert script.map.coins["riga"] == 2
    script.play("to:riga")
    assert script.who(0).free_goods == 2
    assert script.who(0).gold == gold + 2
    assert script.table.gold == reserve - 2


def test_K7_5_a_token_is_drawn_from_the_sea_for_a_terrain_without_number() -> None:
    script = red_merchant(wheat=2).act("walk:0", "to:warsaw")
    (bare,) = [t for t in script.map.grounds[script.map.site["warsaw"]] if number_of(script.plain, t) is None]
    assert script.legal() == [f"token:t{bare}"]  # asked though there is no choice
    script.play(f"token:t{bare}")
    assert script.map.kinds[bare] == "mountain"
    assert script.table.sea["mountain"] == [3, 4]
    assert script.legal() == ["value:3", "value:4"]
    assert script.plain.weights() == [1, 1]
    script.play("value:4")
    assert script.table.tokens[bare] == 4
    assert script.table.sea["mountain"] == [3]
    assert script.legal()[0] == "end"


def test_K7_5_where_all_terrains_have_numbers_no_token_is_asked() -> None:
    script = red_merchant(wheat=4).act("walk:0")
    assert "bucharest" in script.moves("to")
    assert script.act("to:bucharest").legal()[0] == "end"


def _kinds_at(game: ReferenceGame) -> tuple[set[str], set[str]]:
    """Return the kinds of the bare terrains of a new post with a token in the sea, and those without."""
    top = game.agenda[-1]
    assert isinstance(top, PlaceToken)
    bare = [terrain for terrain in game.map.grounds[top.place] if number_of(game, terrain) is None]
    kinds = {game.map.kinds[terrain] for terrain in bare}
    in_sea = {kind for kind in kinds if game.table.sea[kind]}
    return in_sea, kinds - in_sea


def test_T_K8_K7_5_with_none_of_the_kind_in_the_sea_a_placed_token_is_taken_R25() -> None:
    script = find(lambda game: isinstance(game.agenda[-1], PlaceToken) and all(_kinds_at(game)), board="short_bare")
    in_sea, gone = _kinds_at(script.plain)
    assert "done" not in script.legal()
    terrains = [int(name[1:]) for name in script.moves("token")]
    drawn = next(terrain for terrain in terrains if script.map.kinds[terrain] in in_sea)
    assert script.branch().act(f"token:t{drawn}").moves("value")
    moved = next(terrain for terrain in terrains if script.map.kinds[terrain] in gone)
    script.play(f"token:t{moved}")
    assert isinstance(script.plain.agenda[-1], TakeToken)
    kind = script.map.kinds[moved]
    placed = [terrain for terrain in sorted(script.table.tokens) if script.map.kinds[terrain] == kind]
    assert len(placed) == 3
    assert script.moves("take") == [f"t{terrain}" for terrain in placed]
    value = script.table.tokens[placed[0]]
    script.play(f"take:t{placed[0]}")
    assert script.table.tokens[moved] == value
    assert number_of(script.plain, placed[0]) is None


def test_K7_5_moving_a_placed_token_can_be_declined_when_the_sea_has_none_of_all_kinds() -> None:
    script = find(lambda game: isinstance(game.agenda[-1], PlaceToken) and not _kinds_at(game)[0], board="short_bare")
    assert script.legal()[0] == "done"
    tokens = dict(script.table.tokens)
    script.play("done")
    assert script.table.tokens == tokens


def test_K7_5_a_token_can_be_taken_from_the_terrain_of_the_robber() -> None:
    script = find_case("K7.5 from the terrain of the robber", board="short_bare", seed=34)
    robber = script.table.robber
    assert script.next == f"take:t{robber}"
    script.play(script.next)
    assert number_of(script.plain, robber) is None
    assert script.table.robber == robber
