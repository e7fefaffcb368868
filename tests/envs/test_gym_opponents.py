"""The other seats of the Gymnasium environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules.actions import NUM_ACTIONS
from endeavor_env.envs.endeavor import make_endeavor
from endeavor_env.envs.merchants import make_merchants
from endeavor_env.envs.table import ResetNeededError
from endeavor_env.errors import IllegalActionError, InvalidOptionError
from endeavor_env.sb3 import EndeavorVecEnv
from tests.kits.envs import play_gym, position


class Recorder:
    """Plays its ``pick`` of the legal actions and notes what it was asked."""

    def __init__(self, pick: int = 0) -> None:
        self.pick = pick
        self.seats: list[int] = []
        self.seeds: list[int] = []

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)

    def act(self, game: Game) -> int:
        self.seats.append(game.seat)
        return game.legal_actions()[self.pick]


def first_legal(observation: dict[str, np.ndarray]) -> np.int64:
    """Play the lowest legal id, from the observation."""
    assert observation["action_mask"].any()
    return observation["action_mask"].argmax()


def test_objects_play_their_seats_in_playing_order_after_the_learner() -> None:
    near, far = Recorder(), Recorder(-1)
    env = make_endeavor(players=3, learner_seat=1, opponents=[near, far])
    env.reset(seed=1)
    play_gym(env, 1)
    assert set(near.seats) == {2}
    assert set(far.seats) == {0}
    game = Game.new(3, seed=1)
    for seat, action in env.game().history:
        assert seat == 1 or action == game.legal_actions()[0 if seat == 2 else -1]
        game.apply(action)


def test_the_seats_rotate_with_the_learner() -> None:
    near, far = Recorder(), Recorder()
    env = make_endeavor(players=3, learner_seat="rotate", opponents=(near, far), seed=0)
    for learner in (0, 1):
        near.seats.clear()
        env.reset()
        play_gym(env, 1)
        assert set(near.seats) == {(learner + 1) % 3}


def test_one_object_may_play_all_other_seats() -> None:
    one = Recorder()
    env = make_endeavor(players=4, learner_seat=3, opponents=one)
    env.reset(seed=1)
    play_gym(env, 1)
    assert set(one.seats) == {0, 1, 2}
    assert len(one.seeds) == 1


def test_objects_are_reset_with_seeds_that_follow_the_seed() -> None:
    near, far = Recorder(), Recorder()
    env = make_endeavor(players=3, opponents=[near, far])
    env.reset(seed=1)
    env.reset()
    env.reset(seed=1)
    assert near.seeds[0] == near.seeds[2] != near.seeds[1]
    assert near.seeds[0] != far.seeds[0]


def test_functions_see_the_seat_they_play() -> None:
    seen: list[dict[str, np.ndarray]] = []

    def watching(observation: dict[str, np.ndarray]) -> int:
        seen.append(observation)
        return int(observation["action_mask"].argmax())

    env = make_endeavor(players=3, opponents=watching, observation="compact")
    env.reset(seed=1, options={"first_player": 1})
    assert len(seen) == 2
    assert all(env.observation_space.contains(observation) for observation in seen)
    game = Game.new(3, setup=env.game().setup())
    for observation, (_, action) in zip(seen, env.game().history, strict=True):
        assert (observation["action_mask"] == game.mask()).all()
        game.apply(action)


def play_on(env: Any) -> dict[str, Any]:
    """Play the first legal action to the end of a game, and return the last info."""
    _, info = env.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, info = env.step(int(env.action_masks().argmax()))
    return info


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("make", [make_endeavor, make_merchants])
def test_a_function_gets_observation_and_mask_whatever_form_the_learners_have(make: Any, flat: bool) -> None:
    seen = []

    def watching(observation: dict[str, np.ndarray]) -> int:
        seen.append(observation)
        return int(observation["action_mask"].argmax())

    env = make(players=3, opponents=watching, flat=flat, mask_dtype="bool")
    play_on(env)
    assert len(seen) > 20
    space = make(players=3, mask_dtype="bool").observation_space
    for observation in seen:
        assert {key: (one.shape, one.dtype) for key, one in observation.items()} == {
            key: (one.shape, one.dtype) for key, one in space.items()
        }
        assert observation["action_mask"].any()
        assert not observation["action_mask"].all()


@pytest.mark.parametrize("flat", [False, True])
def test_a_frozen_maskable_ppo_plays_legal_moves_as_an_opponent(flat: bool) -> None:
    single = make_endeavor(players=3, flat=True)
    model = MaskablePPO("MlpPolicy", single, n_steps=8, seed=1, device="cpu")

    def frozen(seen: dict[str, np.ndarray]) -> Any:
        return model.predict(seen["observation"], action_masks=seen["action_mask"])[0]

    def frozen_in_games(observations: np.ndarray, masks: np.ndarray) -> Any:
        return model.predict(observations, action_masks=masks)[0]

    env = make_endeavor(players=3, opponents=frozen, flat=flat)
    assert play_on(env)["reason"] == "game_over"
    games = EndeavorVecEnv("Endeavor-v0", 4, players=3, opponents=frozen_in_games)
    games.reset()
    for _ in range(40):
        games.step(games.action_masks().argmax(axis=1))


def test_functions_objects_and_random_play_mix() -> None:
    recorder = Recorder()
    env = make_endeavor(players=4, opponents=["random", recorder, first_legal])
    env.reset(seed=2)
    assert play_gym(env, 2)[-1][2]
    assert set(recorder.seats) == {2}


def test_random_opponents_follow_the_seed() -> None:
    for opponents in ("random", ["random", Recorder()]):
        env = make_endeavor(players=3, opponents=opponents)
        played = []
        for seed in (5, 5, 6):
            env.reset(seed=seed)
            play_gym(env, 1)
            played.append(env.game().history)
        assert played[0] == played[1] != played[2]


@pytest.mark.parametrize(
    "opponents",
    [
        "Greedy",
        {"random": 1.0},
        None,
        3,
        ["random"],
        ["random"] * 3,
        ["random", None],
        Recorder,
        [first_legal, "nobody"],
    ],
)
def test_what_cannot_play_is_refused(opponents: Any) -> None:
    with pytest.raises(InvalidOptionError, match="opponent"):
        make_endeavor(players=3, opponents=opponents)


@pytest.mark.parametrize(
    "wrong",
    [lambda game: game.mask().tolist().index(False), lambda game: 1.0, lambda game: NUM_ACTIONS, lambda game: None],
)
def test_an_opponent_that_plays_illegally_is_named(wrong: Callable[[Game], Any]) -> None:
    class Cheat:
        cheats = False

        def act(self, game: Game) -> Any:
            return wrong(game) if self.cheats else game.legal_actions()[0]

        def __repr__(self) -> str:
            return "Cheat()"

    cheat = Cheat()
    env = make_endeavor(players=3, opponents=cheat)
    env.reset(seed=1, options={"first_player": 0})
    cheat.cheats, before = True, position(env.game())
    with pytest.raises(IllegalActionError, match=r"opponent Cheat\(\) in seat 1 chose badly: .* legal moves"):
        env.step(int(env.action_masks().argmax()))
    assert position(env.game()) == before
    assert env.action_masks().tolist() == env.game().mask().tolist()
    cheat.cheats = False
    env.step(int(env.action_masks().argmax()))
    cheat.cheats = True
    with pytest.raises(IllegalActionError, match=r"opponent Cheat\(\) in seat 1"):
        env.reset(options={"first_player": 1})
    with pytest.raises(ResetNeededError, match=r"step\(\) after a reset that failed"):
        env.step(0)
    cheat.cheats = False
    env.reset()
    assert play_gym(env, 1)[-1][2]
