"""Reset options of the vector environments: those of the single ones, for all games that start or game by game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from endeavor_env.basics.inputs import spread_seeds
from endeavor_env.endeavor.game import Game
from endeavor_env.envs.endeavor import (
    make_endeavor,
    make_endeavor_solo,
    make_endeavor_solo_vector,
    make_endeavor_vector,
)
from endeavor_env.errors import InvalidOptionError, InvalidSetupError
from tests.kits.vector import QUICK

SETUP: dict[str, Any] = {**Game.new(3, seed=77).setup(), "first_player": 1}
GIVEN: list[dict[str, Any]] = [
    {"first_player": 2},
    {"learner_seat": 1},
    {"setup": SETUP},
    {"setup": SETUP, "learner_seat": 2},
    {"first_player": 0, "learner_seat": 0},
]


@pytest.mark.parametrize("seed", [None, 50])
@pytest.mark.parametrize("learner_seat", [1, "rotate"])
@pytest.mark.parametrize("options", GIVEN, ids=lambda options: ",".join(options))
def test_they_do_what_the_single_environment_does(
    options: dict[str, Any], learner_seat: int | str, seed: int | None
) -> None:
    env = make_endeavor_vector(3, **QUICK, learner_seat=learner_seat)
    alone = [make_endeavor(**QUICK, learner_seat=learner_seat) for _ in range(3)]
    env.reset(seed=9)
    for first, one in zip(spread_seeds(9, 3).tolist(), alone, strict=True):
        one.reset(seed=first)
    seeds = [None] * 3 if seed is None else spread_seeds(seed, 3).tolist()
    for given in (options, None):  # and nothing of it is left in the game after
        seen, infos = env.reset(seed=seed, options=given)
        for row, one in enumerate(alone):
            there, info = one.reset(seed=seeds[row], options=given)
            assert seen["observation"][row].tobytes() == there["observation"].tobytes()
            assert seen["action_mask"][row].tobytes() == there["action_mask"].tobytes()
            assert infos["seat"][row] == info["seat"]
            assert infos["_seed"][row] == (info["seed"] is not None)
            assert not infos["_seed"][row] or infos["seed"][row] == info["seed"]


def test_each_game_can_be_asked_for_its_own() -> None:
    env = make_endeavor_vector(4, games=[{"players": 3}, {"players": 5}], observation="compact")
    _, infos = env.reset(
        seed=3,
        options={"setup": [SETUP, None, None, None], "learner_seat": [None, 4, None, 3]},
    )
    assert infos["seat"].tolist() == [0, 4, 0, 3]
    assert infos["_seed"].tolist() == [False, True, True, True]
    assert Game.new(3, setup=SETUP).state["token"].tobytes() == env.batch.states["token"][0].tobytes()
    before = env.batch.states.copy()
    _, infos = env.reset(options={"reset_mask": np.arange(4) == 2, "first_player": [0, 0, 2, 4]})
    assert env.batch.states["first_player"][2] == 2
    assert env.batch.states[[0, 1, 3]].tobytes() == before[[0, 1, 3]].tobytes()


def test_the_first_player_in_self_play() -> None:
    env = make_endeavor_vector(3, **QUICK, learner_seat="all")
    _, infos = env.reset(seed=1, options={"first_player": np.array([2, 0, 1])})
    assert infos["seat"].tolist() == [2, 0, 1]


def test_solitaire_games_take_set_ups() -> None:
    setup = Game.new(variant="solo", seed=5).setup()
    env, one = make_endeavor_solo_vector(2, observation="compact"), make_endeavor_solo(observation="compact")
    seen, infos = env.reset(seed=1, options={"setup": setup})
    there, _ = one.reset(seed=1, options={"setup": setup})
    assert (seen["observation"] == there["observation"]).all()
    assert not infos["_seed"].any()


REFUSED: list[tuple[dict[str, Any], dict[str, Any], type[Exception], str]] = [
    ({}, {"first_player": 3}, InvalidOptionError, "first_player=3 is not possible: give a seat, 0 to 2"),
    ({}, {"first_player": [0, 1]}, InvalidOptionError, "first_player has 2 entries: give one, or a list of 3"),
    ({}, {"learner_seat": [0, None, "rotate"]}, InvalidOptionError, "learner_seat='rotate' is not possible"),
    ({}, {"setup": SETUP, "first_player": 1}, InvalidOptionError, "setup and first_player exclude each other"),
    ({}, {"setup": {"tokens": {}}}, InvalidSetupError, "setup has the fields"),
    ({}, {"setup": [None, 3, None]}, InvalidSetupError, "setup is a int"),
    ({"learner_seat": "all"}, {"learner_seat": 0}, InvalidOptionError, "learner_seat is not possible in self-play"),
]


@pytest.mark.parametrize(("options", "reset", "error", "message"), REFUSED, ids=str)
def test_what_does_not_fit_changes_nothing(
    options: dict[str, Any], reset: dict[str, Any], error: type[Exception], message: str
) -> None:
    env, same = (make_endeavor_vector(3, **QUICK, **options) for _ in range(2))
    env.reset(seed=1)
    same.reset(seed=1)
    with pytest.raises(error, match=message):
        env.reset(options=reset)
    assert env.batch.tables.tobytes() == same.batch.tables.tobytes()
    assert env.batch.states.tobytes() == same.batch.states.tobytes()
    assert (env.reset()[0]["observation"] == same.reset()[0]["observation"]).all()


def test_games_that_draw_their_kind_take_no_set_up() -> None:
    games = [{"players": 3}, {"players": 5}]
    env = make_endeavor_vector(3, games=games, game_choice="draw", observation="compact")
    with pytest.raises(InvalidOptionError, match="setup is not possible where each game draws its kind"):
        env.reset(options={"setup": SETUP})
    with pytest.raises(InvalidOptionError, match="first_player=3 is not possible: give a seat, 0 to 2"):
        env.reset(options={"first_player": 3})
    env.reset(options={"first_player": 2})
    assert (env.batch.states["first_player"] == 2).all()
