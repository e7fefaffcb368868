"""Final scoring (section 12; notation 3.8 and 4)."""

from __future__ import annotations

import pytest

from endeavor_env import Game
from tests.kits.position import Position, See, play

STATUSES = ["industry", "culture", "finance", "politics"]
KEYS = ["cities", "connections", *STATUSES, "cards", "governor_slot", "university", "harbor", "slavery"]
TWO_GLORY = {"charleston", "port_royal", "rio_de_janeiro", "luanda", "calcutta", "nagasaki"}
CARD_GLORY = {
    "europe": (0, 0, 0, 1, 2, 3),
    "slavery": (0, 0, 0, 0, 0, 0),
    "far_east": (1, 0, 1, 1, 2, 3),
    "india": (0, 0, 0, 1, 2, 3),
    "north_america": (0, 0, 0, 0, 2, 3),
    "caribbean": (1, 0, 0, 2, 2, 3),
    "south_america": (0, 0, 0, 0, 2, 3),
    "africa": (0, 0, 0, 1, 2, 3),
}


def ended(position: Position) -> Game:
    """End the game at a position: the last seat, which must hold a legal hand, passes in round 7."""
    last = position.players - 1
    game = position.round(7).passed(*range(last)).turn(last).game()
    play(game, "pass")
    assert game.over
    return game


def glory(position: Position, key: str, seat: int = 0) -> int:
    """One entry of a seat's breakdown after the end."""
    return ended(position).breakdown(seat)[key]


# --- R12.1, R12.2 the board -------------------------------------------------------------------------------------


def test_R12_1_every_city_scores_what_is_printed() -> None:
    cities = Position().on.cities
    assert set(cities) > TWO_GLORY
    for city in cities:
        assert glory(Position(5).city(city, 0), "cities") == (2 if city in TWO_GLORY else 1)


def test_R12_1_cities_add_up_for_their_owner() -> None:
    game = ended(Position(4).cities(0, "london", "rome", "calcutta").cities(1, "luanda"))
    assert [game.breakdown(seat)["cities"] for seat in range(4)] == [4, 2, 0, 0]


def test_R12_2_a_connection_scores_while_controlled() -> None:
    assert glory(Position(3).cities(0, "london", "paris"), "connections") == 1
    assert glory(Position(3).cities(0, "london", "paris", "lisbon", "amsterdam"), "connections") == 3
    assert glory(Position(3).cities(0, "london", "rome"), "connections") == 0


def test_R12_2_one_end_is_not_control() -> None:
    game = ended(Position(3).city("london", 0).city("paris", 1).bare("london--paris"))
    assert [game.breakdown(seat)["connections"] for seat in range(3)] == [0, 0, 0]


def test_R12_2_it_does_not_matter_who_took_the_token() -> None:
    position = Position(3).own(0, "barracks").discs(0, harbor=3).city("rome", 0).city("venice", 1)
    game = position.bare("rome--venice").round(7).passed(1, 2).game()
    held = See(game).tokens(0).total()
    play(game, "activate:barracks", "attack:venice", "pass")
    assert See(game).tokens(0).total() == held
    assert [game.breakdown(seat)["connections"] for seat in range(3)] == [1, 0, 0]


def test_R12_2_connections_between_regions_score() -> None:
    assert glory(Position(4).cities(0, "london", "bombay", "calcutta"), "connections") == 2


# --- R12.3 statuses ---------------------------------------------------------------------------------------------

FALLS_TO = (
    (0, 0),
    (1, 0),
    (2, 2),
    (3, 2),
    (4, 4),
    (6, 4),
    (7, 7),
    (8, 7),
    (9, 7),
    (10, 10),
    (11, 10),
    (12, 12),
    (14, 12),
    (15, 15),
)


@pytest.mark.parametrize("name", STATUSES)
@pytest.mark.parametrize(("count", "scored"), [*FALLS_TO, (17, 15)])
def test_R12_3_C2_a_marker_falls_back_to_a_glory_space(name: str, count: int, scored: int) -> None:
    breakdown = ended(Position(3).status(0, **{name: count})).breakdown(0)
    statuses = {key: breakdown[key] for key in STATUSES}
    assert statuses == dict.fromkeys(statuses, 0) | {name: scored}


# --- R12.4, R12.5 cards -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("deck", CARD_GLORY)
def test_R12_4_glory_on_face_up_cards(deck: str) -> None:
    for card in Position().on.cards:
        if card.startswith(f"{deck}."):
            place = [other for other in Position().on.cards if other.startswith(f"{deck}.")].index(card)
            assert glory(Position(4).cards(0, card), "cards") == CARD_GLORY[deck][place]


def test_R12_4_cards_add_up() -> None:
    position = Position(4).cards(0, "far_east.governor", "caribbean.5", "europe.4").cards(1, "india.5")
    game = ended(position.tokens(0, *["politics"] * 4))
    assert [game.breakdown(seat)["cards"] for seat in range(4)] == [1 + 3 + 2, 3, 0, 0]


@pytest.mark.parametrize(
    ("politics", "cards", "scored"),
    [
        (0, (), 3),
        (0, ("far_east.1",), 3),
        (0, ("far_east.governor",), 3),
        (0, ("far_east.governor", "far_east.1"), 0),
        (0, ("far_east.governor", "caribbean.governor"), 0),
        (2, ("far_east.governor", "caribbean.governor"), 3),
        (2, ("far_east.governor", "far_east.1", "far_east.2"), 0),
        (0, ("far_east.1", "slavery.0"), 3),
        (0, ("far_east.governor", "slavery.0"), 3),
        (0, ("far_east.governor", "far_east.1", "slavery.0"), 0),
        (10, ("far_east.1", "far_east.2", "caribbean.1", "caribbean.2", "far_east.governor"), 3),
        (10, ("far_east.1", "far_east.2", "caribbean.1", "caribbean.2", "slavery.0"), 3),
        (10, ("far_east.1", "far_east.2", "caribbean.1", "caribbean.2", "slavery.0", "far_east.governor"), 0),
    ],
)
def test_R12_5_D8_the_slot_is_empty_iff_the_holding_fits_without_it(
    politics: int, cards: tuple[str, ...], scored: int
) -> None:
    position = Position(4).cards(0, *cards).tokens(0, *["politics"] * politics)
    assert glory(position, "governor_slot") == scored


# --- R12.6 to R12.9 the mat -------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 1, 2])
def test_R12_6_three_for_each_university(number: int) -> None:
    assert glory(Position(3).own(0, *["university"] * number), "university") == 3 * number


def test_R12_6_no_other_building_scores() -> None:
    own = ("market", "shipyard", "workshop", "bank", "barracks", "guild_hall", "dock")
    breakdown = ended(Position(3).own(0, *own)).breakdown(0)
    assert breakdown["university"] == 0


@pytest.mark.parametrize(("discs", "scored"), [(0, 0), (2, 0), (3, 1), (5, 1), (6, 2), (8, 2), (9, 3), (30, 10)])
def test_R12_7_one_for_three_discs_in_harbor(discs: int, scored: int) -> None:
    assert glory(Position(3).discs(0, harbor=discs), "harbor") == scored


def test_R12_7_discs_on_buildings_do_not_count() -> None:
    own = ("market", "market", "guild_hall")
    assert glory(Position(3).own(0, *own).workers(0, *own, "colonial_house").discs(0, harbor=2), "harbor") == 0


def test_R12_8_face_down_slavery_cards_cost_one_each() -> None:
    for number in range(6):
        position = Position(3).face_down(0, *(f"slavery.{value}" for value in range(number)))
        assert glory(position, "slavery") == -number


def test_R12_8_face_up_slavery_cards_cost_nothing() -> None:
    game = ended(Position(3).cards(0, "slavery.0", "slavery.4").face_down(1, "slavery.1"))
    assert [game.breakdown(seat)["slavery"] for seat in range(3)] == [0, -1, 0]


def test_R12_9_tokens_are_worth_nothing_in_themselves() -> None:
    without = ended(Position(3).status(0, culture=4)).scores()[0]
    tokens = ("attack", "attack", "pay", "sail_draw", "occupy_draw")
    assert ended(Position(3).status(0, culture=5).tokens(0, *tokens)).scores()[0] == without


# --- R12.10 the winner, and the breakdown ------------------------------------------------------------------------


def test_R12_10_the_highest_total_wins() -> None:
    game = ended(Position(4).status(0).status(1, culture=7).status(2).status(3, culture=4))
    assert game.scores() == [3, 10, 3, 7]
    assert game.winners() == [1]


def test_R12_10_A20_ties_share_the_victory() -> None:
    game = ended(Position(4).status(0, finance=7).status(1, culture=4).status(2, culture=7).status(3))
    assert game.scores() == [10, 7, 10, 3]
    assert game.winners() == [0, 2]


def test_R12_10_everybody_can_share_it() -> None:
    position = Position(3)
    for seat in range(3):
        position.status(seat)
    assert ended(position).winners() == [0, 1, 2]


def test_the_breakdown_has_the_keys_of_the_notation_in_order() -> None:
    game = ended(Position(3))
    assert list(game.breakdown(0)) == KEYS


def test_R12_all_parts_together() -> None:
    position = Position(5).cities(0, "london", "paris", "calcutta").own(0, "university").discs(0, harbor=7)
    position.cards(0, "caribbean.5", "europe.3", "caribbean.governor").face_down(0, "slavery.1")
    game = ended(position.status(0, industry=4, culture=8, finance=5, politics=3))
    assert game.breakdown(0) == {
        "cities": 4,
        "connections": 1,
        "industry": 4,
        "culture": 7,
        "finance": 4,
        "politics": 2,
        "cards": 3 + 1 + 1,
        "governor_slot": 0,
        "university": 3,
        "harbor": 2,
        "slavery": -1,
    }
    assert game.scores()[0] == 31


def test_scores_in_mid_game_are_those_if_it_ended_now() -> None:
    game = Position(3).status(0, culture=7).city("london", 0).turn(1).game()
    assert game.scores()[0] == sum(game.breakdown(0).values()) == 7 + 1 + 3
