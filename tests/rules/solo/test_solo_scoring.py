"""Final scoring of both sides, and the ladder of results (S8, T-S13).

In every position the Opposition has acted in round 7, and the player's pass ends the game.
"""

from __future__ import annotations

import pytest

from endeavor_env import Game
from endeavor_env.errors import InvalidOptionError
from tests.kits.position import Position
from tests.kits.scores import BREAKDOWN_KEYS
from tests.kits.solo_position import BLACK, CITIES, GREEN, MAT, PLAYER, RED, VIOLET, WHITE, SoloPosition, play

OPPOSITION = "opposition"
APART = ("copenhagen", "london", "lisbon", "rome", "constantinople")  # no two of them are connected
THEIRS = {"amsterdam": GREEN, "paris": VIOLET, "tangier": BLACK, "venice": RED, "alexandria": GREEN}
RESULTS = {
    **dict.fromkeys((-2, -1), "defeat"),
    **dict.fromkeys((0, 1, 2), "minor victory"),
    **dict.fromkeys((3, 4), "victory"),
    **dict.fromkeys((5, 6), "major victory"),
    **dict.fromkeys((7, 8), "complete victory"),
    **dict.fromkeys((9, 10, 11), "total victory"),
}
RUNGS = ("defeat", "minor victory", "victory", "major victory", "complete victory", "total victory")


def last_round(**counts: int) -> SoloPosition:
    """Round 7, the player is to pass for the last time; the Opposition's icon counts."""
    position = SoloPosition().acted().mat(**counts)
    position.round(7)
    return position


def lead(difference: int) -> Position:
    """The player is to win (or lose) by this difference: three Glory for its empty slot, cities of one Glory each."""
    position = last_round().status(PLAYER)
    if difference < 3:
        for city, side in list(THEIRS.items())[: 3 - difference]:
            position.city(city, side)
        return position
    missing = difference - 3
    if missing > len(APART):
        position.own(PLAYER, "university")
        missing -= 3
    return position.cities(WHITE, *APART[:missing])


def ended(position: Position) -> Game:
    """Play the last pass."""
    game = play(position.game(), "pass")
    assert game.over
    return game


# --- the two sides ------------------------------------------------------------------------------------------------


def test_S8_1_SA15_the_player_scores_as_in_the_base_game() -> None:
    position = last_round().cities(WHITE, "london", "paris", "lisbon", "luanda").city("rome", RED)
    position.track("africa", WHITE, *[BLACK] * 5).own(PLAYER, "university").discs(PLAYER, harbor=8)
    position.cards(PLAYER, "africa.4").face_down(PLAYER, "slavery.0", "slavery.4")
    position.open("india", by=VIOLET).open("far_east", by=GREEN)
    game = ended(position.status(PLAYER, industry=5, culture=8, finance=9, politics=3))
    assert game.breakdown(PLAYER) == {
        "cities": 3 + 2,
        "connections": 2,
        "industry": 4,
        "culture": 7,
        "finance": 7,
        "politics": 2,
        "cards": 2,
        "governor_slot": 3,
        "university": 3,
        "harbor": 2,
        "slavery": -2,
    }
    assert game.scores()[PLAYER] == 35


def test_S8_1_a_governor_in_its_slot_costs_the_three_glory() -> None:
    position = last_round().cards(PLAYER, "india.governor", "caribbean.1", "caribbean.3")
    game = play(position.status(PLAYER, industry=1, culture=1, finance=3, politics=2).game(), "pass", "done")
    assert game.breakdown(PLAYER)["governor_slot"] == 0


def test_S8_2_SA5_SA14_the_opposition_scores_cities_connections_statuses_and_cards() -> None:
    position = last_round(industry=5, culture=8, finance=12, politics=3).retained("far_east.governor")
    position.cities(RED, "london", "paris").cities(GREEN, "lisbon", "rome", "tangier").city("luanda", BLACK)
    position.track("africa", WHITE, *[BLACK] * 5).track("caribbean", *[BLACK] * 6).track("far_east", *[VIOLET] * 8)
    position.cards(MAT, "caribbean.3", "caribbean.governor").face_down(MAT, "slavery.0", "slavery.4")
    game = ended(position)
    assert game.breakdown(OPPOSITION) == {
        "cities": 5 + 2,
        "connections": 2,  # London to Paris, Lisbon to Tangier; Paris and Lisbon have different colours
        "industry": 4,
        "culture": 7,
        "finance": 12,
        "politics": 2,
        "cards": 2 + 1 + 1,
        "governor_slot": 0,
        "university": 0,
        "harbor": 0,
        "slavery": -2,
    }


def test_S8_2_SA14_nothing_for_an_empty_governor_slot() -> None:
    game = ended(last_round())
    assert game.breakdown(OPPOSITION) == dict.fromkeys(BREAKDOWN_KEYS, 0)
    assert game.breakdown(PLAYER)["governor_slot"] == 3


def test_S8_2_a_connection_between_the_player_and_a_colour_is_nobodys() -> None:
    game = ended(last_round().city("london", WHITE).city("paris", RED).city("amsterdam", GREEN))
    assert game.breakdown(PLAYER)["connections"] == game.breakdown(OPPOSITION)["connections"] == 0


@pytest.mark.parametrize("side", [RED, GREEN, VIOLET, BLACK])
def test_S8_2_every_colour_scores_for_the_opposition(side: int) -> None:
    position = last_round().cities(side, *CITIES["africa"]).track("africa", *[side] * 6)
    game = ended(position)
    assert game.breakdown(OPPOSITION)["cities"] == 1 + 1 + 2
    assert game.breakdown(OPPOSITION)["connections"] == 2


def test_S8_2_markers_do_not_pass_15() -> None:
    assert ended(last_round(culture=17).mixed_europe()).breakdown(OPPOSITION)["culture"] == 15


def test_S8_the_scores_are_the_players_then_the_oppositions() -> None:
    game = ended(last_round(culture=7).cities(RED, "london", "paris"))
    assert game.scores() == [sum(game.breakdown(PLAYER).values()), sum(game.breakdown(OPPOSITION).values())]
    assert game.scores()[1] == 7 + 2 + 1
    for wrong in (1, -1, "green"):
        with pytest.raises(InvalidOptionError):
            game.breakdown(wrong)


# --- the ladder ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("difference", RESULTS)
def test_TS13_S8_3_SA6_SA7_the_ladder(difference: int) -> None:
    game = ended(lead(difference))
    player, opposition = game.scores()
    assert player - opposition == difference
    ladder = game.ladder()
    assert (ladder.name, ladder.rung) == (RESULTS[difference], RUNGS.index(RESULTS[difference]))
    assert not ladder.panache


@pytest.mark.parametrize("tile", ["exchange", "museum", "parliament"])
def test_S8_4_panache_for_a_building_of_level_5(tile: str) -> None:
    status = {"exchange": "finance", "museum": "culture", "parliament": "politics"}[tile]
    game = ended(last_round().own(PLAYER, tile).status(PLAYER, **{status: 2}))
    assert game.ladder() == ("major victory", 3, True)


def test_S8_4_panache_in_the_smallest_victory() -> None:
    game = ended(last_round(industry=4).own(PLAYER, "museum").status(PLAYER, culture=2).city("rome", RED))
    assert game.ladder() == ("minor victory", 1, True)


def test_S8_4_no_panache_in_defeat() -> None:
    game = ended(last_round(industry=7).own(PLAYER, "museum").status(PLAYER, culture=2))
    assert game.ladder() == ("defeat", 0, False)


def test_S8_4_no_panache_for_level_4() -> None:
    game = ended(last_round().own(PLAYER, "university", "cartographer").status(PLAYER))
    assert game.ladder() == ("major victory", 3, False)
