"""Development cards (K9)."""

from __future__ import annotations

from tests.merchants.reference.cards import SafeConduct
from tests.merchants.reference.driving import Drive
from tests.merchants.reference.table import NEUTRAL
from tests.merchants.reference.turn import Action, Production
from tests.merchants.rules.find import find, find_case
from tests.merchants.rules.script import Script


def with_card(card: str) -> Script:
    """Return a game in which red has a card from an earlier turn."""
    return Script(trade="bank").act("first:0").draw_card(0, card).gather(1).gather(0)


def test_K9_1_one_card_a_turn_before_the_roll_or_in_the_action_phase() -> None:
    script = with_card("trade_treaty").draw_card(0, "trade_treaty").gather(1).gather(2).act("end")
    assert script.seat == 0
    assert script.moves("play") == ["trade_treaty"]
    script.act("play:trade_treaty", "gold")
    assert not script.moves("play")
    assert not script.roll(4).moves("play")
    assert script.gather(1).gather(0).moves("play") == ["trade_treaty"]
    assert script.table.played["trade_treaty"] == 1


def test_K9_1_a_played_card_goes_to_the_played_ones_at_once() -> None:
    script = with_card("lancer").act("play:lancer")
    assert script.who(0).cards["lancer"] == 0
    assert script.table.played == {"safe_conduct": 0, "trade_treaty": 0, "bribe": 0, "lancer": 1}


def test_K9_1_a_card_needs_an_effect_R29() -> None:
    script = find(
        lambda game: (
            isinstance(game.agenda[-1], Action | Production)
            and game.met["K9.1 without effect (K-R29)"] > 0
            and not game.table.has_played
            and game.table.seats[game.table.mover].cards["bribe"] > (game.table.bought == "bribe")
            and "play:bribe" not in game.legal()
        )
    )
    mover = script.table.mover
    for path in script.who(mover).caravans:
        beside = [] if path is None else script.map.beside[path]
        assert not set(beside) & {path for path in script.table.routes if not _is_full(script, path)}


def _is_full(script: Script, path: int) -> bool:
    return sum(seat.caravans.count(path) for seat in script.table.seats) == 2


def test_K9_1_a_lancer_can_always_be_played() -> None:
    assert with_card("lancer").moves("play") == ["lancer"]


# --- safe-conduct ----------------------------------------------------------------------------------------------------
def test_K9_1_safe_conduct_builds_two_free_routes() -> None:
    script = with_card("safe_conduct")
    hand, paths = script.hands()[0], script.moves("route")
    script.play("play:safe_conduct")
    assert script.legal()[0] == "done"
    assert script.moves("route")
    routes = len(script.table.routes)
    first = script.moves("route")[0]
    script.play(f"route:{first}")
    assert isinstance(script.plain.agenda[-1], SafeConduct)
    beside = {f"p{path}" for path in script.map.beside[int(first[1:])] if path not in script.table.routes}
    assert beside <= set(script.moves("route"))
    script.play(f"route:{script.moves('route')[0]}")
    assert len(script.table.routes) == routes + 2
    assert script.hands()[0] == hand
    assert script.legal()[0] == "end"
    assert paths is not None


def test_K9_1_done_ends_the_safe_conduct_which_is_spent_all_the_same_R35() -> None:
    script = with_card("safe_conduct").act("play:safe_conduct", "done")
    assert script.legal()[0] == "end"
    assert script.who(0).cards["safe_conduct"] == 0


def test_K9_1_free_routes_on_double_arrows_come_before_the_second_one_of_the_card() -> None:
    script = find(
        lambda game: (
            len(game.agenda) > 2
            and isinstance(game.agenda[-2], SafeConduct)
            and type(game.agenda[-1]).__name__ == "ArrowRoute"
        ),
        board="short_arrows",
    )
    script.play("done")
    assert isinstance(script.plain.agenda[-1], SafeConduct)
    assert script.legal()[0] == "done"


# --- trade treaty ----------------------------------------------------------------------------------------------------
def test_K9_1_trade_treaty_gives_three_gold() -> None:
    script = with_card("trade_treaty").act("play:trade_treaty")
    assert script.legal() == ["gold"]  # red has no merchant
    gold = script.who(0).gold
    script.play("gold")
    assert script.who(0).gold == gold + 3


def test_K9_1_trade_treaty_or_a_merchant_walks_seven_paths_without_wheat() -> None:
    script = with_card("trade_treaty").buy(0, "merchant:kiev").act("play:trade_treaty")
    assert script.legal() == ["walk:0", "gold"]
    wheat = script.who(0).hand["wheat"]
    script.play("walk:0")
    far = script.map.distance[script.map.site["kiev"]]
    assert max(far[script.map.by_name[name]] for name in script.moves("to")) == 7
    script.play("to:belgrade")
    assert script.who(0).hand["wheat"] == wheat
    assert script.table.posts[script.map.site["belgrade"]] == 0
    assert script.moves("token")


def test_K9_1_trade_treaty_takes_what_gold_is_left_and_none_from_an_empty_reserve() -> None:
    script = find(
        lambda game: game.moves[-1][1] == "play:trade_treaty" and game.table.gold < 3 if game.moves else False,
        chooser="hoarder",
    )
    seat, gold, left = script.table.mover, script.who(script.table.mover).gold, script.table.gold
    assert script.moves("walk") or left
    assert ("gold" in script.legal()) == (left > 0)
    if left:
        assert script.act("gold").who(seat).gold == gold + left


# --- bribe -----------------------------------------------------------------------------------------------------------
def bribed_drive() -> Script:
    """Return a drive under bribe of a seat without salt or gold that matter, before its first step."""
    return find(
        lambda game: (
            isinstance(game.agenda[-1], Drive)
            and game.agenda[-1].bribed
            and not game.agenda[-1].under_way
            and any(game.table.routes[int(move[6:])] != game.agenda[-1].seat for move in game.legal())
        )
    )


def test_K9_1_bribe_is_a_drive_of_five_steps_without_salt_or_toll() -> None:
    script = bribed_drive()
    top = script.plain.agenda[-1]
    assert isinstance(top, Drive)
    assert top.steps == 5
    before, golds = script.hands(), script.golds()
    steps = 0
    while script.moves("step") and isinstance(script.plain.agenda[-1], Drive):
        script.play(f"step:{script.moves('step')[0]}")
        steps += 1
    assert steps == 5
    assert (script.hands(), script.golds()) == (before, golds)


def test_K9_2_a_step_under_bribe_is_no_toll_paid() -> None:
    script = bribed_drive()
    top = script.plain.agenda[-1]
    assert isinstance(top, Drive)
    paid = set(script.who(top.seat).tolls[top.slot])
    foreign = next(path for path in script.moves("step") if script.table.routes[int(path[1:])] != top.seat)
    script.play(f"step:{foreign}")
    assert script.who(top.seat).tolls[top.slot] == paid


def test_K9_1_bribe_asks_which_caravan_drives() -> None:
    script = find(lambda game: bool(game.moves) and game.moves[-1][1] == "play:bribe")
    assert {move.partition(":")[0] for move in script.legal()} == {"drive"}


def test_K9_1_a_delivery_can_be_made_in_a_drive_under_bribe() -> None:
    script = find(
        lambda game: isinstance(game.agenda[-1], Drive) and game.agenda[-1].bribed and "deliver" in str(game.legal())
    )
    seat = script.table.mover
    delivered = script.who(seat).delivered
    script.play(f"deliver:{script.moves('deliver')[0]}")
    assert script.who(seat).delivered == delivered + 1


# --- lancer ----------------------------------------------------------------------------------------------------------
def test_K9_1_lancer_moves_the_robber_takes_two_gold_and_steals_in_this_order() -> None:
    script = find_case("K9.1 lancer")
    mover = script.table.mover
    counts = [seat.count() for seat in script.table.seats]
    script.play(script.next)
    assert script.moves("robber")
    gold = script.who(mover).gold
    posts = script.table.posts
    target = next(
        terrain
        for terrain in script.moves("robber")
        if any(
            posts.get(place, mover) not in (mover, NEUTRAL) and counts[posts[place]]
            for place in script.map.around[int(terrain[1:])]
        )
    )
    script.play(f"robber:{target}")
    assert script.who(mover).gold == gold + 2
    assert script.moves("steal")
    assert [seat.count() for seat in script.table.seats] == counts  # nobody discards


def test_K9_1_after_a_card_the_seat_comes_back_to_where_it_was() -> None:
    before = find(lambda game: len(game.moves) > 1 and game.moves[-1][1] == "play:lancer" and _rolled(game.moves[-2]))
    while before.legal()[0] not in ("end", "roll"):
        before.play(before.legal()[0])
    assert before.legal()[0] == "end"
    script = find_case("K4.2 card before the roll")
    script.play(script.next)
    while script.legal()[0] not in ("end", "roll"):
        script.play(script.legal()[0])
    assert script.legal()[0] == "roll"


def _rolled(move: tuple[int | str, str]) -> bool:
    return move[1].startswith("dice")
