"""The environments of any game on the engine, with the toy game: checkers, records, set-ups, texts."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from endeavor_env.basics.inputs import InvalidRenderModeError
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.engine.records import plain_form, replay
from endeavor_env.envs.aec_env import GameAECEnv
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.envs.vector_env import GameVectorEnv
from endeavor_env.errors import InvalidOptionError, InvalidSetupError
from tests.kits.envs import DICT_WARNINGS
from tests.kits.toy_envs import SETUP, TOY, play_out, roll
from tests.toy_game.rules import PLAY, ROLL, ROUNDS, TOY_GAME

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of the package of the tests itself
    from pettingzoo.test import api_test, seed_test

pytestmark = [pytest.mark.filterwarnings(message) for message in DICT_WARNINGS]


@pytest.mark.parametrize("options", [{}, {"observation": "compact"}, {"flat": True}])
def test_the_libraries_find_nothing_wrong(options: dict[str, Any]) -> None:
    check_env(GameEnv(TOY, **options), skip_render_check=True)
    api_test(GameAECEnv(TOY, **options), num_cycles=100)
    if "flat" not in options:  # whose masks that test does not find
        seed_test(lambda: GameAECEnv(TOY, **options), num_cycles=100)


@pytest.mark.parametrize("interface", [GameEnv, GameAECEnv])
def test_a_record_of_the_game_in_play_replays(interface: Callable[..., Any]) -> None:
    env = interface(TOY)
    env.reset(seed=4)
    for _ in range(ROUNDS):
        env.step(ROLL)
        game = env.game()
        again = replay(game.record(), plain_form(TOY_GAME))
        assert (again.history, again.state.tobytes(), again.seed) == (game.history, game.state.tobytes(), None)


# --- looking ---------------------------------------------------------------------------------------------------------
def test_text_names_what_chance_decided_since_the_last_time() -> None:
    env = GameEnv(TOY, render_mode="ansi", opponents=roll)
    env.reset(seed=2, options={"setup": {**SETUP, "first": 0}})
    assert env.render() == (
        "Dice and cards\nSeat 0: 0 points\nSeat 1: 0 points\nSeat 2: 0 points\nSeat 0 is to move: roll, card"
    )
    env.step(PLAY)
    first, *lines = env.render().split("\n")
    scores = env.game().scores()
    assert first == "Seat 0: card"
    assert lines[:4] == [
        "Seat 1: roll", f"Chance: die:{scores[1]}", "Seat 2: roll", f"Chance: die:{scores[2]}"
    ]  # fmt: skip
    assert lines[4:] == ["Dice and cards", *(f"Seat {seat}: {one} points" for seat, one in enumerate(scores)),
                         "Seat 0 is to move: roll"]  # fmt: skip
    agents = GameAECEnv(TOY, render_mode="ansi")
    agents.reset(seed=2, options={"setup": SETUP})
    assert agents.render().endswith("Seat 1 is to move: roll, card")


@pytest.mark.parametrize("interface", [GameEnv, GameAECEnv])
@pytest.mark.parametrize("mode", ["human", "rgb_array"])
def test_a_game_without_pictures_is_shown_as_text_alone(interface: Callable[..., Any], mode: str) -> None:
    with pytest.raises(InvalidRenderModeError) as caught:
        interface(TOY, render_mode=mode)
    assert str(caught.value) == f"render_mode '{mode}' is not possible: Dice and cards has no pictures; give 'ansi'"


# --- set-ups ---------------------------------------------------------------------------------------------------------
def test_a_reset_takes_a_setup_and_draws_the_dice_from_its_seed() -> None:
    env = GameEnv(TOY, learner_seat=1, opponents=roll)
    games = []
    for seed in (3, 3, 4):
        seen, info = env.reset(seed=seed, options={"setup": SETUP})
        assert ("seed" in info, seen["observation"][0]) == (False, 2)
        play_out(env, 0)
        games.append(env.game().history)
        assert env.game().setup() == SETUP
    assert games[0] == games[1] != games[2]
    agents = [GameAECEnv(TOY) for _ in range(2)]
    for one in agents:
        one.reset(seed=3, options={"setup": SETUP})
        for mover, action in games[0]:
            if mover != CHANCE:
                one.step(action)
        assert one.game().history == games[0]


def test_a_setup_that_does_not_fit_leaves_the_game_in_play() -> None:
    env = GameEnv(TOY)
    env.reset(seed=3)
    env.step(ROLL)
    before = env.game().record()
    for options, error, sentence in (
        ({"setup": {**SETUP, "first": 3}}, InvalidSetupError, "setup begins with seat 3: give 0 to 2"),
        ({"setup": {"hand": [1, 2, 3]}}, InvalidSetupError, "setup has hand: it must be a mapping of hand, first"),
        ({"first_player": 1}, InvalidOptionError, "reset has no option 'first_player': its options are setup, "),
        ({"learner_seat": 3}, InvalidOptionError, "learner_seat=3 is not possible: give a seat, 0 to 2"),
        ([SETUP], InvalidOptionError, "give a mapping of setup, learner_seat"),
    ):
        with pytest.raises(error, match=sentence):
            env.reset(seed=9, options=options)  # type: ignore[arg-type]
    assert env.game().record() == before
    again = GameEnv(TOY)
    again.reset(seed=3)
    again.step(ROLL)
    for one in (env, again):
        play_out(one, 1)
    assert env.game().history == again.game().history
    for one in (env, again):
        one.reset()
    assert env.game().setup() == again.game().setup()


def test_games_of_a_setup_have_the_dice_of_their_seeds() -> None:
    seeds, options = [4, 5, 1 << 60], {"setup": SETUP}
    ours, singles = GameVectorEnv(3, config=TOY), [GameEnv(TOY) for _ in seeds]
    seen, infos = ours.reset(seed=seeds, options=options)
    alone = [env.reset(seed=seed, options=options) for env, seed in zip(singles, seeds, strict=True)]
    assert "seed" not in infos
    assert not any("seed" in info for _, info in alone)  # the dice follow from it
    for _ in range(ROUNDS):
        assert seen["observation"].tolist() == [one[0]["observation"].tolist() for one in alone]
        seen, *_, infos = ours.step(np.full(3, ROLL))
        alone = [env.step(ROLL) for env in singles]
    assert infos["scores"].tolist() == [env.game().scores() for env in singles]
    assert len({tuple(env.game().scores()) for env in singles}) == 3
