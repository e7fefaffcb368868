"""What the automa does where the list is silent: building, Salary, discards, and the variants' own decisions."""

from __future__ import annotations

import pytest

from endeavor_env import Game
from tests.kits import solo_position as solo
from tests.kits.actions import CITIES, TRACKS
from tests.kits.automa import chosen, full_europe
from tests.kits.position import Position
from tests.kits.see import STATUSES, See, play
from tests.kits.variant_position import N1, N2, Variant

# --- building ---------------------------------------------------------------------------------------------------------


def building(*own: str, level: int = 0, round_number: int = 3, **status: int) -> Position:
    """Seat 0 must build; Industry is given as the level it allows."""
    industry = {0: 0, 1: 1, 2: 2, 3: 4, 4: 7, 5: 10}[level]
    return Position(3).own(0, *own).build(0).round(round_number).status(0, industry=industry, **status)


def test_automa_builds_an_action_it_lacks_while_salary_would_pay_for_one_more() -> None:
    assert chosen(building("market").build(0).status(0, finance=2).game()) == "build:shipyard", "it has Occupy and Draw"
    assert chosen(building("shipyard", culture=1, finance=2).game()) == "build:market"


def test_automa_prefers_more_new_actions_then_the_higher_level() -> None:
    assert chosen(building(level=3).game()) == "build:guild_hall", "Sail and Draw against the dock's Sail"
    game = building("guild_hall", level=3, finance=2, culture=2, politics=1).game()
    assert chosen(game) == "build:fortress", "nothing new anywhere; then the level, then the icon"


def test_automa_builds_icons_once_it_has_as_many_actions_as_salary_pays() -> None:
    assert chosen(building("shipyard", culture=1).game()) == "build:workshop"
    assert chosen(building("market").game()) == "build:workshop", (
        "two steps against the one of the shipyard, a new action"
    )


def test_automa_takes_the_highest_level_of_what_advances_it() -> None:
    assert chosen(building("shipyard", level=3, culture=1).game()) == "build:theater"


def test_automa_builds_what_advances_it_most_then_in_the_least_advanced_status() -> None:
    own = ("market", "guild_hall", "barracks")
    game = building(*own, level=5, culture=5, politics=3, finance=4).game()
    assert chosen(game) == "build:parliament", "two icons each: Politics is lowest"
    position = full_europe(building(*own, level=5, culture=13, politics=14, finance=14))
    position.track("far_east", *[1] * 8).track("south_america", *[1] * 7).track("africa", *[2] * 6)
    assert chosen(position.game()) == "build:museum", "both its icons count, of the others' only one"


def test_automa_passes_by_icons_that_no_longer_count() -> None:
    position = building("shipyard", "market", level=3, culture=15, finance=4, politics=5)
    assert chosen(position.game()) == "build:fortress"


def test_automa_builds_for_glory_in_the_last_round() -> None:
    assert chosen(building(level=4, round_number=7).game()) == "build:university"
    assert chosen(building(level=4, round_number=6).game()) != "build:university"


def test_S2_2_automa_gives_the_opposition_as_few_actions_as_it_can() -> None:
    position = solo.SoloPosition().build().status(solo.PLAYER, industry=2)
    grid = position.grid(1, "market", "shipyard", "workshop").grid(2, "barracks", "bank", "guild_hall")
    assert chosen(grid.isb(1, 2).game()) == "build:shipyard", "of shipyard and bank it wants the new action"
    position = solo.SoloPosition().build().status(solo.PLAYER, industry=0)
    grid = position.grid(1, None, "shipyard", "market").grid(2, "barracks", "bank", "guild_hall")
    assert chosen(grid.isb(1, 1).game()) == "build:shipyard", "one column away; the market is two"


# --- Salary -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("workers", "freed"),
    [
        (("market", "shipyard", "colonial_house", "dock"), "dock"),
        (("market", "shipyard", "colonial_house"), "colonial_house"),
        (("market", "shipyard", "barracks"), "shipyard"),
        (("market", "trade_office", "barracks"), "trade_office"),
        (("museum", "market"), "market"),
        (("museum", "barracks"), "barracks"),
        (("cartographer", "shipyard", "guild_hall"), "guild_hall"),
    ],
)
def test_automa_frees_first_what_comes_first_in_the_list_and_two_actions_before_one(
    workers: tuple[str, ...], freed: str
) -> None:
    own = [name for name in workers if name != "colonial_house"]
    game = Position(3).own(0, *own).workers(0, *workers).salary(0, 1).game()
    assert chosen(game) == f"pay:{freed}"


# --- cards ------------------------------------------------------------------------------------------------------------


def test_automa_discards_what_costs_least_glory() -> None:
    """Politics 4 allows three cards; a status gives 2 Glory from 2 on, 4 from 4, 7 from 7."""
    position = Position(3).cards(0, "europe.3", "india.2", "caribbean.3", "africa.2").passed(1, 2)
    game = play(position.status(0, industry=4, culture=5, finance=8, politics=4).game(), "pass")
    assert chosen(game) == "discard:india.2", "2 Glory, against 3, 5 and 4"


def test_automa_breaks_a_tie_by_the_icons() -> None:
    position = Position(3).cards(0, "europe.2", "india.2", "caribbean.2", "africa.1").passed(1, 2)
    game = play(position.status(0, culture=5, finance=5, politics=5, industry=5).game(), "pass")
    assert chosen(game) == "discard:africa.1", "as little Glory as europe.2 and india.2, but two icons against three"


def test_R9_7_automa_counts_the_penalty_for_a_slavery_card() -> None:
    position = Position(3).cards(0, "slavery.0", "caribbean.1", "south_america.1").passed(1, 2)
    game = play(position.status(0, industry=9, culture=9, finance=4).game(), "pass")
    assert game.decision == "discard"
    assert chosen(game) == "discard:south_america.1", "two icons, no Glory; the Slavery card would be alike but for 1"


def test_R9_8_automa_keeps_its_cards_where_discarding_is_optional() -> None:
    position = Position(3).cards(0, "caribbean.governor", "caribbean.1").passed(1).status(0, industry=1, finance=3)
    game = play(position.game(), "pass")
    assert game.decision == "discard"
    assert chosen(game) == "done"


def test_R11_2_automa_discards_at_the_end_of_the_round_alike() -> None:
    """Seat 1 draws Europe 5: the Slavery card of seat 0 is set aside with its icon in Politics."""
    position = Position(3).own(1, "market").discs(1, harbor=1).cards(0, "slavery.3", "caribbean.1", "caribbean.2")
    position.cards(2, "europe.0", "europe.1", "europe.2", "europe.3", "europe.4").turn(1).passed(0, 2)
    position.cities(1, "london", "copenhagen", "lisbon", "rome", "constantinople")
    position.status(0, industry=5, finance=6, politics=2)
    game = play(position.game(), "activate:market", "draw:europe", "pass")
    while game.seat != 0:
        play(game, game.legal_moves()[0])
    assert game.decision == "round_end_discard"
    assert chosen(game) == "discard:caribbean.1"


# --- neutral discs ----------------------------------------------------------------------------------------------------


def after_sail(variant: Variant) -> Game:
    """The neutral decision after seat 0 has shipped to India, where two spaces are closed in SoloPlay's variants."""
    game = variant.own(0, "shipyard").discs(0, harbor=4).game()
    return play(game, "activate:shipyard", "sail:india")


def test_V2S_7_automa_places_a_neutral_disc_for_a_token_it_wants() -> None:
    position = Variant("soloplay_2").neutral(0, harbor=1).token("india.4", "culture")
    assert chosen(after_sail(position)) == "neutral_sail:india"


def test_V2S_7_automa_leaves_it_in_harbor_if_the_token_is_useless() -> None:
    position = Variant("soloplay_2").neutral(0, harbor=1).status(0, culture=15).track("far_east", *[1] * 6)
    assert chosen(after_sail(position.token("india.4", "culture"))) == "done"


@pytest.mark.parametrize(("discs", "move"), [((0, 1), "neutral_sail:india"), ((1, 1), "done")])
def test_V2S_12_automa_completes_a_track_with_it_only_for_its_own_governor(discs: tuple[int, int], move: str) -> None:
    position = Variant("soloplay_2").neutral(0, harbor=1).track("india", *discs).token("india.6", "attack")
    assert chosen(after_sail(position)) == move


@pytest.mark.parametrize(
    ("rome", "lisbon", "move"),
    [
        ("finance", "politics", "neutral_occupy:lisbon"),
        ("attack", "politics", "neutral_occupy:rome"),
        ("culture", "culture", "neutral_sail:far_east"),
    ],
)
def test_V2S_8_automa_looks_everywhere_after_a_draw(rome: str, lisbon: str, move: str) -> None:
    """Blue first, then the least advanced status, then a track before a city and the order of the board."""
    position = Variant("soloplay_2").own(0, "market").discs(0, harbor=3).neutral(0, harbor=1)
    position.cities(1, *[city for city in CITIES["europe"] if city not in ("rome", "lisbon")])
    for region in TRACKS:
        position.token(f"{region}.3", "culture")
    position.token("rome", rome).token("lisbon", lisbon).status(0, culture=3, finance=2, politics=1)
    assert chosen(play(position.game(), "activate:market", "draw:slavery")) == move


def test_V2F_2_automa_lets_its_neutral_side_take_the_track_token_it_wants_least() -> None:
    position = Variant("neutral_2").status(0, culture=4, finance=2).token("africa.1", "culture")
    for region in ("far_east", "north_america", "south_america"):
        position.token(f"{region}.1", "finance")
    game = after_sail(position.token("caribbean.1", "attack").token("india.1", "politics").token("india.2", "pay"))
    assert chosen(game) == "neutral_sail:africa"


def test_V2F_8_automa_completes_a_track_with_it_if_that_brings_the_governor() -> None:
    position = Variant("neutral_2").track("africa", 0, 0, 0, 1, 1).status(0, culture=15).token("caribbean.1", "culture")
    assert chosen(after_sail(position)) == "neutral_sail:africa"
    position = Variant("neutral_2").track("africa", 1, 1, 1, 0, 0).status(0, culture=15).token("caribbean.1", "culture")
    assert chosen(after_sail(position)) == "neutral_sail:caribbean", "its token is useless, the Governor would be lost"


def test_V2F_8_automa_knows_the_neutral_side_of_its_seat() -> None:
    position = Variant("neutral_2").own(1, "shipyard").discs(1, harbor=4).turn(1).status(1, culture=15)
    position.track("africa", N2, N2, 1, 1, 0).token("caribbean.1", "culture")
    game = play(position.game(), "activate:shipyard", "sail:india")
    assert chosen(game) == "neutral_sail:caribbean", "its own side would win in Africa; that of seat 0 would not"


def test_V2F_2_automa_completes_a_track_otherwise_if_nothing_else_is_left() -> None:
    position = Variant("neutral_2").track("india", 1, 1, 1, 1)
    position.track("far_east", *[1] * 8).track("south_america", *[1] * 7)
    position.track("north_america", *[N2] * 6).track("caribbean", *[N2] * 6).track("africa", *[N2] * 6)
    assert chosen(after_sail(position)) == "neutral_sail:india"


def occupying(position: Variant) -> Game:
    """The neutral decision after seat 0 has occupied london, with rome, lisbon and paris left in Europe."""
    position.cities(1, *[city for city in CITIES["europe"] if city not in ("rome", "lisbon", "paris", "london")])
    return play(position.discs(0, harbor=2).game(), "activate:colonial_house", "occupy:london")


def test_V2F_3_automa_keeps_cities_free_that_would_connect_with_its_own() -> None:
    position = Variant("neutral_2").token("paris", "culture").status(0, culture=15, finance=3, politics=2)
    game = occupying(position.token("rome", "finance").token("lisbon", "politics").token("london", "pay"))
    assert chosen(game) == "neutral_occupy:rome", "paris has a useless token but a connection with london"


@pytest.mark.parametrize(
    ("city", "token", "move"),
    [
        ("london", "pay", "neutral_occupy:calcutta"),  # a connection counts for more than Glory
        ("rome", "pay", "neutral_occupy:bombay"),  # Glory counts for more than the token
    ],
)
def test_V2F_3_automa_looks_at_connections_then_glory_then_the_token(city: str, token: str, move: str) -> None:
    position = (
        Variant("neutral_2").track("india", 0, N1, 1, 1, 1, 1).token("bombay", token).token("calcutta", "finance")
    )
    position.cities(1, *[other for other in CITIES["europe"] if other != city]).discs(0, harbor=2)
    game = play(position.game(), "activate:colonial_house", f"occupy:{city}")
    assert set(game.legal_moves()) == {"neutral_occupy:bombay", "neutral_occupy:calcutta"}
    assert chosen(game) == move


# --- set-up and the Opposition ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["soloplay_2", "soloplay_3"])
def test_V2S_4_automa_removes_status_tokens_of_long_tracks_from_the_far_end(variant: str) -> None:
    for seed in range(5):
        game = Game.new(variant=variant, seed=seed)
        while game.decision == "remove":
            spaces = [move.removeprefix("remove:") for move in game.legal_moves()]
            see = See(game)
            plain = [space for space in spaces if see.token_on(space) in STATUSES] or spaces
            longest = max(TRACKS[space.split(".")[0]] for space in plain)
            expected = next(space for space in plain if TRACKS[space.split(".")[0]] == longest)
            assert chosen(game) == f"remove:{expected}"
            play(game, f"remove:{expected}")


def test_notation_3_11_automa_settles_the_oppositions_choices_by_the_first_option() -> None:
    position = solo.acting().europe(solo.GREEN, "rome", "lisbon").token("rome", "culture").token("lisbon", "culture")
    game = position.game()
    options = solo.asked(game, "pass")
    assert options == {"occupy:lisbon", "occupy:rome"}
    assert chosen(game) == game.legal_moves()[0] == "occupy:lisbon"
