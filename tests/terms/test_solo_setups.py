"""Set-ups of the variants: what is drawn obeys S1, what is given is read strictly, with one sentence a fault."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import SETUP
from endeavor_env.endeavor.setups import COLOURS, read_setup, setup_to_dict
from endeavor_env.errors import InvalidSetupError
from tests.kits.games import PLAYERS

Given = dict[str, Any]
OVERSEAS = ["far_east", "india", "north_america", "caribbean", "south_america", "africa"]
LEVELS = [
    {"market", "shipyard", "workshop"},
    {"bank", "barracks", "guild_hall"},
    {"dock", "fortress", "theater"},
    {"cartographer", "trade_office", "university"},
    {"exchange", "museum", "parliament"},
]


def solo_setup(seed: int = 5, board: Board | None = None) -> Given:
    """A sound solitaire set-up."""
    on = board or Board.default()
    return setup_to_dict(on, "solo", GameConfig("solo", board=on).draw_setup(seed))


# --- drawing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_notation_4_the_fields_of_a_solitaire_set_up(seed: int) -> None:
    """What is drawn for them is looked at in the tests of the rules, on the table."""
    setup = solo_setup(seed)
    assert list(setup) == ["first_player", "tokens", "grid", "scale", "track_discs", "europe_order"]
    assert setup["first_player"] == 0
    assert [len(row) for row in setup["grid"]] == [3] * 5
    assert Counter(setup["scale"]) == dict.fromkeys(COLOURS, 2)
    assert sorted(setup["europe_order"]) == sorted(COLOURS)
    assert list(setup["track_discs"]) == OVERSEAS
    assert len(setup["tokens"]) == 95


def test_S1_2_S1_3_everything_comes_to_every_place() -> None:
    """Over many seeds each type is in each column, each colour at each end of the scale and on each first space."""
    setups = [solo_setup(seed) for seed in range(60)]
    for level, types in enumerate(LEVELS):
        for column in range(3):
            assert {setup["grid"][level][column] for setup in setups} == types
    for place in range(8):
        assert {setup["scale"][place] for setup in setups} == set(COLOURS)
    for place in range(4):
        assert {setup["europe_order"][place] for setup in setups} == set(COLOURS)
    for region in OVERSEAS:
        for place in range(2):
            assert {setup["track_discs"][region][place] for setup in setups} == set(COLOURS)


@pytest.mark.parametrize("variant", list(PLAYERS))
def test_a_set_up_is_the_same_for_the_same_seed_and_plain_json(variant: str) -> None:
    board = Board.default()
    config = GameConfig(variant, PLAYERS[variant], board)
    one, other = (setup_to_dict(board, variant, config.draw_setup(3)) for _ in range(2))
    assert one == other == json.loads(json.dumps(one))
    assert setup_to_dict(board, variant, config.draw_setup(4)) != one


@pytest.mark.parametrize("variant", ["soloplay_2", "soloplay_3", "neutral_2", "exploits"])
def test_V2S_1_V2F_1_the_other_variants_draw_tokens_and_first_player(variant: str) -> None:
    board, players = Board.default(), PLAYERS[variant]
    setups = [GameConfig(variant, players, board).draw_setup(seed) for seed in range(30)]
    assert {int(setup["first_player"][0]) for setup in setups} == set(range(players))
    for setup in setups:
        assert list(setup_to_dict(board, variant, setup)) == ["first_player", "tokens"]
        for field in ("grid", "scale", "track_discs", "europe_order"):
            assert (setup[field] == -1).all()
        assert int(setup["exploits"][0]).bit_count() == (3 if variant == "exploits" else 0)


# --- reading: round trips -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", ["endeavor_2009", "generated_2", "generated_5"])
@pytest.mark.parametrize("variant", list(PLAYERS))
def test_a_given_set_up_draws_nothing(variant: str, board: str) -> None:
    game = Game.new(variant=variant, seed=5, board=board)
    setup = game.setup()
    again = Game.new(variant=variant, setup=MappingProxyType(setup), board=board, exploits=game.exploits)
    assert again.state.tobytes() == game.state.tobytes()
    assert again.setup() == setup
    assert again.seed is None
    setup["tokens"].clear()
    assert len(game.setup()["tokens"]) == len(game.board.space_index)


def test_a_read_set_up_is_the_drawn_one() -> None:
    board = Board.default()
    for seed in range(5):
        drawn = GameConfig("solo", board=board).draw_setup(seed)
        read = read_setup(board, 1, setup_to_dict(board, "solo", drawn), "solo")
        assert read.dtype == SETUP
        assert read.tobytes() == drawn.tobytes()


def test_notation_4_the_first_player_of_a_solitaire_game_may_be_left_out() -> None:
    setup = solo_setup()
    del setup["first_player"]
    assert Game.new(variant="solo", setup=setup).setup() == solo_setup()


def test_rows_may_be_tuples() -> None:
    setup = solo_setup()
    setup["grid"] = tuple(tuple(row) for row in setup["grid"])
    setup["scale"], setup["europe_order"] = tuple(setup["scale"]), tuple(setup["europe_order"])
    setup["track_discs"] = {region: tuple(pair) for region, pair in setup["track_discs"].items()}
    assert Game.new(variant="solo", setup=setup).setup() == solo_setup()


# --- reading: refusals ----------------------------------------------------------------------------------------------


def put(*path: Any, value: Any) -> Callable[[Given], None]:
    """Set an entry."""

    def edit(setup: Given) -> None:
        for key in path[:-1]:
            setup = setup[key]
        setup[path[-1]] = value

    return edit


def drop(key: str) -> Callable[[Given], None]:
    """Take a field out."""
    return lambda setup: setup.pop(key)


def row_of_another_level(setup: Given) -> None:
    setup["grid"][1], setup["grid"][2] = setup["grid"][2], setup["grid"][1]


def one_colour_thrice(setup: Given) -> None:
    scale = setup["scale"]
    scale[scale.index("red")] = "green"


def disc_of_another_colour(setup: Given) -> None:
    pair = next(pair for pair in setup["track_discs"].values() if pair[1] == "red")
    pair[1] = "black"


def black_only_on_second_spaces(setup: Given) -> None:
    """Each colour has three discs, but Black none on a space 1."""
    near = ["black", "black", "black", "red", "green", "violet"]
    far = ["red", "green", "violet", "red", "green", "violet"]
    setup["track_discs"] = {region: [far[n], near[n]] for n, region in enumerate(OVERSEAS)}


def swap_out_of_europe(*kinds: str) -> Callable[[Given], None]:
    """Exchange every token of some kinds in Europe for one of another status elsewhere."""

    def edit(setup: Given) -> None:
        tokens, board = setup["tokens"], Board.default()
        europe = [city for city, r in zip(board.cities, board.array["city_region"][0], strict=False) if r == 0]
        for city in europe:
            if tokens[city] in kinds:
                other = next(space for space, kind in tokens.items() if space not in europe and kind not in kinds)
                tokens[city], tokens[other] = tokens[other], tokens[city]

    return edit


BLUE = c.TOKEN_NAMES[4:]
FAULTS: dict[str, tuple[Callable[[Given], None], str]] = {
    "first player 1": (put("first_player", value=1), "setup.first_player is 1: it must be 0, the only seat"),
    "first player none": (put("first_player", value=None), "setup.first_player is None: it must be 0"),
    "first player true": (put("first_player", value=False), "setup.first_player is False: it must be 0"),
    "no grid": (
        drop("grid"),
        "a solo game needs exactly tokens, grid, scale, track_discs and europe_order, and may have ",
    ),
    "no scale": (drop("scale"), "setup has the fields .*: a solo game needs exactly"),
    "no track discs": (drop("track_discs"), "setup has the fields .*: a solo game needs exactly"),
    "no order": (drop("europe_order"), "setup has the fields .*: a solo game needs exactly"),
    "no tokens": (drop("tokens"), "setup has the fields .*: a solo game needs exactly"),
    "a field more": (put("isb", value=1), "setup has the fields .*: a solo game needs exactly"),
    "a token missing": (lambda setup: setup["tokens"].pop("london"), "setup.tokens must name .* missing: london"),
    "a kind unknown": (put("tokens", "london", value="gold"), "setup.tokens.'london'. is 'gold': token kinds are"),
    "a kind a list": (put("tokens", "london", value=["pay"]), r"setup.tokens.'london'. is \['pay'\]: token kinds are"),
    "no culture in Europe": (
        swap_out_of_europe("culture"),
        r"setup.tokens shows no culture token in the cities of europe: .* \(S1.4\)",
    ),
    **{
        f"no {kind} in Europe": (
            swap_out_of_europe(kind),
            f"setup.tokens shows no {kind} token in the cities of europe",
        )
        for kind in ("industry", "finance", "politics")
    },
    "no blue in Europe": (swap_out_of_europe(*BLUE), "setup.tokens shows no blue token in the cities of europe"),
    "two missing": (
        swap_out_of_europe("industry", *BLUE),
        "setup.tokens shows no industry and no blue token in the cities of europe",
    ),
    "grid a mapping": (put("grid", value={}), "setup.grid is {}: it must be a list of 5 rows, level 1 first"),
    "grid a text": (put("grid", value="market"), "setup.grid is 'market': it must be a list of 5 rows"),
    "grid of four rows": (
        lambda setup: setup["grid"].pop(),
        r"setup.grid is \[\[.*\.\.\.: it must be a list of 5 rows",
    ),
    "a row none": (put("grid", 0, value=None), "setup.grid has None in the row of level 1: it must be the 3 types of"),
    "a row short": (lambda setup: setup["grid"][3].pop(), "in the row of level 4: it must be the 3 types"),
    "a row twice the same": (put("grid", 2, value=["dock"] * 3), "in the row of level 3: .* fortress, theater"),
    "a tile unknown": (
        put("grid", 4, 1, value="palace"),
        "in the row of level 5: it must be the 3 types of that level",
    ),
    "a tile a number": (put("grid", 4, 1, value=13), "in the row of level 5: it must be the 3 types of that level"),
    "a tile a list": (put("grid", 4, 1, value=["bank"]), "in the row of level 5: it must be the 3 types of that level"),
    "rows exchanged": (row_of_another_level, "in the row of level 2: .* order, bank, barracks, guild_hall"),
    "scale a text": (put("scale", value="red"), "setup.scale is 'red': it must be a list of red, .*, each twice"),
    "scale short": (lambda setup: setup["scale"].pop(), "setup.scale is .*: it must be a list of red, .*, each twice"),
    "scale uneven": (
        one_colour_thrice,
        "setup.scale is .*: it must be a list of red, green, violet, black, each twice",
    ),
    "scale with white": (put("scale", 0, value="white"), "setup.scale is .*: it must be a list of red, .*, each twice"),
    "scale with numbers": (put("scale", value=[1, 2, 3, 4] * 2), "setup.scale is .*: it must be a list of red"),
    "discs a list": (
        put("track_discs", value=[]),
        r"setup.track_discs is \[\]: it must map each of far_east, .*, africa",
    ),
    "discs without Africa": (lambda setup: setup["track_discs"].pop("africa"), "must map each of .* to two colours"),
    "discs in Europe": (put("track_discs", "europe", value=["red", "red"]), "must map each of .* to two colours"),
    "discs unknown": (put("track_discs", "mars", value=["red", "red"]), "must map each of .* to two colours"),
    "three discs": (
        put("track_discs", "africa", value=["red", "green", "black"]),
        "setup.track_discs.'africa'. is .*: it must be two of red, green, violet, black, the one on space 1 first",
    ),
    "a disc white": (
        put("track_discs", "africa", 0, value="white"),
        "setup.track_discs.'africa'. is .* must be two of",
    ),
    "a disc none": (put("track_discs", "africa", 0, value=None), "setup.track_discs.'africa'. is .* must be two of"),
    "discs a text": (put("track_discs", "africa", value="red"), "setup.track_discs.'africa'. is 'red': it must be two"),
    "discs uneven": (disc_of_another_colour, r"places 2 red discs: each colour has 3 \(S1.6\)"),
    "no black on a space 1": (black_only_on_second_spaces, r"has no black disc on a space 1: .* \(S1.6\)"),
    "order short": (lambda setup: setup["europe_order"].pop(), "setup.europe_order is .*: it must be .*, each once"),
    "order twice": (put("europe_order", value=["red"] * 4), "setup.europe_order is .*: it must be .*, each once"),
    "order none": (put("europe_order", value=None), "setup.europe_order is None: it must be a list of red"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_S1_4_S1_6_a_wrong_set_up_is_one_named_error(name: str) -> None:
    edit, message = FAULTS[name]
    setup = solo_setup()
    edit(setup)
    with pytest.raises(InvalidSetupError, match=message) as caught:
        Game.new(variant="solo", setup=setup)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("setup", [None, [], "seed", 7])
def test_a_set_up_that_is_no_mapping_is_refused(setup: Any) -> None:
    with pytest.raises(
        InvalidSetupError, match=r"it must be a mapping of first_player, tokens, grid, .* and europe_order"
    ):
        read_setup(Board.default(), 1, setup, "solo")


@pytest.mark.parametrize("variant", ["soloplay_2", "soloplay_3", "neutral_2", "exploits"])
def test_set_ups_of_one_variant_do_not_fit_another(variant: str) -> None:
    with pytest.raises(InvalidSetupError, match=f"an? {variant} game needs exactly first_player and tokens$"):
        Game.new(variant=variant, setup=solo_setup())
    with pytest.raises(InvalidSetupError, match="a solo game needs exactly tokens, grid"):
        Game.new(variant="solo", setup=Game.new(variant=variant, seed=1).setup())
    players = PLAYERS[variant]
    with pytest.raises(InvalidSetupError, match=f"first_player is {players}: it must be a seat, 0 to {players - 1}"):
        Game.new(variant=variant, setup={**Game.new(variant=variant, seed=1).setup(), "first_player": players})


def test_a_set_up_of_another_board_is_named() -> None:
    with pytest.raises(InvalidSetupError, match=r"each of the 95 spaces of board generated_4"):
        Game.new(variant="solo", setup=solo_setup(), board="generated_4")


def test_what_was_given_is_not_touched() -> None:
    setup = solo_setup()
    before = json.dumps(setup)
    game = Game.new(variant="solo", setup=setup)
    game.play(game.legal_moves()[0])
    assert json.dumps(setup) == before
    assert np.array_equal(game.drawn, read_setup(game.board, 1, setup, "solo"))
