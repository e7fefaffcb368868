"""Set-up of the variants with neutral discs: components, removed tokens, closed spaces (V2S.1-5, V3S.1-3, V2F.1)."""

from __future__ import annotations

import pytest

from endeavor_env import Game
from endeavor_env.endeavor.board import Board
from endeavor_env.errors import InvalidOptionError
from tests.kits.actions import TRACKS, assert_turn, gains, legal, moves, refuse
from tests.kits.position import See, play
from tests.kits.see import assert_sound
from tests.kits.variant_position import (
    N1,
    N2,
    NEUTRAL,
    PLAYERS,
    SOLOPLAY,
    Variant,
    in_harbor,
    reserve,
    spaces,
    tokens_lying,
)

FAR = {f"{region}.1" for region in TRACKS}
SPACES = {f"{region}.{n}" for region, length in TRACKS.items() for n in range(1, length + 1)}
COPIES = {1: 5, 2: 4, 3: 3, 4: 2, 5: 1}


def started(variant: str, first: int = 0, *, stay: bool = False) -> Game:
    """A new game with a fixed set-up."""
    setup = {**Game.new(variant=variant, seed=8).setup(), "first_player": first}
    return Game.new(variant=variant, setup=setup, options={"variant_removed_spaces_stay": True} if stay else None)


def removals() -> list[str]:
    """A legal choice of the six tokens of soloplay_2."""
    return [f"remove:{region}.2" for region in TRACKS]


def supply_by_level(game: Game) -> set[tuple[int, int]]:
    """The pairs of a level and the copies left of a type of that level."""
    levels = dict(zip(game.board.buildings, game.board.array[0].building_level.tolist(), strict=False))
    return {(levels[name], See(game).left(name)) for name in game.board.buildings if levels[name]}


# --- buildings and discs ------------------------------------------------------------------------------------


def test_V2S_1_one_copy_of_every_type_of_levels_1_to_4_is_out(board: Board) -> None:
    game = started("soloplay_2")
    assert supply_by_level(game) == {(1, 4), (2, 3), (3, 2), (4, 1), (5, 1)}
    assert sum(See(game).left(building) for building in board.buildings[1:]) == 33


def test_V2S_1_the_fifth_copy_cannot_be_built() -> None:
    position = Variant("soloplay_2").own(0, "market", "market").own(1, "market").build(0)
    game = play(position.game(), "build:market")
    assert See(game).left("market") == 0
    assert game.decision == "build"
    refuse(game, "build:market")


@pytest.mark.parametrize("variant", ["soloplay_3", "neutral_2"])
def test_V3S_1_V2F_1_all_buildings_are_in_supply(variant: str) -> None:
    game = started(variant)
    assert supply_by_level(game) == set(COPIES.items())


def test_V3S_1_no_token_leaves_before_the_players_choose() -> None:
    game = started("soloplay_3")
    assert tokens_lying(game) == game.setup()["tokens"]
    assert See(game).moves("remove") >= FAR


def lie_beside_mats(variant: str, discs: int) -> None:
    """Assert that so many neutral discs lie beside every mat and none elsewhere."""
    game = started(variant)
    for seat in range(PLAYERS[variant]):
        assert (reserve(game, seat), in_harbor(game, seat)) == (discs, 0)
        assert (See(game).supply(seat), See(game).harbor(seat)) == (30, 0)
    assert (See(game).supply(NEUTRAL[variant]), See(game).board_discs(NEUTRAL[variant])) == (0, 0)


def test_V2S_2_three_neutral_discs_lie_beside_each_of_two_mats() -> None:
    lie_beside_mats("soloplay_2", 3)


def test_V3S_2_two_neutral_discs_lie_beside_each_of_three_mats() -> None:
    lie_beside_mats("soloplay_3", 2)


@pytest.mark.parametrize("first", [0, 1])
def test_V2F_1_base_setup_with_30_discs_for_each_neutral_side(first: int) -> None:
    game = started("neutral_2", first)
    see = See(game)
    assert tokens_lying(game) == game.setup()["tokens"]
    assert len(tokens_lying(game)) == 95
    assert [see.supply(side) for side in (0, 1, N1, N2)] == [30] * 4
    assert [see.board_discs(side) for side in (N1, N2)] == [0, 0]
    assert (game.round, game.phase, game.decision, game.seat) == (1, "build", "build", first)
    assert_sound(game)


@pytest.mark.parametrize(("variant", "players"), [("soloplay_2", 2), ("soloplay_3", 3), ("neutral_2", 2)])
def test_VA13_every_variant_has_its_own_number_of_players(variant: str, players: int) -> None:
    assert Game.new(variant=variant, seed=1).num_players == players
    assert Game.new(players, variant, seed=1).num_players == players
    for wrong in {1, 2, 3, 4, 5} - {players}:
        with pytest.raises(InvalidOptionError):
            Game.new(wrong, variant, seed=1)


# --- tokens that leave the tracks ---------------------------------------------------------------------------


def test_VA2_V2S_3_the_token_on_every_far_space_is_gone() -> None:
    game = started("soloplay_2")
    dealt = game.setup()["tokens"]
    assert len(dealt) == 95
    assert tokens_lying(game) == {space: kind for space, kind in dealt.items() if space not in FAR}
    assert_sound(game)


def test_V2S_3_is_without_effect() -> None:
    see = See(started("soloplay_2"))
    for seat in (0, 1):
        assert see.tokens(seat) == {}
        assert set(see.statuses(seat).values()) == {0}
    assert not any(see.is_open(region) for region in TRACKS)


@pytest.mark.parametrize("first", [0, 1])
def test_V2S_4_the_seats_remove_three_tokens_each_in_turn(first: int) -> None:
    game = started("soloplay_2", first)
    asked = []
    for move in removals():
        assert (game.round, game.phase, game.decision) == (0, "setup", "remove")
        asked.append(game.seat)
        play(game, move)
    assert asked == [first, 1 - first] * 3
    assert (game.round, game.phase, game.decision, game.seat) == (1, "build", "build", first)


def test_V2S_4_every_token_left_on_a_track_may_go_and_one_must() -> None:
    game = started("soloplay_2")
    assert legal(game) == moves("remove", *(SPACES - FAR))
    refuse(game, "done", "pass", "remove:india.1", "remove:london")
    play(game, "remove:india.4")
    assert legal(game) == moves("remove", *(SPACES - FAR - {"india.4"}))


def test_V2S_4_removes_the_token_without_effect() -> None:
    game = started("soloplay_2")
    before = tokens_lying(game)
    play(game, "remove:caribbean.5")
    assert before.items() - tokens_lying(game).items() == {("caribbean.5", before["caribbean.5"])}
    for seat in (0, 1):
        assert See(game).tokens(seat) == {}
        assert set(See(game).statuses(seat).values()) == {0}


def test_V2S_4_at_most_three_leave_a_track_the_far_one_included() -> None:
    game = play(started("soloplay_2"), "remove:india.2")
    assert moves("remove", "india.3", "india.4", "india.5", "india.6") <= legal(game)
    play(game, "remove:india.6")
    assert legal(game) == moves("remove", *(space for space in SPACES - FAR if not space.startswith("india")))
    play(game, "remove:africa.2", "remove:africa.3")
    refuse(game, "remove:africa.4", "remove:india.3")
    play(game, "remove:far_east.8", "remove:far_east.7")
    assert game.decision == "build"
    assert len(tokens_lying(game)) == 95 - 12


@pytest.mark.parametrize("variant", SOLOPLAY)
@pytest.mark.parametrize("number", [2, 3, 8])
def test_VA3_any_token_of_a_track_may_be_taken(variant: str, number: int) -> None:
    game = play(started(variant), f"remove:far_east.{number}")
    assert See(game).token_on(f"far_east.{number}") is None
    assert spaces(game, "far_east")[number - 1] == "closed"


@pytest.mark.parametrize("first", [0, 1, 2])
def test_V3S_3_eight_tokens_leave_from_the_left_of_the_first_player_on(first: int) -> None:
    game = started("soloplay_3", first)
    asked = []
    for region, number in [(region, 1) for region in TRACKS] + [("india", 6), ("africa", 3)]:
        assert (game.round, game.phase, game.decision) == (0, "setup", "remove")
        asked.append((game.seat - first) % 3)
        play(game, f"remove:{region}.{number}")
    assert asked == [1, 2, 0, 1, 2, 0, 1, 2]
    assert (game.round, game.decision, game.seat) == (1, "build", first)
    assert len(tokens_lying(game)) == 95 - 8


def test_V3S_3_at_most_two_leave_a_track() -> None:
    game = started("soloplay_3")
    assert legal(game) == moves("remove", *SPACES)
    play(game, "remove:india.3")
    assert moves("remove", "india.1", "india.6") <= legal(game)
    play(game, "remove:india.1")
    assert legal(game) == moves("remove", *(space for space in SPACES if not space.startswith("india")))


# --- closed spaces ------------------------------------------------------------------------------------------


def test_VA1_V2S_5_spaces_without_token_are_closed_from_set_up_on() -> None:
    game = play(started("soloplay_2"), "remove:india.4", *removals()[:5])
    assert spaces(game, "india") == ["closed", "closed", None, "closed", None, None]
    assert spaces(game, "africa") == ["closed", None, None, None, None, None]


@pytest.mark.parametrize("variant", SOLOPLAY)
def test_V2S_5_V3S_5_a_disc_goes_to_the_farthest_space_that_is_not_closed(variant: str) -> None:
    position = Variant(variant).closed("india", 1, 3).own(0, "cartographer").discs(0, harbor=3)
    position.token("india.2", "culture").token("india.4", "finance")
    game = position.game()
    start = See(game).statuses(0)
    play(game, "activate:cartographer", "sail:india")
    assert gains(start, game, 0) == {"culture": 1}
    play(game, "sail:india")
    assert spaces(game, "india") == ["closed", 0, "closed", 0, None, None]
    assert gains(start, game, 0) == {"culture": 1, "finance": 1}


@pytest.mark.parametrize(("variant", "closed"), [("soloplay_2", (1, 4, 6)), ("soloplay_3", (3, 6))])
def test_V2S_5_the_track_is_full_when_its_remaining_spaces_are(variant: str, closed: tuple[int, ...]) -> None:
    before = [1] * (5 - len(closed))
    position = Variant(variant).closed("india", *closed).track("india", *before).own(0, "shipyard").discs(0, harbor=2)
    game = position.game()
    assert not See(game).is_open("india")
    play(game, "activate:shipyard", "sail:india")
    assert See(game).is_open("india")
    assert See(game).cards(1) == {"india.governor"}
    assert See(game).track("india") == [*before, 0]
    assert [n for n, what in enumerate(spaces(game, "india"), 1) if what == "closed"] == list(closed)


@pytest.mark.parametrize("variant", SOLOPLAY)
def test_V2S_5_a_sail_to_a_full_track_with_closed_spaces_goes_beside_it(variant: str) -> None:
    position = Variant(variant).closed("africa", 1, 6).track("africa", 1, 1, 1, 1).own(0, "shipyard")
    game = play(position.discs(0, harbor=2).game(), "activate:shipyard", "sail:africa")
    assert (See(game).track("africa"), See(game).beside("africa", 0)) == ([1, 1, 1, 1], 1)
    assert_turn(game, 1)


@pytest.mark.parametrize("variant", SOLOPLAY)
def test_V2S_5_option_spaces_stay_and_give_no_token(variant: str) -> None:
    position = Variant(variant, removed_stay=True).closed("india", 1, 3).own(0, "cartographer").discs(0, harbor=4)
    position.tokens(0, "sail_draw").token("india.2", "culture").passed(*range(1, PLAYERS[variant]))
    game = position.game()
    held, start = See(game).tokens(0), See(game).statuses(0)
    play(game, "activate:cartographer", "sail:india")
    assert See(game).tokens(0) == held
    play(game, "sail:india")
    assert gains(start, game, 0) == {"culture": 1}
    play(game, "spend:sail_draw", "sail:india")
    assert spaces(game, "india") == [0, 0, 0, None, None, None]
    assert gains(start, game, 0) == {"culture": 1}


def test_V2S_5_option_a_track_is_full_when_every_space_is() -> None:
    position = Variant("soloplay_2", removed_stay=True).closed("india", 1, 2, 6).track("india", 1, 1, 1, 1)
    game = position.own(0, "cartographer").discs(0, harbor=3).game()
    play(game, "activate:cartographer", "sail:india")
    assert not See(game).is_open("india")
    play(game, "sail:india")
    assert See(game).is_open("india")
    assert See(game).track("india") == [1, 1, 1, 1, 0, 0]


def test_V2S_5_option_tokens_leave_all_the_same() -> None:
    game = started("soloplay_2", stay=True)
    assert not FAR & set(tokens_lying(game))
    play(game, "remove:india.2", "remove:india.3")
    refuse(game, "remove:india.4")
    assert spaces(game, "india") == [None] * 6
    play(game, *removals()[:1], *removals()[2:5])
    assert game.decision == "build"
    assert len(tokens_lying(game)) == 95 - 12
