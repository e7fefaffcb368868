"""Game.new: what it takes, and the one named error for everything else."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import EndeavorError, InvalidBoardError, InvalidOptionError, InvalidSetupError


@pytest.mark.parametrize("players", [3, 4, 5, np.int64(4), np.uint8(5)])
def test_takes_three_to_five_players(players: Any) -> None:
    game = Game.new(players=players, seed=1)
    assert game.num_players == players
    assert type(game.num_players) is int
    assert (game.round, game.phase, game.decision, game.over) == (1, "build", "build", False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 2}, "players=2 .* 3 to 5"),
        ({"players": 6}, "players=6 .* 3 to 5"),
        ({"players": 0}, "players=0 .* 3 to 5"),
        ({"players": -3}, "players=-3 .* 3 to 5"),
        ({"players": True}, "players=True .* 3 to 5"),
        ({"players": 4.0}, r"players=4.0 .* 3 to 5"),
        ({"players": float("nan")}, "players=nan .* 3 to 5"),
        ({"players": "4"}, "players='4' .* 3 to 5"),
        ({"players": [4]}, "players=.* 3 to 5"),
        ({"variant": "chess"}, "variant 'chess' is unknown.* standard"),
        ({"variant": ""}, "variant '' is unknown.* standard"),
        ({"variant": None}, "variant None is unknown.* standard"),
        ({"variant": ["standard"]}, "variant .* is unknown.* standard"),
        ({"seed": -1}, "seed=-1 .* non-negative whole number"),
        ({"seed": 1.5}, "seed=1.5 .* non-negative whole number"),
        ({"seed": float("nan")}, "seed=nan .* non-negative whole number"),
        ({"seed": "7"}, "seed='7' .* non-negative whole number"),
        ({"seed": True}, "seed=True .* non-negative whole number"),
        ({"seed": [7]}, "seed=.* non-negative whole number"),
        ({"exploits": ["cartography"]}, "exploit 'cartography' is unknown: they are saltpetre, pirates, .*, haiti$"),
        ({"exploits": ["Venus"]}, "exploit 'Venus' is unknown: they are saltpetre"),
        ({"exploits": ["venus", None]}, "exploit None is unknown: they are saltpetre"),
        ({"exploits": [9]}, "exploit 9 is unknown: they are saltpetre"),
        (
            {"exploits": ["sun", "venus", "sun"]},
            r"exploits=\['sun', 'venus', 'sun'\] names sun twice: each is in play on",
        ),
        ({"exploits": 5}, "exploits=5 is not possible: give a list of names, or 'random'$"),
        ({"exploits": "venus"}, "exploits='venus' is not possible: give a list of names, or 'random'$"),
        ({"exploits": "Random"}, "exploits='Random' is not possible: give a list of names, or 'random'$"),
        ({"exploits": {"venus"}}, "exploits={'venus'} is not possible: give a list of names, or 'random'$"),
        ({"exploits": {"venus": 1}}, "exploits={'venus': 1} is not possible: give a list of names, or 'random'$"),
        ({"exploits": True}, "exploits=True is not possible: give a list of names, or 'random'$"),
        ({"exploits": ["venus"], "players": 2}, "players=2 .* 3 to 5"),
        (
            {"exploits": [], "variant": "exploits"},
            r"exploits=\[\] do not fit variant 'exploits': name at least one, or ",
        ),
        (
            {"exploits": (), "variant": "exploits"},
            r"exploits=\(\) do not fit variant 'exploits': name at least one, or ",
        ),
        ({"exploits": [], "options": {"exploit_discs": 30}}, "options=.*variant 'standard' has no options"),
        ({"options": {"difficulty": "easier"}}, "options=.* has no options"),
        ({"options": 5}, "options=5"),
        ({"options": ["difficulty"]}, "options=.*difficulty"),
        ({"board": "atlantis"}, "board .*atlantis.* unknown"),
        ({"board": 5}, "board 5 is unknown"),
        ({"board": "generated_-1"}, "board .*generated_-1.* unknown"),
    ],
    ids=str,
)
def test_a_wrong_option_is_one_named_error(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message) as caught:
        Game.new(**options)
    assert isinstance(caught.value, EndeavorError)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)


def test_an_unknown_keyword_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(InvalidOptionError, match=r"Game\.new has no option 'rounds': its options are players, variant"):
        Game.new(rounds=3)  # type: ignore[call-arg]


def test_a_missing_board_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidBoardError, match=r"none\.toml"):
        Game.new(board=tmp_path / "none.toml")


def test_boards_are_taken_in_every_form(tmp_path: Path) -> None:
    path = tmp_path / "copy.toml"
    path.write_text(Board.default().to_toml(), encoding="utf-8")
    forms = [None, "endeavor_2009", Board.default(), path, str(path)]
    states = {Game.new(3, seed=9, board=form).state.tobytes() for form in forms}
    assert len(states) == 1
    assert Game.new(3, seed=9, board="generated_4").board == Board.generate(4)


def test_without_a_seed_every_game_is_another_and_remembers_its_seed() -> None:
    first, second = Game.new(3), Game.new(3)
    assert first.seed != second.seed
    assert first.setup() != second.setup()
    assert Game.new(3, seed=first.seed).state.tobytes() == first.state.tobytes()


def test_large_seeds_are_seeds() -> None:
    seeds: list[Any] = [0, 2**63, 2**64 - 1, np.uint64(2**64 - 1)]
    setups = [Game.new(3, seed=seed).setup() for seed in seeds]
    assert setups[2] == setups[3]
    assert setups[0] != setups[1] != setups[2]


@pytest.mark.parametrize("exploits", [None, ["spice", "voc", "venus"], c.EXPLOIT_NAMES], ids=["none", "three", "all"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_given_set_up_draws_nothing(players: int, exploits: Any) -> None:
    game = Game.new(players, seed=5, exploits=exploits)
    setup = game.setup()
    again = Game.new(players, setup=MappingProxyType(setup), exploits=exploits)
    assert again.state.tobytes() == game.state.tobytes()
    assert again.setup() == setup
    assert again.seed is None
    assert len(setup["tokens"]) == 95
    setup["tokens"].clear()
    assert len(game.setup()["tokens"]) == 95  # what setup() gives is the caller's own


def test_X1_1_exploits_that_a_seed_drew_are_given_by_name_with_a_set_up() -> None:
    game = Game.new(4, seed=5, exploits="random")
    again = Game.new(4, setup=game.setup(), exploits=game.exploits)
    assert again.state.tobytes() == game.state.tobytes()
    assert Game.new(4, seed=5, exploits=game.exploits).state.tobytes() == game.state.tobytes()


@pytest.mark.parametrize("kind", [{"variant": "exploits"}, {"exploits": "random"}], ids=str)
def test_X1_1_a_set_up_without_named_exploits_is_refused(kind: dict[str, Any]) -> None:
    setup = Game.new(4, seed=5, exploits="random").setup()
    with pytest.raises(
        InvalidSetupError, match=r"does not say which Exploits are in play: name them, exploits=\[...\]$"
    ):
        Game.new(4, setup=setup, **kind)


def changed(**changes: Any) -> dict[str, Any]:
    """A sound set-up for three players with entries changed; a token kind of None takes the space out."""
    setup = Game.new(3, seed=5).setup()
    for key, value in changes.items():
        if key in ("first_player", "tokens"):
            setup[key] = value
        elif value is None:
            del setup["tokens"][key]
        else:
            setup["tokens"][key] = value
    return setup


def without(key: str) -> dict[str, Any]:
    """A set-up that lacks a field."""
    setup = changed()
    del setup[key]
    return setup


def swapped_kind() -> dict[str, Any]:
    """A set-up with one token of another kind."""
    setup = changed()
    tokens = setup["tokens"]
    tokens["london"] = "pay" if tokens["london"] != "pay" else "attack"
    return setup


SETUPS = [
    ([], "setup is a list: it must be a mapping"),
    ("seed", "setup is a str: it must be a mapping"),
    ({}, "setup has the fields none: .* exactly first_player and tokens"),
    (without("tokens"), "setup has the fields first_player: .* exactly first_player and tokens"),
    (without("first_player"), "setup has the fields tokens: .* exactly first_player and tokens"),
    ({**changed(), "grid": []}, "grid.* exactly first_player and tokens"),
    (changed(first_player=3), "setup.first_player is 3: it must be a seat, 0 to 2"),
    (changed(first_player=-1), "setup.first_player is -1: it must be a seat, 0 to 2"),
    (changed(first_player=True), "setup.first_player is True: it must be a seat"),
    (changed(first_player=1.0), r"setup.first_player is 1\.0: it must be a seat"),
    (changed(first_player=None), "setup.first_player is None: it must be a seat"),
    (changed(tokens=None), "setup.tokens is a NoneType: it must map"),
    (changed(tokens=["politics"] * 95), "setup.tokens is a list: it must map"),
    (changed(london=None), "setup.tokens must name each of the 95 spaces .* missing: london; unknown: none"),
    (changed(atlantis="pay"), "setup.tokens must name each of the 95 spaces .* missing: none; unknown: atlantis"),
    (changed(london="gold"), "setup.tokens.*london.* is 'gold': token kinds are industry, "),
    (changed(london=3), "setup.tokens.*london.* is 3: token kinds are industry, "),
    (changed(london=["pay"]), r"setup.tokens.*london.* is \['pay'\]: token kinds are industry, "),
    (swapped_kind(), r"setup.tokens places \d+ \w+ tokens: board endeavor_2009 has \d+"),
]


@pytest.mark.parametrize(("setup", "message"), SETUPS, ids=[message[:48] for _, message in SETUPS])
def test_a_wrong_set_up_is_one_named_error(setup: Any, message: str) -> None:
    for exploits in (None, ["venus"]):
        with pytest.raises(InvalidSetupError, match=message):
            Game.new(3, setup=setup, exploits=exploits)


def test_a_set_up_of_another_board_is_named() -> None:
    with pytest.raises(InvalidSetupError, match="each of the 95 spaces of board generated_4"):
        Game.new(3, setup=changed(), board="generated_4")
