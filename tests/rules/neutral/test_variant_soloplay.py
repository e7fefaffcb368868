"""soloplay_2 and soloplay_3: when and where a neutral disc may be placed (V2S.7-9, V3S.5)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from endeavor_env import Game
from tests.kits.actions import CITIES, TRACKS, assert_turn, edited, legal, moves, refuse, sails
from tests.kits.position import See, play
from tests.kits.variant_position import PLAYERS, SOLOPLAY, Variant, in_harbor, reserve

both = pytest.mark.parametrize("variant", SOLOPLAY)
"""V3S.5: what is tested for two players holds for three."""

NEUTRAL_SAILS = moves("neutral_sail", *TRACKS)


def cities(*regions: str) -> set[str]:
    """A neutral Occupy move to every city of these regions."""
    return moves("neutral_occupy", *(city for region in regions for city in CITIES[region]))


def acting(variant: str, *own: str, harbor: int = 5, neutral: int = 1) -> Variant:
    """Seat 0 to move with these buildings, discs in harbor and neutral discs in harbor."""
    return Variant(variant).own(0, *own).discs(0, harbor=harbor).neutral(0, harbor=neutral)


def neutral_moves(game: Game) -> set[str]:
    """The legal moves of neutral discs."""
    return {move for move in legal(game) if move.startswith("neutral")}


def asked(game: Game, *wanted: set[str]) -> None:
    """Assert that seat 0 may place a neutral disc in exactly these ways, or decline."""
    assert (game.phase, game.decision, game.seat) == ("action", "neutral", 0)
    assert legal(game) == set().union(*wanted) | {"done"}


# --- when and where one may be placed (V2S.7) ---------------------------------------------------------------


def docks(variant: str) -> Variant:
    """Seat 0 has a Dock, and one free space is left on the track of South America."""
    closed = (1, 2, 3) if variant == "soloplay_2" else (1, 2)
    before = [0, 1] * 2 if variant == "soloplay_3" else [0, 1, 0]
    return acting(variant, "dock").closed("south_america", *closed).track("south_america", *before)


@both
def test_TV1_docks_open_south_america_and_a_neutral_disc_follows(variant: str) -> None:
    game = docks(variant).game()
    assert neutral_moves(game) == set()
    play(game, "activate:dock")
    refuse(game, "neutral_sail:south_america", "neutral_occupy:salvador")
    play(game, "sail:south_america")
    assert See(game).is_open("south_america")
    assert See(game).cards(0) == {"south_america.governor"}
    refuse(game, "neutral_sail:south_america", "neutral_occupy:salvador")
    play(game, "occupy:salvador")
    asked(game, {"neutral_sail:south_america"}, moves("neutral_occupy", "rio_de_janeiro", "cartagena"))
    play(game, "neutral_occupy:cartagena")
    assert See(game).owner("salvador") == 0
    assert See(game).owner("cartagena") == PLAYERS[variant]
    assert in_harbor(game, 0) == 0
    assert_turn(game, 1)


@both
def test_V2S_7_after_a_sail_to_a_closed_region_only_its_track(variant: str) -> None:
    game = play(acting(variant, "shipyard").game(), "activate:shipyard", "sail:india")
    asked(game, {"neutral_sail:india"})
    play(game, "neutral_sail:india")
    assert See(game).track("india") == [0, PLAYERS[variant]]
    assert (in_harbor(game, 0), See(game).harbor(0)) == (0, 3)
    assert_turn(game, 1)


@both
def test_V2S_7_after_a_sail_to_an_open_region_its_cities_as_well(variant: str) -> None:
    position = acting(variant, "shipyard").open("india", by=1).open("africa", by=0).city("bombay", 1)
    game = play(position.game(), "activate:shipyard", "sail:india")
    asked(game, {"neutral_sail:india", "neutral_occupy:calcutta"})


@both
def test_V2S_7_after_an_occupy_the_same_region(variant: str) -> None:
    position = acting(variant).open("africa", by=0).open("india", by=0)
    game = play(position.game(), "activate:colonial_house", "occupy:elmina")
    asked(game, {"neutral_sail:africa"}, moves("neutral_occupy", "saint_louis", "luanda"))
    play(game, "neutral_occupy:luanda")
    assert See(game).owner("luanda") == PLAYERS[variant]
    assert_turn(game, 1)


@both
def test_V2S_7_may_be_declined(variant: str) -> None:
    game = play(acting(variant, "shipyard").game(), "activate:shipyard", "sail:india", "done")
    assert_turn(game, 1)
    assert in_harbor(game, 0) == 1
    assert See(game).board_discs(PLAYERS[variant]) == 0


@both
def test_V2S_7_discs_in_reserve_cannot_be_placed(variant: str) -> None:
    game = acting(variant, "shipyard", neutral=0).neutral(1, harbor=1).game()
    assert reserve(game, 0) > 0
    assert_turn(play(game, "activate:shipyard", "sail:india"), 1)


@both
def test_V2S_7_a_neutral_disc_opens_the_region(variant: str) -> None:
    closed = (1, 2, 3) if variant == "soloplay_2" else (1, 2)
    position = acting(variant, "shipyard").closed("india", *closed).track("india", *[1] * (4 - len(closed)))
    game = play(position.game(), "activate:shipyard", "sail:india")
    assert not See(game).is_open("india")
    asked(game, {"neutral_sail:india"})
    play(game, "neutral_sail:india")
    assert See(game).is_open("india")
    assert_turn(game, 1)


@both
def test_V2S_7_an_action_that_a_neutral_disc_would_prolong_is_over(variant: str) -> None:
    closed = (1, 2, 3) if variant == "soloplay_2" else (1, 2)
    position = acting(variant, "dock").closed("india", *closed).track("india", *[1] * (4 - len(closed)))
    game = play(position.game(), "activate:dock", "sail:india")
    # India is closed, so that Occupy is impossible and the action over: its second part does not come after the disc.
    asked(game, {"neutral_sail:india"})
    play(game, "neutral_sail:india")
    assert See(game).is_open("india")
    assert_turn(game, 1)


def test_V2S_7_the_next_seat_has_its_own_neutral_discs() -> None:
    position = acting("soloplay_2", "shipyard", harbor=2).own(1, "shipyard").discs(1, harbor=4).neutral(1, harbor=1)
    game = play(position.game(), "activate:shipyard", "sail:india", "neutral_sail:india")
    assert_turn(game, 1)
    play(game, "activate:shipyard", "sail:africa", "neutral_sail:africa")
    assert [in_harbor(game, seat) for seat in (0, 1)] == [0, 0]
    assert (See(game).track("india"), See(game).track("africa")) == ([0, 2], [1, 2])


# --- after a Draw (V2S.8) -----------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("source", ["activate:market", "spend:sail_draw", "spend:occupy_draw", "activate:guild_hall"])
def test_V2S_8_after_a_draw_every_track_and_every_open_region(variant: str, source: str) -> None:
    position = acting(variant, "market", "guild_hall").tokens(0, "sail_draw", "occupy_draw").open("caribbean", by=1)
    game = play(position.city("havana", 1).city("rome", 0).game(), source, "draw:europe")
    assert See(game).board_discs(0) == 1, "seat 0 has no disc overseas"
    free = (cities("europe") - {"neutral_occupy:rome"}) | moves("neutral_occupy", "saint_domingue", "port_royal")
    asked(game, NEUTRAL_SAILS, free)


@both
def test_VA6_a_neutral_disc_may_go_where_the_player_is_not(variant: str) -> None:
    game = play(acting(variant, "market").open("caribbean", by=1).game(), "activate:market", "draw:slavery")
    assert See(game).board_discs(0) == 0
    play(game, "neutral_occupy:port_royal")
    assert See(game).owner("port_royal") == PLAYERS[variant]
    assert_turn(game, 1)


@both
def test_V2S_8_after_a_draw_overseas_as_well(variant: str) -> None:
    position = acting(variant, "market").open("india", by=0)
    game = play(position.game(), "activate:market", "draw:india")
    asked(game, NEUTRAL_SAILS, cities("europe", "india"))
    play(game, "neutral_sail:far_east")
    assert See(game).track("far_east") == [PLAYERS[variant]]


# --- rulings on both (V2S.9) --------------------------------------------------------------------------------


@both
def test_VA5_V2S_9_one_neutral_disc_a_turn(variant: str) -> None:
    game = acting(variant, "shipyard", "cartographer", neutral=2).game()
    assert_turn(play(game.clone(), "activate:shipyard", "sail:india", "neutral_sail:india"), 1)
    play(game, "activate:cartographer", "sail:india")
    refuse(game, "neutral_sail:india")
    play(game, "sail:india")
    asked(game, {"neutral_sail:india"})
    play(game, "neutral_sail:india")
    assert_turn(game, 1)
    assert in_harbor(game, 0) == 1


def test_VA5_V2S_9_two_draws_bring_one_neutral_disc() -> None:
    game = acting("soloplay_2", "trade_office", neutral=2).cities(0, "rome", "paris").game()
    play(game, "activate:trade_office", "draw:europe")
    refuse(game, "neutral_sail:india")
    play(game, "draw:europe")
    assert neutral_moves(game) >= NEUTRAL_SAILS
    assert_turn(play(game, "neutral_sail:india"), 1)


@both
@pytest.mark.parametrize(
    ("moved", "region"), [("sail:india", "india"), ("occupy:elmina", "africa"), ("attack:calcutta", "india")]
)
def test_V2S_9_the_action_may_come_from_a_token(variant: str, moved: str, region: str) -> None:
    position = acting(variant).tokens(0, "sail_draw", "occupy_draw", "attack").city("calcutta", 1)
    position.open("africa", by=0).open("india", by=1).beside("india", 0)
    kind = {"sail": "sail_draw", "occupy": "occupy_draw", "attack": "attack"}[moved.split(":")[0]]
    game = play(position.game(), f"spend:{kind}", moved)
    free = cities(region) - moves("neutral_occupy", "elmina", "calcutta")
    asked(game, {f"neutral_sail:{region}"}, free)


@both
@pytest.mark.parametrize("building", ["barracks", "fortress"])
def test_V2S_9_attack_counts_and_its_region_is_that_of_the_city(variant: str, building: str) -> None:
    position = acting(variant, building).open("india", by=0).city("bombay", 1)
    game = play(position.game(), f"activate:{building}", "attack:bombay")
    asked(game, {"neutral_sail:india", "neutral_occupy:calcutta"})


@both
@pytest.mark.parametrize("source", ["activate:exchange", "spend:pay"])
def test_V2S_9_pay_gives_no_permission(variant: str, source: str) -> None:
    position = acting(variant, "exchange", "market").workers(0, "market").tokens(0, "pay")
    assert_turn(play(position.game(), source, "pay:market"), 1)


@both
def test_V2S_9_passing_gives_no_permission(variant: str) -> None:
    game = play(acting(variant, "shipyard").game(), "pass")
    assert_turn(game, 1)


@both
@pytest.mark.parametrize(("first", "second"), [("sail:india", "occupy:bombay"), ("occupy:bombay", "sail:india")])
def test_V2S_9_after_docks_the_common_region(variant: str, first: str, second: str) -> None:
    position = acting(variant, "dock").open("india", by=0).open("africa", by=0)
    game = play(position.game(), "activate:dock", first)
    assert neutral_moves(game) == set()
    play(game, second)
    asked(game, {"neutral_sail:india", "neutral_occupy:calcutta"})


@both
@pytest.mark.parametrize(
    ("source", "target"),
    [
        *(("activate:colonial_house", "occupy:paris"), ("activate:barracks", "attack:rome")),
        *(("activate:dock", "occupy:paris"), ("spend:attack", "attack:rome")),
    ],
)
def test_V2S_9_after_occupy_or_attack_in_europe_no_sail(variant: str, source: str, target: str) -> None:
    position = acting(variant, "barracks", "dock").tokens(0, "attack").city("rome", 1).open("india", by=0)
    game = play(position.game(), source, target)
    taken = moves("neutral_occupy", "rome", target.split(":")[1])
    asked(game, cities("europe") - taken)


@both
def test_V2S_9_without_any_target_nothing_is_asked(variant: str) -> None:
    position = acting(variant).cities(1, *CITIES["europe"][1:])
    game = play(position.game(), "activate:colonial_house", "occupy:london")
    assert_turn(game, 1)
    assert in_harbor(game, 0) == 1


@both
@pytest.mark.parametrize("building", ["colonial_house", "shipyard", "market", "dock", "guild_hall"])
def test_VC2_an_activation_without_a_part_gives_no_permission(variant: str, building: str) -> None:
    own = () if building == "colonial_house" else (building,)
    game = play(acting(variant, *own).game(), f"activate:{building}", "done")
    assert_turn(game, 1)
    assert in_harbor(game, 0) == 1


@both
def test_VC2_an_activation_that_can_do_nothing_gives_no_permission(variant: str) -> None:
    game = play(acting(variant, "shipyard", harbor=1).game(), "activate:shipyard")
    assert_turn(game, 1)


@both
@pytest.mark.parametrize(("building", "part"), [("dock", "sail"), ("dock", "occupy"), ("cartographer", "sail")])
def test_VC2_one_part_of_two_makes_its_region_the_region(variant: str, building: str, part: str) -> None:
    target = "sail:india" if part == "sail" else "occupy:calcutta"
    position = acting(variant, building).open("india", by=0).open("africa", by=0)
    game = play(position.game(), f"activate:{building}", target)
    assert neutral_moves(game) == set()
    play(game, "done")
    free = cities("india") - ({"neutral_occupy:calcutta"} if part == "occupy" else set())
    asked(game, {"neutral_sail:india"}, free)


@both
def test_VC2_the_second_part_may_be_impossible(variant: str) -> None:
    game = play(acting(variant, "dock", harbor=2).game(), "activate:dock", "sail:india")
    asked(game, {"neutral_sail:india"})


def both_parts(*parts: str) -> Callable[[dict], None]:
    """Make of the Dock a building with two parts that need not be in the same region."""

    def change(data: dict) -> None:
        dock = next(building for building in data["buildings"] if building["id"] == "dock")
        dock["mode"], dock["actions"] = "both", list(parts)
        if "pay" in parts:  # of those, no player may be able to own two
            dock["level"] = 5

    return change


@both
def test_V2S_9_two_parts_in_two_regions_give_both_regions(variant: str) -> None:
    board = edited(both_parts("sail", "occupy"))
    position = Variant(variant, board=board).own(0, "dock").discs(0, harbor=5).neutral(0, harbor=1)
    game = play(position.open("africa", by=0).game(), "activate:dock", "sail:india", "occupy:elmina")
    asked(game, moves("neutral_sail", "india", "africa"), moves("neutral_occupy", "saint_louis", "luanda"))


@both
@pytest.mark.parametrize("order", [("draw:europe", "occupy:rome"), ("occupy:rome", "draw:europe")])
def test_V2S_8_a_draw_among_two_parts_gives_every_region(variant: str, order: tuple[str, str]) -> None:
    board = edited(both_parts("draw", "occupy"))
    position = Variant(variant, board=board).own(0, "dock").discs(0, harbor=5).neutral(0, harbor=1)
    game = play(position.open("africa", by=1).game(), "activate:dock", *order)
    asked(game, NEUTRAL_SAILS, cities("europe", "africa") - {"neutral_occupy:rome"})


@both
@pytest.mark.parametrize(("moved", "given"), [(("pay:market",), False), (("pay:market", "sail:india"), True)])
def test_V2S_9_pay_beside_another_part_adds_nothing(variant: str, moved: tuple[str, ...], given: bool) -> None:
    board = edited(both_parts("pay", "sail"))
    position = Variant(variant, board=board).own(0, "dock", "market").workers(0, "market").discs(0, harbor=5)
    game = play(position.neutral(0, harbor=1).game(), "activate:dock", *moved)
    if given:
        asked(game, {"neutral_sail:india"})
    else:
        assert_turn(play(game, "done"), 1)


@both
def test_V2S_9_the_own_harbor_may_be_empty(variant: str) -> None:
    game = play(acting(variant, "shipyard", harbor=2).game(), "activate:shipyard", "sail:india")
    assert See(game).harbor(0) == 0
    assert_turn(play(game, "neutral_sail:india"), 1)


@both
def test_V2S_7_is_asked_only_at_its_own_decision(variant: str) -> None:
    game = acting(variant, "shipyard").open("india", by=0).game()
    refuse(game, "neutral_sail:india", "neutral_occupy:bombay")
    play(game, "activate:shipyard")
    assert legal(game) == sails() | {"done"}
