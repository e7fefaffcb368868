"""The worked examples of the rulebook, T-B01 to T-B20, with their numbers.

Colours are seats; each example says which. "Black sails first" and the like follow from the seats chosen.
"""

from __future__ import annotations

import pytest

from endeavor_env import Game
from tests.kits.actions import CITIES, assert_turn, gains, legal, moves, refuse
from tests.kits.position import Position, See, assert_sound, play

# Seats of the African example (T-B08 to T-B10), chosen so that they move in the order of the story.
BLACK, WHITE, VIOLET, RED, GREEN = range(5)


def test_T_B01_green_builds_a_theater() -> None:
    green = 2
    game = Position(4).build(green).status(green, industry=5).game()
    level_1 = {"market", "shipyard", "workshop"}
    level_2 = {"bank", "barracks", "guild_hall"}
    level_3 = {"dock", "fortress", "theater"}
    assert legal(game) == moves("build", *level_1, *level_2, *level_3)
    play(game, "build:theater")
    see = See(game)
    assert see.own(green) == {"colonial_house": 1, "theater": 1}
    assert see.left("theater") == 2
    assert see.statuses(green) == {"industry": 5, "culture": 2, "finance": 0, "politics": 0}


@pytest.mark.parametrize(
    ("occupied", "asked"), [(("market", "shipyard"), False), (("market", "shipyard", "dock", "dock"), True)]
)
def test_T_B02_white_makes_two_payments(occupied: tuple[str, ...], asked: bool) -> None:
    white = 0
    position = Position(3).build(2).own(white, *occupied).workers(white, *occupied).discs(white, harbor=1)
    game = play(position.status(white, finance=3, culture=1).game(), "build:workshop")
    grown = 1 + 2  # Culture 1 brings two discs before the Salary phase
    if asked:
        assert (game.decision, game.seat) == ("salary", white)
        assert See(game).harbor(white) == grown
        assert legal(game) == moves("pay", "market", "shipyard", "dock")
        play(game, "pay:dock", "pay:market")
        assert See(game).workers(white) == {"shipyard": 1, "dock": 1}
    else:
        assert See(game).workers(white) == {}
    assert See(game).harbor(white) == grown + 2
    assert game.decision == "turn"


def far_east_governor() -> Position:
    """Red (seat 1) leads on the Far East track; White (seat 0) is about to sail the last space."""
    return Position(3).own(0, "shipyard").discs(0, harbor=3).track("far_east", 1, 0, 1, 2, 1, 2, 1)


def test_T_B03_red_receives_the_far_east_governor() -> None:
    red = 1
    game = far_east_governor().game()
    start = See(game).statuses(red)
    assert game.breakdown(red)["cards"] == 0
    play(game, "activate:shipyard", "sail:far_east")
    assert See(game).cards(red) == {"far_east.governor"}
    assert gains(start, game, red) == {"industry": 2, "culture": 1}
    assert game.breakdown(red)["cards"] == 1


def test_T_B03_the_glory_is_lost_with_the_governor() -> None:
    red = 1
    game = far_east_governor().cards(red, "caribbean.1").game()
    start = See(game).statuses(red)
    # One more card than Politics allows unless the Governor sits in its slot: Red may throw it away.
    play(game, "activate:shipyard", "sail:far_east", "pass", "discard:far_east.governor")
    assert gains(start, game, red) == {}
    assert game.breakdown(red)["cards"] == 0


def test_T_B04_red_gains_a_politics_token() -> None:
    red = 0
    position = Position(3).discs(red, harbor=2).status(red, politics=1).token("rome", "politics")
    game = play(position.game(), "activate:colonial_house", "occupy:rome")
    assert See(game).status(red, "politics") == 2


def test_T_B05_black_activates_the_shipyard_but_never_the_bank() -> None:
    black = 0
    game = Position(3).own(black, "shipyard", "bank").discs(black, harbor=2).game()
    assert "activate:shipyard" in legal(game)
    refuse(game, "activate:bank")
    play(game, "activate:shipyard")
    assert See(game).harbor(black) == 1
    assert {"sail:india", "done"} <= legal(game)
    assert play(game, "sail:india").seat == 1


def test_T_B06_black_spends_an_attack_token() -> None:
    black, enemy = 0, 2
    position = Position(3).own(black, "barracks").tokens(black, "attack").discs(black, harbor=2).city("paris", enemy)
    game = play(position.game(), "spend:attack", "attack:paris")
    see = See(game)
    assert see.tokens(black)["attack"] == 0
    assert see.owner("paris") == black
    assert see.workers(black) == {}
    assert see.harbor(black) == 0


def test_T_B07_white_sails_to_the_far_east() -> None:
    black, white = 1, 0
    position = Position(3).own(white, "shipyard").discs(white, harbor=2).track("far_east", black, white)
    position.status(white, politics=2, culture=1).token("far_east.3", "politics")
    game = play(position.game(), "activate:shipyard", "sail:far_east")
    see = See(game)
    assert see.track("far_east") == [black, white, white]
    assert see.status(white, "politics") == 3
    assert see.token_on("far_east.3") is None
    assert not see.is_open("far_east")
    assert see.beside("far_east", white) == 0


def africa() -> Position:
    """Black is to sail Africa's last space: White, Red, White, Violet, Red lie on the track, far end first."""
    position = Position(5).own(BLACK, "shipyard")
    for seat in range(5):
        position.discs(seat, harbor=4)
    position.track("africa", WHITE, RED, WHITE, VIOLET, RED).token("africa.6", "culture").token("elmina", "politics")
    return position.token("elmina--luanda", "industry").token("luanda", "pay").tokens(VIOLET, "occupy_draw")


def test_T_B08_red_wins_the_african_governor() -> None:
    game = africa().game()
    start = See(game).statuses(RED)
    play(game, "activate:shipyard", "sail:africa")
    see = See(game)
    assert see.track("africa") == [WHITE, RED, WHITE, VIOLET, RED, BLACK]
    assert see.is_open("africa")
    assert see.cards(RED) == {"africa.governor"}
    assert gains(start, game, RED) == {"finance": 2, "politics": 1}
    assert see.cards(BLACK) == set()


def after_white() -> Game:
    """T-B08 was played and White occupied Saint-Louis: two African cities are empty, Violet is to move."""
    game = play(africa().game(), "activate:shipyard", "sail:africa", "activate:colonial_house", "occupy:saint_louis")
    assert_turn(game, VIOLET)
    return game


def test_T_B09_violet_occupies_one_of_two_empty_cities() -> None:
    game = after_white()
    start = See(game).statuses(VIOLET)
    play(game, "activate:colonial_house")
    assert legal(game) & moves("occupy", *CITIES["africa"]) == moves("occupy", "elmina", "luanda")
    assert See(game).harbor(VIOLET) == 3
    play(game, "occupy:elmina")
    assert See(game).harbor(VIOLET) == 2
    assert See(game).owner("elmina") == VIOLET
    assert gains(start, game, VIOLET) == {"politics": 1}


def test_T_B10_violet_takes_the_token_of_an_african_connection() -> None:
    game = play(after_white(), "activate:colonial_house", "occupy:elmina")
    assert See(game).token_on("elmina--luanda") == "industry"
    start = See(game).statuses(VIOLET)
    play(game, *["pass"] * 4, "spend:occupy_draw", "occupy:luanda")
    assert See(game).token_on("elmina--luanda") is None
    assert gains(start, game, VIOLET) == {"industry": 1}


@pytest.mark.parametrize("how", ["building", "token"])
def test_T_B11_white_attacks_violet(how: str) -> None:
    white, violet = 0, 1
    position = Position(3).own(white, "barracks").tokens(white, "attack").discs(white, harbor=6)
    game = position.track("india", 1, 1, 0, 1, 1, 1).city("bombay", violet).game()
    supply, enemy = See(game).supply(white), See(game).supply(violet)
    play(game, "activate:barracks" if how == "building" else "spend:attack", "attack:bombay")
    see = See(game)
    assert see.harbor(white) == 6 - 2 - (how == "building")
    assert see.supply(white) == supply + 1
    assert see.owner("bombay") == white
    assert see.supply(violet) == enemy + 1


@pytest.mark.parametrize("source", ["activate:exchange", "spend:pay"])
def test_T_B12_black_pays_for_the_cartographer(source: str) -> None:
    black = 0
    position = Position(3).own(black, "cartographer", "market", "exchange").workers(black, "cartographer", "market")
    game = play(position.tokens(black, "pay").discs(black, harbor=2).passed(1, 2).game(), source)
    assert See(game).moves("pay") == {"cartographer", "market"}
    harbor = See(game).harbor(black)
    play(game, "pay:cartographer")
    assert See(game).harbor(black) == harbor + 1
    assert See(game).workers(black)["cartographer"] == 0
    assert "activate:cartographer" in legal(game)
    assert "activate:market" not in legal(game)


def test_T_B13_tokens_are_only_counted_however_they_are_stored() -> None:
    # Four Finance and three Politics tokens; the same counts from two Banks and three tokens play alike.
    stored = Position(3).tokens(0, *["finance"] * 4, *["politics"] * 3).discs(0, harbor=3)
    built = Position(3).own(0, "bank", "bank").tokens(0, *["politics"] * 3).discs(0, harbor=3)
    first, second = stored.game(), built.game()
    assert See(first).statuses(0) == See(second).statuses(0)
    assert (See(first).status(0, "finance"), See(first).status(0, "politics")) == (4, 3)
    assert legal(first) == legal(second) == {"activate:colonial_house", "pass"}
    for name in ("finance", "politics"):
        assert first.breakdown(0)[name] == second.breakdown(0)[name] == (4 if name == "finance" else 2)


def test_T_B14_a_marker_at_the_end_stays_while_the_true_count_reaches_15() -> None:
    white = 0
    position = (
        Position(3).cards(white, "india.1", "caribbean.1").status(white, culture=16, politics=1, industry=1, finance=1)
    )
    game = play(position.game(), "pass")
    assert game.breakdown(white)["culture"] == 15
    play(game, "discard:india.1")
    assert See(game).status(white, "culture") == 15
    assert game.breakdown(white)["culture"] == 15, "a marker on 14 would be worth 12"
    assert See(game).status(white, "politics") == 0


def test_T_B15_green_draws_north_america_3() -> None:
    green, others = 0, 2
    position = Position(3).own(green, "market").discs(green, harbor=1).cards(1, "north_america.1", "north_america.2")
    position.track("north_america", green, others, green, others, green, others).cities(green, "new_york", "charleston")
    game = position.game()
    start = See(game).statuses(green)
    assert See(game).pile("north_america")[0] == "north_america.3"
    play(game, "activate:market", "draw:north_america")
    assert See(game).cards(green) == {"north_america.3"}
    assert gains(start, game, green) == {"industry": 2, "culture": 2}


def test_T_B16_red_discards_south_america_1() -> None:
    red = 0
    held = ("south_america.1", "caribbean.1", "europe.4", "slavery.0", "africa.governor")
    status = {"industry": 4, "culture": 4, "finance": 3, "politics": 3}
    game = Position(3).cards(red, *held).status(red, **status).game()
    play(game, "pass")
    assert game.decision == "discard"
    assert "done" not in legal(game)
    assert legal(game) == moves("discard", *held)
    play(game, "discard:south_america.1")
    assert See(game).pile("south_america")[0] == "south_america.1"
    assert See(game).statuses(red) == {**status, "culture": 2}
    # Legal now with the Governor in its slot, so going on is Red's choice.
    assert legal(game) == moves("discard", *held[1:]) | {"done"}
    assert_turn(play(game, "done"), 1)


def reds_last_pass() -> Position:
    """Red (seat 0) is the last to pass in round 7."""
    cities = (*CITIES["europe"], "elmina", "luanda", "new_orleans", "cartagena", "canton")
    position = Position(4).round(7).passed(1, 2, 3).turn(0).cities(0, *cities).discs(0, harbor=3)
    position.track("africa", 0, 1, 1, 1, 1, 1).track("north_america", 2, 0, 2, 2, 2, 2)
    position.track("south_america", 3, 3, 0, 3, 3, 3, 3).track("far_east", 1, 1, 1, 0, 1, 1, 1, 1)
    position.own(0, "university").cards(0, "africa.4", "north_america.5").face_down(0, "slavery.0", "slavery.1")
    return position.status(0, industry=10, culture=8, finance=9, politics=12)


def test_T_B17_red_scores_71() -> None:
    game = play(reds_last_pass().game(), "pass")
    assert game.over
    assert game.breakdown(0) == {
        "cities": 14 * 1 + 1 * 2,
        "connections": 9,
        "industry": 10,
        "culture": 7,
        "finance": 7,
        "politics": 12,
        "cards": 5,
        "governor_slot": 3,
        "university": 3,
        "harbor": 1,
        "slavery": -2,
    }
    assert game.scores()[0] == 71


def test_T_B18_dock_opens_south_america_and_occupies_there() -> None:
    position = Position(3).own(0, "dock").discs(0, harbor=3).track("south_america", 1, 2, 1, 2, 1, 2)
    game = play(position.game(), "activate:dock")
    cities = moves("occupy", *CITIES["south_america"])
    assert not cities & legal(game)
    play(game, "sail:south_america")
    assert See(game).is_open("south_america")
    assert legal(game) == cities | {"done"}
    play(game, "occupy:salvador")
    assert See(game).owner("salvador") == 0
    assert See(game).harbor(0) == 0
    assert_turn(game, 1)


def test_T_B19_lost_politics_lowers_the_limit_and_forces_another_discard() -> None:
    game = Position(3).cards(0, "india.1", "caribbean.1", "caribbean.2").tokens(0, "politics").game()
    assert See(game).status(0, "politics") == 2
    play(game, "pass")
    assert legal(game) == moves("discard", "india.1", "caribbean.1", "caribbean.2")
    play(game, "discard:india.1")
    assert See(game).status(0, "politics") == 1
    assert (game.decision, game.seat) == ("discard", 0)
    assert legal(game) == moves("discard", "caribbean.1", "caribbean.2")
    assert_turn(play(game, "discard:caribbean.1"), 1)
    assert See(game).cards(0) == {"caribbean.2"}


@pytest.mark.parametrize("thrown", ["slavery.0", "caribbean.1"])
def test_T_B20_slavery_never_makes_room_for_a_sixth_card(thrown: str) -> None:
    five = ("slavery.0", "caribbean.1", "caribbean.2", "caribbean.3", "south_america.1")
    position = Position(3).cards(0, *five, "south_america.2").tokens(0, *["politics"] * 11)
    game = play(position.game(), "pass")
    assert legal(game) == moves("discard", *five, "south_america.2")
    play(game, f"discard:{thrown}")
    assert_turn(game, 1)
    assert len(See(game).cards(0)) == 5


def test_T_B20_five_cards_with_one_slavery_card_are_legal_at_level_5() -> None:
    five = ("slavery.0", "caribbean.1", "caribbean.2", "caribbean.3", "south_america.1")
    game = play(Position(3).cards(0, *five).tokens(0, *["politics"] * 11).game(), "pass")
    assert_turn(game, 1)
    assert See(game).cards(0) == set(five)
    assert_sound(game)
