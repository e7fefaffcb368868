"""GameConfig: one value for what is played, its text form and its plain form."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from endeavor_env import Board, Game, GameConfig
from endeavor_env.endeavor.options import RANDOM, options_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import InvalidBoardError, InvalidOptionError
from tests.game.test_variant_boards import edited, track

BOARDS = ("endeavor_2009", "generated_3", "generated_7")


@st.composite
def arguments(draw: st.DrawFn) -> dict[str, Any]:
    """Draw arguments of a game that can be played."""
    variant = draw(st.sampled_from(c.VARIANT_NAMES))
    least, most = c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(variant)]
    options = {one.name: draw(st.sampled_from(one.values)) for one in options_of(variant) if draw(st.booleans())}
    exploits = None
    if variant == "exploits":
        names = st.lists(st.sampled_from(c.EXPLOIT_NAMES), min_size=1, max_size=5, unique=True)
        exploits = draw(st.one_of(st.none(), st.just(RANDOM), names))
    players = draw(st.one_of(st.none(), st.integers(least, most)))
    return {
        "variant": variant,
        "players": players,
        "board": draw(st.sampled_from(BOARDS)) if variant in ("standard", "exploits") else None,
        "options": options,
        "exploits": exploits,
    }


@given(arguments())
def test_text_dictionary_and_pickle_lead_back_to_the_same_game(chosen: dict[str, Any]) -> None:
    config = GameConfig(**chosen)
    plain = json.loads(json.dumps(config.to_dict()))
    others = [
        GameConfig.parse(str(config)),
        GameConfig.from_dict(plain),
        pickle.loads(pickle.dumps(config)),
        copy.deepcopy(config),
        dataclasses.replace(config),
    ]
    assert others == [config] * len(others)
    assert {hash(other) for other in others} == {hash(config)}
    assert plain == others[0].to_dict()


@given(arguments(), st.integers(0, 2**53 - 1))
def test_a_game_of_it_is_that_of_the_arguments_and_says_what_is_played(chosen: dict[str, Any], seed: int) -> None:
    config = GameConfig(**chosen)
    game, other = config.new_game(seed), Game.new(seed=seed, **chosen)
    assert game.record() == other.record()
    drawn = dataclasses.replace(config, exploits=game.exploits) if config.exploits == RANDOM else config
    assert game.config == game.clone().config == drawn
    assert game.config.new_game(setup=game.setup()).state == game.state


def test_equal_is_what_is_played_not_how_it_was_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "copy.toml"
    file.write_text(Board.generate(7).to_toml(), encoding="utf-8")
    one = GameConfig("standard", 4, file, {"difficulty": "normal"}, ["voc", "pirates"])
    assert one == GameConfig("exploits", board="generated_7", exploits=("pirates", "voc"))
    assert (one.variant, one.exploits, dict(one.options)) == ("exploits", ("pirates", "voc"), {})
    assert one not in {GameConfig("exploits"), GameConfig("exploits", 3, "generated_7", exploits=["pirates", "voc"])}
    assert GameConfig("solo", options={"difficulty": "harder"}) != GameConfig("solo")


@pytest.mark.parametrize(
    ("text", "config"),
    [
        ("standard", GameConfig()),
        ("standard:", GameConfig()),
        ("standard:players=3", GameConfig(players=3)),
        ("standard:exploits=voc+pirates", GameConfig("exploits", exploits=["pirates", "voc"])),
        ("exploits:exploits=random,exploit_discs=30", GameConfig("exploits", options={"exploit_discs": 30})),
        ("solo:solo_ignore_industry=TRUE", GameConfig("solo", options={"solo_ignore_industry": True})),
    ],
)
def test_a_text_is_read(text: str, config: GameConfig) -> None:
    assert GameConfig.parse(text) == config


def test_all_options_are_those_of_a_game_and_kernels_are_told_the_exploits() -> None:
    config = GameConfig("exploits", options={"exploit_discs": 30}, exploits=["voc"])
    assert config.all_options == config.new_game(0).options == {"exploit_discs": 30, "value1_bonus": False}
    assert config.option_array()[c.OPTION_EXPLOITS] == config.exploit_bits == 1 << c.EXPLOIT_NAMES.index("voc")
    drawn = GameConfig("exploits")
    assert (drawn.option_array()[c.OPTION_EXPLOITS], drawn.exploit_bits) == (c.NONE, None)
    assert GameConfig("solo").all_options == Game.new(variant="solo").options


def test_it_cannot_be_changed() -> None:
    config = GameConfig("solo", options={"difficulty": "harder"})
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.players = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        config.options["difficulty"] = "easier"  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("chess", "variant"),
        ("standard:players", "name=value"),
        ("standard:players=3,players=4", "each name once"),
        ("standard:players=three", "players='three'"),
        ("standard:players=9", "players=9"),
        ("standard:difficulty=harder", "no options"),
        ("solo:difficulty=hardest", "difficulty='hardest'"),
        ("solo:exploits=voc", "only the base game"),
        ("exploits:exploits=gold", "exploit 'gold' is unknown"),
        ("standard:board=atlantis", "atlantis"),
        (3, "3 is no game"),
    ],
)
def test_a_wrong_text_is_refused_in_one_sentence(text: Any, word: str) -> None:
    with pytest.raises(InvalidOptionError, match=word) as caught:
        GameConfig.parse(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "word"),
    [
        ({"seats": 3}, "no field seats"),
        ({"variant": "standard", "board_hash": "0"}, "hash"),
        ({"exploits": "all"}, "exploits='all'"),
        ([], "is no game"),
    ],
)
def test_a_wrong_dictionary_is_refused(data: Any, word: str) -> None:
    with pytest.raises(InvalidOptionError, match=word):
        GameConfig.from_dict(data)


def test_a_board_of_a_file_is_given_beside_the_text_and_the_dictionary() -> None:
    board = Board.from_dict({**Board.default().to_dict(), "id": "of_a_file"})
    config = GameConfig(board=board)
    assert config == GameConfig.parse(str(config), board) == GameConfig.from_dict(config.to_dict(), board)
    with pytest.raises(InvalidOptionError, match="of_a_file"):
        GameConfig.parse(str(config))


def test_a_board_that_the_variant_cannot_be_played_on_is_refused() -> None:
    board = edited(track("india", 1))
    with pytest.raises(InvalidBoardError, match="region india has 1 shipping space"):
        GameConfig("solo", board=board)
    assert GameConfig(board=board).board == board


@pytest.mark.parametrize(
    "given",
    [{"players": 3}, {"variant": "solo"}, {"board": "generated_1"}, {"exploits": "random"}, {"options": {"a": 1}}],
)
def test_a_config_stands_alone(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionError, match=f"{next(iter(given))}=.* beside config"):
        Game.new(config=GameConfig(), **given)
    with pytest.raises(InvalidOptionError, match="give a GameConfig"):
        Game.new(config="standard")  # type: ignore[arg-type]
