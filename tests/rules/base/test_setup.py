"""Setup (section 2)."""

from __future__ import annotations

from collections import Counter

import pytest

from endeavor_env import Game
from endeavor_env.endeavor.board import Board
from tests.kits.position import Position, See, assert_sound, play

TOKEN_COUNTS = Counter(politics=25, culture=20, finance=17, industry=17, attack=4, occupy_draw=4, sail_draw=4, pay=4)


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seed", [0, 1, 2**40])
def test_R2_1_one_token_face_up_on_every_space(players: int, seed: int) -> None:
    game = Game.new(players=players, seed=seed)
    see = See(game)
    lying = {space: see.token_on(space) for space in game.board.space_index}
    assert Counter(lying.values()) == TOKEN_COUNTS
    assert game.setup()["tokens"] == lying
    assert_sound(game)


def test_R2_1_layouts_differ_between_seeds_and_repeat_for_one() -> None:
    layouts = [Game.new(players=4, seed=seed).setup()["tokens"] for seed in (*range(20), 0)]
    assert layouts[0] == layouts[-1]
    assert len({tuple(sorted(layout.items())) for layout in layouts}) == 20


def test_R2_1_no_kind_is_kept_from_any_kind_of_space() -> None:
    seen = set()
    for seed in range(400):
        tokens = Game.new(players=3, seed=seed).setup()["tokens"]
        seen |= {(space, tokens[space]) for space in ("london", "london--paris", "africa.6")}
    assert len(seen) == 3 * 8


def test_R2_1_the_layout_can_be_fixed() -> None:
    first = Game.new(players=5, seed=3).setup()
    again = Game.new(players=5, setup=first)
    assert again.setup() == first
    assert again.state.tobytes() == Game.new(players=5, seed=3).state.tobytes()


def test_R2_2_piles_from_top_to_bottom() -> None:
    game = Game.new(players=3, seed=5)
    for deck in game.board.decks:
        tops = ["0"] if deck in ("europe", "slavery") else ["governor"]
        assert See(game).pile(deck) == [f"{deck}.{value}" for value in (*tops, "1", "2", "3", "4", "5")]


def test_R2_3_all_buildings_are_in_supply(board: Board) -> None:
    see = See(Game.new(players=5, seed=5))
    copies = {1: 5, 2: 4, 3: 3, 4: 2, 5: 1}
    for index, building in enumerate(board.buildings[1:], start=1):
        assert see.left(building) == copies[int(board.array[0].building_level[index])]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_R2_4_every_player_starts_alike(players: int) -> None:
    see = See(Game.new(players=players, seed=9))
    for seat in range(players):
        assert set(see.statuses(seat).values()) == {0}
        assert (see.supply(seat), see.harbor(seat)) == (30, 0)
        assert see.own(seat) == {"colonial_house": 1}
        assert see.workers(seat).total() == see.tokens(seat).total() == 0
        assert see.cards(seat) == see.face_down(seat) == set()


def test_R2_the_board_starts_without_discs_and_with_slavery() -> None:
    game = Game.new(players=4, seed=9)
    see = See(game)
    assert {see.owner(city) for city in game.board.cities} == {None}
    assert [region for region in game.board.regions if see.is_open(region)] == ["europe"]
    assert not any(see.track(region) for region in game.board.regions)
    assert not game.state[0].abolished


@pytest.mark.parametrize("players", [3, 4, 5])
def test_R2_5_the_first_player_is_drawn_at_random(players: int) -> None:
    firsts = Counter(Game.new(players=players, seed=seed).setup()["first_player"] for seed in range(200))
    assert set(firsts) == set(range(players))
    assert min(firsts.values()) > 200 / players / 3


@pytest.mark.parametrize("first", [0, 1, 2])
def test_R2_5_play_starts_with_the_first_player_and_goes_clockwise(first: int) -> None:
    setup = Game.new(players=3, seed=1).setup() | {"first_player": first}
    game = Game.new(players=3, setup=setup)
    assert (game.round, game.phase, game.decision) == (1, "build", "build")
    order = []
    while game.phase == "build":
        order.append(game.seat)
        play(game, "build:market")
    assert order == [first, (first + 1) % 3, (first + 2) % 3]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_kit_builds_sound_positions(players: int) -> None:
    position = Position(players).status(0, industry=5, politics=3).own(0, "shipyard", "dock").workers(0, "shipyard")
    position.city("london", 0).track("far_east", 1, 2).open("india").beside("india", 0, 2).open("africa", by=2)
    position.cards(0, "europe.0", "india.governor").face_down(1, "slavery.2").tokens(0, "attack")
    position.discs(0, harbor=4).token("paris", "politics").turn(1)
    see = See(position.status(0, industry=5, culture=2, politics=4).game())
    assert see.statuses(0) == {"industry": 5, "culture": 2, "finance": 0, "politics": 4}
    assert see.track("far_east") == [1, 2]
    assert {region for region in see.board.regions if see.is_open(region)} == {"europe", "india", "africa"}
    assert (see.beside("india", 0), see.harbor(0), see.board_discs(0)) == (2, 4, 3)
    assert (see.token_on("paris"), see.token_on("london"), see.token_on("far_east.3") is None) == (
        "politics",
        None,
        False,
    )
    assert (see.game.seat, see.game.phase, see.game.decision) == (1, "action", "turn")
