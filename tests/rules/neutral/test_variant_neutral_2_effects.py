"""neutral_2: what neutral discs bring and take, what is followed by one, and the end (V2F.6-11, C5)."""

from __future__ import annotations

import pytest

from endeavor_env.endeavor.rules import constants as c
from tests.kits.actions import BLUE, assert_turn, gains, moves, refuse
from tests.kits.neutral_2 import SAILS, acting, asked, cities
from tests.kits.position import See, play
from tests.kits.scores import BREAKDOWN_KEYS
from tests.kits.variant_position import N1, N2, Variant, tokens_lying

# --- tokens, connections, Governors (V2F.6-8)


@pytest.mark.parametrize("kind", ["politics", *BLUE])
def test_V2F_6_the_token_under_a_neutral_disc_on_a_track_is_discarded(kind: str) -> None:
    game = play(acting("shipyard").token("africa.1", kind).game(), "activate:shipyard", "sail:india")
    held, start = [See(game).tokens(seat) for seat in (0, 1)], See(game).statuses(0)
    lying = tokens_lying(game)
    play(game, "neutral_sail:africa")
    assert lying.items() - tokens_lying(game).items() == {("africa.1", kind)}
    assert [See(game).tokens(seat) for seat in (0, 1)] == held
    assert gains(start, game, 0) == {}


@pytest.mark.parametrize("kind", ["culture", *BLUE])
def test_V2F_6_the_token_under_a_neutral_disc_in_a_city_is_discarded(kind: str) -> None:
    game = play(acting().token("rome", kind).game(), "activate:colonial_house", "occupy:london")
    held, lying = [See(game).tokens(seat) for seat in (0, 1)], tokens_lying(game)
    play(game, "neutral_occupy:rome")
    assert lying.items() - tokens_lying(game).items() == {("rome", kind)}
    assert [See(game).tokens(seat) for seat in (0, 1)] == held


@pytest.mark.parametrize("other", [0, 1, N1, N2])
def test_V2F_7_no_connection_through_neutral_discs(other: int) -> None:
    position = acting().city("rome", other).token("rome--venice", "culture").round(7).passed(1)
    game = play(position.game(), "activate:colonial_house", "occupy:tangier", "neutral_occupy:venice")
    assert See(game).token_on("rome--venice") == "culture"
    play(game, "pass")
    assert [game.breakdown(seat)["connections"] for seat in (0, 1)] == [0, 0]


def test_TV7_a_governor_won_by_a_neutral_side_is_discarded() -> None:
    game = play(acting("shipyard").track("africa", N1, N2, 0, 1).game(), "activate:shipyard", "sail:africa")
    start = [See(game).statuses(seat) for seat in (0, 1)]
    play(game, "neutral_sail:africa")
    assert See(game).track("africa") == [N1, N2, 0, 1, 0, N1]
    assert See(game).is_open("africa")
    assert See(game).place("africa.governor") == c.CARD_OUT_OF_GAME
    assert [gains(start[seat], game, seat) for seat in (0, 1)] == [{}, {}]
    assert See(game).pile("africa")[0] == "africa.1"


def test_V2F_8_a_neutral_disc_opens_and_a_seat_wins() -> None:
    game = acting("shipyard").track("africa", N1, 1, 1, 1).game()
    start = See(game).statuses(1)
    play(game, "activate:shipyard", "sail:africa", "neutral_sail:africa")
    assert See(game).cards(1) == {"africa.governor"}
    assert gains(start, game, 1) == {"finance": 2, "politics": 1}


@pytest.mark.parametrize(
    ("before", "winner"),
    [
        ((N1, N1, N1, 1, 1), None),  # a seat opens, the neutral side has most
        ((N1, N1, N2, N2, 0), 0),  # two neutral sides are two: three sides are tied at two discs
        ((0, N1, N1, N2, N2), 0),
        ((N2, N2, N2, 0, 0), 0),
        ((N2, N2, 1, 1, N1), 1),
    ],
)
def test_V2F_8_each_neutral_side_is_a_side_of_its_own(before: tuple[int, ...], winner: int | None) -> None:
    game = play(acting("shipyard").track("africa", *before).game(), "activate:shipyard", "sail:africa")
    assert See(game).place("africa.governor") == (c.CARD_OUT_OF_GAME if winner is None else winner)
    asked(game, SAILS - {"neutral_sail:africa"})


# --- what causes a placement, and Attack (V2F.9, C5) --------------------------------------------------------


def test_VA11_V2F_9_sail_and_occupy_by_token_are_followed() -> None:
    position = acting().tokens(0, "sail_draw", "occupy_draw").passed(1)
    game = play(position.game(), "spend:sail_draw", "sail:india")
    asked(game, SAILS)
    play(game, "neutral_sail:india", "spend:occupy_draw", "occupy:rome")
    asked(game, cities("europe") - {"neutral_occupy:rome"})
    assert_turn(play(game, "neutral_occupy:paris"), 0)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        *(
            ("activate:market", "draw:europe"),
            ("spend:sail_draw", "draw:europe"),
            ("activate:guild_hall", "draw:slavery"),
        ),
        *(("activate:barracks", "attack:rome"), ("activate:fortress", "attack:rome"), ("spend:attack", "attack:rome")),
        *(("activate:exchange", "pay:market"), ("spend:pay", "pay:market")),
    ],
)
def test_V2F_9_attack_draw_and_pay_are_not_followed(source: str, target: str) -> None:
    position = acting("market", "market", "guild_hall", "barracks", "fortress", "exchange").workers(0, "market")
    position.tokens(0, "sail_draw", "attack", "pay").city("rome", 1)
    game = play(position.game(), source, target)
    assert_turn(game, 1)
    assert (See(game).supply(N1), See(game).supply(N2)) == (30, 30)


@pytest.mark.parametrize("side", [N1, N2])
@pytest.mark.parametrize("source", ["activate:barracks", "spend:attack"])
def test_VC5_V2F_9_VA7_neutral_discs_of_both_sides_may_be_attacked(side: int, source: str) -> None:
    position = acting("barracks").tokens(0, "attack").city("rome", side).city("venice", 0)
    game = position.token("rome--venice", "politics").game()
    supply, start = See(game).supply(0), See(game).statuses(0)
    assert See(game).supply(side) == 29
    play(game, source, "attack:rome")
    assert See(game).owner("rome") == 0
    assert (See(game).supply(side), See(game).supply(0)) == (30, supply + 1)
    assert gains(start, game, 0) == {"politics": 1}
    assert_turn(game, 1)


def test_V2F_9_the_attacker_needs_own_presence() -> None:
    position = acting().tokens(0, "attack").open("india", by=N1).city("bombay", N1)
    refuse(position.game(), "spend:attack")


def all_placed() -> Variant:
    """All 30 discs of N1 are on the map: on four tracks and in three cities."""
    position = acting("shipyard", "barracks").discs(0, harbor=9).passed(1).beside("india", 0)
    for region in ("far_east", "south_america", "india", "north_america"):
        position.open(region, by=N1)
    return position.cities(N1, "new_york", "salvador", "bombay")


def test_VC5_without_a_disc_in_supply_nothing_is_placed() -> None:
    game = all_placed().game()
    assert See(game).supply(N1) == 0
    assert_turn(play(game, "activate:shipyard", "sail:africa"), 0)
    assert_turn(play(game, "activate:colonial_house", "occupy:london"), 0)
    assert See(game).board_discs(N1) == 30


def test_VC5_an_attacked_disc_is_placed_again() -> None:
    game = play(all_placed().game(), "activate:barracks", "attack:bombay")
    assert See(game).supply(N1) == 1
    play(game, "activate:colonial_house", "occupy:calcutta")
    asked(
        game,
        cities("europe", "far_east", "north_america", "south_america")
        - moves("neutral_occupy", "new_york", "salvador"),
    )
    play(game, "neutral_occupy:rome")
    assert See(game).supply(N1) == 0


# --- order and end (V2F.10, V2F.11) -------------------------------------------------------------------------


def test_V2F_10_the_own_sail_is_finished_first() -> None:
    position = acting("shipyard").track("india", N1, N1, 0, 0, 1).token("india.6", "culture")
    game = position.game()
    start = See(game).statuses(0)
    play(game, "activate:shipyard", "sail:india")
    asked(game, SAILS - {"neutral_sail:india"})
    assert See(game).cards(0) == {"india.governor"}
    assert gains(start, game, 0) == {"culture": 2, "politics": 2}


def test_V2F_10_the_own_occupy_is_finished_first() -> None:
    position = acting().city("rome", 0).token("venice", "pay").token("rome--venice", "finance")
    game = position.game()
    start = See(game).statuses(0)
    play(game, "activate:colonial_house", "occupy:venice")
    asked(game, cities("europe") - moves("neutral_occupy", "rome", "venice"))
    assert (See(game).tokens(0)["pay"], gains(start, game, 0)) == (1, {"finance": 1})


def test_V2F_10_the_neutral_disc_has_its_own_opening_check() -> None:
    position = acting("shipyard").track("india", *[1] * 5).track("africa", 1, 0, 1, 0, N1)
    game = play(position.game(), "activate:shipyard", "sail:india")
    assert (See(game).is_open("india"), See(game).is_open("africa")) == (True, False)
    play(game, "neutral_sail:africa")
    assert See(game).is_open("africa")
    assert See(game).cards(1) == {"india.governor"}
    assert See(game).place("africa.governor") == c.CARD_OUT_OF_GAME  # two discs each, N1's nearest the pile


def test_V2F_11_neutral_sides_score_nothing() -> None:
    position = (
        Variant("neutral_2").round(7).passed(1).cities(N1, "rome", "venice").cities(N2, "paris").city("london", 0)
    )
    game = play(position.beside("africa", N1).game(), "pass")
    assert game.over
    assert tuple(game.breakdown(0)) == BREAKDOWN_KEYS
    assert (game.breakdown(0)["cities"], game.breakdown(1)["cities"]) == (1, 0)
    assert len(game.scores()) == 2


def test_V2F_11_neutral_sides_neither_grow_nor_turn() -> None:
    game = play(Variant("neutral_2").build(1).game(), "build:market")
    assert [See(game).harbor(seat) for seat in (0, 1)] == [2, 2]
    assert [See(game).supply(side) for side in (0, 1, N1, N2)] == [28, 28, 30, 30]
    play(game, "pass", "pass")
    assert (game.round, game.seat) == (4, 1)
