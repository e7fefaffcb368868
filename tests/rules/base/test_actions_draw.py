"""Draw (R8.7): thresholds pile by pile, and the order of the piles (R9.7, A15)."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.kits.actions import CITIES, SLAVERY, TRACKS, acting, assert_turn, gains, legal, moves, refuse
from tests.kits.position import Position, See, play

FACES = {
    "far_east": ["industry finance", "industry*2", "industry*2 culture", "industry*2 finance", "industry*2 culture"],
    "africa": [
        *("finance politics", "industry finance politics", "industry finance politics"),
        *("finance politics*2", "finance*2 politics"),
    ],
    "north_america": [
        *("industry culture", "industry culture finance", "industry*2 culture*2"),
        *("industry*2 politics", "industry culture*2"),
    ],
}
"""Icons of the values 1 to 5 of three region decks."""


def icons(text: str) -> dict[str, int]:
    """Read a face such as ``industry*2 culture``."""
    pairs = (word.partition("*") for word in text.split())
    return {name: int(count or 1) for name, _, count in pairs}


def topped(position: Position, deck: str, value: int, holder: int = 1) -> Position:
    """Give the cards of a deck below ``value`` to somebody, so that ``value`` is the top."""
    lowest = 0 if deck in ("europe", "slavery") else 1
    return position.cards(holder, *(f"{deck}.{v}" for v in range(lowest, value)))


def spread(position: Position, region: str, discs: int) -> Position:
    """Put this many discs of seat 0 in a region: one beside, one in a city, the rest on the track (all six spaces)."""
    on_track = max(discs - 2, 0)
    position.track(region, *[0] * on_track, *[2] * (TRACKS[region] - on_track))
    if discs >= 1:
        position.beside(region, 0)
    if discs >= 2:
        position.city(CITIES[region][0], 0)
    return position


@pytest.mark.parametrize("value", range(1, 6))
@pytest.mark.parametrize("discs", range(7))
def test_R8_7_1_own_discs_in_the_region_must_reach_the_value(value: int, discs: int) -> None:
    position = topped(spread(acting(own=("market",)), "caribbean", discs), "caribbean", value)
    game = play(position.game(), "activate:market")
    assert ("draw:caribbean" in legal(game)) is (discs >= value)


@pytest.mark.parametrize(
    ("track", "cities", "beside"), [(3, 0, 0), (0, 3, 0), (0, 0, 3), (1, 1, 1), (2, 1, 0), (0, 2, 1), (2, 0, 1)]
)
def test_R8_7_1_cities_track_and_beside_count_together(track: int, cities: int, beside: int) -> None:
    position = acting(own=("market",)).track("far_east", *[0] * track, *[3] * (8 - track))
    position.cities(0, *CITIES["far_east"][:cities]).beside("far_east", 0, beside)
    drawable = play(topped(position, "far_east", 3).game(), "activate:market")
    assert "draw:far_east" in legal(drawable)
    beyond = play(position.cards(2, "far_east.3").game(), "activate:market")
    assert "draw:far_east" not in legal(beyond)


def test_R8_7_1_discs_elsewhere_and_of_others_do_not_count() -> None:
    position = topped(acting(own=("market",)), "india", 2).cities(0, *CITIES["europe"][:6])
    position.track("india", 1, 1, 0, 1, 1, 1).city("bombay", 1).open("africa", by=0)
    game = play(position.game(), "activate:market")
    refuse(game, "draw:india")


@pytest.mark.parametrize(("deck", "value"), [(deck, value) for deck in FACES for value in range(1, 6)])
def test_R8_7_1_top_card_is_taken_and_counted(deck: str, value: int) -> None:
    game = topped(acting(own=("market",)).open(deck, by=0), deck, value).game()
    start = See(game).statuses(0)
    play(game, "activate:market", f"draw:{deck}")
    assert See(game).cards(0) == {f"{deck}.{value}"}
    assert See(game).pile(deck) == [f"{deck}.{v}" for v in range(value + 1, 6)]
    assert gains(start, game, 0) == icons(FACES[deck][value - 1])
    assert_turn(game, 1)


@pytest.mark.parametrize("pile", ["europe", "slavery"])
@pytest.mark.parametrize("value", range(6))
@pytest.mark.parametrize("discs", range(7))
def test_R8_7_2_each_european_pile_is_checked_against_discs_in_europe(pile: str, value: int, discs: int) -> None:
    position = topped(acting(own=("market",)), pile, value).cities(0, *CITIES["europe"][:discs])
    game = play(position.game(), "activate:market")
    assert (f"draw:{pile}" in legal(game)) is (discs >= value)


def test_R8_7_2_the_same_discs_serve_both_piles() -> None:
    position = topped(topped(acting(own=("market",)), "europe", 3), "slavery", 3, holder=2)
    position.cities(0, "rome", "venice", "paris").passed(1, 2, 3).own(0, "market")
    game = play(position.game(), "activate:market")
    assert moves("draw", "europe", "slavery") <= legal(game)
    play(game, "draw:europe", "activate:market")
    assert "draw:slavery" in legal(game)
    assert "draw:europe" not in legal(game), "the top is now 4"


def test_R8_7_2_discs_overseas_do_not_serve_europe() -> None:
    position = topped(topped(acting(own=("market",)), "europe", 1), "slavery", 1).open("india", by=0).city("bombay", 0)
    game = play(position.game(), "activate:market")
    assert legal(game) == {"draw:india", "done"}


@pytest.mark.parametrize("card", SLAVERY)
def test_R8_7_1_slavery_card_counts_its_icons(card: str) -> None:
    position = topped(acting(own=("market",)), "slavery", int(card[-1])).cities(0, *CITIES["europe"])
    game = position.game()
    start = See(game).statuses(0)
    play(game, "activate:market", "draw:slavery")
    assert See(game).cards(0) == {card}
    assert gains(start, game, 0) == SLAVERY[card]


def test_R8_7_1_draw_costs_only_the_activation() -> None:
    game = play(acting(own=("market",), harbor=1).game(), "activate:market", "draw:europe")
    assert (See(game).harbor(0), See(game).workers(0)) == (0, {"market": 1})


@pytest.mark.parametrize("kind", ["sail_draw", "occupy_draw"])
def test_R8_7_1_draw_by_token_costs_no_disc(kind: str) -> None:
    game = play(acting(harbor=0).tokens(0, kind).game(), f"spend:{kind}", "draw:slavery")
    assert (See(game).harbor(0), See(game).tokens(0)) == (0, {})
    assert See(game).cards(0) == {"slavery.0"}


def test_R8_7_3_no_limit_before_passing() -> None:
    held = ("india.1", "india.2", "africa.1", "africa.2", "caribbean.1")
    position = acting(own=("market", "market")).cards(0, *held).passed(1, 2, 3)
    game = play(position.game(), "activate:market", "draw:europe", "activate:market", "draw:slavery")
    assert_turn(game, 0)
    assert See(game).cards(0) == {*held, "europe.0", "slavery.0"}


@pytest.mark.parametrize("region", TRACKS)
def test_R8_7_4_closed_pile_is_not_drawn_from_and_opens_with_value_1(region: str) -> None:
    position = acting(own=("shipyard", "market")).passed(1, 2, 3).track(region, *[0] * (TRACKS[region] - 1))
    game = position.game()
    assert See(game).pile(region)[0] == f"{region}.governor"
    refuse(play(game.clone(), "activate:market"), f"draw:{region}")
    play(game, "activate:shipyard", f"sail:{region}", "activate:market", f"draw:{region}")
    assert See(game).cards(0) == {f"{region}.governor", f"{region}.1"}


@pytest.mark.parametrize("region", TRACKS)
def test_R8_7_1_empty_pile_is_not_an_option(region: str) -> None:
    position = acting(own=("market",)).open(region, by=0).cards(1, *(f"{region}.{v}" for v in range(1, 6)))
    game = play(position.game(), "activate:market")
    refuse(game, f"draw:{region}")


def test_R8_7_1_nothing_to_draw_ends_the_activation() -> None:
    position = acting(own=("market",)).cards(1, "europe.0").cards(2, "slavery.0")
    game = play(position.game(), "activate:market")
    assert_turn(game, 1)
    assert See(game).workers(0) == {"market": 1}


def test_R8_7_1_declined_after_the_activation() -> None:
    game = play(acting(own=("market",)).game(), "activate:market", "done")
    assert_turn(game, 1)
    assert (See(game).cards(0), See(game).harbor(0)) == (set(), 4)


def test_D_DRAW_every_legal_pile_is_listed() -> None:
    position = acting(own=("market",)).open("india", by=0).open("africa", by=0).open("caribbean", by=1)
    game = play(position.game(), "activate:market")
    assert legal(game) == moves("draw", "europe", "slavery", "india", "africa") | {"done"}


def passing_with(*cards: str) -> Position:
    """Seat 0 must discard down to one card when it passes; seat 1 has a Market and two discs in India by the track."""
    position = Position(4).discs(0, harbor=0).own(1, "market").discs(1, harbor=2).cards(0, *cards)
    return position.track("india", 2, 2, 2, 2, 1, 1)


@pytest.mark.parametrize("value", [1, 2, 3, 5])
def test_R9_7_discarded_card_is_sorted_into_its_pile(value: int) -> None:
    game = play(passing_with(f"india.{value}", "caribbean.2").game(), "pass")
    assert f"india.{value}" not in See(game).pile("india")
    play(game, f"discard:india.{value}")
    assert See(game).pile("india") == [f"india.{v}" for v in range(1, 6)]
    assert See(game).cards(0) == {"caribbean.2"}
    assert_turn(game, 1)


@pytest.mark.parametrize(("first", "second"), list(permutations(("india.1", "india.2", "india.3"), 2)))
def test_R9_7_piles_stay_sorted_whatever_is_thrown_first(first: str, second: str) -> None:
    # Politics 3 allows two of the five cards, and loses one with every India card thrown.
    position = passing_with("india.1", "india.2", "india.3", "europe.4", "south_america.2").cards(3, "india.4")
    game = play(position.game(), "pass", f"discard:{first}", f"discard:{second}")
    assert See(game).pile("india") == [*sorted((first, second)), "india.5"]


def test_A15_a_discarded_card_becomes_the_top_for_the_others() -> None:
    position = passing_with("india.1", "caribbean.2").cards(2, "india.2")
    game = position.game()
    assert See(game).pile("india")[0] == "india.3"
    refuse(play(position.turn(1).game(), "activate:market"), "draw:india")
    play(game, "pass", "discard:india.1", "activate:market", "draw:india")
    assert See(game).cards(1) == {"india.1"}
    assert See(game).pile("india")[0] == "india.3"


def test_A15_a_higher_discard_waits_below_the_top() -> None:
    game = play(
        passing_with("india.2", "caribbean.2").game(), "pass", "discard:india.2", "activate:market", "draw:india"
    )
    assert See(game).cards(1) == {"india.1"}
    assert See(game).pile("india")[0] == "india.2"
